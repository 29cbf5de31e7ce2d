/** Text for rules files: their owner, and whether they apply. */

import { type RuleFile, type RuleSource, SOURCE_NAMES } from "../../src/shared/rule-list.ts";
import { rulesFileFaultText } from "../../src/shared/words/notice-words.ts";
import type { Translate } from "../../src/shared/words/task-words.ts";

export function sourceText(t: Translate, source: RuleSource): string {
  if (source === "global") return t("User rules (all projects)");
  if (source === "nekode") return t("Project rules");
  return SOURCE_NAMES[source];
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
