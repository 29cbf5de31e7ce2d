/** git in a repository that somebody else made: what its own configuration starts, by running it, and what asks. */
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { project } from "../support/tools-on-disk.ts";
import { patientClock, told } from "./judge.ts";

const run = promisify(execFile);

const settings = settingsSchema.parse({
  approval: { commandSafe: true },
  commands: { allow: ["git config", "git fetch", "git commit"] },
});

const identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.fsync=none"];
const environment = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

/** A repository with a commit of two files and a stash, of which each test gets a copy. */
let template = "";
beforeAll(async () => {
  template = mkdtempSync(path.join(tmpdir(), "nekode-git-"));
  const git = (...args: string[]) => run("git", [...identity, ...args], { cwd: template, env: environment });
  await git("init", "-q", "-b", "main", "--template=");
  writeFileSync(path.join(template, "a.txt"), "one\n");
  writeFileSync(path.join(template, "b.bin"), "two\n");
  await git("add", "-A");
  await git("commit", "-qm", "first");
  writeFileSync(path.join(template, "b.bin"), "stashed\n");
  await git("stash", "-q");
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

/** A copy of the repository; `asks` returns why a command asks, or "allow". */
async function repository() {
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1" };
  const { root, host, at } = await project({ host: { shell: "/bin/bash", environment: env } });
  const home = path.join(root, "..", "home");
  mkdirSync(home);
  env.HOME = home;
  cpSync(template, root, { recursive: true });
  const git = (...args: string[]) => run("git", [...identity, ...args], { cwd: root, env });
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  const own = readFileSync(at(".git/config"), "utf8");
  /** Adds lines to the repository's own configuration, in place of those that were added before. */
  const configure = (text = "") => write(".git/config", own + text);
  const judge = new Judge(
    { ...host, clock: patientClock(host.clock), system: { ...host.system, home } },
    () => settings,
  );
  const asks = async (command: string) => {
    const judged = await judge.permission({ access: "command" }, { paths: [], command }, "act");
    return judged.verdict === "allow" ? "allow" : told(judged.reason);
  };
  return { root, home, env, git, write, configure, asks, at };
}

const READS = [
  "git status",
  "git diff",
  "git log -p",
  "git show HEAD:a.txt",
  "git blame a.txt",
  "git grep two",
  "git stash show -p",
];
const EVIL = "[core]\n\tfsmonitor = /tmp/x\n";

describe("git in a repository that is set up to run programs", () => {
  it("asks for whatever starts one", async () => {
    const { root, write, configure, asks, env, at } = await repository();
    write(".gitattributes", "*.bin filter=f diff=d\n*.txt diff=d\n");
    const marks = path.join(root, "..", "marks");
    mkdirSync(marks);
    const trap = (key: string, file = path.join(root, "..", `trap-${key}`)) => {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `#!/bin/sh\n: > ${marks}/${key}\ncat "$@" 2>/dev/null\nexit 0\n`, { mode: 0o755 });
      return file;
    };
    trap("core.hooksPath", at(".git/traps/post-index-change"));
    const settingOf = (key: string) => {
      const [, section = "", name = ""] = /^(.*)\.(.*)$/.exec(key) ?? [];
      const [first, second] = section.split(".");
      const header = second === undefined ? `[${first}]` : `[${first} "${second}"]`;
      return `${header}\n\t${name} = ${key === "core.hooksPath" ? ".git/traps" : trap(key)}\n`;
    };
    // Where one of these runs, others do not.
    const rounds = [
      { keys: ["core.fsmonitor", "core.hooksPath", "filter.f.clean", "diff.d.textconv"], commands: READS },
      { keys: ["filter.f.process", "diff.external"], commands: ["git diff"] },
      { keys: ["diff.d.command"], commands: ["git diff"] },
    ];
    const started = new Map<string, string[]>();
    for (const { keys, commands } of rounds) {
      configure(keys.map(settingOf).join(""));
      for (const command of commands) {
        // Another content than the index has: git has to look at it again.
        write("b.bin", `changed ${keys} ${command}\n`);
        await run("git", command.split(" ").slice(1), { cwd: root, env }).catch(() => undefined);
        for (const key of readdirSync(marks)) {
          started.set(key, [...(started.get(key) ?? []), command]);
          rmSync(path.join(marks, key));
        }
      }
    }
    expect([...started.keys()].sort()).toEqual(rounds.flatMap(({ keys }) => keys).sort());
    const asked = new Set<string>();
    for (const [key, commands] of started) {
      configure(settingOf(key));
      // Each key by one command, and each command by one key.
      const others = commands.filter((command, n) => n === 0 || !asked.has(command));
      for (const command of others) {
        asked.add(command);
        expect(await asks(command), `${key}: ${command}`).toMatch(/^repository-runs-program /);
      }
    }
    expect(asked.size).toBeGreaterThan(4);
    expect(readdirSync(marks), "started by judging").toEqual([]);
  });

  it("asks by the keys that need a terminal, a signature or a missing object, too", async () => {
    const { configure, asks } = await repository();
    for (const setting of [
      "[core]\npager = sh -c id",
      "[pager]\nlog = sh -c id",
      '[gpg "ssh"]\nprogram = /tmp/x',
      '[lfs "extension.x"]\nclean = id',
      '[hook "x"]\ncommand = id',
      "[log]\nshowSignature = true",
      "[pretty]\nmine = %G?",
      '[remote "o"]\npromisor = true',
      "[extensions]\npartialClone = o",
      // In other spellings, which git reads.
      '[CORE] FsMonitor = "/tmp/x" # harmless',
      "[core]\nfsmonitor = \\\n/tmp/x",
      '[diff "a\\"]b"]\ncommand = id',
    ]) {
      configure(`${setting}\n`);
      expect(await asks("git status"), setting).toMatch(/^repository-runs-program /);
    }
    configure('[user]\nname = "core.fsmonitor = x"\n# [core] fsmonitor = x\n');
    expect(await asks("git status")).toBe("allow");
    configure("[core\n");
    expect(await asks("git status")).toMatch(/^repository-unclear /);
  });

  it("is allowed where the configuration is an ordinary one", async () => {
    const { write, configure, asks, home, at } = await repository();
    configure(`[core]
  autocrlf = input
  hooksPath = .husky/_
  fsmonitor = true
  untrackedCache = true
[pager]
  branch = false
[filter "lfs"]
  clean = git-lfs clean -- %f
  smudge = git-lfs smudge -- %f
  process = git-lfs filter-process
  required = true
[lfs "https://example.org/x.git/info/lfs"]
  access = basic
[remote "origin"]
  url = git@example.org:me/x.git
  fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
  remote = origin
  vscode-merge-base = origin/main
[alias]
  lg = !git log --graph
[commit]
  gpgSign = true
[credential]
  helper = store
[merge]
  conflictStyle = zdiff3
`);
    for (const hook of ["pre-commit", "post-checkout", "pre-push"]) {
      write(`.husky/_/${hook}`, "#!/bin/sh\n");
      write(`.git/hooks/${hook}`, "#!/bin/sh\n");
    }
    // The user's own, for every repository.
    writeFileSync(
      path.join(home, ".gitconfig"),
      "[core]\n pager = delta\n fsmonitor = /usr/bin/x\n[diff]\n external = difft\n[alias]\n status = !id\n[gpg]\n program = /opt/gpg\n",
    );
    write("sub/c.txt", "c\n");
    for (const command of ["git log -p", "git stash show -p", "git fetch", "cd sub && git status && ls"])
      expect(await asks(command), command).toBe("allow");
    rmSync(at(".git"), { recursive: true });
    expect(await asks("git status")).toBe("allow");
    expect(await asks("git diff a.txt b.bin")).toBe("git-outside");
  });

  it("sees through includes, worktrees, hooks, and repositories in it or elsewhere", async () => {
    const { git, write, configure, asks, at, root, home } = await repository();
    write(".gitconfig", EVIL);
    writeFileSync(path.join(home, "own"), EVIL);
    for (const text of [
      "[include]\npath = ../.gitconfig",
      "[include]\npath = ~/own",
      '[includeIf "onbranch:main"]\npath = ../.gitconfig',
    ]) {
      configure(`${text}\n`);
      expect(await asks("git status"), text).toMatch(/^repository-runs-program /);
    }

    configure("[extensions]\nworktreeConfig = true\n");
    await git("worktree", "add", "-q", "../other");
    expect(await asks("git status")).toBe("allow");
    write(".git/config.worktree", EVIL);
    expect(await asks("git status")).toContain("core.fsmonitor");
    rmSync(at(".git/config.worktree"));

    await git("init", "-q", "--bare", "--template=", "hidden");
    expect(await asks("cd hidden && git status")).toMatch(/^repository-unclear /);
    rmSync(at("hidden"), { recursive: true });

    cpSync(template, at("part"), { recursive: true });
    write("part/.git/config", `${readFileSync(at("part/.git/config"), "utf8")}${EVIL}`);
    expect(await asks("git status")).toBe("allow");
    await git("add", "part");
    expect(await asks("git status")).toBe(`repository-unclear ${at("part")}`);
    await git("rm", "-qf", "--cached", "part");
    expect(await asks("cd part && git status")).toContain("core.fsmonitor");
    write(".git/index", "DIRC nonsense");
    expect(await asks("git status")).toMatch(/^repository-unclear /);
    rmSync(at(".git/index"));
    write(".git/hooks/post-index-change", "#!/bin/sh\n");
    expect(await asks("git status")).toContain("post-index-change");
    rmSync(at(".git/hooks/post-index-change"));
    // The user's own folder of hooks, in every repository.
    writeFileSync(path.join(home, ".gitconfig"), "[core]\n hooksPath = .githooks\n");
    write(".githooks/post-index-change", "#!/bin/sh\n");
    expect(await asks("git status")).toContain("post-index-change");
    rmSync(at(".githooks/post-index-change"));
    expect(await asks("git status")).toBe("allow");

    // Another repository in its place.
    renameSync(at(".git"), path.join(root, "../moved.git"));
    write(".git", `gitdir: ${path.join(root, "../moved.git")}\n`);
    expect(await asks("git log")).toBe("git-elsewhere");
  });
});

describe("what git shows of a repository", () => {
  it("asks where a file that may hold a secret was ever in it, and only for what shows content", async () => {
    const { git, write, asks } = await repository();
    write(".env", "KEY=canary\n");
    expect(await asks("git diff"), "not in the repository").toBe("allow");
    await git("checkout", "-q", "-b", "side");
    await git("add", "-f", ".env");
    await git("commit", "-qm", "a secret");
    await git("rm", "-q", ".env");
    await git("commit", "-qm", "and gone");
    await git("checkout", "-q", "main");
    for (const command of [
      "git diff main side",
      "git log --all -S KEY",
      "git show side~1",
      "git grep KEY",
      "git blame -s a.txt",
      "git cat-file -p HEAD",
      "git stash show -p",
    ])
      expect(await asks(command), command).toMatch(/secret/);
    for (const command of ["git log --stat", "git show --name-only side"])
      expect(await asks(command), command).toBe("allow");
    // Without the branch, the history of HEAD still leads to it.
    await git("branch", "-q", "-D", "side");
    expect(await asks("git log -p")).toMatch(/^history-secret .env/);
  });

  it("asks for settings that contain a credential", async () => {
    const { configure, asks } = await repository();
    configure('[remote "origin"]\nurl = https://example.org/x.git\n');
    expect(await asks("git remote -v")).toBe("allow");
    expect(await asks("git config --list")).toBe("allow");
    configure(
      '[remote "origin"]\nurl = https://me:ghp_0123456789abcdefghijABCDEFGHIJ012345@example.org/x.git\n',
    );
    for (const command of ["git remote -v", "git config --list", "git branch -vv"])
      expect(await asks(command), command).toBe("configured-secret remote.origin.url");
    expect(await asks("git status")).toBe("allow");
  });
});
