/** `@git-changes` and commits of repositories in every state that people leave them in. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { plainGitEnvironment, runGit } from "../../../src/node/git/git-process.ts";
import { createGit } from "../../../src/node/git/repository.ts";

const bounds = () => ({ limit: 10_000, signal: new AbortController().signal });
const reader = createGit(process.env, () => []);
const folders: string[] = [];
afterAll(async () => {
  for (const each of folders) await rm(each, { recursive: true, force: true });
});

/** A repository of its own. */
async function repository() {
  const at = await mkdtemp(path.join(os.tmpdir(), "nekode-git-"));
  folders.push(at);
  const run = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=N", "-c", "user.email=n@example.com", ...args], {
      cwd: at,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  run("init", "--quiet", "--initial-branch=main");
  const write = async (name: string, text: string) => {
    await mkdir(path.dirname(path.join(at, name)), { recursive: true });
    await writeFile(path.join(at, name), text);
  };
  return { folder: at, git: run, write };
}

describe("git", () => {
  it("does not wait for the end of a diff of 9 MB", async () => {
    const big = await repository();
    await big.write("big.txt", "one\n");
    big.git("add", ".");
    big.git("commit", "--quiet", "-m", "Small");
    await big.write("big.txt", "猫が大きくなりました。\n".repeat(270_000));
    const state = await reader.workingState(big.folder, { ...bounds(), limit: 200_000 });
    expect(state.length).toBeLessThanOrEqual(210_000);
    expect(state).not.toContain("\ufffd");
    expect(state).toContain("+猫が大きくなりました。");
    const env = plainGitEnvironment(process.env, []);
    const out = await runGit("git", ["diff", "HEAD"], env, big.folder, { most: 1_000 });
    expect(out.length).toBeLessThan(1_000_000);
    big.git("add", ".");
    big.git("commit", "--quiet", "-m", "Big");
    const hash = big.git("rev-parse", "--short=7", "HEAD").trim();
    expect((await reader.commit(big.folder, hash, { ...bounds(), limit: 200_000 })).length).toBe(200_000);
  });

  it("tells the state of a repository without a commit, and what it has none of", async () => {
    const fresh = await repository();
    expect(await reader.workingState(fresh.folder, bounds())).toMatch(
      /No commits yet.*\n\(nothing is uncommitted\)/,
    );
    await fresh.write("猫 と犬.txt", "one\n");
    await fresh.write("staged.txt", "two\n");
    fresh.git("add", "staged.txt");
    const state = await reader.workingState(fresh.folder, bounds());
    expect(state).toContain("A  staged.txt");
    expect(state).toContain('?? "猫 と犬.txt"');
    expect(state).toContain("+two");
    expect(await reader.commits(fresh.folder, "", bounds())).toEqual([]);
    await expect(reader.commit(fresh.folder, "abcdef1", bounds())).rejects.toThrow(/abcdef1/);
  });

  it("tells the state of a detached HEAD, of a conflict, and of a folder below the top", async () => {
    const { git: run, write, folder: at } = await repository();
    await write("a.txt", "one\n");
    await write("below/b.txt", "one\n");
    run("add", ".");
    run("commit", "--quiet", "-m", "One");
    run("checkout", "--quiet", "-b", "side");
    await write("a.txt", "side\n");
    run("commit", "--quiet", "-am", "Side");
    run("checkout", "--quiet", "main");
    await write("a.txt", "main\n");
    run("commit", "--quiet", "-am", "Main");
    expect(() => run("merge", "--quiet", "side")).toThrow();
    const conflict = await reader.workingState(path.join(at, "below"), bounds());
    expect(conflict).toMatch(/UU (?:\.\.\/)?a\.txt/);
    expect(conflict).toContain("<<<<<<<");
    run("merge", "--abort");
    run("checkout", "--quiet", "--detach");
    expect(await reader.workingState(at, bounds())).toContain("## HEAD (no branch)");
  });

  it("says what a bare repository lacks", async () => {
    const { folder: at, git: run, write } = await repository();
    await write("a.txt", "one\n");
    run("add", ".");
    run("commit", "--quiet", "-m", "One");
    const bare = await mkdtemp(path.join(os.tmpdir(), "nekode-bare-"));
    folders.push(bare);
    run("clone", "--quiet", "--bare", at, bare);
    await expect(reader.workingState(bare, bounds())).rejects.toThrow(/not in a Git repository|work tree/);
  });
});
