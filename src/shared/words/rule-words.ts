/** What lists say about rules files: the panel's page of rules and its popover of the context window, and the terminal. */
import type { RuleFile } from "../rule-file.ts";
import type { RuleSource } from "../rule-list.ts";
import { rulesFileFaultText } from "./notice-words.ts";
import type { Translate } from "./task-words.ts";

/** What the sources that other programs define are called, in every language. */
const SOURCE_NAMES: Readonly<Record<Exclude<RuleSource, "global" | "nekode">, string>> = {
  agents: "AGENTS.md",
  cline: "Cline",
  cursor: "Cursor",
  windsurf: "Windsurf",
  claude: "Claude Code",
  copilot: "GitHub Copilot",
  codex: "Codex",
  gemini: "Gemini CLI",
  roo: "Roo Code",
  kilo: "Kilo Code",
};

/** Whose rules these are. */
export function ruleSourceText(t: Translate, source: RuleSource): string {
  if (source === "global") return t("User rules (all projects)");
  if (source === "nekode") return t("Project rules");
  return SOURCE_NAMES[source];
}

/** Whether the model receives the file, and why, or why not. */
export function ruleStateText(t: Translate, rule: RuleFile): string {
  const { state, paths, by = "", why: [code = state, detail = ""] = [] } = rule;
  const patterns = paths.join(", ");
  switch (state) {
    case "applies":
      return appliesText(t, rule);
    case "described":
      return t("The model reads it if its description fits the task");
    case "nested":
      return t("Applies to {0}, once the task works on a file there", patterns);
    case "next-message":
      return t("Applies from your next message");
    case "by-hand":
      return t("Not applied: mention the file with @ to use it");
    case "other-mode":
      return t("Not applied: only for the mode {0} of its product", by);
    case "overridden":
      return t("Not applied: {0} takes its place", by);
    case "missing":
      return t("Not applied: {0} imports it, but it does not exist", by);
    case "too-deep":
      return t("Not applied: it is imported over more than 4 files");
    case "off":
      return paths.length === 0 ? t("Disabled") : t("Disabled (for {0})", patterns);
    case "source-off":
      return t("This source is disabled");
    case "no-match":
      return t("Not applied: no file matches {0}", patterns);
    case "untrusted":
      return t("Not applied: this folder is not trusted");
    case "same":
      return by === "" ? t("Not applied: same text as another file") : t("Not applied: same text as {0}", by);
    case "empty":
      return t("Not applied: the file is empty");
    default: {
      const text = t("Not applied: {0}", rulesFileFaultText(t, code, detail));
      return by === "" ? text : `${text} · ${t("Imported by {0}", by)}`;
    }
  }
}

function appliesText(t: Translate, { paths, by, match, workedOn }: RuleFile): string {
  const patterns = paths.join(", ");
  if (by !== undefined) return t("Imported by {0}", by);
  if (workedOn !== undefined) return t("Applies to {0}, because the task works on {1}", patterns, workedOn);
  if (match !== undefined) return t("Applies to {0}, for example {1}", patterns, match);
  return paths.length === 0 ? t("Always applies") : t("Applies to {0}", patterns);
}

/** Whether the model receives the file, or at least its description. */
export function isRuleIncluded({ state }: RuleFile): boolean {
  return state === "applies" || state === "described";
}

/** Whether the state is an error rather than a choice. */
export function isRuleFault({ state }: RuleFile): boolean {
  return !CHOICES.has(state);
}

const CHOICES: ReadonlySet<RuleFile["state"]> = new Set([
  "applies",
  "described",
  "nested",
  "next-message",
  "by-hand",
  "other-mode",
  "overridden",
  "off",
  "source-off",
  "no-match",
  "same",
]);
