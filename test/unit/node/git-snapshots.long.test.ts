/** Snapshots of a repository of many files; git-snapshots.test.ts proves for `npm test` what they see and leave alone. */
import path from "node:path";
import { expect, it } from "vitest";
import { changesOf, fingerprint, git, largeRepository, snapshots, tree, write } from "./git-support.ts";

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
