/** git's index file, read without git: the same as git prints of it. */
import { execFileSync } from "node:child_process";
import { readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type IndexedFiles, indexedFiles } from "../../../src/node/git/index-entries.ts";
import { parseStage } from "../../../src/node/git/plumbing-output.ts";
import { git, repository, write } from "./git-support.ts";
import { temporaryFolder } from "./support.ts";

const indexOf = (root: string) => readFileSync(path.join(root, ".git/index"));

/** What git prints of the same index. */
async function printed(root: string) {
  const show = (...args: string[]) => execFileSync("git", ["ls-files", "-z", ...args], { cwd: root });
  const entries = await parseStage(show("--stage", "--debug"));
  const flags = show("-v").toString().split("\0");
  return {
    files: entries.flatMap(({ name, id, kind, size }) => (kind ? [{ name, id, size }] : [])),
    others: entries.filter(({ kind }) => kind === undefined).map(({ name }) => name),
    assumed: flags.filter((flag) => /^[a-z]/.test(flag)).map((flag) => flag.slice(2)),
  };
}

async function told(indexed: IndexedFiles | undefined) {
  if (!indexed) return undefined;
  const ids = indexed.ids.toString().split("\n").slice(0, -1);
  const names = await indexed.namesAt(ids.map((_, place) => place));
  return {
    files: ids.map((id, place) => ({ name: names[place], id, size: indexed.sizes[place] })),
    others: indexed.others,
    assumed: indexed.assumed,
  };
}

/** A repository with every kind of entry. */
async function everything(): Promise<string> {
  const root = await repository({
    a: "a",
    "b/c.txt": "cc\n",
    "b/c.txt2": "",
    "run.sh": "x",
    "日本/é": "é\n",
  });
  for (const name of ["a", "b/c.txt"]) utimesSync(path.join(root, name), 1e9, 1e9);
  git(root, "status");
  git(root, "update-index", "--chmod=+x", "run.sh");
  git(root, "update-index", "--assume-unchanged", "b/c.txt2");
  git(root, "update-index", "--skip-worktree", "a");
  const id = git(root, "hash-object", "-w", "a").trim();
  const link = `120000,${id},link`;
  const sub = `160000,${git(root, "rev-parse", "HEAD").trim()},sub`;
  for (const entry of [link, sub]) git(root, "update-index", "--add", "--cacheinfo", entry);
  // Longer than the length that an entry can tell.
  const long = Array.from({ length: 50 }, (_, at) => `${at}-${"x".repeat(97)}`).join("/");
  const sides = [1, 2, 3].map((side) => `100644 ${id} ${side}\tconflict`);
  const input = `${[`100644 ${id} 0\t${long}`, `100644 ${id} 0\t${long}/more`, ...sides].join("\n")}\n`;
  execFileSync("git", ["update-index", "--add", "--index-info"], { cwd: root, input });
  write(root, { new: "new" });
  git(root, "add", "-N", "new");
  return root;
}

describe("an index", () => {
  it.each(["2", "3", "4"])("of version %s is read as git prints it", async (version) => {
    const root = await everything();
    git(root, "update-index", "--index-version", version);
    const expected = await printed(root);
    expect(expected.files.length).toBeGreaterThan(7);
    expect([expected.others, expected.assumed]).toEqual([
      ["conflict", "conflict", "conflict", "sub"],
      ["b/c.txt2"],
    ]);
    const indexed = await indexedFiles(indexOf(root), 20);
    expect(await told(indexed)).toEqual(expected);
    expect(await indexed?.namesAt([1, 3])).toEqual([expected.files[1]?.name, expected.files[3]?.name]);
    expect(await indexed?.namesAt([])).toEqual([]);
  });

  it("with longer ids is read too", async () => {
    const root = await temporaryFolder();
    git(root, "init", "-q", "--object-format=sha256");
    write(root, { a: "a", "b/c": "c" });
    git(root, "add", "-A");
    expect(await told(await indexedFiles(indexOf(root), 32))).toEqual(await printed(root));
  });

  it("names the folders that are as git recorded them", async () => {
    const root = await repository({ a: "a", "b/c/d.txt": "d\n", "b/e/f": "f", "日本/é": "é\n" });
    const treeOf = (name: string) => git(root, "rev-parse", `HEAD:${name}`).trim();
    const trees = async () => new Set((await indexedFiles(indexOf(root), 20))?.trees);
    const inner = ["b/c", "日本"].map(treeOf);
    expect(await trees()).toEqual(new Set([...inner, ...["", "b", "b/e"].map(treeOf)]));
    write(root, { "b/e/f": "changed" });
    git(root, "update-index", "b/e/f");
    expect(await trees()).toEqual(new Set(inner));
  });

  it("that only git can read is left to it", async () => {
    const sparse = await repository({ "a/x": "x", "b/y": "y" });
    git(sparse, "sparse-checkout", "set", "--cone", "--sparse-index", "a");
    expect(await indexedFiles(indexOf(sparse), 20)).toBeUndefined();
    const split = await repository({ a: "a" });
    git(split, "update-index", "--split-index");
    expect(await indexedFiles(indexOf(split), 20)).toBeUndefined();
    const later = indexOf(await repository({ a: "a" }));
    later.writeUInt32BE(5, 4);
    expect(await indexedFiles(later, 20)).toBeUndefined();
  });

  it.each(["2", "4"])("of version %s that ends early or has another count is not read", async (version) => {
    const root = await everything();
    git(root, "update-index", "--index-version", version);
    const whole = indexOf(root);
    for (let length = 0; length < whole.length; length += length < 2_000 ? 1 : 97)
      expect(await indexedFiles(whole.subarray(0, length), 20), `${length}`).toBeUndefined();
    for (const count of [0xffffffff, 10_000, 20]) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt32BE(count, 8);
      expect(await indexedFiles(damaged, 20), `${count}`).toBeUndefined();
    }
  });
});
