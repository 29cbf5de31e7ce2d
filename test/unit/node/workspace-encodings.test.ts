/** The encodings that the settings of a workspace name, in the terminal host. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { encode } from "../../../src/node/files/encodings.ts";
import { workspaceEncodings } from "../../../src/node/files/workspace-encodings.ts";
import { createTerminalHost } from "../../../src/node/terminal-host.ts";
import { temporaryFolder } from "./support.ts";

async function workspace() {
  const folder = await temporaryFolder();
  const at = (...parts: string[]) => path.join(folder, ...parts);
  const errors: string[] = [];
  const log = { info: () => undefined, error: (text: string) => errors.push(text) };
  const settings = async (text: string, root = "") => {
    await mkdir(at(root, ".vscode"), { recursive: true });
    await writeFile(at(root, ".vscode/settings.json"), text);
  };
  return { folder, at, errors, log, settings, names: workspaceEncodings(() => [folder, at("tree")], log) };
}

it("names the plain setting, and that of a language before it", async () => {
  const { at, errors, names, settings } = await workspace();
  expect(await names(at("a.c"))).toBeUndefined();
  await settings(`\ufeff{
    // A comment, and commas at the end.
    "files.encoding": "eucjp",
    "[c][cpp]": { "files.encoding": "shiftjis", },
    "[python]": { "files.encoding": "utf8", "editor.tabSize": 4 },
    "[java]": { "files.encoding": 3 },
    "files.associations": { "*.inc": "c" },
  }`);
  expect(await names(at("src/a.c"))).toBe("shiftjis");
  expect(await names(at("a.HPP"))).toBe("shiftjis");
  expect(await names(at("a.inc"))).toBe("shiftjis");
  expect(await names(at("a.java"))).toBe("eucjp");
  expect(await names(at("a.unknown"))).toBe("eucjp");
  expect(await names("/elsewhere/a.txt")).toBe("eucjp");
  // The default of the editor names nothing.
  expect(await names(at("a.py"))).toBeUndefined();
  await settings('{"files.encoding": "windows1251"}');
  expect(await names(at("a.c"))).toBe("windows1251");
  expect(errors).toEqual([]);
});

it("a worktree has settings of its own, or those of the project", async () => {
  const { at, names, settings } = await workspace();
  await settings('{"files.encoding": "eucjp"}');
  expect(await names(at("tree/a.txt"))).toBe("eucjp");
  await settings('{"files.encoding": "big5hkscs"}', "tree");
  expect(await names(at("tree/a.txt"))).toBe("big5hkscs");
  expect(await names(at("a.txt"))).toBe("eucjp");
});

it.each([
  ["an end that is missing", "{"],
  ["a list", '["files.encoding"]'],
  ["a number", "3"],
  ["deep nesting", "[".repeat(10_000)],
])("settings that cannot be read are said once: %s", async (_, text) => {
  const { at, errors, names, settings } = await workspace();
  await settings(text);
  expect(await Promise.all([names(at("a.c")), names(at("b.c"))])).toEqual([undefined, undefined]);
  expect(await names(at("a.c"))).toBeUndefined();
  expect(errors).toEqual([`${at(".vscode/settings.json")} cannot be read, so it names no encoding of files`]);
  await settings('{"files.encoding": "eucjp"}');
  expect(await names(at("a.c"))).toBe("eucjp");
  expect(errors).toHaveLength(1);
});

it.each(["", "// nothing\n", '{"files.encoding": null}', '{"__proto__": {"files.encoding": "eucjp"}}'])(
  "settings without an encoding name none: %j",
  async (text) => {
    const { at, errors, names, settings } = await workspace();
    await settings(text);
    expect(await names(at("a.c"))).toBeUndefined();
    expect(errors).toEqual([]);
  },
);

it("the terminal host reads, writes and searches with it; .editorconfig applies where it names nothing", async () => {
  const { folder, at, log, settings } = await workspace();
  await settings('{"[c]": {"files.encoding": "shiftjis"}}');
  await writeFile(at(".editorconfig"), "root = true\n[*]\ncharset = euc-jp\n");
  const host = createTerminalHost({ policy: undefined, root: folder, assetsDir: import.meta.dirname, log });
  const bytes = (text: string, encoding: string) => {
    const encoded = encode(text, { encoding, bom: false });
    if (!encoded.ok) throw new Error(encoded.message);
    return encoded.bytes;
  };
  await writeFile(at("a.c"), bytes("/* ｶﾅ猫 */\n", "shiftjis"));
  await writeFile(at("a.txt"), bytes("吾輩は猫である。\n", "eucjp"));
  const original = await host.files.readText(at("a.c"));
  expect(original).toMatchObject({ text: "/* ｶﾅ猫 */\n", encoding: "shiftjis" });
  expect(original.alternatives).toBeUndefined();
  expect(await host.files.readText(at("a.txt"))).toMatchObject({
    text: "吾輩は猫である。\n",
    encoding: "eucjp",
  });
  const preview = host.editor.preview(at("new.c"), null, { show: false });
  await preview.finish("// 猫\n");
  expect(await preview.save()).toMatchObject({ encoding: "shiftjis" });
  expect(await readFile(at("new.c"))).toEqual(Buffer.from(bytes("// 猫\n", "shiftjis")));
  const found = await host.search.grep(folder, {
    ...{ regex: "猫", contextLines: 0, limit: 10, signal: new AbortController().signal },
  });
  expect(found.hits.map((hit) => hit.path)).toEqual(["a.c", "a.txt", "new.c"]);
  host.shell.dispose();
});
