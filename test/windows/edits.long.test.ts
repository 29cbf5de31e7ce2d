/** Edits of files on Windows' own Node: line ends, code pages, names, long paths. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import iconv from "iconv-lite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../model-server/scripts/neko.ts";
import { startModelServer } from "../model-server/server.ts";
import { TaskRuns, type WindowsTask } from "./tasks.ts";
import { WindowsProject } from "./windows.ts";

const block = (before: string, after: string) =>
  `------- SEARCH\n${before}\n=======\n${after}\n+++++++ REPLACE`;

/** More than 260 characters below the drive. */
const LONG = `${Array.from({ length: 8 }, (_, index) => `${index}${"folder-with-a-long-name".repeat(2)}`).join("/")}/a.txt`;

const JAPANESE = [1, 2, 3, 4].map((line) => `${line}行目: これは日本語の文章です。\r\n`).join("");
const CHINESE = [1, 2, 3, 4]
  .map((line) => `第${line}行：这是一段简体中文的文字，说明文件的编码。\r\n`)
  .join("");

interface Edit {
  name: string;
  file: string;
  before: string | Uint8Array;
  after: string | Uint8Array;
  tool: "replace_in_file" | "write_to_file" | "delete_file";
  /** Of the call, if it is not `file`. */
  path?: string | ((folder: string) => string);
  /** The block of an edit, or the whole content. */
  text: string;
}

const replaced = (text: string, before: string, after: string, encoding: string, addBOM = false) => ({
  before: iconv.encode(text, encoding, { addBOM }),
  after: iconv.encode(text.replace(before, after), encoding, { addBOM }),
  tool: "replace_in_file" as const,
});

const small = {
  file: "neko.txt",
  before: "a\r\ncat\r\nb\r\n",
  after: "a\r\ndog\r\nb\r\n",
  tool: "replace_in_file",
  text: block("cat", "dog"),
} as const;

const EDITS: Edit[] = [
  { name: "crlf", ...small },
  { name: "crlf-two-lines", ...small, after: "a\r\ndog\r\nhorse\r\nb\r\n", text: block("cat", "dog\nhorse") },
  { name: "mixed-ends", ...small, before: "a\ncat\r\nb\n", after: "a\ndog\r\nb\n" },
  {
    name: "cp932",
    file: "sjis.txt",
    ...replaced(JAPANESE, "2行目", "二行目", "cp932"),
    text: block("2行目: これは日本語の文章です。", "二行目: これは日本語の文章です。"),
  },
  {
    name: "cp936",
    file: "gbk.txt",
    ...replaced(CHINESE, "第2行", "第二行", "cp936"),
    text: block(
      "第2行：这是一段简体中文的文字，说明文件的编码。",
      "第二行：这是一段简体中文的文字，说明文件的编码。",
    ),
  },
  {
    name: "utf16",
    file: "u16.txt",
    ...replaced(JAPANESE, "2行目", "二行目", "utf-16le", true),
    text: block("2行目: これは日本語の文章です。", "二行目: これは日本語の文章です。"),
  },
  {
    name: "utf8-bom",
    file: "bom.txt",
    ...replaced(JAPANESE, "2行目", "二行目", "utf8", true),
    text: block("2行目: これは日本語の文章です。", "二行目: これは日本語の文章です。"),
  },
  { name: "whole-crlf", ...small, tool: "write_to_file", text: "a\ndog\nb\n" },
  {
    name: "new-powershell",
    file: "new.ps1",
    before: "",
    after: `\ufeffWrite-Output "猫"\n`,
    tool: "write_to_file",
    text: 'Write-Output "猫"\n',
  },
  { name: "japanese-name", ...small, file: "資料/猫 の 名前.txt" },
  { name: "other-case", ...small, path: "NEKO.TXT" },
  { name: "other-case-whole", ...small, path: "Neko.txt", tool: "write_to_file", text: "a\r\ndog\r\nb\r\n" },
  { name: "other-case-folder", ...small, file: "Src/neko.txt", path: "src/NEKO.txt" },
  { name: "backslashes", ...small, file: "src/deep/neko.txt", path: String.raw`src\deep\neko.txt` },
  { name: "drive", ...small, path: (folder) => path.win32.join(folder, "neko.txt") },
  { name: "drive-other-case", ...small, path: (folder) => path.win32.join(folder, "neko.txt").toLowerCase() },
  {
    name: "drive-slashes",
    ...small,
    path: (folder) => path.win32.join(folder, "neko.txt").replaceAll("\\", "/"),
  },
  { name: "long-path", ...small, file: LONG },
  {
    name: "new-long-path",
    file: LONG.replace("a.txt", "new.txt"),
    before: "",
    after: "new\n",
    tool: "write_to_file",
    text: "new\n",
  },
];

const task = ({ name, file, before, tool, path: named = file, text }: Edit): WindowsTask => ({
  name,
  files: before.length === 0 ? {} : { [file]: before },
  tool,
  params: (folder) => ({
    path: typeof named === "function" ? named(folder) : named,
    ...(tool === "replace_in_file" ? { diff: text } : { content: text }),
  }),
});

let runs: TaskRuns;

beforeAll(async () => {
  runs = await TaskRuns.of(EDITS.map(task));
}, 400_000);
afterAll(() => runs.end());

describe("one edit", () => {
  it.each(EDITS)("$name", async ({ name, file, after }) => {
    const { code, stderr, sent, folder } = runs.of(name);
    expect(code, `${stderr}\n${sent.slice(-2_000)}`).toBe(0);
    expect(await runs.project.bytes(`${folder}/${file}`)).toEqual(Buffer.from(after));
    // The name is as it was, and there is no second file.
    expect(await readdir(path.join(runs.project.folder, folder, path.dirname(file)))).toContain(
      path.basename(file),
    );
    expect(
      (await readdir(path.join(runs.project.folder, folder, path.dirname(file)))).filter(
        (each) => each !== ".keep" && each !== path.basename(file),
      ),
    ).toEqual([]);
  });

  it("is nothing that the model's server refuses", () => {
    expect(runs.server.refusals).toEqual([]);
  });
});

it("the reference exchange, in a process of its own", async () => {
  const server = await startModelServer({ script: nekoScript() });
  const project = await WindowsProject.create({ "neko.txt": `一\r\n${NEKO_BEFORE}\r\n二\r\n` });
  const env = {
    NEKODE_BASE_URL: server.url,
    NEKODE_MODEL: "scripted",
    NEKODE_API_KEY: "sk-secret-of-the-test",
  };
  const { code, stdout, stderr } = await project.run(["--approve", "edit", "@/neko.txt 犬に"], env);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("「犬」に置き換えました");
  expect(await project.read("neko.txt")).toBe(`一\r\n${NEKO_AFTER}\r\n二\r\n`);
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});
