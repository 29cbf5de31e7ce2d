/** Worktrees of real repositories: what is in them, how they end, and that nothing of the user's is lost or run. */
import { existsSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprint, git, write } from "./git-support.ts";
import { fault, place, placeAt, text, traces } from "./git-worktrees-support.ts";
import { neverAborted as signal, temporaryFolder } from "./support.ts";

describe("a new worktree", () => {
  it("has the commit's files on a branch of its own, prepared by the user's command, and says what it does not have", async () => {
    const { root, worktrees } = await place({ "a.txt": "one\n", "bin/run.sh": "x\n" });
    write(root, { "a.txt": "changed\n", "new 猫.txt": "n\n" });
    const before = fingerprint(path.join(root, "bin")) + text(root, "a.txt") + text(root, ".git/index");
    const setup = "echo hello > made.txt";
    const made = await worktrees.create({ folder: root, title: "Fix: the CAT (猫を犬に)!", setup }, signal);
    expect(made.worktree.branch).toBe("nekode/fix-the-cat-猫を犬に");
    expect(made.uncommitted).toEqual(["a.txt", "new 猫.txt"]);
    expect(made.incomplete).toEqual([]);
    expect(text(made.worktree.path, "a.txt")).toBe("one\n");
    expect(text(made.worktree.root, "made.txt")).toBe("hello\n");
    expect(git(made.worktree.path, "status", "--porcelain")).toBe("?? made.txt\n");
    expect(git(made.worktree.path, "branch", "--show-current").trim()).toBe(made.worktree.branch);
    expect(await worktrees.list(root, signal)).toEqual([made.worktree]);
    expect(fingerprint(path.join(root, "bin")) + text(root, "a.txt") + text(root, ".git/index")).toBe(before);
  });

  it("gets the ignored files that .worktreeinclude lists, but no link out of the repository", async () => {
    const { root, worktrees } = await place({
      ".gitignore": ".env*\nsecret/\nlinks/\nold.txt\n*.key\n",
      ".worktreeinclude": ".env*\n!.env.prod\nsecret/**\nlinks/*\na.txt\nuntracked.txt\n*.key\n",
      "a.txt": "one\n",
    });
    write(root, { ".env": "A=1\n", ".env.prod": "P\n", "secret/deep/key": "k\n", "untracked.txt": "u\n" });
    write(root, { "a.txt": "changed\n", "old.txt": "not listed\n", "links/file": "f\n" });
    const outside = await temporaryFolder();
    // The commit has a link in the place of a folder.
    symlinkSync(outside, path.join(root, "conf"));
    git(root, "add", "conf");
    git(root, "commit", "-q", "-m", "link");
    rmSync(path.join(root, "conf"));
    write(root, { "conf/x.key": "k\n" });
    symlinkSync(outside, path.join(root, "links/away"));
    symlinkSync("file", path.join(root, "links/near"));
    const { worktree, incomplete } = await worktrees.create({ folder: root, title: "x" }, signal);
    expect(text(worktree.path, ".env")).toBe("A=1\n");
    expect(text(worktree.path, "secret/deep/key")).toBe("k\n");
    expect(readlinkSync(path.join(worktree.path, "links/near"))).toBe("file");
    expect(text(worktree.path, "a.txt")).toBe("one\n");
    for (const name of [".env.prod", "untracked.txt", "old.txt", "links/away", "conf/x.key"])
      expect(existsSync(path.join(worktree.path, name)), name).toBe(false);
    expect(existsSync(path.join(outside, "x.key"))).toBe(false);
    expect(incomplete).toEqual([{ path: "links/away", why: "link" }]);
    expect(await worktrees.state(worktree, signal)).toEqual({ changes: [], ignored: [], commits: 0 });
    write(worktree.path, { ".env": "A=22\n", "secret/deep/more": "m\n" });
    expect((await worktrees.state(worktree, signal))?.ignored).toEqual([".env", "secret/deep/more"]);
  });

  it("runs nothing that the repository configures, and names what a filter would have converted", async () => {
    const { root, worktrees } = await place({ "a.txt": "one\n", "b.bin": "stored\n" });
    const mark = path.join(await temporaryFolder(), "ran");
    write(root, { ".gitattributes": "*.bin filter=big\n*.txt merge=own\n" });
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "attributes");
    const program = `touch ${mark}; cat`;
    for (const key of ["clean", "smudge", "process"]) git(root, "config", `filter.big.${key}`, program);
    git(root, "config", "filter.big.required", "true");
    git(root, "config", "core.fsmonitor", `touch ${mark}`);
    git(root, "config", "merge.own.driver", `touch ${mark}; true`);
    git(root, "config", "commit.gpgSign", "true");
    git(root, "config", "gpg.program", `touch ${mark}`);
    for (const hook of [
      "post-checkout",
      "reference-transaction",
      "pre-commit",
      "post-index-change",
      "post-merge",
    ]) {
      writeFileSync(path.join(root, ".git/hooks", hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    }
    const { worktree, incomplete } = await worktrees.create({ folder: root, title: "x" }, signal);
    expect(incomplete).toEqual([{ path: "b.bin", why: "filter" }]);
    write(worktree.path, { "a.txt": "two\n" });
    await worktrees.state(worktree, signal);
    await worktrees.diff(worktree, signal);
    await worktrees.commit(worktree, "m", signal);
    expect(await worktrees.merge(worktree, root, signal)).toMatchObject({ type: "merged" });
    write(worktree.path, { "b.bin": "raw\n" });
    await expect(worktrees.commit(worktree, "m", signal)).rejects.toEqual(fault("git-filter"));
    expect(await worktrees.remove(worktree, { losing: ["b.bin"], branch: "delete" }, signal)).toEqual([]);
    expect(existsSync(mark)).toBe(false);
  });

  it("is not there where the user's command does not prepare it", async () => {
    const there = await place();
    const setup = "echo no registry; exit 3";
    const failing = there.worktrees.create({ folder: there.root, title: "x", setup }, signal);
    await expect(failing).rejects.toThrow("exit code 3\nno registry");
    await expect(failing).rejects.toEqual(fault("worktree-setup"));
    expect(traces(there)).toEqual([]);
  });
});

describe("no worktree", () => {
  it("comes of a folder without git, a bare repository, one without a commit, or an unknown revision", async () => {
    const none = await placeAt(await temporaryFolder());
    await expect(none.create()).rejects.toEqual(fault("not-in-repository"));
    const bare = await temporaryFolder();
    git(bare, "init", "-q", "--bare");
    await expect((await placeAt(bare)).create()).rejects.toEqual(fault("repository-bare"));
    const empty = await temporaryFolder();
    git(empty, "init", "-q");
    await expect((await placeAt(empty)).create()).rejects.toEqual(fault("repository-empty"));
    const there = await place();
    const elsewhere = there.worktrees.create({ folder: there.root, title: "x", revision: "v9" }, signal);
    await expect(elsewhere).rejects.toEqual(fault("revision-unknown"));
    expect(traces(there)).toEqual([]);
  });
});

describe("the end of a worktree", () => {
  it("is a merge of everything in it, and its diff applies", async () => {
    const { root, worktrees, create } = await place({ "a.txt": "one\n", "gone.txt": "g\n" });
    const worktree = await create();
    write(worktree.path, { "a.txt": "two\n", "猫/b.bin": new Uint8Array([0, 255, 1]) });
    rmSync(path.join(worktree.path, "gone.txt"));
    const state = await worktrees.state(worktree, signal);
    expect(state?.changes).toEqual([
      { path: "a.txt", kind: "changed", uncommitted: true },
      { path: "gone.txt", kind: "deleted", uncommitted: true },
      { path: "猫/b.bin", kind: "added", uncommitted: true },
    ]);
    expect(git(worktree.path, "diff", "--cached", "--name-only")).toBe("");
    const copy = await temporaryFolder();
    git(copy, "clone", "-q", root, ".");
    writeFileSync(path.join(copy, "the.patch"), await worktrees.diff(worktree, signal));
    git(copy, "apply", "the.patch");
    expect(text(copy, "a.txt")).toBe("two\n");
    expect(readFileSync(path.join(copy, "猫/b.bin"))).toEqual(Buffer.from([0, 255, 1]));
    expect(await worktrees.merge(worktree, root, signal)).toEqual({ type: "nothing-to-merge" });
    const commit = await worktrees.commit(worktree, "Feed the cat\n", signal);
    expect(await worktrees.commit(worktree, "again", signal)).toBeUndefined();
    expect(await worktrees.state(worktree, signal)).toMatchObject({ commits: 1, ignored: [] });
    expect(await worktrees.merge(worktree, root, signal)).toEqual({ type: "merged", commit });
    expect(git(root, "status", "--porcelain")).toBe("");
    expect(git(root, "log", "-1", "--format=%an %s").trim()).toBe("U Feed the cat");
    expect(existsSync(path.join(root, "gone.txt"))).toBe(false);
  });

  it("merges beside the user's own commits and changes, or changes nothing", async () => {
    const { root, worktrees, create } = await place({ "a.txt": "1\n2\n3\n", "b.txt": "b\n", "c.txt": "c\n" });
    const worktree = await create();
    write(worktree.path, { "a.txt": "1\n2\nthree\n", "new.txt": "n\n" });
    await worktrees.commit(worktree, "work", signal);
    write(root, { "a.txt": "one\n2\n3\n" });
    git(root, "commit", "-q", "-a", "-m", "own");
    write(root, { "a.txt": "one\n2\n3\nunsaved\n", "b.txt": "mine\n", "new.txt": "mine\n" });
    const head = text(root, ".git/refs/heads/main");
    expect(await worktrees.merge(worktree, root, signal)).toEqual({
      type: "would-overwrite",
      files: ["a.txt", "new.txt"],
    });
    expect(text(root, "new.txt") + text(root, ".git/refs/heads/main")).toBe(`mine\n${head}`);
    git(root, "checkout", "-q", "a.txt");
    rmSync(path.join(root, "new.txt"));
    expect(await worktrees.merge(worktree, root, signal)).toMatchObject({ type: "merged" });
    expect(text(root, "a.txt")).toBe("one\n2\nthree\n");
    expect(text(root, "b.txt")).toBe("mine\n");
    expect(git(root, "status", "--porcelain")).toBe(" M b.txt\n");
    expect(git(root, "log", "-1", "--format=%s").trim()).toBe(`Merge branch '${worktree.branch}'`);
    write(worktree.path, { "c.txt": "theirs\n" });
    await worktrees.commit(worktree, "more", signal);
    write(root, { "c.txt": "ours\n" });
    git(root, "commit", "-q", "-m", "clash", "c.txt");
    const untouched = text(root, ".git/index") + text(root, ".git/refs/heads/main");
    expect(await worktrees.merge(worktree, root, signal)).toEqual({ type: "conflicts", files: ["c.txt"] });
    expect(text(root, ".git/index") + text(root, ".git/refs/heads/main")).toBe(untouched);
    writeFileSync(path.join(root, ".git/MERGE_HEAD"), `${worktree.base}\n`);
    await expect(worktrees.merge(worktree, root, signal)).rejects.toEqual(fault("git-merging"));
  });

  it("loses nothing that was not named: changes, ignored files, repositories and commits in it", async () => {
    const there = await place({ "a.txt": "one\n", ".gitignore": "out/\n*.log\n" });
    const { worktrees, create } = there;
    const worktree = await create();
    const remove = (losing: string[]) => worktrees.remove(worktree, { losing, branch: "delete" }, signal);
    write(worktree.path, { "a.txt": "two\n", "x.log": "l\n", "out/o.js": "o\n", "nested/n.txt": "n\n" });
    git(path.join(worktree.path, "nested"), "init", "-q");
    git(worktree.path, "checkout", "-q", "--detach");
    git(worktree.path, "commit", "-q", "--allow-empty", "-m", "loose");
    const loose = git(worktree.path, "rev-parse", "HEAD").trim();
    const all = ["a.txt", "nested", "out/", "x.log", loose];
    expect(await remove([])).toEqual(all);
    for (const even of [0, 1])
      expect(await remove(all.filter((_, n) => n % 2 === even))).toEqual(
        all.filter((_, n) => n % 2 !== even),
      );
    git(there.root, "worktree", "lock", worktree.path);
    await expect(remove(all)).rejects.toEqual(fault("worktree-locked"));
    git(there.root, "worktree", "unlock", worktree.path);
    expect(text(worktree.path, "nested/n.txt")).toBe("n\n");
    expect(await remove(all)).toEqual([]);
    expect(traces(there)).toEqual([]);
    expect(await worktrees.state(worktree, signal)).toBeUndefined();
    expect(await remove([])).toEqual([]);
    expect(git(there.root, "status", "--porcelain")).toBe("");
  });
});
