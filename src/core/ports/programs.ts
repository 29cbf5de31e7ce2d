/**
 * The port that runs programs to their end, without a shell and without a terminal: what the agent itself runs, such as a program that
 * receives JSON. The commands of the model go to the port `Shell`.
 */

export interface ProgramRun {
  /**
   * An absolute path, a path relative to `cwd`, or a name that is searched for on PATH outside the workspace's folders. On Windows it may
   * be a script such as `npx.cmd`.
   */
  program: string;
  /** Passed on as they are: nothing in them is expanded or interpreted. */
  args: readonly string[];
  /** Absolute. */
  cwd: string;
  /** Variables in addition to those that the commands of the user have, which they replace. */
  environment?: Readonly<Record<string, string>>;
  /** Its standard input, which is closed after that. Default: empty. */
  input?: string | Uint8Array;
  /** Milliseconds after which the program is ended together with everything that it started. Infinity: never. */
  timeoutMs: number;
  /** Ends the program together with everything that it started. */
  signal: AbortSignal;
  /** Bytes that are kept of the beginning of its standard output, and of the beginning of its standard error. */
  outputLimit: number;
  /** What happens when it prints more than that: the rest is read and dropped, or the program is ended. Default: drop. */
  beyondLimit?: "drop" | "end";
}

export interface ProgramOutput {
  bytes: Uint8Array;
  /** Bytes that followed and were dropped. */
  dropped: number;
}

export interface ProgramEnd {
  /** null: a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  durationMs: number;
  /** Set if it was ended because it took too long, or because it printed too much. */
  endedBy?: "time-limit" | "output-limit";
  stdout: ProgramOutput;
  stderr: ProgramOutput;
}

export interface Programs {
  /**
   * Resolves when the program has ended, whatever its exit code. Processes that it leaves running when it ends by itself are not ended.
   * Rejects with ToolError if it cannot be started, and with Interrupt when `signal` aborts, after all of its processes have ended.
   */
  run(run: ProgramRun): Promise<ProgramEnd>;
}
