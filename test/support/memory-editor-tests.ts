/** An editor in memory that knows tests: which, and how they end. */
import { Interrupt } from "../../src/core/errors.ts";
import type { EditorTests, TestResult } from "../../src/core/ports/editor-tests.ts";

export interface MemoryEditorTests extends EditorTests {
  /** What it ran, in order. */
  ran: string[][];
  /** Until it resolves, the tests run. */
  holds: Promise<void> | undefined;
}

/** `results`: what it knows, each with its absolute path. */
export function memoryEditorTests(results: readonly TestResult[]): MemoryEditorTests {
  const within = (paths: readonly string[]) =>
    results.filter(({ path = "" }) => paths.some((each) => path === each || path.startsWith(`${each}/`)));
  const port: MemoryEditorTests = {
    ran: [],
    holds: undefined,
    knows: async (paths) => within(paths).length > 0,
    async run(paths, signal) {
      port.ran.push([...paths]);
      await port.holds;
      if (signal.aborted) throw new Interrupt();
      return within(paths);
    },
  };
  return port;
}
