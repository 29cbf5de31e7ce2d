/** The sandbox of a host of Nekode. */
import path from "node:path";
import { defaultConfigDir, homeFolder } from "../config/config-dir.ts";
import { installedPluginsFolder } from "../plugins/installed-plugins.ts";
import { Sandbox } from "./command-sandbox.ts";

/** `dataDir`: the data folder that the hosts of this machine share. undefined: the user has no home folder, which could be protected. */
export function createSandbox(
  environment: NodeJS.ProcessEnv,
  dataDir: string | undefined,
): Sandbox | undefined {
  const home = homeFolder(environment);
  if (home === undefined) return undefined;
  const { XDG_CACHE_HOME: caches = path.join(home, ".cache") } = environment;
  const own = [dataDir, defaultConfigDir(environment)].filter((folder) => folder !== undefined);
  // Skills and hooks of plugins are told by their paths which of their scripts to run.
  const shown = dataDir === undefined ? [] : [installedPluginsFolder(dataDir)];
  return new Sandbox({ environment, home, own, shown, caches: path.join(caches, "nekode", "sandbox") });
}
