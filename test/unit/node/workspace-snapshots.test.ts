/** Snapshots of a workspace of several folders, with real repositories. */
import path from "node:path";
import { expect, it } from "vitest";
import type { Snapshot } from "../../../src/core/ports/snapshots.ts";
import { GitSnapshots } from "../../../src/node/git/git-snapshots.ts";
import { WorkspaceSnapshots } from "../../../src/node/git/workspace-snapshots.ts";
import { fingerprint, git, repository, write } from "./git-support.ts";
import { temporaryFolder } from "./support.ts";

async function workspace(roots: string[]): Promise<WorkspaceSnapshots> {
  const base = await temporaryFolder();
  const log = { info: () => {}, error: (text: string, cause?: unknown) => expect.fail(`${text}: ${cause}`) };
  let count = 0;
  return new WorkspaceSnapshots(
    () => roots,
    (root) => {
      const privateDir = path.join(base, String(count++));
      return new GitSnapshots({ root, privateDir, environment: { ...process.env, HOME: base }, log });
    },
  );
}

function taken(snapshot: Snapshot): Extract<Snapshot, { tree: string }> {
  if ("unavailable" in snapshot) throw new Error(snapshot.unavailable);
  return snapshot;
}

it("every folder's repository, each file once, and nothing in the repositories changes", async () => {
  const first = await repository({ "a.txt": "a\n", "packages/p/b.txt": "b\n" });
  const second = await repository({ "c.txt": "c\n" });
  // A repository within another is its own.
  const nested = path.join(second, "nested");
  write(nested, { "d.txt": "d\n" });
  git(nested, "init", "-q");
  const repositories = [first, second, nested].map((root) => path.join(root, ".git"));
  const before = repositories.map(fingerprint);
  const snapshots = await workspace([first, path.join(first, "packages/p"), second, nested]);
  const from = taken(await snapshots.take());
  expect(from.missing).toBeUndefined();
  write(first, { "a.txt": "1\n", "packages/p/b.txt": "2\n" });
  write(second, { "c.txt": "3\n", "nested/d.txt": "4\n" });
  const to = taken(await snapshots.take());
  const changes = await snapshots.changes(from.tree, to.tree);
  const ids = changes.flatMap(({ before, after }) => [before?.id ?? "", after?.id ?? ""]);
  const contents = await snapshots.read(ids, 100, 10_000);
  const text = (id: string | undefined) => Buffer.from(contents.get(id ?? "") ?? []).toString();
  const found = changes.map((change) => [change.path, text(change.before?.id), text(change.after?.id)]);
  expect(found.sort()).toEqual(
    [
      [path.join(first, "a.txt"), "a\n", "1\n"],
      [path.join(first, "packages/p/b.txt"), "b\n", "2\n"],
      [path.join(second, "c.txt"), "c\n", "3\n"],
      [path.join(nested, "d.txt"), "d\n", "4\n"],
    ].sort(),
  );
  expect(repositories.map(fingerprint)).toEqual(before);
  await snapshots.dispose();
});

it("says which folders are not covered, and why when none is; folders come and go", async () => {
  const plain = await temporaryFolder();
  const roots = [plain];
  const snapshots = await workspace(roots);
  expect(await snapshots.take()).toEqual({ unavailable: "no-repository" });
  const repo = await repository({ "a.txt": "a\n" });
  roots.push(repo);
  const from = taken(await snapshots.take());
  expect(from.missing).toEqual([plain]);
  roots.shift();
  write(repo, { "a.txt": "1\n" });
  const to = taken(await snapshots.take());
  expect(to.missing).toBeUndefined();
  expect((await snapshots.changes(from.tree, to.tree)).map(({ path: file }) => file)).toEqual([
    path.join(repo, "a.txt"),
  ]);
  roots.pop();
  expect(await snapshots.take()).toEqual({ unavailable: "no-repository" });
  await snapshots.dispose();
});
