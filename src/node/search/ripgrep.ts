/** Finds and runs ripgrep. */
import { spawn } from "node:child_process";
import path from "node:path";
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import { blockingAbove, watchForPipes } from "../files/blocking-files.ts";
import { findProgram } from "../find-programs.ts";
import { isExecutable } from "../machine.ts";

const program = process.platform === "win32" ? "rg.exe" : "rg";

/**
 * The path of ripgrep: `explicit`, otherwise the package `@vscode/ripgrep` in a `node_modules` folder at or above one of
 * `near` (Nekode's own folders), otherwise the one on PATH outside `roots`. Throws ToolError if there is none.
 */
export async function findRipgrep(
  explicit: string | undefined,
  near: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  roots: readonly string[] = [],
): Promise<string> {
  if (explicit !== undefined) {
    if (await isExecutable(explicit)) return explicit;
    throw new ToolError(`Searching requires ripgrep, but ${explicit} does not exist or cannot be run.`);
  }
  for (const start of near) {
    for (let folder = path.resolve(start); ; folder = path.dirname(folder)) {
      const found = path.join(
        folder,
        "node_modules",
        "@vscode",
        `ripgrep-${process.platform}-${process.arch}`,
        "bin",
        program,
      );
      if (await isExecutable(found)) return found;
      if (path.dirname(folder) === folder) break;
    }
  }
  const onPath = findProgram("rg", environment, roots);
  if (onPath !== undefined) return onPath;
  throw new ToolError("Searching requires ripgrep, but it was not found. Install it so that rg is on PATH.");
}

export interface RipgrepEnd {
  exitCode: number | null;
  /** Its error output. */
  errors: string;
  /** `onData` returned false. */
  stopped: boolean;
}

function notRegular(file: string): ToolError {
  return new ToolError(`${file} is a pipe or a device, which would block the search. Remove it first.`);
}

/**
 * Runs ripgrep until it ends, until `onData` returns false, or until the signal aborts (then rejects with Interrupt).
 * `input`: searched where the arguments name no file but `-`.
 */
export async function runRipgrep(
  file: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
  onData: (chunk: Buffer) => boolean,
  input?: Buffer,
): Promise<RipgrepEnd> {
  if (signal.aborted) throw new Interrupt();
  const blocking = await blockingAbove(cwd);
  if (blocking !== undefined) throw notRegular(blocking);
  return new Promise((resolve, reject) => {
    // No user configuration: its options could change the results or start programs.
    const child = spawn(file, ["--no-config", ...args], {
      cwd,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    // It may end before it has read all input, or read none.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    let stopped = false;
    let errors = "";
    let waitsFor: string | undefined;
    const watch = watchForPipes(cwd, (found) => {
      waitsFor = found;
      child.kill("SIGKILL");
    });
    const onAbort = () => {
      stopped = true;
      child.kill("SIGKILL");
    };
    signal.addEventListener("abort", onAbort, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      watch.heard();
      if (stopped || onData(chunk)) return;
      stopped = true;
      child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < 4000) errors += chunk.toString("utf8");
    });
    child.on("error", (error) => {
      watch.end();
      signal.removeEventListener("abort", onAbort);
      reject(new ToolError(`ripgrep could not be started: ${messageOf(error)}`));
    });
    child.on("close", (exitCode) => {
      watch.end();
      signal.removeEventListener("abort", onAbort);
      if (signal.aborted) reject(new Interrupt());
      else if (waitsFor !== undefined) reject(notRegular(waitsFor));
      else resolve({ exitCode, errors: errors.slice(0, 4000), stopped });
    });
  });
}
