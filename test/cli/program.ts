/** The built program, run in this process with streams, variables, a folder and signals of its own. */
import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { PassThrough, type Readable, type Writable } from "node:stream";
import type { Program } from "../../src/cli/start/program-io.ts";
import { loadCachedModule } from "../../src/node/code-cache/cached-module.ts";

const load = createRequire(import.meta.url);

let loaded: Program | undefined;

/** Loaded once, by the first run. */
function program(): Program {
  loaded ??= loadCachedModule<Program>(load.resolve("../../dist/program.js"), undefined).exports;
  return loaded;
}

/** `overAt` of `support.ts` sets these for a process; in this one they are taken out of the environment. */
function holdTimers(
  { NEKODE_TEST_LIMIT: limit, NEKODE_TEST_UNTIL: until }: Environment,
  streams: Writable[],
) {
  if (limit === undefined) return () => undefined;
  const { holdTimers: hold } = load("../fixtures/time-limit.cjs");
  return hold(Number(limit), until, streams);
}

type Environment = Record<string, string>;

export interface ProgramRun {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  signals: EventEmitter;
  /** The exit code. */
  ended: Promise<number>;
}

/** `isTerminal`: somebody is there who can be asked. Then `stdout` has what is printed on the screen, and `stderr` nothing. */
export function runProgram(
  args: readonly string[],
  { environment, cwd, isTerminal = false }: { environment: Environment; cwd: string; isTerminal?: boolean },
): ProgramRun {
  const { NODE_OPTIONS, NEKODE_TEST_LIMIT, NEKODE_TEST_UNTIL, ...given } = environment;
  // What is set for a process before it starts has no effect here, except that timers are held.
  if (NODE_OPTIONS !== undefined && NEKODE_TEST_LIMIT === undefined)
    throw new Error("NODE_OPTIONS requires a process of its own");
  const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const signals = new EventEmitter();
  const release = holdTimers(environment, [stdout, stderr]);
  const io = { stdin, stdout, stderr: isTerminal ? stdout : stderr, signals };
  const ended = program()
    .main(args, { environment: given, cwd, ...io })
    .then(({ code }) => {
      release();
      stdout.end();
      stderr.end();
      return code;
    });
  return { stdin, stdout, stderr, signals, ended };
}
