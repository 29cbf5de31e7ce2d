/** The texts that a row shows, for searches: without Markdown characters, in the user's language. */
import { terminalText } from "../terminal-output.ts";
import { plainText } from "../text/plain-text.ts";
import type { ToolPresentation } from "../tool-presentation.ts";
import type { CallRow, Row } from "../view/reducer.ts";
import { visible } from "../visible.ts";
import { errorText } from "./error-words.ts";
import { noticeText } from "./notice-words.ts";
import { callDetail } from "./outcome-words.ts";
import { refusalText } from "./reasons/reasons.ts";
import { callPhrase, type Translate } from "./task-words.ts";

export function rowTexts(
  t: Translate,
  row: Row,
  presentation: ToolPresentation | undefined,
): readonly string[] {
  switch (row.kind) {
    case "user":
      return [row.text];
    case "text":
    case "reasoning":
      return [plainText(row.text)];
    case "call":
      return callTexts(t, row, presentation);
    case "comparison":
      return row.answers.flatMap(({ name, text }) => [name, plainText(text)]);
    case "error":
      return [errorText(t, row.error).text, row.error.detail ?? ""];
    case "notice":
      return [noticeText(t, row.code, row.values), plainText(row.detail ?? "")];
    case "checkpoint":
      return [];
  }
}

function callTexts(t: Translate, row: CallRow, presentation: ToolPresentation | undefined): string[] {
  const { shown } = row;
  const isMarkdown =
    presentation !== undefined && presentation.row !== "tool" && presentation.row !== "command";
  const phrase = visible(
    callPhrase(t, presentation, { ...row, subject: row.approval?.command ?? row.subject }),
  );
  // A row of one line shows what the call found, else the call's own text.
  const told = isMarkdown
    ? plainText(row.text)
    : shown?.text === undefined
      ? row.text
      : callDetail(t, presentation, shown);
  const output = visible(terminalText(shown?.output ?? row.output ?? ""));
  return [
    phrase,
    refusalText(t, shown) ?? told,
    output,
    ...(row.options ?? []),
    row.proposal ?? "",
    shown?.comment ?? "",
  ].filter((text) => text !== "");
}
