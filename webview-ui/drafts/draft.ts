/** Determines whether a draft that survived a reload has been sent since. */
import type { Attachment } from "../../src/shared/protocol.ts";
import { type ChatView, type Row, rowsOf } from "../../src/shared/view/reducer.ts";

/** A message that the user has begun and not sent. */
export interface UnsentDraft {
  text: string;
  images: readonly Attachment[];
}

/** Id of the user's last message; "" when there is none. */
export function lastMessageId(view: ChatView): string {
  return rowsOf(view).findLast(({ kind }) => kind === "user")?.id ?? "";
}

/**
 * The unsent part of `draft`, which was written when `after` was the user's last message. The editor may restore state
 * that is older than the last message sent: text that has been sent since, or waits in the queue, is no longer part of
 * the draft.
 */
export function unsent(view: ChatView, draft: string, after: string): string {
  const rows = rowsOf(view);
  const at = rows.findLastIndex(({ id }) => id === after);
  if (after !== "" && at < 0) return draft;
  const sentTexts = rows.slice(at + 1).flatMap((row) => userTexts(row));
  for (const text of [...sentTexts, ...view.queue.map((item) => item.text)]) {
    const sent = text.trim();
    if (sent === "" || !draft.trimStart().startsWith(sent)) continue;
    const rest = draft.trimStart().slice(sent.length);
    // The user typed more after sending. That text is on its own line.
    if (rest.trim() === "") return "";
    if (rest.startsWith("\n")) return rest.slice(1);
  }
  return draft;
}

/**
 * Removes from `rest`, a text that was never sent, what is in the composer already: `shown`, which the page showed until the host
 * reported `rest`, or `typed`, to which the user has changed it since. "" when nothing else remains.
 */
export function besides(rest: string, shown: string, typed: string): string {
  for (const part of [shown, typed]) {
    if (rest === part) return "";
    if (part !== "" && rest.endsWith(`\n${part}`)) return rest.slice(0, -part.length - 1);
  }
  return rest;
}

/**
 * What the composer contains after the host has reported an unsent message. Until then, the page showed `shown`, which the user
 * has changed to `now`. Restored text is never mixed with text that the user has typed since, but becomes `aside`.
 */
export function restored(
  reported: UnsentDraft,
  shown: UnsentDraft,
  now: UnsentDraft & { hasSent: boolean },
): UnsentDraft & { aside?: UnsentDraft } {
  const isUnchanged = now.text === shown.text && !now.hasSent;
  const other = isUnchanged ? "" : besides(reported.text, shown.text, now.text);
  // The composer is empty again after a message is sent.
  const isAside = other !== "" && !(now.hasSent && now.text === "");
  const removed = shown.images.filter((image) => !now.images.includes(image)).map(({ data }) => data);
  const known = new Set(shown.images.map(({ data }) => data));
  const mine = reported.images.filter(({ data }) => !removed.includes(data) && (!isAside || known.has(data)));
  return {
    text: isUnchanged ? reported.text : isAside ? now.text : joined(other, now.text),
    images: [...mine, ...now.images.filter((image) => !shown.images.includes(image))],
    ...(isAside
      ? { aside: { text: other, images: reported.images.filter(({ data }) => !known.has(data)) } }
      : {}),
  };
}

/** Joins two texts with a line break unless one is empty. */
export function joined(first: string, second: string): string {
  return first !== "" && second !== "" ? `${first}\n${second}` : first + second;
}

/** Whether a message that the user sent when `after` was the last one is in the view, as a row or queued. */
export function hasArrived(view: ChatView, { text, after }: { text: string; after: string }): boolean {
  const rows = rowsOf(view);
  const since = rows.slice(rows.findLastIndex(({ id }) => id === after) + 1).flatMap((row) => userTexts(row));
  return [...since, ...view.queue.map((item) => item.text)].some((other) => other.trim() === text.trim());
}

function userTexts(row: Row): string[] {
  return row.kind === "user" ? [row.text] : [];
}
