import { execFileSync } from "node:child_process";
import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/core/errors.ts";
import { nodeFileStates } from "../../../src/node/files/disk-file-states.ts";
import { nodeFiles, realTarget } from "../../../src/node/files/disk-files.ts";
import { editorConfigNames } from "../../../src/node/files/encoding-names.ts";
import { writeApproved, writingEditor } from "../../../src/node/files/write-file.ts";
import { canMount } from "../../support/machine.ts";
import { temporaryFolder } from "./support.ts";

const SHOW = { show: true };
const terminalEditor = writingEditor(editorConfigNames);

/** Proposes `text` for the file as it stands, lets `between` happen, and saves. */
async function save(file: string, text: string, between: () => Promise<unknown> = async () => {}) {
  const original = (await nodeFiles.stat(file)) ? await nodeFiles.readText(file) : null;
  const preview = terminalEditor.preview(file, original, SHOW);
  preview.update(text.slice(0, 3));
  await preview.finish(text);
  await between();
  return preview.save();
}

/** No draft is left behind. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}

describe("an approved write", () => {
  it("replaces the content, keeping mode, encoding and mark", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "run.sh");
    await writeFile(path.join(folder, ".editorconfig"), "[*.sh]\ncharset = shift_jis\n");
    await writeFile(file, Buffer.from([0x82, 0xa0, 0x82, 0xa2, 0x82, 0xa4, 0x0a]));
    await chmod(file, 0o751);
    const saved = await save(file, "あいうえ\n");
    expect(saved).toEqual({ finalText: "あいうえ\n", encoding: "shiftjis", newProblems: [] });
    expect([...(await readFile(file))]).toEqual([0x82, 0xa0, 0x82, 0xa2, 0x82, 0xa4, 0x82, 0xa6, 0x0a]);
    expect((await stat(file)).mode & 0o7777).toBe(0o751);
    await writeFile(file, "\ufeffa\r\n");
    await save(file, "b\r\n");
    expect(await readFile(file, "utf8")).toBe("\ufeffb\r\n");
    expect(await namesIn(folder)).toEqual([".editorconfig", "run.sh"]);
  });

  it("keeps bytes that are no characters, and is refused where the text would replace them", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "a.txt");
    const words = Buffer.from("日本語のテキストです\n");
    const bytes = Buffer.concat([words, Buffer.from([0xff]), words]);
    await writeFile(file, bytes);
    const { text } = await nodeFiles.readText(file);
    await save(file, `${text.replace("日本語", "にほんご")}more\n`);
    const changed = Buffer.from("にほんごのテキストです\n");
    const expected = Buffer.concat([changed, Buffer.from([0xff]), words, Buffer.from("more\n")]);
    expect(await readFile(file)).toEqual(expected);
    const now = await nodeFiles.readText(file);
    const saving = save(file, `\ufffd\n${now.text.replace("\ufffd", "")}`);
    await expect(saving).rejects.toThrow(/bytes that are not UTF-8/);
    await expect(saving).rejects.toThrow(ToolError);
    expect(await readFile(file)).toEqual(expected);
  });

  it("adds only ASCII to a text whose encoding is not certain, until somebody names it", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "a.c");
    const bytes = Buffer.concat([
      Buffer.from([0x2f, 0x2f, 0x90, 0xdd, 0x92, 0xe8]),
      Buffer.from("\nint a = 1;\n"),
    ]);
    await writeFile(file, bytes);
    const { text } = await nodeFiles.readText(file);
    expect(text).toContain("設定");
    await expect(save(file, `${text}// 追加\n`)).rejects.toThrow(
      /not certain.*\.editorconfig.*files\.encoding/,
    );
    await save(file, text.replace("a = 1", "a = 2"));
    const changed = Buffer.from(bytes.toString("latin1").replace("a = 1", "a = 2"), "latin1");
    expect(await readFile(file)).toEqual(changed);
    await writeFile(path.join(folder, ".editorconfig"), "root = true\n[*.{c,h}]\ncharset = shift_jis\n");
    const known = await nodeFiles.readText(file);
    await save(file, `${known.text}// 追加\n`);
    const added = Buffer.from([0x2f, 0x2f, 0x20, 0x92, 0xc7, 0x89, 0xc1, 0x0a]);
    expect(await readFile(file)).toEqual(Buffer.concat([changed, added]));
  });

  it("writes a new file in the encoding that is named for it", async () => {
    const folder = await temporaryFolder();
    await writeFile(
      path.join(folder, ".editorconfig"),
      "[*]\ncharset = latin1\n[*.txt]\ncharset = utf-8-bom\n",
    );
    await save(path.join(folder, "a.properties"), "é\n");
    expect([...(await readFile(path.join(folder, "a.properties")))]).toEqual([0xe9, 0x0a]);
    await save(path.join(folder, "a.txt"), "é\n");
    expect(await readFile(path.join(folder, "a.txt"), "utf8")).toBe("\ufeffé\n");
    await expect(save(path.join(folder, "b.properties"), "猫\n")).rejects.toThrow(/ISO 8859-1/);
  });

  it("creates a file with its folders, readable as others are", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "a/b/c.txt");
    await save(file, "猫\n");
    expect(await readFile(file, "utf8")).toBe("猫\n");
    expect((await stat(file)).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(await namesIn(path.dirname(file))).toEqual(["c.txt"]);
  });

  it("writes through a link and leaves the link", async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "real"));
    const real = path.join(folder, "real", "file.txt");
    const linked = path.join(folder, "link.txt");
    await writeFile(real, "old\n");
    await symlink("real/file.txt", linked);
    await save(linked, "new\n");
    expect(await readlink(linked)).toBe("real/file.txt");
    expect(await readFile(real, "utf8")).toBe("new\n");
  });

  it("touches nothing until it is saved, nor when it is discarded", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "a.txt");
    await writeFile(file, "old\n");
    const before = (await stat(file, { bigint: true })).ctimeNs;
    const preview = terminalEditor.preview(file, await nodeFiles.readText(file), SHOW);
    preview.update("ne");
    await preview.finish("new\n");
    await preview.discard();
    expect((await stat(file, { bigint: true })).ctimeNs).toBe(before);
    expect(await namesIn(folder)).toEqual(["a.txt"]);
  });

  const changes: [string, (file: string) => Promise<unknown>, RegExp][] = [
    ["was edited", (file) => writeFile(file, "theirs\n"), /changed on disk/],
    ["is gone", (file) => rm(file), /does not exist/],
    ["became a folder", (file) => rm(file).then(() => mkdir(file)), /folder/],
    ["became a link elsewhere", swapForLink, /now resolves to/],
    ["has a folder on its way that became a link", swapFolder, /now resolves to/],
  ];
  for (const [what, change, said] of changes) {
    it(`is refused when the file ${what}`, async () => {
      const folder = await temporaryFolder();
      await mkdir(path.join(folder, "in"));
      await mkdir(path.join(folder, "other"));
      const file = path.join(folder, "in", "a.txt");
      const victim = path.join(folder, "other", "a.txt");
      await writeFile(file, "old..\n");
      await writeFile(victim, "old..\n");
      const saving = save(file, "ours\n", () => change(file));
      await expect(saving).rejects.toThrow(said);
      await expect(saving).rejects.toThrow(ToolError);
      expect(await readFile(victim, "utf8")).toBe("old..\n");
      if (
        await lstat(file).then(
          (found) => found.isFile(),
          () => false,
        )
      ) {
        expect(await readFile(file, "utf8")).not.toBe("ours\n");
      }
    });
  }

  it("is refused when the content is another, even if the file's stamps do not show it", async () => {
    const file = path.join(await temporaryFolder(), "a.txt");
    await writeFile(file, "theirs\n");
    const now = await nodeFiles.readText(file);
    const options = {
      original: { ...now, text: "was this\n" },
      expectedVersion: now.version,
      expectedTarget: await realTarget(file),
    };
    await expect(writeApproved(file, "ours\n", options)).rejects.toThrow(/changed on disk/);
    expect(await readFile(file, "utf8")).toBe("theirs\n");
  });

  it("is refused when a new file's name was taken, also by a link to nothing", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "new.txt");
    await expect(save(file, "ours\n", () => writeFile(file, "theirs\n"))).rejects.toThrow(/now exists/);
    expect(await readFile(file, "utf8")).toBe("theirs\n");
    const dangling = path.join(folder, "dangling.txt");
    await symlink(path.join(folder, "target.txt"), dangling);
    await expect(save(dangling, "ours\n")).rejects.toThrow(ToolError);
    const blocked = path.join(folder, "new.txt", "below.txt");
    await expect(save(blocked, "ours\n")).rejects.toThrow(ToolError);
    expect(await namesIn(folder)).toEqual(["dangling.txt", "new.txt"]);
  });

  it("is refused when the encoding lacks a character, naming it", async () => {
    const file = path.join(await temporaryFolder(), "a.txt");
    const bytes = Buffer.from([0x82, 0xa0, 0x82, 0xa2, 0x82, 0xa4, 0x0a]);
    await writeFile(file, bytes);
    await expect(save(file, "あ😀\n")).rejects.toThrow(/😀/);
    expect(await readFile(file)).toEqual(bytes);
  });

  it.each([
    ["longer", "newer and longer\n"],
    ["shorter", "n\n"],
    ["empty", ""],
  ])("keeps all names of one file, with content that is %s", async (_, text) => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "a.txt");
    await writeFile(file, "the old\n", { mode: 0o640 });
    await link(file, path.join(folder, "b.txt"));
    const { ino } = await stat(file);
    await save(file, text);
    expect(await readFile(path.join(folder, "b.txt"), "utf8")).toBe(text);
    expect(await stat(file)).toMatchObject({ ino, nlink: 2 });
    if (process.platform !== "win32") expect((await stat(file)).mode & 0o7777).toBe(0o640);
    expect(await namesIn(folder)).toEqual(["a.txt", "b.txt"]);
  });

  it.runIf(canMount)("reaches a file that is a mount point, and so does the way back", async () => {
    const folder = await temporaryFolder();
    const [outside, file] = [path.join(folder, "outside.txt"), path.join(folder, "mounted.txt")];
    await writeFile(outside, "old\n");
    await writeFile(file, "");
    execFileSync("mount", ["--bind", outside, file]);
    try {
      const before = await nodeFileStates.read(file, 1000);
      if (before === null || typeof before === "string") throw new Error("the file was not read");
      await save(file, "new\n");
      expect(await readFile(outside, "utf8")).toBe("new\n");
      await nodeFileStates.put(file, before, async () => true);
      expect(await readFile(outside, "utf8")).toBe("old\n");
      expect(await namesIn(folder)).toEqual(["mounted.txt", "outside.txt"]);
    } finally {
      execFileSync("umount", [file]);
    }
  });
});

async function swapForLink(file: string): Promise<void> {
  await rm(file);
  await symlink(path.join(path.dirname(path.dirname(file)), "other", "a.txt"), file);
}

async function swapFolder(file: string): Promise<void> {
  const folder = path.dirname(file);
  await rename(folder, `${folder}-moved`);
  await symlink(path.join(path.dirname(folder), "other"), folder);
}
