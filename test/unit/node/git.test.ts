/** Git on real repositories: what is told, and that nothing of theirs runs. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGit } from "../../../src/node/git.ts";

let folder = "";
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=N", "-c", "user.email=n@example.com", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
const bounds = () => ({ limit: 10_000, signal: new AbortController().signal });
const reader = createGit(process.env);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "nekode-git-"));
  git("init", "--quiet", "--initial-branch=main");
  await writeFile(path.join(folder, "猫.txt"), "one\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "Add a cat");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("git", () => {
  it("tells the working state and a commit", async () => {
    expect(await reader.workingState(folder, bounds())).toContain("nothing is uncommitted");
    await writeFile(path.join(folder, "猫.txt"), "two\n");
    await writeFile(path.join(folder, "new.txt"), "new\n");
    const state = await reader.workingState(folder, bounds());
    expect(state).toContain("## main");
    expect(state).toContain("?? new.txt");
    expect(state).toContain("-one\n+two");
    const hash = git("rev-parse", "HEAD").trim();
    expect(await reader.commit(folder, hash.slice(0, 8), bounds())).toContain("Add a cat");
    expect(await reader.commits(folder, "CAT", bounds())).toEqual([
      expect.objectContaining({ hash, subject: "Add a cat" }),
    ]);
    expect(await reader.commits(folder, hash.slice(0, 7), bounds())).toHaveLength(1);
    expect(await reader.commits(folder, "no such", bounds())).toEqual([]);
  });

  it("keeps to its limit, and says what is wrong", async () => {
    await writeFile(path.join(folder, "猫.txt"), "long line\n".repeat(50_000));
    expect((await reader.workingState(folder, { ...bounds(), limit: 2_000 })).length).toBeLessThan(5_000);
    await expect(reader.commit(folder, "--output=x", bounds())).rejects.toThrow("hash");
    await expect(reader.commit(folder, "deadbeefdeadbeef", bounds())).rejects.toThrow();
    await expect(reader.workingState(os.tmpdir(), bounds())).rejects.toThrow("no git repository");
  });

  it("runs nothing that the repository configures", async () => {
    const trace = path.join(folder, "ran");
    for (const key of ["core.fsmonitor", "diff.external", "core.pager", "pager.status"])
      git("config", key, `touch ${trace}`);
    await reader.workingState(folder, bounds());
    await reader.commit(folder, git("rev-parse", "HEAD").trim(), bounds());
    expect(existsSync(trace)).toBe(false);
  });
});
