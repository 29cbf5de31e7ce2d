/** The port that runs the tests that an editor knows, in whatever its test extensions run them. */

/** errored: it could not run to its end. not-run: it was found, but has no result. */
export type TestState = "passed" | "failed" | "errored" | "skipped" | "not-run";

export interface TestResult {
  /** With the names of the groups that contain it, such as `Cart > adds prices`. */
  name: string;
  state: TestState;
  /** Absolute; absent: the extension does not tell. */
  path?: string;
  /** 0-based. */
  line?: number;
  durationMs?: number;
  /** What was reported about a failure; empty where the editor does not tell. */
  messages: string[];
}

/** Each call rejects with ToolError if the editor fails, and with Interrupt when the signal aborts. */
export interface EditorTests {
  /** Whether the editor knows tests in one of these files and folders, by absolute path. */
  knows(paths: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** Runs all tests in these files and folders, and stops them when the signal aborts. Runs code of the project, outside of any sandbox. */
  run(paths: readonly string[], signal: AbortSignal): Promise<TestResult[]>;
}
