/** A note of the memory in a terminal. */
import type { ListedNote, MemoryNote } from "../../shared/memory-list.ts";
import { noteFacts, noteProblemText } from "../../shared/words/memory-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { oneLine } from "../screen.ts";

/** Each line ends with a line feed. */
export function memoryNoteText(t: Translate, note: MemoryNote & Pick<ListedNote, "problem">): string {
  const { id, text, session, problem } = note;
  const facts = [...noteFacts(t, note), ...(session === undefined ? [] : [t("session {0}", session)])];
  const warning = problem === undefined ? "" : `    ! ${oneLine(noteProblemText(t, problem))}\n`;
  return `${id}  ${oneLine(text)}\n    ${oneLine(facts.join(" · "))}\n${warning}`;
}
