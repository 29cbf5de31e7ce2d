/** The built program, run in this process with streams, variables, a folder and signals of its own. */
import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import type { Program } from "../../src/cli/start/program-io.ts";

const load = createRequire(import.meta.url);

/** Loaded once, by the first run. */
function program(): Program {
  // As the launcher does. Without it, V8 optimizes each grammar and SQLite for longer than they then run.
  setFlagsFromString(`--wasm-tiering-budget=${2 ** 31 - 1}`);
  return load("../../dist/program.js");
}

export interface ProgramRun {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  signals: EventEmitter;
  /** The exit code. */
  ended: Promise<number>;
}

export function runProgram(
  args: readonly string[],
  { environment, cwd }: { environment: Record<string, string>; cwd: string },
): ProgramRun {
  // What is set for a process before it starts has no effect here.
  if (environment.NODE_OPTIONS !== undefined) throw new Error("NODE_OPTIONS requires a process of its own");
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const signals = new EventEmitter();
  const ended = program()
    .main(args, { environment, cwd, stdin, stdout, stderr, signals })
    .then(({ code }) => {
      stdout.end();
      stderr.end();
      return code;
    });
  return { stdin, stdout, stderr, signals, ended };
}
