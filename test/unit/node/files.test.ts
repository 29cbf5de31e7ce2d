import { execFileSync } from "node:child_process";
import { mkdir, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ToolError } from "../../../src/core/errors.ts";
import { nodeFiles, TEXT_LIMIT } from "../../../src/node/files/disk-files.ts";
import { temporaryFolder } from "./support.ts";

describe("reading files", () => {
  it("reads text in its encoding, with a version that changes with the file", async () => {
    const file = path.join(await temporaryFolder(), "a.txt");
    await writeFile(file, "\ufeff猫\r\n");
    const first = await nodeFiles.readText(file);
    expect(first).toMatchObject({ text: "猫\r\n", encoding: "utf8", bom: true });
    expect(first.version).toBe((await nodeFiles.stat(file))?.version);
    await writeFile(file, "\ufeff犬\r\n");
    await utimes(file, new Date(), new Date(Date.now() + 5));
    expect((await nodeFiles.readText(file)).version).not.toBe(first.version);
    await writeFile(file, Buffer.from([0x82, 0xa0, 0x82, 0xa2, 0x82, 0xa4, 0x0a]));
    expect(await nodeFiles.readText(file)).toMatchObject({ text: "あいう\n", encoding: "shiftjis" });
  });

  it("tells when a file last changed, whatever a program says about it", async () => {
    const file = path.join(await temporaryFolder(), "a.txt");
    const before = Date.now() - 1_000;
    await writeFile(file, "x");
    await utimes(file, new Date(0), new Date(0));
    expect((await nodeFiles.stat(file))?.changedAt).toBeGreaterThan(before);
  });

  it("says what a file is that is not text, and its size", async () => {
    const folder = await temporaryFolder();
    const cases: [string, number[] | string, RegExp][] = [
      ["a.png", [0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0], /a PNG image, 8 bytes/],
      ["a.pdf", `%PDF-1.4\n${"\0".repeat(4000)}`, /a PDF document, 4\.0 KB/],
      ["a.out", [0x7f, 0x45, 0x4c, 0x46, 0, 0], /a program \(ELF\)/],
      ["a.tar", Buffer.concat([Buffer.alloc(257), Buffer.from("ustar")]).toJSON().data, /a tar archive/],
      ["a.bin", [1, 0, 2, 0, 0, 3, 0xff, 0xfe, 0], /binary data, 9 bytes/],
    ];
    for (const [name, content, said] of cases) {
      const file = path.join(folder, name);
      await writeFile(file, typeof content === "string" ? content : Buffer.from(content));
      await expect(nodeFiles.readText(file)).rejects.toThrow(said);
      await expect(nodeFiles.readText(file)).rejects.toThrow(ToolError);
      expect((await nodeFiles.readBytes(file, 10_000)).length).toBeGreaterThan(0);
    }
  });

  it("refuses what is no regular file, without waiting for it", async () => {
    const folder = await temporaryFolder();
    const at = (name: string) => path.join(folder, name);
    execFileSync("mkfifo", [at("pipe")]);
    await symlink(at("loop"), at("loop"));
    const server = createServer().listen(at("socket"));
    onTestFinished(() => void server.close());
    await expect(nodeFiles.readText(at("pipe"))).rejects.toThrow(/is a pipe/);
    await expect(nodeFiles.readText(at("socket"))).rejects.toThrow(/socket/);
    await expect(nodeFiles.readText("/dev/zero")).rejects.toThrow(/is a device/);
    await expect(nodeFiles.readText(folder)).rejects.toThrow(/is a folder/);
    await expect(nodeFiles.readText(at("none"))).rejects.toThrow(/does not exist/);
    await expect(nodeFiles.readText(at("loop"))).rejects.toThrow(/refers to itself/);
    await expect(nodeFiles.readText(at("n".repeat(300)))).rejects.toThrow(/too long/);
    expect(await nodeFiles.stat(at("pipe"))).toMatchObject({ kind: "other" });
    expect(await nodeFiles.stat(folder)).toMatchObject({ kind: "directory" });
    expect(await nodeFiles.stat(at("none"))).toBeUndefined();
    expect(await nodeFiles.stat(path.join(at("none"), "deeper"))).toBeUndefined();
    await expect(nodeFiles.realpath(at("none"))).rejects.toThrow(/does not exist/);
  });

  it("refuses what is too large before reading it", async () => {
    const file = path.join(await temporaryFolder(), "huge.txt");
    await writeFile(file, "");
    await truncate(file, TEXT_LIMIT + 1);
    await expect(nodeFiles.readText(file)).rejects.toThrow(/has 52 MB, which is more than/);
    await expect(nodeFiles.readBytes(file, 10)).rejects.toThrow(/more than the limit of 10 bytes/);
  });

  it("lists a folder", async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "sub"));
    await writeFile(path.join(folder, "a"), "");
    const listed = await nodeFiles.list(folder);
    expect(listed.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: "a", kind: "file" },
      { name: "sub", kind: "directory" },
    ]);
    await expect(nodeFiles.list(path.join(folder, "none"))).rejects.toThrow(ToolError);
  });
});
