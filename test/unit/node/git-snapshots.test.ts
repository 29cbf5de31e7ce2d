/** Snapshots of real repositories: what they see, and that nobody else sees them. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { changesOf, fingerprint, git, repository, snapshots, tree, write } from "./git-support.ts";
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
