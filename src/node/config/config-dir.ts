/** The folder of the user's configuration, in the system's own place. */
import { homedir } from "node:os";
import path from "node:path";

/** NEKODE_CONFIG_DIR, otherwise the system's default. undefined: the user has no home folder. */
export function defaultConfigDir(environment: NodeJS.ProcessEnv): string | undefined {
  const { NEKODE_CONFIG_DIR, APPDATA, XDG_CONFIG_HOME } = environment;
  if (NEKODE_CONFIG_DIR) return path.resolve(NEKODE_CONFIG_DIR);
  const isWindows = process.platform === "win32";
  const isMac = process.platform === "darwin";
  if (isWindows && APPDATA) return path.join(APPDATA, "nekode");
  if (!isWindows && !isMac && XDG_CONFIG_HOME && path.isAbsolute(XDG_CONFIG_HOME))
    return path.join(XDG_CONFIG_HOME, "nekode");
  const home = homeFolder(environment);
  if (home === undefined) return undefined;
  if (isWindows) return path.join(home, "AppData", "Roaming", "nekode");
  return isMac
    ? path.join(home, "Library", "Application Support", "nekode")
    : path.join(home, ".config", "nekode");
}

/** As `homedir` of Node, which reads the environment of the process. Throws if HOME is not set and the system has no entry for this user. */
export function systemHome(environment: NodeJS.ProcessEnv): string {
  return environment[process.platform === "win32" ? "USERPROFILE" : "HOME"] ?? homedir();
}

/** undefined: HOME is not set, and the system has no entry for this user. */
export function homeFolder(environment: NodeJS.ProcessEnv): string | undefined {
  try {
    return systemHome(environment) || undefined;
  } catch {
    return undefined;
  }
}
