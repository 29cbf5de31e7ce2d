/** Files outside the workspace that the user gave: exactly these, wherever links lead. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { givenFiles } from "../../../src/vscode/files/given-files.ts";

it("are those alone, and what is in a folder that was given", async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "nekode-given-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const at = (...names: string[]) => path.join(folder, ...names);
  await mkdir(at("docs"));
  await mkdir(at("docs-other"));
  for (const file of [at("given.txt"), at("beside.txt"), at("target.txt"), at("docs", "a.md")])
    await writeFile(file, "x\n");
  await symlink(at("target.txt"), at("link.txt"));
  await givenFiles.give(at("given.txt"), "file");
  await givenFiles.give(at("docs"), "folder");
  await givenFiles.give(at("link.txt"), "file");
  const given = [at("given.txt"), at("docs"), at("docs", "a.md"), at("target.txt")];
  const others = [at("beside.txt"), at("docs-other"), at("docs-other", "a.md"), at("link.txt"), folder];
  expect(given.filter((file) => !givenFiles.has(file))).toEqual([]);
  expect(others.filter((file) => givenFiles.has(file))).toEqual([]);
  await expect(givenFiles.give(at("gone.txt"), "file")).rejects.toThrow("ENOENT");
});
