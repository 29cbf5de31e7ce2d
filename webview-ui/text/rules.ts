/** Text for rules files: their owner, and whether they apply. */

import type { RuleFile, RuleSource } from "../../src/shared/rule-list.ts";
import { rulesFileFaultText } from "../../src/shared/words/notice-words.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";

export function sourceText(t: Translate, source: RuleSource): string {
  switch (source) {
    case "global":
      return t("User rules (all projects)");
    case "nekode":
      return t("Project rules");
    case "agents":
      return "AGENTS.md";
    case "cline":
      return "Cline";
    case "cursor":
      return "Cursor";
    case "windsurf":
      return "Windsurf";
    case "claude":
      return "CLAUDE.md";
    case "copilot":
      return "GitHub Copilot";
  }
}

/** Whether the next task receives the file, or why not. */
export function ruleStateText(t: Translate, { state, paths }: RuleFile): string {
  const patterns = paths.join(", ");
  switch (state) {
    case "applies":
      return paths.length === 0 ? t("Always applies") : t("Applies to {0}", patterns);
    case "off":
      return paths.length === 0 ? t("Disabled") : t("Disabled (for {0})", patterns);
    case "source-off":
      return t("This source is disabled");
    case "no-match":
      return t("Not applied: no file matches {0}", patterns);
    case "untrusted":
      return t("Not applied: this folder is not trusted");
    case "same":
      return t("Not applied: same text as another file");
    case "empty":
      return t("Not applied: the file is empty");
    default:
      return t("Not applied: {0}", rulesFileFaultText(t, state));
  }
}

/** Whether the state is an error rather than a choice. */
export function isFault({ state }: RuleFile): boolean {
  return !["applies", "off", "source-off", "no-match", "same"].includes(state);
}
