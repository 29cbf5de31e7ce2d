/** The words for what a task changed, compared with the plan that it carried out. */
import type { Translate } from "./task-words.ts";

/** `values`: see the notice "plan-compared". */
export function planComparedText(
  t: Translate,
  [changed = "", named = "", missing = "", others = "", open = "", told = ""]: readonly string[],
): string {
  const sentences = [
    named === "0" ? "" : t("Plan: {0} of {1} files changed.", changed, named),
    missing === "" ? "" : t("Not changed: {0}.", missing),
    others === "" ? "" : t("Not in the plan: {0}.", others),
    open === "" ? "" : t("Open steps: {0}.", open),
    told === "" ? "" : t("The model is asked to finish or to explain."),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}
