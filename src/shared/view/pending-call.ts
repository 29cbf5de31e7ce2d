import type { CallRow, ChatView } from "./reducer.ts";

/** The call that waits for approval; the first if there are several. */
export function pendingCall(view: ChatView): CallRow | undefined {
  const live = view.live.find((row) => row.kind === "call" && row.state === "approval");
  if (live?.kind === "call") return live;
  if (view.status !== "approval") return undefined;
  const settled = view.settled.findLast((row) => row.kind === "call" && row.state === "approval");
  return settled?.kind === "call" ? settled : undefined;
}
