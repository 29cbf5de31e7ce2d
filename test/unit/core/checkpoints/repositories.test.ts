/**
 * Repositories of every kind: a command's changes are taken back, and neither the checkpoint nor the restore touches a
 * byte of git's own data, or runs anything.
 */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { sampled } from "../../../support/random.ts";
import { fingerprint, git, repository, write } from "../../node/git-support.ts";
import { temporaryFolder } from "../../node/support.ts";
import { kept } from "./support.ts";

interface Scene {
  root: string;
  /** Folders of git's own, none of which may change. */
  gitDirs: string[];
  /** A file that shows that something ran. */
  proof?: string;
}

const PLAIN = { "a.txt": "a\n", "dir/b.txt": "b\n", ".gitignore": "ignored\n" };

const scenes: Record<string, () => Promise<Scene>> = {
  async "with a stash, a staged change and hooks"() {
    const root = await repository(PLAIN);
    write(root, { "a.txt": "stashed\n" });
    git(root, "stash");
    write(root, { "a.txt": "staged\n", untracked: "u", ignored: "i" });
    git(root, "add", "a.txt");
    const proof = path.join(await temporaryFolder(), "ran");
    for (const name of ["pre-commit", "post-checkout", "post-index-change", "reference-transaction"]) {
      write(root, { [`.git/hooks/${name}`]: `#!/bin/sh\ntouch ${proof}\n` });
      chmodSync(path.join(root, ".git/hooks", name), 0o755);
    }
    return { root, gitDirs: [path.join(root, ".git")], proof };
  },
  async "with a submodule and a nested repository"() {
    const library = await repository({ x: "x\n" });
    const root = await repository(PLAIN);
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub");
    git(root, "commit", "-qm", "with a submodule");
    mkdirSync(path.join(root, "nested"));
    git(path.join(root, "nested"), "init", "-q");
    write(root, { "nested/n": "n", "sub/x": "changed\n" });
    return { root, gitDirs: [path.join(root, ".git"), path.join(root, "nested/.git")] };
  },
  async "that is a worktree"() {
    const main = await repository(PLAIN);
    const root = path.join(await temporaryFolder(), "tree");
    git(main, "worktree", "add", "-q", root, "-b", "other");
    return { root, gitDirs: [path.join(main, ".git")] };
  },
  async "that is checked out in part"() {
    const root = await repository({ ...PLAIN, "left/out.txt": "out\n" });
    git(root, "sparse-checkout", "set", "dir");
    return { root, gitDirs: [path.join(root, ".git")] };
  },
  async "with filters as for large files"() {
    const proof = path.join(await temporaryFolder(), "ran");
    const root = await repository({ ...PLAIN, ".gitattributes": "*.bin filter=big\n" });
    write(root, { "large.bin": "the content of a large file\n" });
    const blob = "version https://example.org/spec/v1\n";
    write(root, { pointer: blob });
    const id = git(root, "hash-object", "-w", "pointer").trim();
    rmSync(path.join(root, "pointer"));
    git(root, "update-index", "--add", "--cacheinfo", `100644,${id},large.bin`);
    git(root, "commit", "-qm", "large");
    for (const name of ["clean", "smudge", "process"])
      git(root, "config", `filter.big.${name}`, `sh -c 'touch ${proof}; cat'`);
    git(root, "config", "filter.big.required", "true");
    return { root, gitDirs: [path.join(root, ".git")], proof };
  },
  async "with line endings that git changes"() {
    const root = await repository(PLAIN);
    git(root, "config", "core.autocrlf", "true");
    write(root, { "crlf.txt": "one\r\ntwo\r\n", "mixed.txt": "one\r\ntwo\n" });
    git(root, "add", "crlf.txt");
    return { root, gitDirs: [path.join(root, ".git")] };
  },
  async "with links, programs, odd names and empty folders"() {
    const root = await repository({ ...PLAIN, "line\nbreak.txt": "odd\n", " space ": "s", "猫.txt": "猫\n" });
    symlinkSync("a.txt", path.join(root, "link"));
    symlinkSync("/nowhere/at/all", path.join(root, "dangling"));
    write(root, { program: "#!/bin/sh\n" });
    chmodSync(path.join(root, "program"), 0o755);
    mkdirSync(path.join(root, "empty"));
    git(root, "add", "-A");
    return { root, gitDirs: [path.join(root, ".git")] };
  },
};

/** Every file but git's own: its kind, whether it runs, its content. */
function files(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      if (name === ".git") continue;
      const file = path.join(folder, name);
      const stats = lstatSync(file);
      const at = path.relative(root, file);
      if (stats.isSymbolicLink()) found[at] = `link ${readlinkSync(file)}`;
      else if (stats.isDirectory()) {
        found[`${at}/`] = "folder";
        visit(file);
      } else found[at] = `${stats.mode & 0o111 ? "program" : "file"} ${readFileSync(file, "latin1")}`;
    }
  };
  visit(root);
  return found;
}

/** What a command might do to all that git would see. */
function rampage(root: string): void {
  for (const [name, content] of Object.entries(files(root))) {
    if (name.endsWith("/") || /^(sub|nested|ignored)/.test(name)) continue;
    const file = path.join(root, name);
    if (content.startsWith("link")) {
      rmSync(file);
      writeFileSync(file, "no link any more");
    } else if (name.length % 3 === 0) rmSync(file);
    else if (name.length % 3 === 1) chmodSync(file, content.startsWith("program") ? 0o644 : 0o755);
    else appendFileSync(file, "more\r\n");
  }
  write(root, { "new/file.txt": "new\n", "new line\n": "odd" });
}

it.each(sampled(Object.keys(scenes), 3))("a repository %s", async (name) => {
  const { root, gitDirs, proof } = (await scenes[name]?.()) ?? { root: "", gitDirs: [] };
  const status = () =>
    git(
      root,
      "-c",
      "filter.big.clean=",
      "-c",
      "filter.big.process=",
      "-c",
      "filter.big.required=false",
      "status",
      "--porcelain=v2",
      "--branch",
      "--show-stash",
    );
  const before = { files: files(root), git: gitDirs.map(fingerprint) };
  const k = await kept(root);
  await k.call("command", [], () => rampage(root));
  await k.checkpoints.settled();
  expect(files(root)).not.toEqual(before.files);
  expect(gitDirs.map(fingerprint)).toEqual(before.git);
  const plan = await k.checkpoints.plan("command");
  const { failed } = await k.checkpoints.restore(plan);
  expect(failed).toEqual([]);
  const { "new/": _, ...now } = files(root);
  expect(now).toEqual(before.files);
  expect(gitDirs.map(fingerprint)).toEqual(before.git);
  expect(k.problems).toEqual([]);
  if (proof !== undefined) expect(existsSync(proof)).toBe(false);
  // And what git itself says then is what it would have said.
  expect(status()).not.toContain("new line");
});
