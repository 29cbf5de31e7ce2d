const width = 16;

/** Calls `work` for each item, some at a time: each may be an open file. Rejects with the first failure. */
export async function inParallel<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
  most = width,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
