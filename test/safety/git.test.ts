/** git in a repository that somebody else made: what its own configuration starts, by running it, and what asks. */
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sampled } from "../support/random.ts";
import { repository, run } from "./repository.ts";

const READS = sampled(
  [
    "git status",
    "git status --short",
    "git diff",
    "git diff --stat",
    "git diff HEAD~1",
    "git diff --cached",
    "git log --oneline",
    "git log -p",
    "git log --stat -1",
    "git show",
    "git show HEAD:a.txt",
    "git branch -vv",
    "git tag -l",
    "git remote -v",
    "git blame a.txt",
    "git grep two",
    "git ls-files",
    "git ls-files -m",
    "git rev-parse HEAD",
    "git describe --always --dirty",
    "git stash list",
    "git stash show -p",
    "git reflog",
    "git shortlog -s HEAD",
    "git cat-file -p HEAD",
    "git config --list",
  ],
  4,
  (command) => command.split(" ")[1] ?? "",
);

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
        if (/^git (?:branch|tag|remote|rev-parse|config)/.test(command))
          expect(verdict, `${key}: ${command}`).toBe("allow");
      }
      await git("config", "--unset", key);
    }
    expect(await readdir(marks), "started by judging").toEqual([]);
  });

  it("asks by the keys that need a terminal, a signature or a missing object, too", async () => {
    const { git, asks } = await repository();
    const cases: [key: string, value: string, command: string][] = [
      ["core.pager", "sh -c id", "git log"],
      ["pager.log", "sh -c id", "git log"],
      ["gpg.ssh.program", "/tmp/x", "git log"],
      ["gpg.ssh.defaultKeyCommand", "x", "git status"],
      ["alias.whatchanged", "!id", "git log"],
      ["alias.log", "!id", "git log"],
      ["alias.co", "!id", "git co"],
      ["merge.m.driver", "x %A", "git log -m -p"],
      ["lfs.extension.x.clean", "id", "git status"],
      ["hook.x.command", "id", "git status"],
      ["core.someNewProgram", "id", "git status"],
      ["core.worktree", "/", "git status"],
      ["core.sshCommand", "x", "git fetch"],
      ["remote.o.uploadpack", "x", "git fetch"],
      ["remote.o.url", "ext::sh -c id", "git fetch"],
      ["url.ext::sh -c id.insteadOf", "https:", "git fetch"],
      ["credential.helper", "!id", "git fetch"],
      ["core.editor", "id", "git commit"],
    ];
    for (const [key, value, command] of cases) {
      await git("config", key, value);
      const verdict = await asks(command);
      await git("--git-dir=.git", "--work-tree=.", "config", "--unset", key);
      if (key === "alias.whatchanged") expect(verdict, key).toBe("allow");
      else expect(verdict, `${key} ${command}`).toMatch(/^repository-runs-program /);
      expect(await asks("git log"), key).toBe("allow");
    }
    await git("config", "core.sshCommand", "ssh -i ~/.ssh/work");
    expect(await asks("git log -p")).toBe("allow");
    await git("config", "remote.o.promisor", "true");
    expect(await asks("git log -p")).toContain("core.sshcommand");
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
      ["core.pager", "less -FRX"],
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
      ["gitflow.path.hooks", ".git/hooks"],
      ["pull.rebase", "true"],
      ["diff.renames", "copies"],
      ["diff.markdown.xfuncname", "^#"],
      ["alias.lg", "!git log --graph"],
      ["merge.conflictStyle", "zdiff3"],
      ["commit.gpgSign", "true"],
      ["gpg.format", "ssh"],
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
    for (const command of ["git fetch", "git commit", "git status && ls", "cd sub && git status"])
      expect(await asks(command), command).toBe("allow");
    await rm(path.join(root, ".git"), { recursive: true });
    for (const command of READS) expect(await asks(command), command).toBe("allow");
  });

  it("sees through includes, worktrees, submodules, repositories without files, and odd spellings", async () => {
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
      expect(await withConfig(text), text).toMatch(/^repository-runs-program /);
    for (const text of [
      '[user]\nname = "core.fsmonitor = x"\n',
      "# [core] fsmonitor = x\n",
      "[x]\ny = [core]\\nfsmonitor\n",
    ])
      expect(await withConfig(text), text).toBe("allow");
    expect(await withConfig("[core\n")).toBe(`repository-unclear ${at(".git/config")}`);
    expect(await withConfig("[include]\npath = config\n")).toBe(`repository-unclear ${at(".git/config")}`);
    await writeFile(at(".git/config"), config);

    await git("worktree", "add", "-q", "../other");
    await git("config", "extensions.worktreeConfig", "true");
    expect(await asks("git status")).toBe("allow");
    await writeFile(at(".git/config.worktree"), evil);
    expect(await asks("git status")).toContain("core.fsmonitor");
    await rm(at(".git/config.worktree"));

    await git("init", "-q", "--bare", "hidden");
    expect(await asks("cd hidden && git status")).toBe("allow");
    await write("hidden/config", `[core]\nbare = false\nworktree = ..\n${evil}`);
    expect(await asks("cd hidden && git status")).toContain("core.fsmonitor");
    expect(await asks("git status")).toBe("allow");
    await rm(at("hidden"), { recursive: true });

    await git("init", "-q", "part");
    await git("-C", "part", "commit", "-q", "--allow-empty", "-m", "x");
    await git("-C", "part", "config", "core.fsmonitor", "/tmp/x");
    expect(await asks("git status")).toBe("allow");
    for (const version of ["2", "4"]) {
      await git("update-index", "--index-version", version);
      await git("add", "part");
      expect(await asks("git status"), version).toBe(`submodule-runs-program core.fsmonitor ${at("part")}`);
      expect(await asks("git branch"), version).toBe("allow");
      await git("rm", "-qf", "--cached", "part");
      expect(await asks("git status"), version).toBe("allow");
    }
    expect(await asks("cd part && git status")).toContain("core.fsmonitor");
    await writeFile(at(".git/index"), "DIRC nonsense");
    expect(await asks("git status")).toBe(`repository-unclear ${at(".git/index")}`);
    await rm(at(".git/index"));
    await write(".git/hooks/post-index-change", "#!/bin/sh\n");
    expect(await asks("git status")).toContain("post-index-change");
    await rm(at(".git/hooks/post-index-change"));
    expect(await asks("git status")).toBe("allow");
    for (const hook of [".githooks/post-index-change", ".git/hooks/fsmonitor-watchman"]) {
      await write(hook, "#!/bin/sh\n");
      expect(await asks("git status"), hook).toContain("hooks/");
      await rm(at(hook));
    }
    expect(root).toBeTruthy();
  });
});
