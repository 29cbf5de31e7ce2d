/** What a row is called, for screen readers, and the texts that it shows, for searches. */
import { plainText } from "../text/plain-text.ts";
import type { ToolPresentation } from "../tool-presentation.ts";
import type { Row } from "../view/reducer.ts";
import { visible } from "../visible.ts";
import { errorText } from "./error-words.ts";
import { noticeText } from "./notice-words.ts";
import { callStateText } from "./outcome-words.ts";
import { callPhrase, type Translate } from "./task-words.ts";

/** Characters of a text in a row's name, and of the source that is read for them. */
const EXCERPT = 120;
const SOURCE = 1_000;

/** The speaker and what the row is about, in one line: "You: Add a test", "Nekode: Edited cats.js". */
export function rowName(t: Translate, row: Row, presentation: ToolPresentation | undefined): string {
  switch (row.kind) {
    case "user":
      return t("You: {0}", excerpt(row.text) || t("Images: {0}", row.images ?? 0));
    case "text":
      return t("Nekode: {0}", excerpt(plainText(row.text.slice(0, SOURCE))));
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

function excerpt(text: string): string {
  const line = text.slice(0, SOURCE).replace(/\s+/g, " ").trim();
  if (line.length <= EXCERPT) return line;
  const end = line.lastIndexOf(" ", EXCERPT);
  return `${line.slice(0, end > EXCERPT / 2 ? end : EXCERPT)}…`;
}
