/** A real repository, and the judge of both hosts that is asked about commands in it. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { project } from "../support/tools-on-disk.ts";
import { told } from "./judge.ts";

export const run = promisify(execFile);

const allow =
  "status diff log show branch tag remote blame grep ls-files rev-parse describe stash shortlog rev-list ls-tree cat-file merge-base config fetch commit"
    .split(" ")
    .map((verb) => `git ${verb}`)
    .concat("cd", "ls");

/** A repository with two commits, a changed file and a stash; `asks` gives why a command asks, or "allow". */
export async function repository() {
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const made = await project({ host: { shell: "/bin/bash", environment } });
  const { root, host, at } = made;
  const home = path.join(root, "..", "home");
  await mkdir(home);
  environment.HOME = home;
  const git = async (...args: string[]) =>
    (await run("git", args, { cwd: root, env: environment })).stdout.trim();
  const write = async (name: string, text: string) => {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  };
  const commit = async (name: string, text: string) => {
    await write(name, text);
    await git("add", "-A", "-f");
    await git("commit", "-qm", `changes ${name}`);
  };
  await git("init", "-q", "-b", "main");
  await commit("a.txt", "one\n");
  await commit("b.bin", "two\n");
  const settings = settingsSchema.parse({ approval: { commandSafe: true }, commands: { allow } });
  // However busy the machine is, git is waited for.
  const clock = { ...host.clock, after: () => ({ dispose: () => undefined }) };
  const judge = new Judge({ ...host, clock, system: { ...host.system, home } }, () => settings);
  const asks = async (command: string) => {
    const judged = await judge.permission({ access: "command" }, { paths: [], command }, "act");
    return judged.verdict === "allow" ? "allow" : told(judged.reason);
  };
  return { ...made, home, environment, git, write, commit, asks };
}
