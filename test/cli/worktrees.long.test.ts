/**
 * Worktrees that two processes work with. `worktrees.test.ts` proves what one does, and test/unit/node/git-worktrees* who may.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../unit/node/git-support.ts";
import { countingGit } from "../unit/node/git-worktrees-support.ts";
import {
  AFTER,
  begin,
  commitAll,
  env,
  placeOfEachTest,
  project,
  server,
  worktree,
} from "./worktrees-place.ts";

placeOfEachTest();

describe("a task in a worktree", () => {
  it("is named to whoever works in its folder, with whether it is open elsewhere", async () => {
    commitAll();
    const task = "Make a dog";
    server.setScript({
      turns: [
        { match: { firstUser: task }, answer: [{ hold: "working" }, { text: "A dog." }] },
        { match: { firstUser: "What is here?" }, answer: [{ text: "A cat." }] },
        { match: { firstUser: "And now?" }, answer: [{ text: "A dog." }] },
      ],
    });
    const { ended } = project.start(["--worktree", task], env);
    await server.waitForHold("working");
    const { root } = JSON.parse((await worktree("list", "--json")).stdout);
    const ask = (text: string) => project.runIn(root, [text], env);
    const named = `This folder is the worktree of the task “${task}”. To merge, keep or discard its changes, review it in the project ${project.folder}.`;
    const opened = "The session is open in another window or terminal";
    const meanwhile = await ask("What is here?");
    expect(meanwhile).toMatchObject({ code: 0, stdout: expect.stringContaining("A cat.") });
    expect(meanwhile.stderr.split(named)).toHaveLength(2);
    expect(meanwhile.stderr).toContain(opened);
    server.release("working");
    expect((await ended).stderr).not.toContain(named);
    const afterwards = (await ask("And now?")).stderr;
    expect(afterwards).toContain(named);
    expect(afterwards).not.toContain(opened);
  });

  it("is merged by one process while another one discards it, and nothing is lost", async () => {
    commitAll();
    const root = await begin();
    const fifo = path.join(path.dirname(project.folder), "fifo");
    execFileSync("mkfifo", [fifo]);
    const bin = await countingGit(`case "$*" in *commit-tree*) read -r _ < '${fifo}';; esac`);
    const slow = { ...env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
    const merging = project.start(["worktree", "merge", "猫を犬に-neko-txt"], slow);
    // It opens once git, in the middle of the merge, reads from it.
    const held = await open(fifo, "w");
    try {
      for (const args of [["discard", "--yes"], ["keep"], ["merge"]]) {
        const [action = "", ...rest] = args;
        const refused = await worktree(action, "猫を犬に-neko-txt", ...rest);
        expect(refused).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(
            "Another task, window or terminal uses this worktree (nekode/猫を犬に-neko-txt)",
          ),
        });
      }
      expect(git(root, "diff", "HEAD", "--name-only").trim()).toBe("neko.txt");
    } finally {
      await held.close();
    }
    expect(await merging.ended).toMatchObject({ code: 0 });
    expect(await project.read("neko.txt")).toBe(AFTER);
    expect(existsSync(root)).toBe(false);
    expect(await worktree("discard", "猫を犬に-neko-txt", "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no worktree"),
    });
  });
});
