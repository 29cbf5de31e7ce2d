/** Disables the filter programs that git's configuration names. */
import { messageOf } from "../../core/errors.ts";
import { runGit } from "./git-process.ts";

/** The filters that are configured for the folder. Rejects if one has a name that cannot be disabled. */
export async function filterDrivers(
  git: string,
  env: NodeJS.ProcessEnv,
  folder: string,
  stop: { signal: AbortSignal },
  run: typeof runGit = runGit,
): Promise<ReadonlySet<string>> {
  const args = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."];
  const listed = await run(git, args, env, folder, stop).catch((error: unknown) => {
    // Exit code 1: there are no filters.
    if (messageOf(error).includes("failed (1)")) return Buffer.alloc(0);
    throw error;
  });
  const text = listed.toString("utf8");
  if (text.includes("\uFFFD")) throw new Error("the repository configures a filter that cannot be disabled");
  const drivers = new Set<string>();
  for (const key of text.split("\0")) {
    const driver = /^filter\.([\s\S]*)\.[^.]+$/.exec(key)?.[1];
    if (driver !== undefined) drivers.add(driver);
  }
  return drivers;
}

/**
 * Environment settings for one command that disable all filters: git runs a file through the repository's filter programs
 * whenever it compares the file. An empty command means no filter.
 */
export async function withoutFilters(
  git: string,
  env: NodeJS.ProcessEnv,
  folder: string,
  stop: { signal: AbortSignal },
  run: typeof runGit = runGit,
): Promise<NodeJS.ProcessEnv> {
  return disabling(await filterDrivers(git, env, folder, stop, run), env);
}

/** Environment settings that disable these filters, in addition to the settings of `env`. */
export function disabling(drivers: ReadonlySet<string>, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = [...drivers].flatMap((driver) => [
    ...["clean", "smudge", "process"].map((name) => [`filter.${driver}.${name}`, ""]),
    [`filter.${driver}.required`, "false"],
  ]);
  // The user's own settings in the environment are kept.
  const before = Number(env.GIT_CONFIG_COUNT ?? 0);
  if (!Number.isInteger(before)) throw new Error("the Git settings in the environment are not valid");
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(before + settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${before + index}`, key],
      [`GIT_CONFIG_VALUE_${before + index}`, value],
    ]),
  ]);
}
