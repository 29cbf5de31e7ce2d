/** git shows contents without naming files: whether a command asks depends on which files those are. A real repository. */
import { rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { repository, run } from "./repository.ts";

describe("what git would show", () => {
  it("asks where a secret is among it, and shows none where it does not ask", {
    timeout: 60_000,
  }, async () => {
    const { root, environment, git, write, commit, asks } = await repository();
    await commit("keys/.env", "KEY=canary-1\n");
    await commit("a.txt", "three\n");
    await commit(".npmrc", "token=canary-2\n");
    await commit("src/plain.ts", "four\n");
    await git("rm", "-q", "keys/.env");
    await git("commit", "-qm", "without it");
    await write("keys/.env", "KEY=canary-3\n");
    await git("add", "-f", "keys/.env");
    await write("keys/.env", "KEY=canary-3b\n");
    await write("src/plain.ts", "five\n");
    await git("stash");
    await write(".npmrc", "token=canary-4\n");
    await write("src/plain.ts", "six\n");
    const blob = await git("rev-parse", "HEAD:.npmrc");
    await git("tag", "light", blob);
    await git("tag", "-a", "-m", "x", "heavy", blob);
    const shows = [
      "git diff",
      "git diff HEAD",
      "git diff HEAD~3",
      "git diff -U0 HEAD~1",
      "git diff HEAD -- . ':!src'",
      "git diff '*rc'",
      "git diff --check -p",
      "git diff --stat -p",
      "git diff --word-diff",
      "git diff -R",
      "git diff -- .",
      "git diff HEAD~5 HEAD~4",
      "git diff HEAD~5..HEAD~4",
      "git show HEAD~2",
      "git show HEAD",
      "git show --stat -p HEAD",
      "git show HEAD~5 HEAD~4",
      "git show stash@{0}",
      `git show ${blob}`,
      `git show ${blob.slice(0, 8)}`,
      `git diff ${blob} ${blob.slice(0, 9)}`,
      "git show light",
      "git show heavy",
      "git cat-file -p light",
      `git cat-file blob ${blob}`,
      "git log -p",
      "git log -p -3",
      "git log -1 -p --skip=2",
      "git log -u",
      "git log -U2 --reverse",
      "git log --patch -- keys",
      "git log -p --grep=npmrc",
      "git log -p -Stoken",
      "git log -p --all --author=a",
      "git log -c -p",
      "git log --format=%s --patch-with-stat",
      "git reflog -p",
      "git reflog show -p HEAD",
      "git stash show -p",
      "git stash list -p",
      "git whatchanged -p",
      "git diff-tree -p HEAD",
      "git diff-tree -p HEAD~3 HEAD~1",
      "git archive HEAD",
      "git grep token HEAD~2",
      "git grep -e KEY HEAD~3 -- keys",
      "cd src && git diff",
      "cd src && git show HEAD~2",
    ];
    const wrong: string[] = [];
    for (const command of shows) {
      const verdict = await asks(command);
      if (!/may hold secrets$|may match .npmrc$/.test(verdict)) wrong.push(`${command}: ${verdict}`);
    }
    const plain = [
      "git status",
      "git diff --stat",
      "git diff --name-only",
      "git diff --numstat HEAD~3",
      "git diff --quiet",
      "git diff src",
      "git diff -- src/plain.ts",
      "git diff HEAD -- src/plain.ts",
      "git diff -- '*.ts'",
      "git diff HEAD~2 HEAD~1",
      "git diff HEAD~2..HEAD~1",
      "git show HEAD~1",
      "git show HEAD~3 -- a.txt",
      "git show HEAD~3:a.txt",
      "git show --stat HEAD",
      "git show -s HEAD",
      "git log",
      "git log --oneline -5",
      "git log --stat",
      "git log -p -1 HEAD~1",
      "git log -p --skip=1 -1",
      "git log -p -- src/plain.ts",
      "git log -p -Sfour",
      "git log -p HEAD~2..HEAD~1",
      "git log -p --grep=plain",
      "git diff-tree -p HEAD~1",
      "git diff-tree HEAD",
      "git cat-file -p HEAD",
      "git cat-file -t light",
      "git reflog",
      "git stash list",
      "cd src && git diff plain.ts",
      "git diff nothing-of-that-name",
    ];
    for (const command of plain) {
      const verdict = await asks(command);
      if (verdict !== "allow") wrong.push(`${command}: ${verdict}`);
      const { stdout } = await run("bash", ["-c", command], { cwd: root, env: environment }).catch(
        (error: { stdout: string }) => error,
      );
      if (/canary/.test(stdout)) wrong.push(`${command}: shows a secret`);
    }
    expect(wrong).toEqual([]);
  });

  it("asks for staged ones that status shows, and for what .nekodeignore names", async () => {
    const { git, write, asks, at } = await repository();
    await write(".env", "KEY=1\n");
    expect(await asks("git status -v")).toBe("allow");
    expect(await asks("git diff --cached")).toBe("allow");
    await git("add", "-f", ".env");
    expect(await asks("git status -v")).toContain(".env");
    expect(await asks("git diff --staged")).toContain(".env");
    expect(await asks("git diff")).toBe("allow");
    expect(await asks("git status")).toBe("allow");
    await git("rm", "-q", "--cached", ".env");
    await write("notes/a.txt", "x\n");
    await git("add", "notes");
    expect(await asks("git diff --cached")).toBe("allow");
    await writeFile(at(".nekodeignore"), "/notes/\n");
    expect(await asks("git diff --cached")).toContain(".nekodeignore");
    await rm(at("notes"), { recursive: true });
    expect(await asks("git diff")).toContain("notes/a.txt");
  });
});
