/** Finds and runs ripgrep, and turns its messages into advice for the model. */
import path from "node:path";
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import { blockingAbove } from "../files/blocking-files.ts";
import { findProgram } from "../find-programs.ts";
import { isExecutable } from "../machine.ts";
import { runProgram } from "../run-program.ts";

/** Bytes of its error messages that are kept. */
const MOST_ERRORS = 4_000;

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
      const packaged = path.join(
        folder,
        "node_modules",
        "@vscode",
        `ripgrep-${process.platform}-${process.arch}`,
        "bin",
        program,
      );
      if (await isExecutable(packaged)) return packaged;
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
  const run = runProgram({
    file,
    // No user configuration: its options could change the results or start programs.
    args: ["--no-config", ...args],
    cwd,
    environment: process.env,
    ...(input && { input }),
    signal,
    outputLimit: MOST_ERRORS,
    onOutput: onData,
    scope: "process",
    watchesFiles: true,
  });
  const { exitCode, stderr, endedBy, blockedOn } = await run.catch((error: unknown) => {
    if (signal.aborted) throw new Interrupt();
    throw new ToolError(`ripgrep could not be started: ${messageOf(error)}`);
  });
  if (blockedOn !== undefined) throw notRegular(blockedOn);
  return { exitCode, errors: Buffer.from(stderr.bytes).toString(), stopped: endedBy !== undefined };
}

/** Whether the expression needs the other engine, which has look-around and references to groups. */
export function needsOtherEngine(errors: string): boolean {
  return errors.includes("--pcre2");
}

export function adviceFrom(errors: string): string {
  return errors
    .replace(/^rg: /, "")
    .replace(
      /Consider enabling PCRE2 with[\s\S]*?look-around\./,
      "Write the expression without look-around and references to groups.",
    )
    .replace(
      /Consider enabling multiline mode with[\s\S]*?can be matched\./,
      "Set multiline to true to match across lines.",
    )
    .trim();
}

/** An expression for several lines, in which a line break fits those of Windows, too. */
export function acrossLines(regex: string): string {
  let inClass = false;
  return regex.replace(/\\[\s\S]|[[\]\n]/g, (part) => {
    if (part === "[") inClass = true;
    else if (part === "]") inClass = false;
    else if (!inClass && (part === "\\n" || part === "\n")) return "(?:\\r?\\n)";
    return part;
  });
}
