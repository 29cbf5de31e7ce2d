/** git in a repository that somebody else made: what its own configuration starts, by running it, and what asks. */
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { repository, run } from "./repository.ts";

const READS = [
  "git status",
  "git diff",
  "git diff --cached",
  "git log --oneline",
  "git log -p",
  "git show HEAD:a.txt",
  "git branch -vv",
  "git blame a.txt",
  "git grep two",
  "git stash show -p",
];

describe("git in a repository that is set up to run programs", () => {
  it("asks for whatever starts one, and is allowed where none starts", async () => {
    const { root, git, write, asks, environment, at } = await repository();
    await write(".gitattributes", "*.bin filter=f diff=d\n*.txt diff=d\n");
    await write("b.bin", "stashed\n");
    await git("stash");
    const marks = path.join(root, "..", "marks");
    await mkdir(marks);
    const trap = async (key: string, file = path.join(root, "..", `trap-${key}`)) => {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, `#!/bin/sh\necho x > ${marks}/${key}\ncat "$@" 2>/dev/null\nexit 0\n`);
      await chmod(file, 0o755);
      return file;
    };
    await trap("core.hooksPath", at(".git/traps/post-index-change"));
    // Where one of these runs, others do not.
    const rounds = [
      ["core.fsmonitor", "core.hooksPath", "filter.f.clean", "diff.d.textconv"],
      ["filter.f.process", "diff.external"],
      ["diff.d.command"],
    ];
    const started = new Map<string, string[]>();
    for (const keys of rounds) {
      for (const key of keys)
        await git("config", key, key === "core.hooksPath" ? ".git/traps" : await trap(key));
      for (const command of READS) {
        // Another content than the index has: git has to look at it again.
        await write("b.bin", `changed ${started.size} ${command}\n`);
        await run("git", command.split(" ").slice(1), { cwd: root, env: environment }).catch(() => undefined);
        for (const key of await readdir(marks)) {
          started.set(key, [...(started.get(key) ?? []), command]);
          await rm(path.join(marks, key));
        }
      }
      for (const key of keys) await git("config", "--unset", key);
    }
    expect([...started.keys()].sort()).toEqual(rounds.flat().sort());
    for (const [key, commands] of started) {
      await git("config", key, key === "core.hooksPath" ? ".git/traps" : await trap(key));
      for (const command of READS) {
        const verdict = await asks(command);
        if (commands.includes(command))
          expect(verdict, `${key}: ${command}`).toMatch(/^repository-runs-program /);
      }
      await git("config", "--unset", key);
    }
    expect(await readdir(marks), "started by judging").toEqual([]);
  });

  it("asks by the keys that need a terminal, a signature or a missing object, too", async () => {
    const { git, asks } = await repository();
    for (const [key, value] of [
      ["core.pager", "sh -c id"],
      ["pager.log", "sh -c id"],
      ["gpg.ssh.program", "/tmp/x"],
      ["lfs.extension.x.clean", "id"],
      ["hook.x.command", "id"],
      ["core.someNewProgram", "id"],
      ["core.sshCommand", "x"],
      ["log.showSignature", "true"],
      ["pretty.mine", "%G?"],
      ["remote.o.promisor", "true"],
      ["extensions.partialClone", "o"],
    ] as const) {
      await git("config", key, value);
      const verdict = await asks("git log");
      await git("config", "--unset", key);
      expect(verdict, key).toMatch(/^repository-runs-program /);
      expect(await asks("git log"), key).toBe("allow");
    }
  });

  it("is allowed where the configuration is an ordinary one", async () => {
    const { git, write, asks, at, home, root } = await repository();
    await write("a.txt", "stashed\n");
    await git("stash");
    const ordinary: [string, string][] = [
      ["core.autocrlf", "input"],
      ["core.hooksPath", ".husky/_"],
      ["core.fsmonitor", "true"],
      ["core.untrackedCache", "true"],
      ["pager.branch", "false"],
      ["filter.lfs.clean", "git-lfs clean -- %f"],
      ["filter.lfs.smudge", "git-lfs smudge -- %f"],
      ["filter.lfs.process", "git-lfs filter-process"],
      ["filter.lfs.required", "true"],
      ["lfs.https://example.org/x.git/info/lfs.access", "basic"],
      ["user.email", "me@example.org"],
      ["remote.origin.url", "git@example.org:me/x.git"],
      ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
      ["branch.main.remote", "origin"],
      ["branch.main.vscode-merge-base", "origin/main"],
      ["pull.rebase", "true"],
      ["diff.renames", "copies"],
      ["alias.lg", "!git log --graph"],
      ["merge.conflictStyle", "zdiff3"],
      ["commit.gpgSign", "true"],
      ["credential.helper", "store"],
    ];
    for (const [key, value] of ordinary) await git("config", key, value);
    for (const hook of ["pre-commit", "post-checkout", "post-merge", "pre-push"]) {
      await write(`.husky/_/${hook}`, "#!/bin/sh\n");
      await writeFile(at(`.git/hooks/${hook}`), "#!/bin/sh\n");
    }
    // The user's own, for every repository.
    await writeFile(
      path.join(home, ".gitconfig"),
      "[core]\n pager = delta\n fsmonitor = /usr/bin/x\n[diff]\n external = difft\n[alias]\n status = !id\n[gpg]\n program = /opt/gpg\n",
    );
    for (const command of READS) expect(await asks(command), command).toBe("allow");
    await write("sub/c.txt", "c\n");
    for (const command of ["git fetch", "git commit", "git status && ls", "cd sub && git status"])
      expect(await asks(command), command).toBe("allow");
    await rm(path.join(root, ".git"), { recursive: true });
    expect(await asks("git status")).toBe("allow");
    expect(await asks("git diff a.txt b.bin")).toBe("git-outside");
  });

  it("sees through includes, worktrees, repositories in it or elsewhere, and odd spellings", async () => {
    const { git, write, asks, at, root, home } = await repository();
    const config = await run("cat", [at(".git/config")]).then(({ stdout }) => stdout);
    const evil = "[core]\n\tfsmonitor = /tmp/x\n";
    const withConfig = async (text: string) => {
      await writeFile(at(".git/config"), config + text);
      return asks("git status");
    };
    await write(".gitconfig", evil);
    await writeFile(path.join(home, "own"), evil);
    for (const text of [
      "[include]\npath = ../.gitconfig\n",
      "[include]\npath = ~/own\n",
      '[includeIf "onbranch:main"]\npath = ../.gitconfig\n',
      "[CORE] FsMonitor = /tmp/x\n",
      "[core]fsmonitor=/tmp/x",
      '[core]\nfsmonitor = "/tmp/x" # harmless\n',
      "[core]\nfsmonitor = \\\n/tmp/x\n",
      "\ufeff[core]\r\nfsmonitor = /tmp/x\r\n",
      "[filter.f]\nclean = id\n",
      '[diff "a\\"]b"]\ncommand = id\n',
    ])
      expect(await withConfig(text), text).toMatch(/^repository-/);
    expect(await withConfig('[user]\nname = "core.fsmonitor = x"\n# [core] fsmonitor = x\n')).toBe("allow");
    expect(await withConfig("[core\n")).toMatch(/^repository-unclear /);
    await writeFile(at(".git/config"), config);

    await git("worktree", "add", "-q", "../other");
    await git("config", "extensions.worktreeConfig", "true");
    expect(await asks("git status")).toBe("allow");
    await writeFile(at(".git/config.worktree"), evil);
    expect(await asks("git status")).toContain("core.fsmonitor");
    await rm(at(".git/config.worktree"));

    await git("init", "-q", "--bare", "hidden");
    expect(await asks("cd hidden && git status")).toMatch(/^repository-unclear /);
    await rm(at("hidden"), { recursive: true });

    await git("init", "-q", "part");
    await git("-C", "part", "commit", "-q", "--allow-empty", "-m", "x");
    await git("-C", "part", "config", "core.fsmonitor", "/tmp/x");
    expect(await asks("git status")).toBe("allow");
    await git("add", "part");
    expect(await asks("git status")).toBe(`repository-unclear ${at("part")}`);
    await git("rm", "-qf", "--cached", "part");
    expect(await asks("cd part && git status")).toContain("core.fsmonitor");
    await writeFile(at(".git/index"), "DIRC nonsense");
    expect(await asks("git status")).toMatch(/^repository-unclear /);
    await rm(at(".git/index"));
    await write(".git/hooks/post-index-change", "#!/bin/sh\n");
    expect(await asks("git status")).toContain("post-index-change");
    await rm(at(".git/hooks/post-index-change"));
    expect(await asks("git status")).toBe("allow");
    // The user's own folder of hooks, in every repository.
    await writeFile(path.join(home, ".gitconfig"), "[core]\n hooksPath = .githooks\n");
    await write(".githooks/post-index-change", "#!/bin/sh\n");
    expect(await asks("git status")).toContain("post-index-change");
    await rm(at(".githooks/post-index-change"));

    // Another repository in its place.
    await run("mv", [at(".git"), path.join(root, "../moved.git")]);
    await write(".git", `gitdir: ${path.join(root, "../moved.git")}\n`);
    expect(await asks("git log")).toBe("git-elsewhere");
  });
});

