/** Commands that destroy, run for real: after Undo the tree is what it was, in a repository and elsewhere. */
import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { destructionOf } from "../../../../src/core/safety/destruction/destruction.ts";
import { assets } from "../../../safety/judge.ts";
import { sampled } from "../../../support/random.ts";
import { programFile } from "../../../support/shells.ts";
import { temporaryFolder } from "../../node/support.ts";
import { DESTROYING_COMMANDS } from "./destroying-commands.ts";
import { destructible, treeOf } from "./destructible.ts";
import { kept } from "./support.ts";

/** Of the commands, which stand by kind, one of so many is tried. */
const NTH = 90;
/** A pattern: these alone. */
const ONLY = new RegExp(process.env.NEKODE_ONLY ?? "");

/** What not every machine has. Here without some of them, the title says so, and the commands with them are left out. */
const missing = ["busybox", "parallel", "sponge", "ed", "perl", "python3", "zip", "unzip"].filter(
  (name) => programFile(name) === undefined,
);
const runsHere = (command: string): boolean =>
  !missing.some((name) => command.split(/[ ;|]+/).includes(name));
const not = missing.length === 0 ? "" : ` (not here: ${missing.join(", ")})`;

describe.each([
  { place: "a repository", isRepository: true },
  { place: "a folder without git", isRepository: false },
])(`undo of a command in $place${not}`, ({ isRepository }) => {
  it("brings back what it destroyed", { timeout: 600_000 }, async () => {
    const template = path.join(await temporaryFolder(), "template");
    destructible(template, isRepository);
    const home = await temporaryFolder();
    const wrong: string[] = [];
    const possible = DESTROYING_COMMANDS.filter((each) => ONLY.test(each) && runsHere(each));
    const tried = sampled(possible, process.env.NEKODE_ONLY ? 1 : NTH);
    let changed = 0;
    for (const command of tried) {
      const root = path.join(await temporaryFolder(), "project");
      execFileSync("cp", ["-a", template, root]);
      const usesGit = /\bgit\b/.test(command);
      // Git's own state is not undone; a repository that was deleted as a whole is.
      const isLeft = (name: string): boolean =>
        usesGit && (name.startsWith(".git/") || name === ".git" || name.startsWith("nested/.git/"));
      const before = treeOf(root, isLeft);
      const around = { roots: [root], cwd: root, home };
      const destroys = await destructionOf(assets, command, "bash", around);
      if (!destroys) {
        wrong.push(`not known to destroy: ${command}`);
        continue;
      }
      const k = await kept(root);
      k.checkpoints.mark("message");
      const change = await k.checkpoints.begin({ callId: "c", paths: [], anything: true, destroys });
      const env = { ...process.env, HOME: home, GIT_CONFIG_GLOBAL: "/dev/null", PYENV_VERSION: "system" };
      spawnSync("bash", ["-c", command], {
        cwd: root,
        env,
        stdio: ["ignore", "ignore", "ignore"],
        timeout: 20_000,
      });
      const after = treeOf(root, isLeft);
      change.end();
      await k.checkpoints.settled();
      if (after.join("\n") === before.join("\n")) {
        wrong.push(...(usesGit && !isRepository ? [] : [`changed nothing: ${command}`]));
        continue;
      }
      changed += 1;
      const plan = await k.checkpoints.planUndo("c");
      const since = plan.files.filter((file) => file.changedSince || file.lost).map((file) => file.path);
      const result = await k.checkpoints.restore(plan);
      const undone = treeOf(root, isLeft);
      const missing = before.filter((line) => !undone.includes(line));
      const surplus = undone.filter((line) => !before.includes(line));
      if (missing.length + surplus.length + since.length + result.failed.length + k.problems.length > 0)
        wrong.push(
          JSON.stringify({ command, missing, surplus, since, failed: result.failed, problems: k.problems }),
        );
      else if (result.id !== undefined) {
        // And forth again.
        await k.checkpoints.restore(await k.checkpoints.planUndo(result.id));
        const again = treeOf(root, isLeft);
        if (again.join("\n") !== after.join("\n")) {
          const differing = [
            ...again.filter((line) => !after.includes(line)),
            ...after.filter((line) => !again.includes(line)),
          ];
          wrong.push(JSON.stringify({ command, again: differing }));
        }
      }
      await k.project.dispose();
    }
    expect(wrong).toEqual([]);
    // Without a repository the commands of git do nothing.
    expect(changed).toBeGreaterThan(tried.length * (isRepository ? 0.9 : 0.6));
  });
});
