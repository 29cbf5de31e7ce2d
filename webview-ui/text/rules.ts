/** Rules files in words: whose they are, and whether they apply. */

import type { RuleFile, RuleSource } from "../../src/shared/rule-list.ts";
import { ruleFaultText } from "../../src/shared/words/notice-words.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";

export function sourceText(t: Translate, source: RuleSource): string {
  switch (source) {
    case "global":
      return t("Yours, for every project");
    case "nekode":
      return t("This project's");
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

/** Whether the next task gets it, or why not. */
export function ruleStateText(t: Translate, { state, paths }: RuleFile): string {
  const patterns = paths.join(", ");
  switch (state) {
    case "applies":
      return paths.length === 0 ? t("Applies to everything") : t("Applies to {0}", patterns);
    case "off":
      return paths.length === 0 ? t("Switched off") : t("Switched off; for {0}", patterns);
    case "source-off":
      return t("All of this kind are switched off");
    case "no-match":
      return t("Left out: no file matches {0}", patterns);
    case "untrusted":
      return t("Left out: this folder is not trusted");
    case "same":
      return t("Left out: another file says the same");
    case "empty":
      return t("Left out: it is empty");
    default:
      return t("Left out: {0}", ruleFaultText(t, state));
  }
}

/** Something is wrong with it, rather than decided. */
export function isFault({ state }: RuleFile): boolean {
  return !["applies", "off", "source-off", "no-match", "same"].includes(state);
}
