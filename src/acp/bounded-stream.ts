/**
 * Limits how much an editor can make the agent keep in memory. Requests that arrive faster than they are answered are refused, and if
 * the editor does not read the answers, no more of its messages are read.
 */

/** Requests that are processed at once, including prompts. */
export const MOST_AT_ONCE = 200;
/** When more requests than this have no answer that the editor has read, nothing more is read. */
const MOST_UNANSWERED = 1_000;

interface Pair<T> {
  readable: ReadableStream<T>;
  writable: WritableStream<T>;
}

/** Passes the same messages on. Reading pauses while too many requests are unanswered. */
export function boundedStream<T extends object>({ readable, writable }: Pair<T>): Pair<T> {
  let unanswered = 0;
  let resume = () => {};
  const reader = readable.getReader();
  const writer = writable.getWriter();
  return {
    readable: new ReadableStream<T>(
      {
        async pull(controller) {
          while (unanswered > MOST_UNANSWERED)
            await new Promise<void>((resolve) => {
              resume = resolve;
            });
          const { done, value } = await reader.read();
          if (done) return controller.close();
          if ("method" in value && "id" in value && value.id !== null) unanswered++;
          controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    ),
    writable: new WritableStream<T>({
      async write(message) {
        try {
          await writer.write(message);
        } finally {
          if (!("method" in message) && "id" in message && message.id !== null) unanswered--;
          if (unanswered <= MOST_UNANSWERED) resume();
        }
      },
      close: () => writer.close(),
      abort: (reason) => writer.abort(reason),
    }),
  };
}
