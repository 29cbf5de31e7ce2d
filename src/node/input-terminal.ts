/**
 * A terminal for a command's input. What programs print goes through pipes, as whole and plain as without it; what they
 * read comes from a pseudo-terminal, so that they know a person from a pipe (a search without a path looks at files, a
 * password is not echoed). The system's own `script` opens it: no native module, and nothing to install.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import type { ShellProgram } from "./shell-program.ts";

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

/**
 * Hang-ups are ignored, so that what a command leaves in the background outlives it as it does without a terminal. The
 * shell takes this one's place: its number is the process group's.
 */
const onTerminal = [
  "trap '' HUP",
  'stty rows "$NEKODE_ROWS" cols "$NEKODE_COLUMNS" echo 2>/dev/null',
  'if [ -n "$NEKODE_OWN_SHELL" ]; then SHELL=$NEKODE_OWN_SHELL; else unset SHELL; fi',
  "program=$NEKODE_PROGRAM command=$NEKODE_COMMAND",
  "unset NEKODE_ROWS NEKODE_COLUMNS NEKODE_OWN_SHELL NEKODE_PROGRAM NEKODE_COMMAND",
  "echo $$ >&4",
  'exec "$program" -c "$command" >&3 2>&3 3>&- 4>&-',
].join("; ");

export function terminalInvocation(
  script: string,
  shell: ShellProgram,
  command: string,
  environment: NodeJS.ProcessEnv,
  size: TerminalSize,
): TerminalInvocation {
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
      NEKODE_PROGRAM: shell.path,
      NEKODE_COMMAND: command,
      NEKODE_ROWS: String(size.rows),
      NEKODE_COLUMNS: String(size.columns),
    },
  };
}

export function speaksPosix({ kind }: ShellProgram): boolean {
  return kind !== "powershell" && kind !== "cmd";
}

let found: Promise<string | undefined> | undefined;

/** Path of a `script` that does what is asked of it, tried once; undefined: this machine has none. */
export function findScript(): Promise<string | undefined> {
  found ??= tryScript();
  return found;
}

async function tryScript(): Promise<string | undefined> {
  const script = places.find((place) => existsSync(place));
  if (process.platform === "win32" || script === undefined) return undefined;
  const shell: ShellProgram = { kind: "sh", path: "/bin/sh" };
  const size = { columns: 80, rows: 24 };
  const command = "test -t 0 && test ! -t 1 && exit 7";
  const { file, args, environment } = terminalInvocation(script, shell, command, process.env, size);
  // Descriptors 3 and 4 are given by a shell here: the exit code is all that is looked at.
  const given = ["-c", 'exec "$0" "$@" 3>/dev/null 4>/dev/null', file, ...args];
  return new Promise((resolve) => {
    const child = execFile("/bin/sh", given, { env: environment, timeout: 5_000 }, (error) =>
      resolve(error?.code === 7 ? script : undefined),
    );
    child.on("error", () => resolve(undefined));
  });
}
