/**
 * A terminal for a command's input. Output goes through pipes and is unchanged; input comes from a pseudo-terminal, so that
 * programs behave as for an interactive user (a search without a path searches files, a password is not echoed). The system's
 * `script` program opens it, so that no native module is needed.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { systemProgram } from "../find-programs.ts";
import { ps, readStat } from "../process-status.ts";
import type { Enclosure } from "../sandbox/file-rules.ts";
import type { ShellProgram } from "./shell-program.ts";

const run = promisify(execFile);

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** The arguments of `spawn` for a command on a terminal: output on descriptor 3, the process group's id on 4, the terminal on 1. */
export interface TerminalInvocation {
  file: string;
  args: string[];
  environment: NodeJS.ProcessEnv;
}

const PLACES = ["/usr/bin/script", "/bin/script"];
/** Never taken from PATH, because it runs before each command. */
const stty = systemProgram("stty") ?? "/bin/stty";

/**
 * Ignores SIGHUP, so that background processes outlive the command as they do without a terminal. `exec` replaces this shell,
 * so its process id is the process group's id.
 */
const onTerminal = [
  "trap '' HUP",
  '"$NEKODE_STTY" rows "$NEKODE_ROWS" cols "$NEKODE_COLUMNS" echo 2>/dev/null',
  'if [ -n "$NEKODE_OWN_SHELL" ]; then SHELL=$NEKODE_OWN_SHELL; else unset SHELL; fi',
  'export TERM_SESSION_ID="$NEKODE_SESSION"',
  'set -- "$NEKODE_PROGRAM" $NEKODE_FLAGS -c "$NEKODE_COMMAND"',
  '[ -z "$NEKODE_ENCLOSURE" ] || set -- "$NEKODE_ENCLOSURE" $NEKODE_ENCLOSURE_FLAGS "$@"',
  "unset NEKODE_ENCLOSURE NEKODE_ENCLOSURE_FLAGS NEKODE_STTY NEKODE_ROWS NEKODE_COLUMNS NEKODE_OWN_SHELL NEKODE_SESSION NEKODE_PROGRAM NEKODE_FLAGS NEKODE_COMMAND",
  "echo $$ >&4",
  'exec "$@" >&3 2>&3 3>&- 4>&-',
].join("; ");

export interface TerminalCommand {
  shell: ShellProgram;
  /** From `quietFlags`. */
  flags: readonly string[];
  command: string;
  environment: NodeJS.ProcessEnv;
  enclosure?: Enclosure | undefined;
  size: TerminalSize;
  /** TERM_SESSION_ID for the command, not for the programs that start it. */
  session: string;
}

export function terminalInvocation(script: string, start: TerminalCommand): TerminalInvocation {
  const { shell, flags, command, environment, enclosure, size, session } = start;
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
      // `script` uses this shell; SHELL is restored for the command.
      SHELL: "/bin/sh",
      NEKODE_OWN_SHELL: environment.SHELL ?? "",
      NEKODE_SESSION: session,
      NEKODE_PROGRAM: shell.path,
      NEKODE_FLAGS: flags.join(" "),
      NEKODE_COMMAND: command,
      NEKODE_ENCLOSURE: enclosure?.program ?? "",
      NEKODE_ENCLOSURE_FLAGS: enclosure?.flags.join(" ") ?? "",
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

/** Resizes the terminal of a process, which notifies its programs. Does nothing for a process without a terminal. */
export async function resizeTerminal(pid: number, { rows, columns }: TerminalSize): Promise<void> {
  const terminal = await terminalOf(pid);
  if (terminal === undefined) return;
  const file = process.platform === "linux" ? "-F" : "-f";
  // The process and its terminal may end at any moment.
  await run(stty, [file, terminal, "rows", String(rows), "cols", String(columns)]).catch(() => {});
}

/** Whether the terminal of a process hides what is typed, as a program lets it that asks for a password. */
export async function hidesInput(pid: number): Promise<boolean> {
  try {
    const terminal = process.platform === "win32" ? undefined : await terminalOf(pid);
    if (terminal === undefined) return false;
    const { stdout } = await run(stty, [process.platform === "linux" ? "-F" : "-f", terminal, "-a"]);
    // Programs with a line editor of their own switch both off, and show what is typed.
    return /(?:^|\s)-echo\b(?!\w)/.test(stdout) && /(?:^|\s)icanon\b/.test(stdout);
  } catch {
    // The process and its terminal may end at any moment.
    return false;
  }
}

/** The device path of a process's terminal. */
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

/** Path of a `script` program that works, tested once; undefined: this machine has none. */
export function findScript(): Promise<string | undefined> {
  found ??= tryScript();
  return found;
}

async function tryScript(): Promise<string | undefined> {
  const script = PLACES.find((place) => existsSync(place));
  if (process.platform === "win32" || script === undefined) return undefined;
  const { file, args, environment } = terminalInvocation(script, {
    shell: { kind: "sh", path: "/bin/sh" },
    flags: [],
    command: "test -t 0 && test ! -t 1 && exit 7",
    environment: process.env,
    size: { columns: 80, rows: 24 },
    session: "",
  });
  // A shell opens descriptors 3 and 4 here; only the exit code matters.
  const given = ["-c", 'exec "$0" "$@" 3>/dev/null 4>/dev/null', file, ...args];
  return new Promise((resolve) => {
    const child = execFile("/bin/sh", given, { env: environment, timeout: 5_000 }, (error) =>
      resolve(error?.code === 7 ? script : undefined),
    );
    child.on("error", () => resolve(undefined));
  });
}
