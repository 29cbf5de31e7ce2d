/** What a run of the program has of its process. */
import { closeSync, readFileSync } from "node:fs";
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
  main(args: readonly string[], io: ProgramIo): Promise<ProgramEnd>;
}

export interface ProgramEnd {
  /** The exit code. */
  code: number;
  /** Whether a model took part in the run, and it did not fail. */
  ranTask: boolean;
}

export function processIo(): ProgramIo {
  return {
    environment: environmentWithKey(process.env),
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
  };
}

/** The descriptor that the key can be read from, so that the variables of this process, which its commands can read, are without it. */
const KEY_DESCRIPTOR = "NEKODE_API_KEY_FD";

/** Reads the key to its end and closes the descriptor. An invalid descriptor counts as no key. */
export function environmentWithKey(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [KEY_DESCRIPTOR]: given, ...others } = environment;
  if (given === undefined) return environment;
  const descriptor = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (descriptor < 3) return others;
  try {
    const key = readFileSync(descriptor, "utf8").trim();
    closeSync(descriptor);
    return { ...others, NEKODE_API_KEY: key };
  } catch (error) {
    if (error instanceof Error && "code" in error) return others;
    throw error;
  }
}
