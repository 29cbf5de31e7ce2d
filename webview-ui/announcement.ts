/** What a screen reader announces when the state changes. */

import { plainText } from "../src/shared/text/plain-text.ts";
import { presentationOf } from "../src/shared/tool-presentation.ts";
import { withAskedPaths } from "../src/shared/view/approval-paths.ts";
import { pendingCall } from "../src/shared/view/chat-view.ts";
import type { ChatView, Row } from "../src/shared/view/reducer.ts";
import { visible } from "../src/shared/visible.ts";
import { dangersText } from "../src/shared/words/approval-words.ts";
import { rowTexts } from "../src/shared/words/row-words.ts";
import { approvalQuestion, type Translate } from "../src/shared/words/task-words.ts";

/** Maximum characters of a text to announce; the rest is in the transcript. */
const SPOKEN = 600;
/** Maximum characters of Markdown source from which that text is made. It is larger, because code and markup are omitted. */
const READ = 20_000;

/** The announcement for the change between two states of the same session; empty when there is none. */
export function announcement(t: Translate, before: ChatView, after: ChatView): string {
  if (before === after || before.session?.id !== after.session?.id) return "";
  const parts: string[] = [];
  const pending = pendingCall(after);
  if (pending && pending.id !== pendingCall(before)?.id) {
    const { access, created, command, path, dangers } =
      (pending.approval && withAskedPaths(pending.approval)) ?? {};
    parts.push(
      `${approvalQuestion(t, access ?? "talk", created ?? false, presentationOf(after.faces, pending.tool))} ${dangers ? `${dangersText(t, { dangers })}. ` : ""}${visible(command ?? path ?? pending.subject)}`,
    );
  }
  if (before.live !== after.live) {
    const known = new Map(before.live.map((row) => [row.id, row]));
    for (const row of after.live) parts.push(rowAnnouncement(t, known.get(row.id), row));
  }
  return parts.filter((text) => text !== "").join(" ");
}

/**
 * Converts a text of the model to what a person would read aloud: without Markdown characters, and with code only announced.
 */
function spoken(t: Translate, markdown: string): string {
  const words = plainText(markdown.slice(0, READ), (lines) =>
    lines.length === 1 ? t("(1 line of code)") : t("({0} lines of code)", lines.length),
  );
  if (words.length <= SPOKEN) return words;
  // Does not cut within a word, if the language separates words.
  const end = words.lastIndexOf(" ", SPOKEN);
  return `${words.slice(0, end > SPOKEN / 2 ? end : SPOKEN)}…`;
}

function rowAnnouncement(t: Translate, before: Row | undefined, after: Row): string {
  if (before === after) return "";
  switch (after.kind) {
    case "text":
      return !after.streaming && (before?.kind !== "text" || before.streaming) ? spoken(t, after.text) : "";
    case "call": {
      const wasStreaming = before?.kind !== "call" || before.state === "streaming";
      const previousForm = before?.kind === "call" ? before.form?.id : undefined;
      if (after.form && after.form.id !== previousForm)
        return `${t("{0} asks you:", after.form.server)} ${visible(after.form.message).slice(0, SPOKEN)}`;
      const talks = after.text !== "" && wasStreaming && after.state !== "streaming";
      return talks ? spoken(t, after.text) : "";
    }
    // The user wrote the row, or the row is not important enough to interrupt the user.
    case "user":
    case "reasoning":
    case "comparison":
    case "checkpoint":
      return "";
    // Such a row tells the user what happened.
    default:
      return before ? "" : (rowTexts(t, after, undefined)[0] ?? "");
  }
}
