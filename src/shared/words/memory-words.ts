/** Words about the memory of a project. */
import type { ListedNote, NoteProblem } from "../memory-list.ts";
import { unreachable } from "../unreachable.ts";
import type { Translate } from "./task-words.ts";

/** What is known of a note besides its text. */
export function noteFacts(t: Translate, { topic, date }: Pick<ListedNote, "topic" | "date">): string[] {
  const when = date === undefined ? t("written by you") : date.slice(0, 16).replace("T", " ");
  return [...(topic === undefined ? [] : [topic]), when];
}

export function noteProblemText(t: Translate, problem: NoteProblem): string {
  switch (problem) {
    case "hidden":
      return t("Not given to the model: it contains invisible characters.");
    case "too-long":
      return t("Not given to the model: it is too long.");
    default:
      return unreachable(problem);
  }
}
