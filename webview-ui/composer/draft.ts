/** Determines whether a draft that was kept over a reload has been sent since. */
import type { ChatView, Row } from "../../src/shared/view/reducer.ts";
import { rowsOf } from "../../src/shared/view/reducer.ts";

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
  const said = rows.slice(at + 1).flatMap((row) => spoken(row));
  for (const text of [...said, ...view.queue.map((item) => item.text)]) {
    const sent = text.trim();
    if (sent === "" || !draft.trimStart().startsWith(sent)) continue;
    const rest = draft.trimStart().slice(sent.length);
    // Text typed after it is on a line of its own.
    if (rest.trim() === "") return "";
    if (rest.startsWith("\n")) return rest.slice(1);
  }
  return draft;
}

/**
 * The composer's text once the host has reported that `rest` was never sent. Until then the page showed `shown`, which
 * the user edited to `typed`; the user's additions come last.
 */
export function withTyped(rest: string, shown: string, typed: string): string {
  if (typed === shown || (typed !== "" && rest.endsWith(typed))) return rest;
  if (!rest.endsWith(shown)) return joined(rest, typed);
  return joined(rest.slice(0, rest.length - shown.length).replace(/\n$/, ""), typed);
}

/** Joins two texts with a line break unless one is empty. */
export function joined(first: string, second: string): string {
  return first !== "" && second !== "" ? `${first}\n${second}` : first + second;
}

function spoken(row: Row): string[] {
  return row.kind === "user" ? [row.text] : [];
}
