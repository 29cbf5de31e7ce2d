/** Snapshots of a folder that others write in at that very moment: by a git that writes there itself before it looks. */
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { which } from "../../../scripts/lib/processes.mjs";
import { repository, snapshots, tree, write } from "./git-support.ts";
import { temporaryFolder } from "./support.ts";

/** A PATH whose git runs `script`, once, before each command that adds files. */
async function busyGit(script: string): Promise<string> {
  const folder = await temporaryFolder();
  const file = path.join(folder, "git");
  const lines = [
    "#!/bin/sh",
    `if [ "$1" = update-index ] && [ "$3" = --add ] && mkdir ${folder}/ran 2>/dev/null; then`,
    script,
    "fi",
    `exec ${which("git")} "$@"`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  chmodSync(file, 0o755);
  return `${folder}${path.delimiter}${process.env.PATH}`;
}

it.skipIf(process.platform === "win32").each([
  ["a file that goes, as a draft does when it takes its name", "mv draft.tmp final.txt", ["final.txt"]],
  ["a file that cannot be read to its end", "echo 'fatal: short read' >&2; exit 128", ["draft.tmp"]],
])("%s is no failure", async (_, script, seen) => {
  const root = await repository({ "a.txt": "a\n" });
  const PATH = await busyGit(script);
  const environment = { ...process.env, PATH, HOME: root };
  const { taken, problems } = await snapshots(root, { environment });
  const before = await tree(taken);
  write(root, { "draft.tmp": "new\n", "a.txt": "A\n" });
  // The one that is disturbed.
  await tree(taken);
  const changes = await taken.changes(before, await tree(taken));
  expect(changes.map(({ path: file }) => path.basename(file)).sort()).toEqual(["a.txt", ...seen].sort());
  expect(problems).toEqual([]);
});
