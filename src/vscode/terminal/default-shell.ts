/** Which shell is the person's own, by the editor's settings for terminals. */
import { existsSync } from "node:fs";

interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

export interface DefaultShellParts {
  /** Of `terminal.integrated`. */
  inspect(key: string): Inspected | undefined;
  /** As the editor says: the one of its default profile, where that can be used. */
  editors: string;
  environment: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
}

const systems: Partial<Record<NodeJS.Platform, string>> = { win32: "windows", darwin: "osx" };

/**
 * The editor leaves out a profile whose program is not there, without a word; it is named here all the same, so that the
 * person can be told. A project's own profiles do not count: they would decide what runs.
 */
export function defaultShell(parts: DefaultShellParts): string | undefined {
  const { inspect, editors, environment, platform = process.platform } = parts;
  const system = systems[platform] ?? "linux";
  const [chosen, profiles] = [inspect(`defaultProfile.${system}`), inspect(`profiles.${system}`)];
  const places = pathsOf(chosen?.globalValue, profiles?.globalValue, environment);
  if (places.length > 0) return places.find((file) => existsSync(file)) ?? places[0];
  const isProjects = [chosen, profiles].some(
    (found) => found?.workspaceValue !== undefined || found?.workspaceFolderValue !== undefined,
  );
  return (isProjects ? environment.SHELL : editors) || undefined;
}

/** Where the program of the profile may be, as the settings name it; none: they do not say it in plain words. */
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
