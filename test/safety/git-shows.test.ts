/** git shows contents without naming files: whether a command asks depends on which files those are. A real repository. */
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sampled } from "../support/random.ts";
import { repository, run } from "./repository.ts";

/** Of the commands with one verb, some. */
const some = (commands: readonly string[]) =>
  sampled(commands, 8, (command) => /git (?:-\S+ )*\S+/.exec(command)?.[0] ?? "");

describe("what git would show", () => {
  it("asks where a secret is among it, and shows none where it does not ask", async () => {
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
    for (const command of some(shows)) {
      const verdict = await asks(command);
      if (!/^(?:reads-)?secret-file |^pattern-secret .* \.npmrc$/.test(verdict))
        wrong.push(`${command}: ${verdict}`);
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
    for (const command of some(plain)) {
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
    expect(await asks("git diff --cached")).toBe("reads-ignored-file notes/a.txt");
    await rm(at("notes"), { recursive: true });
    expect(await asks("git diff")).toContain("notes/a.txt");
  });

  it("hands git the words of the command in their order, and asks for what is no question", async () => {
    const { git, write, commit, asks } = await repository();
    await commit("keys/.env", "KEY=1\n");
    await commit("keys/.env", "KEY=2\n");
    await git("rm", "-q", "keys/.env");
    await git("commit", "-qm", "says a:b");
    for (const name of ["one", "two", "three"]) await commit(`src/${name}.ts`, `${name}\n`);
    await git("branch", "old", "HEAD~4");
    await git("tag", "-a", "-m", "x", "file", "HEAD~4:keys/.env");
    const shows = [
      "git grep KEY file",
      "git grep -e KEY --or -e x file -- .",
      "git log -p --not HEAD~4 --not HEAD~3",
      "git log -p --max-count=1 -4",
      "git log -p -n 1 --max-count 4",
      "git log -p --decorate-refs -1",
      "git blame -S a.txt a.txt",
      "git show HEAD^{/a:b}",
      "git show ':/says a:b'",
      "git show HEAD~3",
      "git log -p -1 --topo-order --skip=3",
      "git log -p --skip 3 -1 --reverse",
      "git log -p -1 old",
      "git log --cc -1 old",
      "git log --dd -1 old",
      "git log -W -1 old",
      "git log --no-renames -p old -2",
      "git log -p --follow -- src/one.ts old",
      "git log -p --graph -5",
      "git log -p --simplify-by-decoration",
      "git log -p --encoding=UTF-16 -4",
      "git log -p --diff-filter=D",
      "git log -GKEY -p",
      "git log -L1,1:src/one.ts old",
      "git diff HEAD~4 HEAD --no-renames",
      "git diff HEAD~4 HEAD -SKEY",
      "git diff -R HEAD HEAD~4",
      "git diff --stat --word-diff HEAD~4",
      "git diff HEAD~4:keys HEAD:src",
      "git show HEAD -C --find-copies-harder",
      "git --literal-pathspecs log -p -- keys",
      "git --icase-pathspecs log -p -- KEYS",
      "git log -p old ':(icase)KEYS' src/one.ts",
      "git log -p --all ':(top,icase)KEYS' src",
      "git archive --prefix=x/ old",
      "git grep KEY old",
      "git grep -e KEY --and --not -e x old -- keys",
      "git diff-index -p old",
      "git cat-file -p HEAD~4:keys/.env",
    ];
    const wrong: string[] = [];
    for (const command of some(shows)) if ((await asks(command)) === "allow") wrong.push(command);
    await write("src/one.ts", "changed\n");
    for (const command of some([
      "git log --oneline -20",
      "git log --oneline -S KEY",
      "git log --stat --skip=2 -2",
      "git log -p -3",
      "git log -p --max-count 3 --no-merges -- src",
      "git log -p src/one.ts",
      "git log -p -1 -- src keys",
      "git log -p --author=a --since=2000 -2 --graph",
      "git log -L1,1:src/one.ts -1",
      "git show",
      "git show HEAD~1 HEAD --stat",
      "git show HEAD:src/one.ts",
      "git show HEAD:src",
      "git show HEAD:src/one.ts HEAD~1",
      "git show HEAD -- src/three.ts",
      "git diff --stat old...HEAD",
      "git diff HEAD~2 HEAD -w -U5 --color=always -M",
      "git diff HEAD~2...HEAD -- src",
      "git diff --no-index src/one.ts src/two.ts",
      "git grep foo",
      "git grep -n one HEAD -- src",
      "git branch -a",
      "git branch -vv",
      "git rev-parse --abbrev-ref HEAD",
      "git describe --always",
      "git blame src/one.ts",
      "git tag -n5",
      "git reflog -5",
      "git shortlog -sn HEAD",
      "git config --get user.name",
      "git remote -v",
    ])) {
      const verdict = await asks(command);
      if (verdict !== "allow") wrong.push(`${command}: ${verdict}`);
    }
    expect(wrong).toEqual([]);
  });

  it("looks for what a search finds in tracked files, wherever their folders lead", async () => {
    const { root, git, write, commit, asks, at } = await repository();
    await commit(".npmrc", "token=1\n");
    await commit("linked/a.txt", "inside\n");
    await write(".env", "KEY=1\n");
    expect(await asks("git grep token")).toContain(".npmrc");
    expect(await asks("git grep -l token")).toContain(".npmrc");
    expect(await asks("git grep one")).toBe("allow");
    // Not tracked, so not searched.
    expect(await asks("git grep KEY")).toBe("allow");
    expect(await asks("git grep --untracked KEY")).toContain(".env");
    await git("add", "-f", ".env");
    await rm(at(".env"));
    expect(await asks("git grep KEY")).toBe("allow");
    expect(await asks("git grep --cached KEY")).toContain(".env");
    const outside = path.join(root, "..", "outside");
    await mkdir(outside);
    await writeFile(path.join(outside, "a.txt"), "outside\n");
    await rm(at("linked"), { recursive: true });
    await symlink(outside, at("linked"));
    expect(await asks("git grep outside")).toMatch(/^link-elsewhere /);
  });

  it("reads whole folders where files are compared outside a repository", async () => {
    const { root, write, asks } = await repository();
    await write("one/.env", "KEY=1\n");
    await write("two/a.txt", "a\n");
    expect(await asks("git diff --no-index one two")).toBe("git-outside");
    await rm(path.join(root, ".git"), { recursive: true });
    expect(await asks("git diff one two")).toBe("git-outside");
    expect(await asks("git diff -- one two")).toBe("git-outside");
    expect(await asks("git diff one/.env two/a.txt")).toMatch(/secret|outside/);
    expect(await asks("git diff a.txt two/a.txt")).toBe("allow");
    expect(await asks("git diff")).toBe("allow");
    expect(await asks("git diff --stat one two")).toBe("allow");
  });

  it("asks where a repository leads to another one", async () => {
    const { root, git, write, asks, at } = await repository();
    const other = path.join(root, "..", "elsewhere");
    await run("git", ["clone", "-q", root, other]);
    await git("worktree", "add", "-q", "tree");
    expect(await asks("cd tree && git status")).toBe("allow");
    expect(await asks("cd tree && git log -p -1")).toBe("allow");
    await write("lent/.git", `gitdir: ${other}/.git\n`);
    expect(await asks("cd lent && git log")).toBe("git-elsewhere");
    await symlink(other, at("linked"));
    expect(await asks("cd linked && git status")).toMatch(/^(?:outside-project|link-elsewhere) /);
    await write("half/.git/HEAD", "no such\n");
    await mkdir(at("half/.git/objects"));
    await mkdir(at("half/.git/refs"));
    expect(await asks("cd half && git status")).toBe(`repository-unclear ${at("half/.git")}`);
    await write(".git/objects/info/alternates", `${other}/.git/objects\n`);
    expect(await asks("git log --oneline")).toBe("allow");
    expect(await asks("git log -p -1")).toBe("git-elsewhere");
    await rm(at(".git/objects/info/alternates"));
    await symlink(path.join(other, ".git/config"), at(".git/packed-refs"));
    expect(await asks("git branch -a")).toMatch(/^git-link .*packed-refs$/);
    await rm(at(".git/packed-refs"));
    expect(await asks("git branch -a")).toBe("allow");
  });

  it("asks where the configuration that it tells holds a token, or names a file with secrets", async () => {
    const { home, git, asks } = await repository();
    expect(await asks("git config --list")).toBe("allow");
    await git("config", "remote.origin.url", "https://me:secret@example.org/x.git");
    expect(await asks("git config --list")).toBe("configured-secret remote.origin.url");
    expect(await asks("git config --get user.name")).toBe("allow");
    expect(await asks("git config --get remote.origin.url")).toContain("remote.origin.url");
    expect(await asks("git remote -v")).toContain("remote.origin.url");
    await git("config", "remote.origin.url", "https://example.org/x.git");
    expect(await asks("git remote -v")).toBe("allow");
    await writeFile(path.join(home, ".gitconfig"), "[github]\n token = abc\n");
    expect(await asks("git config -l")).toContain("github.token");
    await git("config", "blame.ignoreRevsFile", ".env");
    expect(await asks("git blame a.txt")).toBe("configured-secret-file .env");
    await git("config", "blame.ignoreRevsFile", ".git-blame-ignore-revs");
    expect(await asks("git blame a.txt")).toBe("allow");
  });

  it("asks where the reflog that it prints holds an address with a token", async () => {
    const { at, write, git, asks } = await repository();
    const head = sampled(
      [
        "git reflog",
        "git reflog show",
        "git reflog -3 --format=%gs",
        "git log -g",
        "git log -g --oneline",
        "git log --walk-reflogs",
        "git log --format=%gs -g",
        "git log -g --format='%gd %gs' -1",
        "git rev-list -g HEAD --header",
        "git --no-pager reflog",
      ],
      3,
    );
    const any = sampled(
      [
        "git reflog main",
        "git reflog show --all",
        "git log -g main",
        "git stash list stash",
        "git reflog -- a.txt",
      ],
      2,
    );
    const others = sampled(
      ["git log --oneline", "git log -3", "git show", "git stash list", "git rev-list HEAD"],
      2,
    );
    for (const command of [...head, ...any, ...others]) expect(await asks(command), command).toBe("allow");
    const line = (message: string) => `${"0".repeat(40)} ${"1".repeat(40)} a <a@b> 1 +0000\t${message}\n`;
    const original = await readFile(at(".git/logs/HEAD"), "utf8");
    for (const message of [
      "pull https://me:s3cret@example.org/x.git main: Fast-forward",
      "clone: from https://ghp_0123456789abcdefghijABCDEFGHIJ012345@github.com/a/b",
      "pull https://x-access-token:abc@example.org/x.git: Merge",
    ]) {
      await write(".git/logs/HEAD", original + line(message));
      for (const command of [...head, ...any.filter((each) => each !== "git stash list stash")])
        expect(await asks(command), command).toBe("reflog-secret");
      for (const command of others) expect(await asks(command), command).toBe("allow");
      expect(await asks("git log -g | head -1")).toBe("reflog-secret");
    }
    await write(".git/logs/HEAD", original + line("pull git@example.org:x.git: Fast-forward"));
    for (const command of head) expect(await asks(command), command).toBe("allow");
    await write(".git/logs/refs/remotes/origin/x", line("fetch https://me:s3cret@example.org/x.git"));
    for (const command of head) expect(await asks(command), command).toBe("allow");
    for (const command of any) expect(await asks(command), command).toBe("reflog-secret");
    await write(".git/logs/refs/stash", line("WIP: https://me:s3cret@example.org/x.git"));
    expect(await asks("git stash list")).toBe("reflog-secret");
    await git("config", "extensions.refStorage", "reftable");
    expect(await asks("git reflog")).toBe("reflog-unclear");
    expect(await asks("git log --oneline")).toBe("allow");
  });

  it("asks where a format prints the address that a branch belongs to", async () => {
    const { git, asks } = await repository();
    const printing = [
      "git for-each-ref --format='%(push:remotename)'",
      "git for-each-ref --format '%(refname) %(upstream:remotename)' refs/heads",
      "git branch --format='%(push:remoteref) %(push:remotename)'",
      "git branch -vv",
      "git branch -avv",
      "git branch --verbose --verbose",
      "git tag -l --format='%(upstream:remotename)'",
    ];
    const plain = [
      "git branch",
      "git branch -a",
      "git for-each-ref refs/heads",
      "git tag -l",
      "git rev-parse HEAD",
    ];
    for (const command of [...printing, ...plain]) expect(await asks(command), command).toBe("allow");
    for (const key of ["branch.main.pushRemote", "branch.main.remote", "remote.pushDefault"]) {
      await git("config", key, "https://me:s3cret@example.org/x.git");
      for (const command of printing)
        expect(await asks(command), command).toBe(`configured-secret ${key.toLowerCase()}`);
      for (const command of plain) expect(await asks(command), command).toBe("allow");
      await git("config", "--unset", key);
    }
    // A remote's own address is not printed by these.
    await git("config", "remote.origin.url", "https://me:s3cret@example.org/x.git");
    for (const command of printing) expect(await asks(command), command).toBe("allow");
    await git("config", "branch.main.pushRemote", "origin");
    for (const command of printing) expect(await asks(command), command).toBe("allow");
  });

  it("asks where all that tags stand for is shown, in whatever form commits are", async () => {
    const { git, commit, asks } = await repository();
    await commit("keys/.env", "KEY=canary\n");
    await git("tag", "light", "HEAD:keys/.env");
    await commit("a.txt", "more\n");
    await git("tag", "-a", "-m", "x", "v1");
    for (const rest of ["--all --stat", "-s --tags", "--glob=l* --name-only", "v1 --tags -s", "--tags -Sno"])
      expect(await asks(`git show ${rest}`), rest).toMatch(/^option-of-program git show --/);
    expect(await asks("git show v1 --stat")).toBe("allow");
    expect(await asks("git log --all --stat")).toBe("allow");
  });

  it("asks where notes are shown", async () => {
    const { git, asks } = await repository();
    await git("notes", "--ref=other", "add", "-m", "any", "HEAD");
    expect(await asks("git log")).toBe("allow");
    expect(await asks("git log --notes=other")).toBe("git-notes");
    expect(await asks("git log -p --all")).toBe("git-notes");
    await git("notes", "add", "-m", "any", "HEAD");
    expect(await asks("git log")).toBe("git-notes");
    expect(await asks("git show")).toBe("git-notes");
    expect(await asks("git log --format=%N")).toBe("git-notes");
    for (const command of [
      "git log --oneline",
      "git log --no-notes",
      "git log --format=%h",
      "git stash list",
    ])
      expect(await asks(command), command).toBe("allow");
  });

  it("asks for more than two commits, whose files may have had other names", async () => {
    const { git, write, commit, asks } = await repository();
    const body = Array.from({ length: 20 }, (_, i) => `LINE${i}=canary\n`).join("");
    await commit("first.txt", "one\n");
    await git("checkout", "-qb", "side");
    await commit("keys/.env", body);
    await git("checkout", "-q", "main");
    await commit("second.txt", "two\n");
    await git("merge", "-q", "--no-commit", "--no-ff", "side");
    await git("mv", "keys/.env", "plain.txt");
    await write("plain.txt", body.replace("LINE3=canary", "LINE3=plain"));
    await git("commit", "-qam", "merges, and moves it");
    for (const command of [
      "git diff HEAD^!",
      "git diff HEAD HEAD^1 HEAD^2",
      "git diff HEAD -c HEAD^2 HEAD^1 --",
      "git diff HEAD HEAD^@",
      "git diff-tree -p -c -M HEAD",
      "git diff-tree -p --cc -M HEAD",
      "git show",
    ])
      expect(await asks(command), command).not.toBe("allow");
    for (const command of [
      "git diff HEAD^1 HEAD",
      "git diff HEAD^1...HEAD",
      "git diff HEAD~1 -- second.txt",
      "git diff HEAD^1^!",
    ])
      expect(await asks(command), command).toBe("allow");
  });
});
