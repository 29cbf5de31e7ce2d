/** Which shell runs the person's commands, and how a command is handed to it. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Shell } from "../core/ports.ts";

export interface ShellProgram {
  kind: Shell["kind"];
  path: string;
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

/**
 * The shell asked for, else the person's own where its grammar is known, else bash or sh (PowerShell or cmd on
 * Windows). Throws when the one asked for is not a shell that is known or not there.
 */
export function chooseShell(
  asked: string | undefined,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): ShellProgram {
  if (asked !== undefined) {
    const kind = shellKind(asked);
    if (kind === undefined || !existsSync(asked))
      throw new Error(`${asked} is not a shell that Nekode knows.`);
    return { kind, path: asked };
  }
  const candidates = platform === "win32" ? windowsShells(environment) : posixShells(environment);
  for (const file of candidates) {
    const kind = shellKind(file);
    if (kind !== undefined && existsSync(file)) return { kind, path: file };
  }
  return platform === "win32" ? { kind: "cmd", path: "cmd.exe" } : { kind: "sh", path: "/bin/sh" };
}

function posixShells(environment: NodeJS.ProcessEnv): string[] {
  const own = environment.SHELL;
  const isOwn = own !== undefined && path.isAbsolute(own);
  return [...(isOwn ? [own] : []), "/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"];
}

function windowsShells(environment: NodeJS.ProcessEnv): string[] {
  const programs = environment.ProgramFiles ?? "C:\\Program Files";
  const system = environment.SystemRoot ?? "C:\\Windows";
  return [
    `${programs}\\PowerShell\\7\\pwsh.exe`,
    `${system}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
    environment.ComSpec ?? `${system}\\System32\\cmd.exe`,
  ];
}

export interface Invocation {
  file: string;
  args: string[];
  /** The arguments are a command line already (Windows). */
  verbatim: boolean;
}

/** The program and arguments that run exactly `command`. */
export function invocationOf(shell: ShellProgram, command: string): Invocation {
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
        args: ["-c", 'exec 2>&1; exec "$0" -c "$1"', shell.path, command],
        verbatim: false,
      };
  }
}

/** The host's environment without what is the host's alone, and with what keeps programs from waiting for a person. */
export function commandEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(?:NEKODE_API_KEY|ELECTRON_|VSCODE_(?!IPC_HOOK_CLI$|GIT_))/i.test(name),
  );
  return { ...Object.fromEntries(kept), PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };
}
