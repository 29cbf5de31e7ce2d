/** What users start: runs the terminal host with the compiled code of earlier runs. */
import Module from "node:module";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { loadCachedModule } from "../../node/code-cache/cached-module.ts";
import { codeCacheOf } from "../../node/code-cache/code-cache.ts";
import { createScreen } from "../screen.ts";
import { USAGE } from "../usage.ts";
import { type Program, processIo } from "./program-io.ts";
import { V8_FLAGS } from "./v8-flags.ts";

declare const NEKODE_VERSION: string;

const PROGRAM = path.join(__dirname, "program.js");

/** Milliseconds after which a process counts as long-running, and V8 marks its heap incrementally. */
const MARKING_AFTER_MS = 10_000;

/**
 * Modules of the runtime that every task loads. The runtime comes with their compiled code, which V8 rejects once a flag is not
 * what it was when they were compiled.
 */
const RUNTIME_MODULES = [
  "assert",
  "child_process",
  "console",
  "constants",
  "dns",
  "fs/promises",
  "http",
  "https",
  "perf_hooks",
  "readline",
  "readline/promises",
  "stream/consumers",
  "stream/web",
  "timers/promises",
  "util/types",
  "worker_threads",
  "zlib",
];

/** What of its modules the runtime loads with the first use. Each task uses it. */
const RUNTIME_PARTS = [
  ["buffer", "File"],
  ["crypto", "webcrypto"],
  ["fs", "ReadStream"],
  ["util", "parseArgs"],
] as const;

const SHOWN: Readonly<Record<string, string>> = {
  "--version": `${NEKODE_VERSION}\n`,
  "--help": USAGE,
  "-h": USAGE,
};

function setFlags(): void {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
}

function run(args: readonly string[]): void {
  const load = Module.createRequire(PROGRAM);
  for (const name of RUNTIME_MODULES) load(name);
  for (const [name, part] of RUNTIME_PARTS) Reflect.get(load(name), part);
  setFlags();
  setTimeout(() => setFlagsFromString("--incremental-marking"), MARKING_AFTER_MS).unref();
  const cache = codeCacheOf(PROGRAM, NEKODE_VERSION, process.env);
  const program = loadCachedModule<Program>(PROGRAM, cache);
  void program.exports.main(args, processIo()).then(({ code, ranTask }) => {
    process.exitCode = code;
    // The code that a task needs is compiled by now, and the caller no longer waits for the process.
    if (ranTask)
      process.once("exit", () => {
        setFlags();
        program.keep();
      });
    // What has just called back counts as active until then.
    setImmediate(endIfIdle);
  });
}

/** Those of the standard streams, which keep no process. */
const STREAMS: ReadonlySet<string> = new Set(["PipeWrap", "TTYWrap"]);

/**
 * Ends the process if nothing is left that it would wait for. By itself it would also wait until V8 has optimized the functions that
 * were often called last, and free its memory page by page.
 */
function endIfIdle(): void {
  const isWritten = process.stdout.writableLength === 0 && process.stderr.writableLength === 0;
  if (isWritten && process.getActiveResourcesInfo().every((resource) => STREAMS.has(resource)))
    process.exit();
}

const args = process.argv.slice(2);
const [shown, ...more] = args;
const text = more.length === 0 && Object.hasOwn(SHOWN, shown ?? "") ? SHOWN[shown ?? ""] : undefined;
if (text === undefined) run(args);
else {
  // The reader may close the pipe early.
  process.stdout.on("error", () => undefined);
  void createScreen(process.stdout, process.stderr).out(text);
}
