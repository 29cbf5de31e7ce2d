const DEFAULT_WIDTH = 16;

/**
 * Calls `work` for each item, a few at a time, because each call may keep a file open. Rejects with the first failure.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
  width = DEFAULT_WIDTH,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = remaining.next(); !next.done; next = remaining.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
