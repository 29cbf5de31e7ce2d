/** An answer as plain text, for an editor: there, screen readers, searches and every key of the editor work. */

import { speaksToUser } from "../../shared/speaks-to-user.ts";
import { plainText } from "../../shared/text/plain-text.ts";
import { presentationOf } from "../../shared/tool-presentation.ts";
import { type ChatView, type Row, rowsOf } from "../../shared/view/reducer.ts";
import { rowTexts } from "../../shared/words/row-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";

/** Characters of its first line in the document's name. */
const NAME_LENGTH = 40;

/** The row's text, or that of the last answer of the view, with a file name; undefined: there is none. */
export function answerText(
  view: ChatView,
  t: Translate,
  id?: string,
): { name: string; text: string } | undefined {
  const row = id === undefined ? lastAnswer(view) : rowsOf(view).find((each) => each.id === id);
  if (!row) return undefined;
  const text = textOf(t, row, view);
  const words = text.trim().slice(0, NAME_LENGTH).split("\n", 1)[0] ?? "";
  // Without characters that file names cannot contain, and without a period before the extension.
  const name = words
    .replace(/[\\/:*?"'<>|\s]+/g, " ")
    .trim()
    .replace(/[. ]+$/, "");
  return { name: `${name === "" ? "-" : name}.txt`, text };
}

/** The row of the last answer; undefined: there is none. */
export function lastAnswer(view: ChatView): Extract<Row, { kind: "call" | "text" }> | undefined {
  return rowsOf(view).findLast((row) => isAnswer(row, view));
}

function isAnswer(row: Row, view: ChatView): row is Extract<Row, { kind: "call" | "text" }> {
  if (row.kind === "call") return row.text !== "" && speaksToUser(view.faces, row.tool);
  return row.kind === "text";
}

function textOf(t: Translate, row: Row, view: ChatView): string {
  if (row.kind === "text") return plainText(row.text);
  return rowTexts(t, row, row.kind === "call" ? presentationOf(view.faces, row.tool) : undefined).join(
    "\n\n",
  );
}