describe("what git shows of a repository", () => {
  it("asks where a file that may hold a secret was ever in it, and only for what shows content", async () => {
    const { git, write, asks } = await repository();
    for (const command of ["git diff", "git log -p", "git show HEAD:a.txt", "git blame a.txt"])
      expect(await asks(command), command).toBe("allow");
    await write(".env", "KEY=canary\n");
    expect(await asks("git diff"), "not in the repository").toBe("allow");
    await git("checkout", "-q", "-f", "-b", "side");
    await git("add", "-f", ".env");
    await git("commit", "-qm", "a secret");
    await git("rm", "-q", ".env");
    await git("commit", "-qm", "and gone");
    await git("checkout", "-q", "main");
    for (const command of [
      "git diff",
      "git diff main side",
      "git log -p",
      "git log --all -S KEY",
      "git show side~1",
      "git show side~1:.env",
      "git blame a.txt",
      "git grep KEY",
      "git cat-file -p HEAD",
      "git stash show -p",
    ])
      expect(await asks(command), command).toMatch(/secret/);
    for (const command of ["git status", "git log --stat", "git diff --stat", "git show --name-only side"])
      expect(await asks(command), command).toBe("allow");
    // Without the branch, the history of HEAD still leads to it.
    await git("branch", "-q", "-D", "side");
    expect(await asks("git log -p")).toMatch(/^history-secret .env/);
  });

  it("asks for settings that contain a credential", async () => {
    const { git, asks } = await repository();
    await git("remote", "add", "origin", "https://example.org/x.git");
    expect(await asks("git remote -v")).toBe("allow");
    expect(await asks("git config --list")).toBe("allow");
    await git(
      "remote",
      "set-url",
      "origin",
      "https://me:ghp_0123456789abcdefghijABCDEFGHIJ012345@example.org/x.git",
    );
    for (const command of ["git remote -v", "git config --list", "git branch -vv"])
      expect(await asks(command), command).toBe("configured-secret remote.origin.url");
    expect(await asks("git status")).toBe("allow");
  });
});
