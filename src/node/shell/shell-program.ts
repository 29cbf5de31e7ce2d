/** Chooses the shell that runs commands, and builds its arguments. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Shell, ShellKind } from "../../core/ports/shell.ts";
import { belongsTo, systemProgram } from "../find-programs.ts";
import type { Enclosure } from "../sandbox/file-rules.ts";

const run = promisify(execFile);

export interface ShellProgram {
  kind: ShellKind;
  path: string;
  /** The user's shell, which this one replaces, and why. */
  insteadOf?: Shell["insteadOf"];
}

const KINDS: Record<string, ShellKind> = {
  bash: "bash",
  zsh: "zsh",
  sh: "sh",
  dash: "sh",
  ash: "sh",
  fish: "fish",
  pwsh: "powershell",
  powershell: "powershell",
  cmd: "cmd",
};

export function shellKind(file: string): ShellKind | undefined {
  // Accepts both slashes, because Windows paths may be judged on other systems.
  const name = file.split(/[/\\]/).at(-1) ?? "";
  return KINDS[name.toLowerCase().replace(/\.exe$/, "")];
}

/** The shell at `file`. Throws if it is unknown or does not exist. */
export function namedShell(file: string): ShellProgram {
  const kind = shellKind(file);
  if (kind === undefined || !path.isAbsolute(file) || !existsSync(file))
    throw new Error(`${file} is not a supported shell.`);
  return { kind, path: file };
}

/**
 * The user's shell (`own`, otherwise SHELL) if it exists, its grammar is known and it is outside `roots`; otherwise bash or sh
 * (PowerShell or cmd on Windows), with `insteadOf` set.
 */
export function userShell(
  environment: NodeJS.ProcessEnv,
  own = environment.SHELL,
  platform: NodeJS.Platform = process.platform,
  roots: readonly string[] = [],
): ShellProgram {
  const asked = own !== undefined && isAbsolute(own) ? own : undefined;
  const others = platform === "win32" ? windowsShells(environment) : POSIX_SHELLS;
  for (const file of asked === undefined ? others : [asked, ...others]) {
    const kind = shellKind(file);
    if (kind === undefined || !existsSync(file) || belongsTo(file, roots)) continue;
    return file === asked ? { kind, path: file } : { kind, path: file, ...instead(asked, roots) };
  }
  const last = platform === "win32" ? (systemProgram("cmd", environment) ?? "cmd.exe") : "/bin/sh";
  return { kind: platform === "win32" ? "cmd" : "sh", path: last, ...instead(asked, roots) };
}

function instead(asked: string | undefined, roots: readonly string[]): Pick<ShellProgram, "insteadOf"> {
  if (asked === undefined) return {};
  const why = !existsSync(asked) ? "missing" : belongsTo(asked, roots) ? "in-project" : "unknown";
  return { insteadOf: { path: asked, why } };
}

const isAbsolute = (file: string) => path.posix.isAbsolute(file) || path.win32.isAbsolute(file);

const POSIX_SHELLS = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"];

function windowsShells(environment: NodeJS.ProcessEnv): string[] {
  const programs = environment.ProgramFiles ?? "C:\\Program Files";
  const system = environment.SystemRoot ?? "C:\\Windows";
  return [
    `${programs}\\PowerShell\\7\\pwsh.exe`,
    `${system}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
    environment.ComSpec ?? `${system}\\System32\\cmd.exe`,
  ];
}

/**
 * Flags that keep a shell from reading start-up files before a command. Their definitions could change the meaning of a
 * judged command, and the variables that they set are already in the environment.
 */
export async function quietFlags({ kind, path: file }: ShellProgram): Promise<string[]> {
  if (kind === "zsh") return ["-f"];
  if (kind !== "fish") return [];
  let flags = fishFlags.get(file);
  if (flags === undefined) {
    // Versions before 3.3 do not support it.
    flags = run(file, ["--no-config", "-c", "true"], { timeout: 5_000 }).then(
      () => ["--no-config"],
      (error: unknown) => {
        if (!wasKilled(error)) return [];
        // If there is no answer in time, for example on a busy machine, the flag is not used, because a shell that does not
        // support it would run nothing at all.
        fishFlags.delete(file);
        return ["--no-config"];
      },
    );
    fishFlags.set(file, flags);
  }
  return flags;
}

const wasKilled = (error: unknown) => error instanceof Error && "signal" in error && error.signal !== null;

const fishFlags = new Map<string, Promise<string[]>>();

export interface ShellInvocation {
  file: string;
  args: string[];
  /** The arguments are already a command line (Windows). */
  verbatim: boolean;
}

/** The program and arguments that run exactly `command`, on POSIX systems in an enclosure. `flags`: from `quietFlags`. */
export function invocationOf(
  shell: ShellProgram,
  flags: readonly string[],
  command: string,
  enclosure?: Enclosure,
): ShellInvocation {
  const enclosing = enclosure ? [enclosure.program, ...enclosure.flags] : [];
  switch (shell.kind) {
    case "powershell":
      return {
        file: shell.path,
        args: ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", command],
        verbatim: false,
      };
    case "cmd":
      return { file: shell.path, args: ["/d", "/s", "/c", `"${command}"`], verbatim: true };
    case "bash":
    case "zsh":
    case "sh":
    case "fish":
      // Standard output and error share one pipe, so that their lines keep their order. The command is an argument that
      // only the user's shell parses.
      return {
        file: "/bin/sh",
        args: ["-c", 'exec "$@" 2>&1', "sh", ...enclosing, shell.path, ...flags, "-c", command],
        verbatim: false,
      };
  }
}

/**
 * Git appends the file to be edited. A message that Git or an earlier commit wrote is kept, as in a merge or an amended
 * commit; where there is nothing to keep, the command ends and prints what to do instead.
 */
const GIT_EDITOR = [
  `no_editor() { case $1 in *MSG) grep -q '^[^#]' "$1" && return;; esac;`,
  `echo "No editor is available here. Pass the message with -m or -F, or keep it with --no-edit." >&2; return 1; }; no_editor`,
].join(" ");

const GIT_SEQUENCE_EDITOR = [
  `echo "No editor is available here. Set GIT_SEQUENCE_EDITOR to a command that changes the list of commits in the file`,
  `that it gets, such as sed -i, or to true to keep the list." >&2; false`,
].join(" ");

/** Keeps programs from waiting for the user in a pager or an editor, or for a password. */
export const UNATTENDED = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR,
  GIT_SEQUENCE_EDITOR,
  EDITOR: "false",
  VISUAL: "false",
} as const;

/** The host's environment without the host's own variables, plus `UNATTENDED`. */
export function commandEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const variables = Object.entries(environment).filter(
    ([name]) => !/^(?:NEKODE_API_KEY|ELECTRON_|VSCODE_(?!IPC_HOOK_CLI$|GIT_))/i.test(name),
  );
  return { ...Object.fromEntries(variables), ...UNATTENDED };
}
