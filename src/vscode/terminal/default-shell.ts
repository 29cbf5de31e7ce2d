/** Determines the user's shell from VS Code's terminal settings. */
import { existsSync } from "node:fs";

interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

export interface DefaultShellParts {
  /** Inspects a setting of `terminal.integrated`. */
  inspect(key: string): Inspected | undefined;
  /** The shell that VS Code uses: that of the default profile if its program exists, otherwise a fallback. */
  editorShell: string;
  environment: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
}

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { win32: "windows", darwin: "osx" };

/**
 * VS Code silently ignores a profile whose program does not exist; this function returns that program anyway, so that
 * the user can be informed. Workspace settings are ignored: a project must not determine which program runs.
 */
export function defaultShell(parts: DefaultShellParts): string | undefined {
  const { inspect, editorShell, environment, platform = process.platform } = parts;
  const system = SYSTEMS[platform] ?? "linux";
  const [chosen, profiles] = [inspect(`defaultProfile.${system}`), inspect(`profiles.${system}`)];
  const places = pathsOf(chosen?.globalValue, profiles?.globalValue, environment);
  if (places.length > 0) return places.find((file) => existsSync(file)) ?? places[0];
  const isSetByProject = [chosen, profiles].some(
    (inspected) => inspected?.workspaceValue !== undefined || inspected?.workspaceFolderValue !== undefined,
  );
  return (isSetByProject ? environment.SHELL : editorShell) || undefined;
}

/**
 * Possible paths of the profile's program; empty if the settings name none, or only with variables other than `env`.
 */
function pathsOf(name: unknown, profiles: unknown, environment: NodeJS.ProcessEnv): string[] {
  if (typeof name !== "string" || !isObject(profiles)) return [];
  const profile = profiles[name];
  if (!isObject(profile)) return [];
  return [profile.path].flat().flatMap((file) => {
    if (typeof file !== "string") return [];
    const plain = file.replace(/\$\{env:([^}]+)\}/g, (_, variable: string) => environment[variable] ?? "");
    return plain.includes("${") ? [] : [plain];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
