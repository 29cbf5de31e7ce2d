/** Tasks in worktrees, as a user of the terminal has them: begun, continued, reviewed and ended, with real git. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NEKO_AFTER } from "../model-server/scripts/neko.ts";
import { git, write } from "../unit/node/git-support.ts";
import {
  AFTER,
  BEFORE,
  begin,
  commitAll,
  env,
  placeOfEachTest,
  project,
  server,
  TASK,
  worktree,
} from "./worktrees-place.ts";

placeOfEachTest();

describe("a task in a worktree", () => {
  it("changes nothing in the folder until it is merged, and is continued where it works", async () => {
    commitAll();
    const root = await begin();
    expect(await project.read("neko.txt")).toBe(BEFORE);
    expect(git(root, "diff", "--name-only").trim()).toBe("neko.txt");
    expect((await worktree("diff", "猫を犬に-neko-txt")).stdout).toContain(`+${NEKO_AFTER}`);
    expect((await worktree("open", "nekode/猫を犬に-neko-txt")).stdout).toBe(`${root}\n`);

    server.setScript({
      turns: [
        {
          answer: [{ tool: "write_to_file", params: { path: "more.txt", content: "more\n" } }],
        },
        { answer: [{ tool: "attempt_completion", params: { result: "done" } }] },
      ],
    });
    expect((await project.run(["--continue", "--approve", "read,edit", "more"], env)).code).toBe(0);
    expect(existsSync(path.join(root, "more.txt"))).toBe(true);
    expect(existsSync(path.join(project.folder, "more.txt"))).toBe(false);

    write(project.folder, { "more.txt": "mine\n" });
    const refused = await worktree("merge", "猫を犬に-neko-txt", "--message", "Dog");
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("more.txt") });
    expect(await project.read("more.txt")).toBe("mine\n");
    await rm(path.join(project.folder, "more.txt"));
    expect(await worktree("merge", "猫を犬に-neko-txt")).toMatchObject({ code: 0 });
    expect(await project.read("neko.txt")).toBe(AFTER);
    expect(git(project.folder, "log", "-1", "--format=%an %s").trim()).toBe("U Dog");
    expect(existsSync(root)).toBe(false);
    expect(await worktree("list")).toMatchObject({ stdout: "", stderr: "No task has a worktree.\n" });
    expect(git(project.folder, "branch", "--list", "nekode/*")).toBe("");
  });

  it("names what is lost before it is discarded, and does not run where its worktree is gone", async () => {
    commitAll();
    const root = await begin();
    const named = await worktree("discard", "猫を犬に-neko-txt");
    expect(named).toMatchObject({ code: 4, stderr: expect.stringContaining("  neko.txt\n") });
    expect(existsSync(root)).toBe(true);
    await rm(root, { recursive: true });
    const requests = server.requests.length;
    const resumed = await project.run(["--continue", "--approve", "read,edit", "again"], env);
    expect(resumed).toMatchObject({ code: 1, stderr: expect.stringContaining("no longer exists") });
    expect(server.requests).toHaveLength(requests);
    expect(await project.read("neko.txt")).toBe(BEFORE);
  });

  it("does not begin in a folder without git, and leaves nothing", async () => {
    const { code, stderr } = await project.run(["--worktree", TASK], env);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("not in a Git repository"),
    });
    expect(server.requests).toHaveLength(0);
    expect((await project.run(["--list"], env)).stdout).toBe("");
    expect((await project.run(["--worktree", "--continue", "x"], env)).code).toBe(2);
    expect(await worktree("merge", "x")).toMatchObject({ code: 1 });
  });
});
