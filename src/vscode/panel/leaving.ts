/** The queued messages of a task that the user leaves: nobody would send them any more, so they return to the user. */
import type { Attachment } from "../../shared/protocol.ts";

/** A queued message, or several combined. */
export interface Unsaid {
  text: string;
  images: readonly Attachment[];
}

interface Queueing {
  readonly queued: readonly Unsaid[];
}

/** Runs `leave`, which leaves the active task, then passes its queued messages to `give`. */
export async function leaving<T>(
  agent: Queueing,
  leave: () => Promise<T>,
  give: (unsaid: Unsaid) => void,
): Promise<T> {
  const { queued } = agent;
  const result = await leave();
  // Still queued: the task was not left.
  if (queued.length > 0 && agent.queued.length === 0) give(asOne(queued));
  return result;
}

/** The texts, separated by blank lines, and all images. */
export function asOne(queued: readonly Unsaid[]): { text: string; images: Attachment[] } {
  const texts = queued.map(({ text }) => text).filter((text) => text.trim() !== "");
  return { text: texts.join("\n\n"), images: queued.flatMap(({ images }) => images) };
}
