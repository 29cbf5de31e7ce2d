/** What a page remembers of the conversation, so that the next page shows it at once: the host answers later than the page is there. */

import { type Setup, setupSchema } from "../src/shared/protocol.ts";
import { type ChatView, chatViewSchema, rowsOf } from "../src/shared/view/reducer.ts";
import * as z from "../src/shared/zod.ts";

/** Maximum characters of the remembered rows as JSON. There is a limit because each change of the draft stores them again. */
const MAX_CHARACTERS = 60_000;

export const rememberedScreenSchema = z.object({ view: chatViewSchema, setup: setupSchema });
export type RememberedScreen = z.infer<typeof rememberedScreenSchema>;

/** The newest turns, complete; null if they are too long, or if something is in progress, which the next page cannot know. */
export function rememberedScreen(view: ChatView, setup: Setup | null): RememberedScreen | null {
  const isBusy =
    view.status !== "idle" || view.queue.length > 0 || view.background.some(({ ended }) => !ended);
  if (isBusy || !setup) return null;
  const rows = rowsOf(view);
  const start = startOfTurns(rows);
  if (start === rows.length && rows.length > 0) return null;
  const { settled, live } = view;
  const shown = { settled: settled.slice(start), live: live.slice(Math.max(0, start - settled.length)) };
  return { view: { ...view, ...shown, prepended: 0, background: [] }, setup };
}

/** Index of the first row of the turns that fit; the number of rows if not even the newest turn fits. */
function startOfTurns(rows: ReturnType<typeof rowsOf>): number {
  let start = rows.length;
  let size = 0;
  for (const [index, row] of [...rows.entries()].reverse()) {
    size += JSON.stringify(row).length;
    if (size > MAX_CHARACTERS) break;
    if (row.kind === "user") start = index;
  }
  return start;
}
