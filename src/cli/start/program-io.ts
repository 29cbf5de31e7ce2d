/** What a run of the program uses of its process. */
import type { Readable, Writable } from "node:stream";
import type { EndSignals } from "../../node/end-signals.ts";

export interface ProgramIo {
  environment: NodeJS.ProcessEnv;
  /** The folder that relative paths of the command line start at. */
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
  signals: EndSignals;
}

/** What the program exports. */
export interface Program {
  /** `args`: without the runtime and the program. Prints every error; never rejects. */
  main(args: readonly string[], io: ProgramIo): Promise<ProgramResult>;
}

export interface ProgramResult {
  /** The exit code. */
  code: number;
  /** Whether a model took part in the run, and it did not fail. */
  ranTask: boolean;
}

export function processIo(): ProgramIo {
  return {
    environment: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
  };
}
