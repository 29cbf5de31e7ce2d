/** Files outside the workspace that the user gives: exactly these are read. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { createDiskFiles } from "../../src/node/files/disk-files.ts";
import { findMentions } from "../../src/shared/mentions.ts";
import { fileEncodingNames } from "../../src/vscode/files/editor-encoding.ts";
import { givenFiles } from "../../src/vscode/files/given-files.ts";
import { StoredAttachments } from "../../src/vscode/files/stored-attachments.ts";
import { AttachedFiles } from "../../src/vscode/panel/attached-files.ts";

describe("Files from anywhere", () => {
  let folder = "";
  const attached = new AttachedFiles(
    createDiskFiles(fileEncodingNames),
    new StoredAttachments(() => Date.now()),
  );
  const at = (name: string) => path.join(folder, name);
  const uri = (name: string) => vscode.Uri.file(at(name)).toString();

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), "nekode-given-")));
    await writeFile(at("猫 (1).txt"), "meow\n");
    await writeFile(at("beside.txt"), "not given\n");
    await writeFile(at("program.bin"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 255]));
    await mkdir(at("docs"));
    await writeFile(path.join(at("docs"), "a.md"), "# A\n");
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("are mentioned by their address, and nothing beside them is given", async () => {
    const { mentions, problems } = await attached.mention([uri("猫 (1).txt"), uri("docs")]);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      mentions.map((mention) => findMentions(mention)[0]?.value),
      [at("猫 (1).txt"), `${at("docs")}/`],
    );
    assert.equal(givenFiles.has(at("猫 (1).txt")), true);
    assert.equal(givenFiles.has(path.join(at("docs"), "a.md")), true);
    assert.equal(givenFiles.has(at("beside.txt")), false);
  });

  it("are refused with the reason where they cannot be read", async () => {
    const { mentions, problems } = await attached.mention([
      uri("program.bin"),
      uri("gone.txt"),
      "https://example.com/a.txt",
    ]);
    assert.deepEqual(mentions, []);
    assert.deepEqual(problems, [
      `${at("program.bin")} cannot be attached: the content is not text`,
      `${at("gone.txt")} cannot be attached: it no longer exists`,
      "https://example.com/a.txt is not a file on this computer.",
    ]);
    assert.equal(givenFiles.has(at("program.bin")), false);
  });

  it("that come with their content alone are stored, under a name that leads nowhere else", async () => {
    const data = Buffer.from("x,y\n").toString("base64");
    const { mentions, problems } = await attached.give("../../evil/table.csv", data);
    assert.deepEqual(problems, []);
    const file = findMentions(mentions[0] ?? "")[0]?.value ?? "";
    assert.equal(path.basename(file), "table.csv");
    assert.equal(path.dirname(path.dirname(file)), await realpath(tmpdir()));
    assert.equal(await readFile(file, "utf8"), "x,y\n");
    assert.equal(givenFiles.has(file), true);
    await rm(path.dirname(file), { recursive: true });
  });
});
