/** What waits in the queue of a task that the person leaves: nobody would say it any more, so it is theirs again. */
import type { QueueItem } from "../shared/event.ts";

interface Queueing {
  readonly view: { queue: readonly QueueItem[] };
}

/** Does what leaves the task on show; what waited in its queue then goes to `give`, as one text. */
export async function leaving<T>(
  agent: Queueing,
  leave: () => Promise<T>,
  give: (text: string) => void,
): Promise<T> {
  const queued = agent.view.queue;
  const result = await leave();
  // Still there: the task was not left after all.
  if (queued.length > 0 && agent.view.queue.length === 0) give(queued.map(({ text }) => text).join("\n\n"));
  return result;
}
