/** Removing and moving real files: exactly what was approved, or nothing. */
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/core/errors.ts";
import { nodeFiles } from "../../../src/node/files/disk-files.ts";
import { editorConfigNames } from "../../../src/node/files/encoding-names.ts";
import { writingEditor } from "../../../src/node/files/write-file.ts";
import { temporaryFolder } from "./support.ts";

const terminalEditor = writingEditor(editorConfigNames);

async function project() {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, "in"));
  await mkdir(path.join(folder, "other"));
  const file = path.join(folder, "in", "a.txt");
  await writeFile(file, "content\n");
  await writeFile(path.join(folder, "other", "a.txt"), "victim\n");
  const state = async () => ({
    version: (await nodeFiles.stat(file))?.version ?? "",
    folder: await nodeFiles.realpath(path.dirname(file)),
  });
  const to = path.join(folder, "new", "b.txt");
  return { folder, file, to, expected: { ...(await state()), target: to }, state };
}

const changes: [string, (p: { folder: string; file: string }) => Promise<void>][] = [
  ["was edited", ({ file }) => writeFile(file, "theirs, longer\n")],
  [
    "is another by now",
    async ({ folder, file }) => {
      await rename(file, path.join(folder, "moved.txt"));
      await writeFile(file, "content\n");
    },
  ],
  [
    "is in a folder that became a link",
    async ({ folder }) => {
      await rename(path.join(folder, "in"), path.join(folder, "was-in"));
      await symlink(path.join(folder, "other"), path.join(folder, "in"));
    },
  ],
];

describe("removing", () => {
  it("removes the file", async () => {
    const { file, expected } = await project();
    await terminalEditor.remove(file, expected);
    expect(await readdir(path.dirname(file))).toEqual([]);
  });

  it("removes a link, not what it leads to", async () => {
    const { folder, file } = await project();
    const link = path.join(folder, "link.txt");
    await symlink("in/a.txt", link);
    const version = (await nodeFiles.stat(link))?.version ?? "";
    await terminalEditor.remove(link, { version, folder });
    expect(await readFile(file, "utf8")).toBe("content\n");
    expect((await readdir(folder)).sort()).toEqual(["in", "other"]);
  });

  for (const [what, change] of changes) {
    it(`is refused when the file ${what}`, async () => {
      const made = await project();
      await change(made);
      await expect(terminalEditor.remove(made.file, made.expected)).rejects.toThrow(ToolError);
      expect(await stat(made.file)).toBeDefined();
      expect(await readFile(path.join(made.folder, "other", "a.txt"), "utf8")).toBe("victim\n");
    });
  }
});

describe("moving", () => {
  it("moves the file with its mode, into folders that it makes", async () => {
    const { file, to, state } = await project();
    await chmod(file, 0o755);
    await terminalEditor.rename(file, to, { ...(await state()), target: to });
    expect(await readFile(to, "utf8")).toBe("content\n");
    expect((await stat(to)).mode & 0o777).toBe(0o755);
    expect(await readdir(path.dirname(file))).toEqual([]);
  });

  it("never replaces anything, not even a link to nothing", async () => {
    const { folder, file, expected } = await project();
    const taken = path.join(folder, "other", "a.txt");
    await expect(terminalEditor.rename(file, taken, { ...expected, target: taken })).rejects.toThrow(
      /now exists/,
    );
    expect(await readFile(taken, "utf8")).toBe("victim\n");
    const dangling = path.join(folder, "dangling");
    await symlink("nowhere", dangling);
    const ontoLink = terminalEditor.rename(file, dangling, { ...expected, target: dangling });
    await expect(ontoLink).rejects.toThrow(/now exists/);
    expect(await readlink(dangling)).toBe("nowhere");
    expect(await readFile(file, "utf8")).toBe("content\n");
  });

  it("is refused when a folder on the way to the new path became a link elsewhere", async () => {
    const { folder, file, expected } = await project();
    const to = path.join(folder, "new", "b.txt");
    await symlink(path.join(folder, "other"), path.join(folder, "new"));
    await expect(terminalEditor.rename(file, to, expected)).rejects.toThrow(/now resolves to .*other/);
    expect(await readFile(file, "utf8")).toBe("content\n");
    expect(await readdir(path.join(folder, "other"))).toEqual(["a.txt"]);
  });

  for (const [what, change] of changes) {
    it(`is refused when the file ${what}`, async () => {
      const made = await project();
      await change(made);
      await expect(terminalEditor.rename(made.file, made.to, made.expected)).rejects.toThrow(ToolError);
      expect(await stat(made.file)).toBeDefined();
    });
  }
});
