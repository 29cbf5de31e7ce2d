/** Snapshots of real repositories: what they see, and that nobody else sees them. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  changesOf,
  fingerprint,
  git,
  largeRepository,
  repository,
  snapshots,
  tree,
  write,
} from "./git-support.ts";
import { temporaryFolder } from "./support.ts";

describe("what a snapshot sees", () => {
  it("changed, new, removed and renamed files, links and modes, whatever their names, but no ignored ones", async () => {
    const odd = 'a\n"b"\t日本語 é.txt';
    const outside = await temporaryFolder();
    write(outside, { "x.txt": "outside" });
    const root = await repository({
      ...{ "a.txt": "a\n", "b/c.txt": "c\n", [odd]: "odd\n", "-dash": "d", ":(top)x": "x" },
      ...{ ".gitignore": "*.log\n/out/\n", "run.sh": "#!/bin/sh\n", folder: "file", "d/x.txt": "inside" },
    });
    write(root, { ".git/info/exclude": "private.txt\n", "mine.txt": "before" });
    symlinkSync("a.txt", path.join(root, "link"));
    const { taken, problems } = await snapshots(root);
    const changes = await changesOf(taken, root, () => {
      write(root, { "a.txt": "A\n", [odd]: "ODD\n", "new\nline": "n", "-dash": "D", ":(top)x": "X" });
      write(root, { "b/*": "star", "mine.txt": "after" });
      write(root, { "x.log": "l", "out/o": "o", "private.txt": "p", "sub/y.log": "l" });
      renameSync(path.join(root, "b/c.txt"), path.join(root, "b/d.txt"));
      chmodSync(path.join(root, "run.sh"), 0o755);
      unlinkSync(path.join(root, "link"));
      symlinkSync("nowhere", path.join(root, "link"));
      unlinkSync(path.join(root, "folder"));
      write(root, { "folder/b": "deep" });
      rmSync(path.join(root, "d"), { recursive: true });
      symlinkSync(outside, path.join(root, "d"));
    });
    expect(problems).toEqual([]);
    expect(changes).toEqual({
      "a.txt": ["file: a\n", "file: A\n"],
      [odd]: ["file: odd\n", "file: ODD\n"],
      "new\nline": [null, "file: n"],
      "-dash": ["file: d", "file: D"],
      ":(top)x": ["file: x", "file: X"],
      "b/*": [null, "file: star"],
      "b/c.txt": ["file: c\n", null],
      "b/d.txt": [null, "file: c\n"],
      "mine.txt": ["file: before", "file: after"],
      "run.sh": ["file: #!/bin/sh\n", "executable: #!/bin/sh\n"],
      link: ["link: a.txt", "link: nowhere"],
      folder: ["file: file", null],
      "folder/b": [null, "file: deep"],
      "d/x.txt": ["file: inside", null],
      d: [null, `link: ${outside}`],
    });
  });

  it("the very bytes, whatever the attributes make of them", async () => {
    const root = await repository({
      ".gitattributes": "*.txt text eol=crlf\n*.id ident\n*.u16 working-tree-encoding=UTF-16LE\n",
      "a.txt": "one\r\ntwo\r\n",
      "b.id": "$Id$\n",
      "c.u16": Buffer.from("x\n", "utf16le"),
    });
    // As git itself would have written them.
    rmSync(path.join(root, "b.id"));
    git(root, "checkout", "-q", "--", ".");
    // Older than the index, so that git believes what the index says of them.
    for (const name of ["a.txt", "b.id", "c.u16"]) utimesSync(path.join(root, name), 1e9, 1e9);
    git(root, "status");
    const { taken } = await snapshots(root);
    const changes = await changesOf(taken, root, () => {
      for (const name of ["a.txt", "b.id", "c.u16"]) rmSync(path.join(root, name));
    });
    expect(changes["a.txt"]?.[0]).toBe("file: one\r\ntwo\r\n");
    expect(changes["b.id"]?.[0]).toMatch(/^file: \$Id: [0-9a-f]+ \$\n$/);
    expect(changes["c.u16"]?.[0]).toBe("file: x\0\n\0");
  });

  it("the very bytes, where only the settings at that time tell that git stored others", async () => {
    const root = await repository({});
    write(root, { "a.txt": "one\r\ntwo\r\n", "b.txt": "three\n" });
    git(root, "-c", "core.autocrlf=true", "add", "-A");
    for (const name of ["a.txt", "b.txt"]) utimesSync(path.join(root, name), 1e9, 1e9);
    git(root, "-c", "core.autocrlf=true", "add", "-A");
    const { taken } = await snapshots(root);
    const changes = await changesOf(taken, root, () => write(root, { "a.txt": "A", "b.txt": "B" }));
    expect(changes).toEqual({
      "a.txt": ["file: one\r\ntwo\r\n", "file: A"],
      "b.txt": ["file: three\n", "file: B"],
    });
  });

  it.each([
    ["of the top folder", ".gitattributes"],
    ["of a folder", "sub/.gitattributes"],
    ["of the repository alone", ".git/info/attributes"],
    ["that is only in the index", "sub/.gitattributes", "removed"],
    ["of the user", ""],
  ])(
    "the very bytes behind a filter that keeps sizes, by the attributes %s",
    async (_, file, removed = "") => {
      const root = await repository({ "plain.txt": "plain\n" });
      const home = await temporaryFolder();
      const attributes = "*.rot filter=rot\n*.off -filter\n";
      write(home, {
        attributes,
        ".gitconfig": `[core]\nattributesFile = ${path.join(home, "attributes")}\n`,
      });
      if (file !== "") write(root, { [file]: attributes });
      write(root, { "sub/a.rot": "abc\n", "sub/b.off": "abc\n", "sub/c.txt": "abc\n" });
      const user = file === "" ? ["-c", `core.attributesFile=${path.join(home, "attributes")}`] : [];
      git(root, ...user, "-c", "filter.rot.clean=tr a-y b-z", "add", "-A");
      expect(git(root, "cat-file", "-p", ":sub/a.rot")).toBe("bcd\n");
      if (removed !== "") rmSync(path.join(root, file));
      for (const name of ["a.rot", "b.off", "c.txt"]) utimesSync(path.join(root, "sub", name), 1e9, 1e9);
      // Without a filter, git takes what it stored for the file's.
      git(root, "-c", "filter.rot.clean=tr a-y b-z", ...user, "update-index", "-q", "--really-refresh");
      const { taken, problems } = await snapshots(root, { environment: { ...process.env, HOME: home } });
      const changes = await changesOf(taken, root, () => rmSync(path.join(root, "sub"), { recursive: true }));
      expect(problems).toEqual([]);
      for (const name of ["a.rot", "b.off", "c.txt"])
        expect(changes[`sub/${name}`]?.[0], name).toBe("file: abc\n");
    },
  );

  // Other systems have no such names.
  it.skipIf(process.platform !== "linux")(
    "files whose names git cannot tell change nothing for the others",
    async () => {
      const root = await repository({ "a.txt": "a", "z.txt": "z" });
      const odd = Buffer.from(`${root}/m\xff.txt`, "latin1");
      writeFileSync(odd, "odd");
      git(root, "add", "-A");
      writeFileSync(odd, "changed");
      const { taken } = await snapshots(root);
      const changes = await changesOf(taken, root, () => {
        writeFileSync(odd, "again");
        write(root, { "a.txt": "A", "z.txt": "Z" });
      });
      expect(changes).toEqual({ "a.txt": ["file: a", "file: A"], "z.txt": ["file: z", "file: Z"] });
    },
  );

  it("only the project's folder of a larger repository", async () => {
    const top = await repository({ "other/a": "a", "mine/b": "b", ".gitignore": "*.tmp\n" });
    const root = path.join(top, "mine");
    const { taken } = await snapshots(root);
    const changes = await changesOf(taken, root, () => {
      write(top, { "other/a": "A", "other/new": "n", "mine/b": "B", "mine/c": "c", "mine/d.tmp": "t" });
    });
    expect(changes).toEqual({ b: ["file: b", "file: B"], c: [null, "file: c"] });
  });

  it("files that the user told git not to look at, and conflicts", async () => {
    const root = await repository({ a: "a", b: "b" });
    git(root, "update-index", "--assume-unchanged", "a");
    git(root, "checkout", "-q", "-b", "side");
    write(root, { b: "side" });
    git(root, "commit", "-qam", "side");
    git(root, "checkout", "-q", "main");
    write(root, { b: "main" });
    git(root, "commit", "-qam", "main");
    expect(() => git(root, "merge", "side")).toThrow();
    const { taken, problems } = await snapshots(root);
    const changes = await changesOf(taken, root, () => write(root, { a: "A", b: "solved" }));
    expect(problems).toEqual([]);
    expect(changes.a).toEqual(["file: a", "file: A"]);
    expect(changes.b?.[1]).toBe("file: solved");
  });

  it("says what it leaves out, and when it cannot be taken", async () => {
    const root = await repository({ a: "a" });
    const { taken } = await snapshots(root, { fileLimit: 10, newFilesLimit: 3 });
    write(root, { big: "0123456789-", small: "s" });
    expect(await taken.take()).toEqual({ tree: expect.any(String), left: [path.join(root, "big")] });
    write(root, { w: "w", x: "x", y: "y", z: "z" });
    expect(await taken.take()).toEqual({ unavailable: "too-many" });

    const plain = await snapshots(await temporaryFolder());
    expect(await plain.taken.take()).toEqual({ unavailable: "no-repository" });
    const without = await snapshots(root, { environment: { PATH: "/nowhere" } });
    expect(await without.taken.take()).toEqual({ unavailable: "no-git" });
  });

  it("goes on after its own files were lost or damaged", async () => {
    const root = await repository({ a: "a" });
    const { taken, privateDir, problems } = await snapshots(root);
    await tree(taken);
    writeFileSync(path.join(privateDir, "index"), "not an index");
    expect(await taken.take()).toEqual({ unavailable: "failed" });
    expect(problems).toHaveLength(1);
    expect(await changesOf(taken, root, () => write(root, { a: "b" }))).toEqual({
      a: ["file: a", "file: b"],
    });
    await taken.dispose();
    expect(existsSync(privateDir)).toBe(false);
  });
});

describe("what a snapshot leaves alone", () => {
  it("the repository, its index, refs, stash, hooks and nested repositories, byte for byte", async () => {
    const root = await repository({ "a.txt": "a", "b.txt": "b", ".gitignore": "ignored\n" });
    write(root, { "a.txt": "stashed" });
    git(root, "stash");
    write(root, { "a.txt": "staged", ignored: "i", untracked: "u", "nested/x": "x", "nested/y": "y" });
    git(root, "add", "a.txt");
    const nested = path.join(root, "nested");
    git(nested, "init", "-q");
    git(nested, "add", "x");
    git(nested, "commit", "-qm", "n");
    write(nested, { x: "changed" });
    const status = git(root, "status", "--porcelain=v2", "--branch", "--show-stash");
    const before = fingerprint(root);
    const { taken } = await snapshots(root);
    const first = await tree(taken);
    const second = await tree(taken);
    expect(second).toBe(first);
    await taken.changes(first, second);
    expect(fingerprint(root)).toBe(before);
    // What is in the repository already is not even marked as used.
    const objects = fingerprint(path.join(root, ".git"));
    write(root, { "new.txt": "b" });
    await tree(taken);
    expect(fingerprint(path.join(root, ".git"))).toBe(objects);
    rmSync(path.join(root, "new.txt"));
    const changes = await changesOf(taken, root, () =>
      write(root, { "nested/x": "again", "nested/new": "n", "b.txt": "B" }),
    );
    expect(changes).toEqual({ "b.txt": ["file: b", "file: B"] });
    write(root, { "nested/x": "changed", "b.txt": "b" });
    rmSync(path.join(root, "nested/new"));
    expect(git(root, "status", "--porcelain=v2", "--branch", "--show-stash")).toBe(status);
  });

  it("whatever in a repository could run: nothing of it does", async () => {
    const root = await repository({ "a.evil": "a", "b.txt": "b" });
    const proof = path.join(await temporaryFolder(), "ran");
    const run = `sh -c 'echo $0 >> ${proof}; cat'`;
    const hook = `#!/bin/sh\necho hook >> ${proof}\n`;
    write(root, { ".gitattributes": "* filter=evil diff=evil merge=evil\n", "sub/x": "x" });
    for (const name of ["post-index-change", "pre-commit", "fsmonitor", "reference-transaction"]) {
      write(root, { [`.git/hooks/${name}`]: hook });
      chmodSync(path.join(root, ".git/hooks", name), 0o755);
    }
    const hostile = [
      "[core]",
      `fsmonitor = ${path.join(root, ".git/hooks/fsmonitor")}`,
      `sshCommand = ${run}`,
      `hooksPath = ${path.join(root, ".git/hooks")}`,
      `pager = ${run}`,
      `editor = ${run}`,
      `attributesFile = ${path.join(root, ".gitattributes")}`,
      "alternateRefsCommand = ".concat(run),
      '[filter "evil"]',
      `clean = ${run}`,
      `smudge = ${run}`,
      `process = ${run}`,
      "required = true",
      '[diff "evil"]',
      `command = ${run}`,
      `textconv = ${run}`,
      "[diff]",
      `external = ${run}`,
      "[alias]",
      ...["ls-files", "diff-files", "update-index", "write-tree", "diff-tree", "cat-file"].map(
        (name) => `${name} = !${run}`,
      ),
      "[include]",
      "path = evil.inc",
      '[remote "origin"]',
      `url = ext::${run}`,
      "promisor = true",
      "[extensions]",
      "partialClone = origin",
    ].join("\n");
    appendFileSync(path.join(root, ".git/config"), `\n${hostile}\n`);
    const nested = path.join(root, "sub");
    git(nested, "init", "-q");
    git(nested, "add", "x");
    git(nested, "commit", "-qm", "n");
    appendFileSync(path.join(nested, ".git/config"), `\n${hostile}\n`);
    const env = {
      ...process.env,
      GIT_EXTERNAL_DIFF: run,
      GIT_DIR: nested,
      GIT_INDEX_FILE: "/nowhere",
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${run}'`,
      HOME: path.dirname(proof),
    };
    const { taken, problems } = await snapshots(root, { environment: env });
    const changes = await changesOf(taken, root, () =>
      write(root, { "a.evil": "A", "b.txt": "B", "sub/x": "X" }),
    );
    expect(problems).toEqual([]);
    expect(changes).toEqual({ "a.evil": ["file: a", "file: A"], "b.txt": ["file: b", "file: B"] });
    expect(existsSync(proof)).toBe(false);
  });
});

it("one that is being taken is abandoned when the host ends, and nothing of it is left", async () => {
  const root = await repository({ "a.txt": "a\n" });
  const { taken, privateDir, problems } = await snapshots(root);
  const first = taken.take();
  await taken.dispose();
  expect(await first).toEqual({ unavailable: "failed" });
  expect(existsSync(privateDir)).toBe(false);
  expect(problems).toEqual([]);
});

describe.skipIf(process.platform === "win32")("the first snapshot", () => {
  /** A git that notes each command, and runs lines of a shell script once before some of them. */
  async function watchedGit(before: Readonly<Record<string, string>> = {}) {
    const folder = await temporaryFolder();
    const log = path.join(folder, "log");
    const found = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const cases = Object.entries(before).map(
      ([command, line]) => `${command}) mkdir ${folder}/${command} && { ${line}; };;\n`,
    );
    const script = `#!/bin/sh\necho "$1" >> ${log}\ncase "$1" in\n${cases.join("")}esac\nexec ${found} "$@"\n`;
    writeFileSync(path.join(folder, "git"), script, { mode: 0o755 });
    return {
      environment: { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` },
      commands() {
        const all = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
        rmSync(log, { force: true });
        return all.filter((command) => command !== "config").sort();
      },
    };
  }

  it("asks git as little as the repository permits", async () => {
    const root = await repository({ "a.txt": "a\n", "b/c.bin": "c\n" });
    const { environment, commands } = await watchedGit();
    const first = await snapshots(root, { environment, fileLimit: 10 });
    const clean = await tree(first.taken);
    // Which files have a filter, the sizes, what changed, what is new, and the tree.
    expect(commands()).toEqual(["cat-file", "diff-files", "ls-files", "ls-files", "write-tree"]);
    // Neither without a change nor with one that is left out.
    expect(await tree(first.taken)).toBe(clean);
    write(root, { large: "0123456789-" });
    expect(await tree(first.taken)).toBe(clean);
    expect(commands()).toEqual(["diff-files", "diff-files", "ls-files", "ls-files"]);
    write(root, { "b/c.bin": "d\n" });
    const changed = await tree(first.taken);
    expect(changed).not.toBe(clean);
    expect(commands()).toEqual(["diff-files", "ls-files", "update-index", "write-tree"]);
    rmSync(path.join(root, "b/c.bin"));
    expect(await tree(first.taken)).not.toBe(changed);
    expect(commands()).toEqual(["diff-files", "ls-files", "update-index", "write-tree"]);
    write(root, { "b/c.bin": "c\n" });
    expect(await tree(first.taken)).toBe(clean);
    expect(commands()).toEqual(["diff-files", "ls-files", "update-index", "write-tree"]);
    write(root, { ".gitattributes": "*.txt text\n*.bin filter=lfs\n" });
    git(root, "add", "-A");
    const second = await snapshots(root, { environment });
    await tree(second.taken);
    expect(commands()).toEqual([
      ...["cat-file", "check-attr", "diff-files", "ls-files", "ls-files"],
      ...["update-index", "update-index", "write-tree"],
    ]);
  });

  it.each([
    ["packs the folders of a repository with many", "", "0 251"],
    ["writes them where git cannot pack them", "exit 1", "251 0"],
  ])("%s", async (_name, line, objects) => {
    const root = await largeRepository(
      Array.from({ length: 250 }, (_, at) => ({ name: `d${at}/f.txt`, text: `file ${at}\n` })),
    );
    const before = fingerprint(path.join(root, ".git"));
    const { environment } = await watchedGit(line === "" ? {} : { "pack-objects": line });
    const { taken, privateDir } = await snapshots(root, { environment });
    expect(await tree(taken)).toBe(git(root, "rev-parse", "HEAD^{tree}").trim());
    const count = git(privateDir, "count-objects", "-v");
    expect(`${/^count: (\d+)/m.exec(count)?.[1]} ${/^in-pack: (\d+)/m.exec(count)?.[1]}`).toBe(objects);
    expect(await changesOf(taken, root, () => write(root, { "d7/f.txt": "changed" }))).toEqual({
      "d7/f.txt": ["file: file 7\n", "file: changed"],
    });
    expect(fingerprint(path.join(root, ".git"))).toBe(before);
  });

  it("sees what changed after the ignored files were listed", async () => {
    const root = await repository({ "a.txt": "a", ".gitignore": "*.log\n" });
    write(root, { "x.log": "x" });
    const { taken } = await snapshots(root);
    expect(await taken.ignored()).toEqual([path.join(root, "x.log")]);
    write(root, { "a.txt": "later", "new.txt": "new" });
    const changes = await changesOf(taken, root, () => write(root, { "a.txt": "A", "new.txt": "N" }));
    expect(changes).toEqual({
      "a.txt": ["file: later", "file: A"],
      "new.txt": ["file: new", "file: N"],
    });
  });

  it.each(["cat-file", "diff-files", "write-tree"])(
    "is right about a file that changes before git %s",
    async (command) => {
      const root = await repository({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\r\n" });
      const index = `printf 'changed\\n' > ${root}/a.txt; rm -f ${root}/b.txt; printf n > ${root}/new.txt`;
      const { environment } = await watchedGit({ [command]: index });
      const { taken, problems } = await snapshots(root, { environment });
      const changes = await changesOf(taken, root, () => write(root, { "a.txt": "after\n", "c.txt": "C" }));
      expect(problems).toEqual([]);
      // Before or after the change: either is a state that was on the disk.
      expect(["file: a\n", "file: changed\n"]).toContain(changes["a.txt"]?.[0]);
      expect([undefined, "file: b\n"]).toContain(changes["b.txt"]?.[0]);
      expect(changes["c.txt"]).toEqual(["file: c\r\n", "file: C"]);
    },
  );

  it("leaves out files over the limit, whether git has them or not", async () => {
    const root = await repository({ small: "s", tracked: "0123456789-", converted: "\r\n".repeat(9) });
    write(root, { ".gitattributes": "converted text\n" });
    git(root, "add", "-A", "--renormalize");
    write(root, { new: "0123456789-" });
    const { taken } = await snapshots(root, { fileLimit: 10 });
    const first = await taken.take();
    // Of a tracked file that did not change, git has the content already.
    expect("left" in first && [...first.left].sort()).toEqual(
      [".gitattributes", "converted", "new"].map((name) => path.join(root, name)),
    );
  });
});
