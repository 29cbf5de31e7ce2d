/** Switches off the programs that a configuration names for files. */
import { messageOf } from "../../core/errors.ts";
import { runGit } from "./git-process.ts";

/**
 * Settings for one command, by which no filter runs: git passes a file through the programs that the repository names for
 * it whenever it has to compare the file. An empty command is none.
 */
export async function withoutFilters(
  git: string,
  env: NodeJS.ProcessEnv,
  folder: string,
  stop: { signal: AbortSignal },
  run: typeof runGit = runGit,
): Promise<NodeJS.ProcessEnv> {
  const args = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."];
  const listed = await run(git, args, env, folder, stop).catch((error: unknown) => {
    // So it ends where there is none.
    if (messageOf(error).includes("failed (1)")) return Buffer.alloc(0);
    throw error;
  });
  const text = listed.toString("utf8");
  if (text.includes("\uFFFD")) throw new Error("the repository names a filter that cannot be switched off");
  const drivers = new Set<string>();
  for (const key of text.split("\0")) {
    const driver = /^filter\.([\s\S]*)\.[^.]+$/.exec(key)?.[1];
    if (driver !== undefined) drivers.add(driver);
  }
  const settings = [...drivers].flatMap((driver) => [
    ...["clean", "smudge", "process"].map((name) => [`filter.${driver}.${name}`, ""]),
    [`filter.${driver}.required`, "false"],
  ]);
  // The environment may hold settings of the user's own, which stay.
  const before = Number(env.GIT_CONFIG_COUNT ?? 0);
  if (!Number.isInteger(before)) throw new Error("the environment's settings of git are not understood");
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(before + settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${before + index}`, key],
      [`GIT_CONFIG_VALUE_${before + index}`, value],
    ]),
  ]);
}
