/** What waits in the queue of a task that the person leaves: nobody would say it any more, so it is theirs again. */
import type { Attachment } from "../../shared/protocol.ts";

/** A message that waited, or several as one. */
export interface Unsaid {
  text: string;
  images: readonly Attachment[];
}

interface Queueing {
  readonly queued: readonly Unsaid[];
}

/** Does what leaves the task on show; what waited in its queue then goes to `give`. */
export async function leaving<T>(
  agent: Queueing,
  leave: () => Promise<T>,
  give: (unsaid: Unsaid) => void,
): Promise<T> {
  const { queued } = agent;
  const result = await leave();
  // Still there: the task was not left after all.
  if (queued.length > 0 && agent.queued.length === 0) give(asOne(queued));
  return result;
}

/** Texts one below the other, all pictures. */
export function asOne(queued: readonly Unsaid[]): { text: string; images: Attachment[] } {
  const texts = queued.map(({ text }) => text).filter((text) => text.trim() !== "");
  return { text: texts.join("\n\n"), images: queued.flatMap(({ images }) => images) };
}
