/**
 * The words of a row for what does not draw it: its name, for screen readers, and the texts that it shows, for searches and
 * announcements.
 */
import { terminalText } from "../terminal-output.ts";
import { plainText } from "../text/plain-text.ts";
import type { ToolPresentation } from "../tool-presentation.ts";
import type { CallRow, Row } from "../view/reducer.ts";
import { visible } from "../visible.ts";
import { errorDetail, errorText } from "./error-words.ts";
import { noticeText } from "./notice-words.ts";
import { callDetail, callStateText } from "./outcome-words.ts";
import { refusalText } from "./reasons/reasons.ts";
import { callPhrase, type Translate } from "./task-words.ts";

/** Characters of a call or an error in a row's name, of a message, which is read out after its name, and of the source for them. */
const EXCERPT = 120;
const BEGINNING = 60;
const SOURCE = 1_000;

/** The agent's name, in every language. */
const AGENT = "Nekode";

/**
 * Who speaks in the row, and what its content does not say: "You", "Nekode: failed". A screen reader reads it before the content, so
 * that `rowName` would say each short message twice.
 */
export function rowSpeaker(t: Translate, row: Row, presentation: ToolPresentation | undefined): string {
  switch (row.kind) {
    case "user":
      return row.text === "" ? rowName(t, row, presentation) : t("You");
    case "text":
    case "reasoning":
      return AGENT;
    case "call": {
      const state = callStateText(t, row.state);
      return state === "" ? AGENT : t("Nekode: {0}", state);
    }
    case "error":
      return t("Error");
    case "notice":
      return t("Notice");
    case "checkpoint":
    case "comparison":
      return rowName(t, row, presentation);
  }
}

/** The same with what the row is about, in one line, for a row that has the focus: "You: Add a test", "Nekode: Edited cats.js". */
export function rowName(t: Translate, row: Row, presentation: ToolPresentation | undefined): string {
  switch (row.kind) {
    case "user":
      return t("You: {0}", excerpt(row.text, BEGINNING) || t("Images: {0}", row.images ?? 0));
    case "text":
      return t("Nekode: {0}", excerpt(plainText(row.text.slice(0, SOURCE)), BEGINNING));
    case "reasoning":
      return t("Nekode: {0}", row.streaming ? t("Thinking…") : t("Thought"));
    case "call": {
      const state = callStateText(t, row.state);
      const phrase = excerpt(visible(callPhrase(t, presentation, row)));
      return t("Nekode: {0}", state === "" ? phrase : `${phrase}, ${state}`);
    }
    case "checkpoint":
      return t("Checkpoint");
    case "comparison":
      return t("Nekode: {0}", t("answers of {0} models", row.answers.length));
    case "error":
      return t("Error: {0}", excerpt(errorText(t, row.error).text));
    case "notice":
      return t("Notice: {0}", excerpt(noticeText(t, row.code, row.values)));
  }
}

/** The texts that a row shows, in the user's language, without Markdown characters. */
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
      return [errorText(t, row.error).text, errorDetail(row.error)];
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
  // A row of one line shows the call's result or, without one, the call's own text.
  const ownText = isMarkdown
    ? plainText(row.text)
    : shown?.text === undefined
      ? row.text
      : callDetail(t, presentation, shown);
  const output = visible(terminalText(shown?.output ?? row.output ?? ""));
  return [
    phrase,
    refusalText(t, shown) ?? ownText,
    output,
    ...(row.options ?? []),
    row.proposal ?? "",
    shown?.comment ?? "",
  ].filter((text) => text !== "");
}

function excerpt(text: string, length = EXCERPT): string {
  const line = text.slice(0, SOURCE).replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const end = line.lastIndexOf(" ", length);
  return `${line.slice(0, end > length / 2 ? end : length)}…`;
}
