/** What real file systems hold, through the tools: a clear answer each, nothing changed, the task goes on. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, open, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { canMount } from "../../support/machine.ts";
import { project } from "../../support/tools-on-disk.ts";
import { asNobody } from "./support.ts";

describe("bad input", () => {
  it("a path with NUL, an empty one, one that is too long", async () => {
    const { call } = await project();
    for (const tool of ["read_file", "delete_file", "list_files", "list_code_definition_names"]) {
      expect(await call(tool, { path: "a\0b" })).toMatch(/^refused: .*control characters/);
      expect(await call(tool, { path: " " })).toMatch(/^refused: .*empty/);
      expect(await call(tool, { path: "x".repeat(5_000) })).toMatch(/^refused: The path is too long/);
    }
    expect(await call("write_to_file", { path: "a\0b", content: "x" })).toMatch(/control characters/);
    const patch = "*** Begin Patch\n*** Add File: a\0b\n+x\n*** End Patch";
    expect(await call("apply_patch", { input: patch })).toMatch(/control characters/);
  });

  it("a folder that is a link to itself, and links in a circle", async () => {
    const { call, at, root } = await project();
    await symlink("loop", at("loop"));
    await symlink(root, at("self"));
    await writeFile(at("a.py"), "def a(): pass\n");
    expect(await call("read_file", { path: "loop" })).toMatch(/^refused: .*refers to itself/);
    expect(await call("delete_file", { path: "loop" })).toMatch(/^refused: .*refers to itself/);
    expect(await call("list_files", { path: ".", recursive: true })).toMatch(/a\.py/);
    expect((await call("list_files", { path: ".", recursive: true })).length).toBeLessThan(500);
    expect(await call("list_code_definition_names", { path: "." })).toContain("def a(): pass");
    expect(await call("search_files", { path: ".", regex: "def" })).toMatch(/1 match/);
  });

  it("a FIFO, which never answers", async () => {
    const { call, at } = await project();
    execFileSync("mkfifo", [at("pipe"), at("pipe.pdf"), at("pipe.png"), at("pipe.py")]);
    for (const name of ["pipe", "pipe.pdf", "pipe.png"]) {
      expect(await call("read_file", { path: name })).toMatch(/^refused: .*only regular files/);
    }
    expect(await call("delete_file", { path: "pipe" })).toMatch(/^refused: .*neither a file nor a folder/);
    expect(await call("write_to_file", { path: "pipe", content: "x" })).toMatch(/^refused: .*not a file/);
    expect(await call("list_code_definition_names", { path: "pipe.py" })).toMatch(/^refused: /);
    const patch = "*** Begin Patch\n*** Delete File: pipe\n*** End Patch";
    expect(await call("apply_patch", { input: patch })).toMatch(/^refused: /);
    // A command that names it is not held up by hashing it.
    expect(await call("execute_command", { command: "ls pipe", requires_approval: false })).toMatch(/pipe/);
  });

  it("a file of 2 GB: its size is told, and deleting it keeps no copy", async () => {
    const { call, at } = await project();
    for (const name of ["big.txt", "big.pdf", "big.png", "big.py"]) {
      const handle = await open(at(name), "w");
      await handle.truncate(2 * 1024 ** 3);
      await handle.close();
    }
    expect(await call("read_file", { path: "big.txt" })).toMatch(/^refused: .*2\.1 GB.*search/);
    expect(await call("read_file", { path: "big.pdf" })).toMatch(/^refused: .*2147\.5 MB, more than/);
    expect(await call("read_file", { path: "big.png" })).toMatch(
      /^refused: .*more than the limit of 3\.7 MB/,
    );
    expect(await call("list_code_definition_names", { path: "big.py" })).toMatch(/too large to parse/);
    expect(
      await call("execute_command", { command: "stat -c %s big.txt", requires_approval: false }),
    ).toContain("2147483648");
    expect(await call("delete_file", { path: "big.txt" })).toBe(
      "big.txt was deleted. It was too large to keep a copy of.",
    );
  });

  it("a file of one line of 5 MB: a bounded part, and how to see more", async () => {
    const { call, at } = await project();
    await writeFile(at("line.json"), `${"x".repeat(4_999_999)}y`);
    const text = await call("read_file", { path: "line.json" });
    expect(text.length).toBeLessThan(10_500);
    expect(text).toMatch(/line 1 has 5000000 characters/);
    const found = await call("search_files", { path: ".", regex: "xy" });
    expect(found.length).toBeLessThan(20_000);
    expect(await call("execute_command", { command: "cat line.json", requires_approval: false })).toMatch(
      /characters omitted/,
    );
  });

  it("an unreadable file and folder", async () => {
    const { call, at } = await project();
    await writeFile(at("secret.txt"), "x");
    await chmod(at("secret.txt"), 0);
    for (const folder of [at(".."), at(".")]) await chmod(folder, 0o755);
    await writeFile(at("open.txt"), "open");
    await asNobody(async () => {
      expect(await call("read_file", { path: "open.txt" })).toBe("open");
      expect(await call("read_file", { path: "secret.txt" })).toMatch(/^refused: Permission denied/);
      expect(await call("delete_file", { path: "secret.txt" })).toMatch(/^refused: Permission denied/);
    });
  });

  it("a file that changed since it was read is not written over", async () => {
    const { call, at } = await project();
    await writeFile(at("a.txt"), "one\n");
    await call("read_file", { path: "a.txt" });
    await writeFile(at("a.txt"), "theirs, longer\n");
    expect(await call("write_to_file", { path: "a.txt", content: "ours\n" })).toMatch(
      /^refused: .*changed by somebody else/,
    );
    expect(await readFile(at("a.txt"), "utf8")).toBe("theirs, longer\n");
  });

  it("binary files: what they are and how large", async () => {
    const { call, at } = await project();
    await writeFile(at("a.zip"), Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(5_000)]));
    await writeFile(at("a.bin"), Buffer.from([0, 1, 2, 255, 254, 0, 0, 3]));
    expect(await call("read_file", { path: "a.zip" })).toMatch(/^refused: .*ZIP archive.*5\.0 KB/);
    expect(await call("read_file", { path: "a.bin" })).toMatch(/^refused: .*8 bytes/);
  });

  it("a patch over bytes that are not UTF-8 leaves all other bytes", async () => {
    const { call, at } = await project();
    const sjis = Buffer.from([0x82, 0xa0, 0x82, 0xa2, 0x82, 0xa4, 0x0d, 0x0a, 0x61, 0x0d, 0x0a]);
    await writeFile(at("a.txt"), sjis, { mode: 0o755 });
    const patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n-a\n+b\n*** End Patch";
    expect(await call("apply_patch", { input: patch })).toMatch(/moved to b\.txt/);
    expect([...(await readFile(at("b.txt")))]).toEqual([...sjis.subarray(0, 8), 0x62, 0x0d, 0x0a]);
    expect((await stat(at("b.txt"))).mode & 0o777).toBe(0o755);
  });

  it("what a delete keeps is the file, byte for byte", async () => {
    const { at, host } = await project();
    const { keepContent } = await import("../../../src/core/tools/editing/original-file.ts");
    const samples = [Buffer.from("\ufeffa\r\nb\0"), Buffer.from([0xff, 0xfe, 0, 1, 0x80]), Buffer.alloc(0)];
    for (const bytes of samples) {
      await writeFile(at("x"), bytes);
      const kept = await keepContent(host.files, at("x"), "x", bytes.length);
      const back = Buffer.from(kept?.content ?? "", kept?.encoding === "base64" ? "base64" : "utf8");
      const hash = (data: Buffer) => createHash("sha256").update(data).digest("hex");
      expect(hash(back)).toBe(hash(bytes));
    }
  });
});

describe.skipIf(!canMount)("a full disk", () => {
  it("loses nothing of a file whose change does not fit", async () => {
    const { call, at, root } = await project();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", root]);
    onTestFinished(() => void execFileSync("umount", ["-l", root]));
    await writeFile(at("a.txt"), "kept\n");
    const large = `${"x".repeat(99)}\n`.repeat(10_000);
    expect(await call("write_to_file", { path: "a.txt", content: large })).toMatch(
      /^refused: The disk is full/,
    );
    const added = large.trimEnd().replaceAll(/^/gm, "+");
    const patch = `*** Begin Patch\n*** Update File: a.txt\n-kept\n+changed\n*** Add File: b.txt\n${added}\n*** End Patch`;
    expect(await call("apply_patch", { input: patch })).toMatch(
      /^The patch was written in part\. Written: a\.txt\.\nNot written: b\.txt: The disk is full/,
    );
    expect(await readFile(at("a.txt"), "utf8")).toBe("changed\n");
    expect((await readdir(root)).sort()).toEqual(["a.txt"]);
  });
});
