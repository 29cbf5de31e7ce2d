/**
 * Snapshots of a repository of many files, and of repositories that have what few have; git-snapshots.test.ts proves for `npm test`
 * what they see and leave alone.
 */
import { chmodSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
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

it("5,000 files: the first snapshot reads none anew, the next ones only what changed", async () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `d${i % 50}/f${i}.txt`);
  const root = await largeRepository(names.map((name, i) => ({ name, text: `file ${i}\n` })));
  const before = fingerprint(path.join(root, ".git"));
  const { taken, privateDir } = await snapshots(root);
  await tree(taken);
  const changes = await changesOf(taken, root, () => {
    for (let i = 0; i < 10; i++) write(root, { [`d${i}/f${i}.txt`]: `changed ${i}\n` });
  });
  expect(Object.keys(changes)).toHaveLength(10);
  // Folders, and ten contents; the other contents are the repository's own.
  expect(Number(git(privateDir, "count-objects").split(" ")[0])).toBeLessThanOrEqual(51 + 11 + 10);
  expect(fingerprint(path.join(root, ".git"))).toBe(before);
});

it("sees a repository without commits, a worktree, a submodule's own files", async () => {
  const empty = await temporaryFolder();
  git(empty, "init", "-q");
  write(empty, { a: "a" });
  const first = await snapshots(empty);
  expect(await changesOf(first.taken, empty, () => write(empty, { a: "b" }))).toEqual({
    a: ["file: a", "file: b"],
  });

  const main = await repository({ a: "a" });
  const tree = path.join(await temporaryFolder(), "tree");
  git(main, "worktree", "add", "-q", tree);
  const second = await snapshots(tree);
  expect(await changesOf(second.taken, tree, () => write(tree, { a: "b" }))).toEqual({
    a: ["file: a", "file: b"],
  });

  const parent = await repository({ p: "p" });
  git(parent, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", main, "sub");
  const sub = path.join(parent, "sub");
  const third = await snapshots(sub);
  expect(await changesOf(third.taken, sub, () => write(sub, { a: "b" }))).toEqual({
    a: ["file: a", "file: b"],
  });
  const before = fingerprint(path.join(parent, ".git"));
  const fourth = await snapshots(parent);
  expect(await changesOf(fourth.taken, parent, () => write(parent, { "sub/a": "c", p: "q" }))).toEqual({
    p: ["file: p", "file: q"],
  });
  expect(fingerprint(path.join(parent, ".git"))).toBe(before);
});

it("does not believe an index that a file system monitor kept", async () => {
  const root = await repository({ a: "a", b: "b" });
  write(root, { ".git/hooks/watch": '#!/bin/sh\nprintf "token\\0"\n' });
  chmodSync(path.join(root, ".git/hooks/watch"), 0o755);
  git(root, "config", "core.fsmonitor", ".git/hooks/watch");
  git(root, "config", "core.untrackedCache", "true");
  git(root, "status");
  git(root, "status");
  write(root, { a: "changed" });
  const { taken } = await snapshots(root);
  const now = await tree(taken);
  write(root, { a: "a" });
  expect((await taken.changes(now, await tree(taken))).map(({ path: file }) => path.basename(file))).toEqual([
    "a",
  ]);
});
