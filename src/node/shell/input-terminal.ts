/**
 * A terminal for a command's input. What programs print goes through pipes, as whole and plain as without it; what they
 * read comes from a pseudo-terminal, so that they know a person from a pipe (a search without a path looks at files, a
 * password is not echoed). The system's own `script` opens it: no native module, and nothing to install.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { systemProgram } from "../find-programs.ts";
import { ps, readStat } from "../process-status.ts";
import type { ShellProgram } from "./shell-program.ts";

const run = promisify(execFile);

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** How `spawn` starts a command on a terminal: output on descriptor 3, the process group on 4, the terminal on 1. */
export interface TerminalInvocation {
  file: string;
  args: string[];
  environment: NodeJS.ProcessEnv;
}

const places = ["/usr/bin/script", "/bin/script"];
/** Never one that PATH names: it runs before each command. */
const stty = systemProgram("stty") ?? "/bin/stty";

/**
 * Hang-ups are ignored, so that what a command leaves in the background outlives it as it does without a terminal. The
 * shell takes this one's place: its number is the process group's.
 */
const onTerminal = [
  "trap '' HUP",
  '"$NEKODE_STTY" rows "$NEKODE_ROWS" cols "$NEKODE_COLUMNS" echo 2>/dev/null',
  'if [ -n "$NEKODE_OWN_SHELL" ]; then SHELL=$NEKODE_OWN_SHELL; else unset SHELL; fi',
  'export TERM_SESSION_ID="$NEKODE_SESSION"',
  'set -- "$NEKODE_PROGRAM" $NEKODE_FLAGS -c "$NEKODE_COMMAND"',
  "unset NEKODE_STTY NEKODE_ROWS NEKODE_COLUMNS NEKODE_OWN_SHELL NEKODE_SESSION NEKODE_PROGRAM NEKODE_FLAGS NEKODE_COMMAND",
  "echo $$ >&4",
  'exec "$@" >&3 2>&3 3>&- 4>&-',
].join("; ");

export interface TerminalCommand {
  shell: ShellProgram;
  /** As of `quietFlags`. */
  flags: readonly string[];
  command: string;
  environment: NodeJS.ProcessEnv;
  size: TerminalSize;
  /** TERM_SESSION_ID of the command; not of the programs that run it. */
  session: string;
}

export function terminalInvocation(script: string, start: TerminalCommand): TerminalInvocation {
  const { shell, flags, command, environment, size, session } = start;
  const { TERM: term } = environment;
  return {
    file: script,
    args:
      process.platform === "linux"
        ? ["-q", "-e", "-c", onTerminal, "/dev/null"]
        : ["-q", "/dev/null", "/bin/sh", "-c", onTerminal],
    environment: {
      ...environment,
      TERM: term === undefined || term === "" || term === "dumb" ? "xterm-256color" : term,
      // `script` hands its command to this shell; the command finds the person's own again.
      SHELL: "/bin/sh",
      NEKODE_OWN_SHELL: environment.SHELL ?? "",
      NEKODE_SESSION: session,
      NEKODE_PROGRAM: shell.path,
      NEKODE_FLAGS: flags.join(" "),
      NEKODE_COMMAND: command,
      NEKODE_STTY: stty,
      NEKODE_ROWS: String(size.rows),
      NEKODE_COLUMNS: String(size.columns),
    },
  };
}

export function speaksPosix({ kind }: ShellProgram): boolean {
  return kind !== "powershell" && kind !== "cmd";
}

let found: Promise<string | undefined> | undefined;

/** Sets the size of the terminal that a process runs on, which tells its programs. Nothing happens to one without. */
export async function resizeTerminal(pid: number, { rows, columns }: TerminalSize): Promise<void> {
  const terminal = await terminalOf(pid);
  if (terminal === undefined) return;
  const file = process.platform === "linux" ? "-F" : "-f";
  // It may end at any moment, and its terminal with it.
  await run(stty, [file, terminal, "rows", String(rows), "cols", String(columns)]).catch(() => {});
}

/** The device of a process's terminal. */
async function terminalOf(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") {
    const number = (await readStat(pid))?.terminal ?? 0;
    // Pseudo-terminals have the major numbers from 136.
    const [major, minor] = [(number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xfff00)];
    return major >= 136 && major < 144 ? `/dev/pts/${(major - 136) * 256 + minor}` : undefined;
  }
  const name = (await ps("-o", "tty=", "-p", String(pid))).trim();
  return /^tty\w+$/.test(name) ? `/dev/${name}` : undefined;
}

/** Path of a `script` that does what is asked of it, tried once; undefined: this machine has none. */
export function findScript(): Promise<string | undefined> {
  found ??= tryScript();
  return found;
}

async function tryScript(): Promise<string | undefined> {
  const script = places.find((place) => existsSync(place));
  if (process.platform === "win32" || script === undefined) return undefined;
  const { file, args, environment } = terminalInvocation(script, {
    shell: { kind: "sh", path: "/bin/sh" },
    flags: [],
    command: "test -t 0 && test ! -t 1 && exit 7",
    environment: process.env,
    size: { columns: 80, rows: 24 },
    session: "",
  });
  // Descriptors 3 and 4 are given by a shell here: the exit code is all that is looked at.
  const given = ["-c", 'exec "$0" "$@" 3>/dev/null 4>/dev/null', file, ...args];
  return new Promise((resolve) => {
    const child = execFile("/bin/sh", given, { env: environment, timeout: 5_000 }, (error) =>
      resolve(error?.code === 7 ? script : undefined),
    );
    child.on("error", () => resolve(undefined));
  });
}
