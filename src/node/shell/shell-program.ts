/** Which shell runs the person's commands, and how a command is handed to it. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Shell } from "../../core/ports/shell.ts";
import { belongsTo, systemProgram } from "../find-programs.ts";

const run = promisify(execFile);

export interface ShellProgram {
  kind: Shell["kind"];
  path: string;
  /** The person's own shell, in whose place this one is. */
  insteadOf?: Shell["insteadOf"];
}

const kinds: Record<string, Shell["kind"]> = {
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

export function shellKind(file: string): Shell["kind"] | undefined {
  // Either kind of slash: a Windows path may be judged elsewhere.
  const name = file.split(/[/\\]/).at(-1) ?? "";
  return kinds[name.toLowerCase().replace(/\.exe$/, "")];
}

/** That shell. Throws when it is not a shell that is known, or not there. */
export function namedShell(file: string): ShellProgram {
  const kind = shellKind(file);
  if (kind === undefined || !path.isAbsolute(file) || !existsSync(file))
    throw new Error(`${file} is not a shell that Nekode knows.`);
  return { kind, path: file };
}

/**
 * The user's own shell (`own`, else as the environment says) where it is there, its grammar is known and none of `roots`
 * has it, else bash or sh (PowerShell or cmd on Windows), which says in whose place it is.
 */
export function personsShell(
  environment: NodeJS.ProcessEnv,
  own = environment.SHELL,
  platform: NodeJS.Platform = process.platform,
  roots: readonly string[] = [],
): ShellProgram {
  const asked = own !== undefined && isAbsolute(own) ? own : undefined;
  const others = platform === "win32" ? windowsShells(environment) : posixShells;
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

const posixShells = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"];

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
 * What keeps a shell from reading start-up files, where it reads any before a command: what they define could make of
 * the command something else than what was judged, and what they set is in the environment already.
 */
export async function quietFlags({ kind, path: file }: ShellProgram): Promise<string[]> {
  if (kind === "zsh") return ["-f"];
  if (kind !== "fish") return [];
  let flags = fishFlags.get(file);
  if (flags === undefined) {
    // Versions before 3.3 do not know it.
    const known = run(file, ["--no-config", "-c", "true"], { timeout: 5_000 });
    flags = known.then(
      () => ["--no-config"],
      () => [],
    );
    fishFlags.set(file, flags);
  }
  return flags;
}

const fishFlags = new Map<string, Promise<string[]>>();

export interface Invocation {
  file: string;
  args: string[];
  /** The arguments are a command line already (Windows). */
  verbatim: boolean;
}

/** The program and arguments that run exactly `command`; `flags` as of `quietFlags`. */
export function invocationOf(shell: ShellProgram, flags: readonly string[], command: string): Invocation {
  switch (shell.kind) {
    case "powershell":
      return {
        file: shell.path,
        args: ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", command],
        verbatim: false,
      };
    case "cmd":
      return { file: shell.path, args: ["/d", "/s", "/c", `"${command}"`], verbatim: true };
    default:
      // Both outputs into one pipe, so that their lines keep the order in which they were written. The command itself
      // travels as an argument and is read by the person's shell alone.
      return {
        file: "/bin/sh",
        args: ["-c", 'exec "$@" 2>&1', "sh", shell.path, ...flags, "-c", command],
        verbatim: false,
      };
  }
}

/** Keeps programs from waiting for a user: in a pager, or for a password. */
export const unattended = { PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" } as const;

/** The host's environment without what is the host's alone, and unattended. */
export function commandEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(?:NEKODE_API_KEY|ELECTRON_|VSCODE_(?!IPC_HOOK_CLI$|GIT_))/i.test(name),
  );
  return { ...Object.fromEntries(kept), ...unattended };
}
