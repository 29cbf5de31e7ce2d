/** One measurement: what is measured, and beside it a plain scan of the same input as the measure of the machine. */
export interface Bench {
  /** What is done, with its size, as in "write_to_file, 100 KB of content, 4-character chunks". */
  name: string;
  /** The figure to reach, as in "< 30 ms". */
  target: string;
  /** What it gives are the milliseconds that count, where those are not all that it took. */
  run(): undefined | number | Promise<undefined | number> | void | Promise<void>;
  baseline(): void;
  /**
   * Holds what one run keeps, for a measure of memory; `inputBytes` is what to compare it with. Left out where memory
   * is of no interest.
   */
  memory?: { inputBytes: number; keep(): unknown };
}

/** Reads every code unit of the chunks: the least that anything that looks at them can do. */
export function scan(chunks: readonly string[]): number {
  let sum = 0;
  for (const chunk of chunks) for (let i = 0; i < chunk.length; i++) sum += chunk.charCodeAt(i);
  return sum;
}

/** The text in pieces of `size` code units. */
export function cut(text: string, size: number): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size));
  return chunks;
}
