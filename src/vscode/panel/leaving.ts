/**
 * Leaves the current task for another one. The task keeps working, or the user agrees to stop it. Queued messages that would no
 * longer be sent return to the user.
 */
import type { Attachment } from "../../shared/protocol.ts";
import type { ChatView } from "../../shared/view/reducer.ts";

/** A queued message, or several combined. */
export interface UnsentMessage {
  text: string;
  images: readonly Attachment[];
}

/** The part of a view that is needed to leave its session. */
interface Leavable {
  readonly active: {
    readonly chatView: Pick<ChatView, "status">;
    readonly queue: { readonly waiting: readonly UnsentMessage[] };
  };
}

interface LeavingOptions {
  /** The user agreed to stop the task. */
  stop: boolean | undefined;
  /** Receives the queued messages of the task that was left. */
  give(unsent: UnsentMessage): void;
}

/**
 * Runs `leave`, which leaves the current task. If the task is not finished and the user has not agreed to stop it, nothing runs
 * and the result is `working`.
 */
export async function leaving<T>(
  view: Leavable,
  leave: () => Promise<T>,
  { stop, give }: LeavingOptions,
): Promise<T | { working: true }> {
  if (!stop && view.active.chatView.status !== "idle") return { working: true };
  const { waiting } = view.active.queue;
  const result = await leave();
  // If messages are still queued, the task was not left.
  if (view.active.queue.waiting.length === 0) giveBack(waiting, give);
  return result;
}

/** Runs `leave`, after which another session is active. A task that is not finished keeps working, with its queue. */
export async function switching<T>(
  view: { readonly active: Leavable["active"] & { readonly id: string } },
  leave: () => Promise<T>,
  give: LeavingOptions["give"],
): Promise<T> {
  const { id, chatView, queue } = view.active;
  const { waiting } = queue;
  const isOver = chatView.status === "idle";
  const result = await leave();
  if (isOver && view.active.id !== id) giveBack(waiting, give);
  return result;
}

/** Returns messages to the user, as one, if there are any. */
export function giveBack(queued: readonly UnsentMessage[], give: LeavingOptions["give"]): void {
  if (queued.length > 0) give(asOne(queued));
}

/** The texts, separated by blank lines, and all images. */
export function asOne(queued: readonly UnsentMessage[]): { text: string; images: Attachment[] } {
  const texts = queued.map(({ text }) => text).filter((text) => text.trim() !== "");
  return { text: texts.join("\n\n"), images: queued.flatMap(({ images }) => images) };
}
