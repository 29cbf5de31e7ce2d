/** The words for what a task changed, compared with the plan that it carried out. */
import type { Translate } from "./task-words.ts";

/** `values`: see the notice "plan-compared". */
export function planComparedText(
  t: Translate,
  [changed = "", named = "", missing = "", others = "", open = "", told = ""]: readonly string[],
): string {
  if (told !== "") return t("The changes differ from the plan. The model is asked to finish or to explain.");
  const sentences = [
    named === "0" ? "" : t("Plan: {0} of {1} files changed.", changed, named),
    missing === "" ? "" : t("Not changed: {0}.", missing),
    others === "" ? "" : t("Not in the plan: {0}.", others),
    open === "0" ? "" : t("Open steps in the todo list: {0}.", open),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}
