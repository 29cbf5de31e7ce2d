/**
 * Worktrees of repositories that have what few have, and on a disk that is full; git-worktrees.test.ts proves for `npm test` what
 * is in a worktree, how it ends, and that nothing is lost or run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createWorktrees } from "../../../src/node/git/worktrees/node-worktrees.ts";
import { createShell } from "../../../src/node/shell/process-shell.ts";
import { git, repository, write } from "./git-support.ts";
import { fault, place, placeAt, text, traces } from "./git-worktrees-support.ts";
import { neverAborted as signal, temporaryFolder } from "./support.ts";

describe("a new worktree", () => {
  it("has a name that is free, in any case of letters, also beside a branch called nekode", async () => {
    const { root, create } = await place();
    git(root, "branch", "nekode/FIX-the-cat");
    expect((await create()).branch).toBe("nekode/fix-the-cat-2");
    expect((await create()).branch).toBe("nekode/fix-the-cat-3");
    expect((await create("!?")).branch).toBe("nekode/task");
    expect((await create("CON")).branch).toBe("nekode/task-con");
    const other = await place();
    git(other.root, "branch", "nekode");
    expect((await other.create()).branch).toBe("nekode-fix-the-cat");
  });

  it("names the folder that corresponds to a project in a subfolder", async () => {
    const { root, worktrees } = await place({ "app/a.txt": "one\n" });
    const { worktree } = await worktrees.create({ folder: path.join(root, "app"), title: "x" }, signal);
    expect(text(worktree.root, "a.txt")).toBe("one\n");
    mkdirSync(path.join(root, "fresh"));
    const fresh = await worktrees.create({ folder: path.join(root, "fresh"), title: "x" }, signal);
    expect(existsSync(fresh.worktree.root)).toBe(true);
    expect(await worktrees.list(path.join(root, "app"), signal)).toEqual([worktree]);
  });

  it("has its submodules from this machine, on branches of their own", async () => {
    const inner = await repository({ "in.txt": "i\n" });
    const root = await repository({ "a.txt": "one\n" });
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib");
    git(root, "commit", "-q", "-m", "submodule");
    rmSync(inner, { recursive: true });
    const there = await placeAt(root);
    const worktree = await there.create();
    expect(text(worktree.path, "lib/in.txt")).toBe("i\n");
    expect(git(worktree.path, "status", "--porcelain")).toBe("");
    write(worktree.path, { "lib/in.txt": "changed\n" });
    expect((await there.worktrees.state(worktree, signal))?.changes).toEqual([
      { path: "lib/in.txt", kind: "changed", uncommitted: true },
    ]);
    expect(await there.worktrees.remove(worktree, { losing: [], branch: "delete" }, signal)).toEqual([
      "lib/in.txt",
    ]);
    git(path.join(worktree.path, "lib"), "commit", "-q", "-a", "-m", "inner work");
    await there.worktrees.commit(worktree, "outer work", signal);
    const work = git(path.join(worktree.path, "lib"), "rev-parse", "HEAD").trim();
    expect(await there.worktrees.remove(worktree, { losing: [], branch: "keep" }, signal)).toEqual([]);
    const lib = path.join(root, "lib");
    expect(git(lib, "branch", "--contains", work)).toContain(worktree.branch);
    expect(git(lib, "worktree", "list").trim().split("\n")).toHaveLength(1);
    const again = await there.create("again");
    await there.worktrees.remove(again, { losing: [], branch: "delete" }, signal);
    expect(git(lib, "branch", "--list", again.branch)).toBe("");
  });

  it("keeps to the folders of a sparse checkout", async () => {
    const { root, create } = await place({ "in/a.txt": "a\n", "out/b.txt": "b\n" });
    git(root, "sparse-checkout", "set", "in");
    const worktree = await create();
    expect(existsSync(path.join(worktree.path, "in/a.txt"))).toBe(true);
    expect(existsSync(path.join(worktree.path, "out/b.txt"))).toBe(false);
  });
});

describe("no worktree", () => {
  it("comes of a disk that is full, and nothing is left on it", async () => {
    const there = await place({ "big.bin": "x".repeat(3_000_000) });
    const small = await temporaryFolder();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", small]);
    // Without the right to mount, a folder in which nothing can be created stands for it.
    const worktreesDir = mounted.status === 0 ? path.join(small, "w") : path.join(there.root, "a-file", "w");
    if (mounted.status !== 0) write(there.root, { "a-file": "" });
    try {
      const log = { info: () => undefined, error: () => undefined };
      const { environment } = there;
      const full = createWorktrees({ worktreesDir, environment, roots: () => [], shell: createShell(), log });
      const made = full.create({ folder: there.root, title: "x" }, signal);
      await expect(made).rejects.toEqual(fault(mounted.status === 0 ? "disk-full" : "system-error"));
      expect(traces({ root: there.root, worktreesDir })).toEqual([]);
    } finally {
      if (mounted.status === 0) spawnSync("umount", [small]);
    }
  });
});

describe("the end of a worktree", () => {
  it("may be that someone deleted the folder: the branch stays", async () => {
    const there = await place();
    const worktree = await there.create();
    write(worktree.path, { "a.txt": "two\n" });
    await there.worktrees.commit(worktree, "work", signal);
    rmSync(worktree.path, { recursive: true });
    expect(await there.worktrees.state(worktree, signal)).toBeUndefined();
    await expect(there.worktrees.diff(worktree, signal)).rejects.toEqual(fault("worktree-gone"));
    expect(await there.worktrees.list(there.root, signal)).toEqual([]);
    expect(traces(there)).toEqual([worktree.branch]);
    expect(await there.worktrees.merge(worktree, there.root, signal)).toMatchObject({ type: "merged" });
  });

  it("needs to know who the user is", async () => {
    const { worktrees, create } = await place({ "a.txt": "one\n" }, "");
    const worktree = await create();
    write(worktree.path, { "a.txt": "two\n" });
    await expect(worktrees.commit(worktree, "m", signal)).rejects.toEqual(fault("git-identity"));
    git(worktree.path, "switch", "-q", "-c", "other");
    await expect(worktrees.commit(worktree, "m", signal)).rejects.toEqual(fault("worktree-branch"));
  });
});
