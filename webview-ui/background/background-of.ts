import type { BackgroundCommand } from "../../src/shared/view/background-command.ts";
import type { CallRow, ChatView } from "../../src/shared/view/reducer.ts";

/** The command that this call moved to the background; undefined if it did not, or if an earlier window ran it. */
export function backgroundOf(view: ChatView, { id, shown }: CallRow): BackgroundCommand | undefined {
  if (shown?.background === undefined) return undefined;
  return view.background.find(({ callId }) => callId === id);
}
