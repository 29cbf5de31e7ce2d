/** Reading, listing and searching on Windows' own Node, with Windows' own ripgrep. */
import iconv from "iconv-lite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TaskRuns, type WindowsTask } from "./tasks.ts";

interface Look extends WindowsTask {
  says: readonly string[];
  never?: readonly string[];
}

const search = (path: string, regex: string, more = {}) => ({
  tool: "search_files",
  params: { path, regex, context_lines: 0, ...more },
});

const files = {
  "src/a.ts": "export function first(): void {}\r\nconst cat = 1;\r\n",
  "src/deep/b.ts": "const cat = 2;\n",
  "資料/猫.txt": "吾輩は猫である\r\n",
  ".nekodeignore": "hidden/\r\n",
  "hidden/c.ts": "const cat = 3;\r\n",
};

const LOOKS: Look[] = [
  {
    name: "search",
    files,
    ...search(".", "cat = \\d"),
    says: ["src/a.ts", "src/deep/b.ts", "cat = 1", "cat = 2"],
    never: ["cat = 3"],
  },
  { name: "search-end-of-line", files, ...search("src", ";$"), says: ["cat = 1;", "cat = 2;"] },
  { name: "search-folder", files, ...search("src\\deep", "cat"), says: ["cat = 2"], never: ["cat = 1"] },
  {
    name: "search-pattern",
    files,
    ...search(".", "cat", { file_pattern: "**/b.ts" }),
    says: ["cat = 2"],
    never: ["cat = 1"],
  },
  { name: "search-japanese", files, ...search(".", "猫である"), says: ["資料/猫.txt"] },
  {
    name: "search-lines",
    files,
    ...search("src", "\\{\\}\\nconst cat", { multiline: true }),
    says: ["cat = 1"],
  },
  {
    name: "search-cp932",
    files: { "sjis.txt": iconv.encode("一行目\r\n吾輩は猫である。名前はまだ無い。\r\n", "cp932") },
    ...search(".", "名前はまだ"),
    says: ["吾輩は猫である"],
  },
  { name: "search-nothing", files, ...search(".", "no-such-text"), says: ["Nothing in . matches"] },
  {
    name: "list",
    files,
    tool: "list_files",
    params: { path: ".", recursive: true },
    says: ["src/deep/b.ts", "資料/猫.txt"],
  },
  {
    name: "read-lines",
    files,
    tool: "read_file",
    params: { path: "SRC\\A.TS", start_line: 2 },
    says: ["const cat = 1;"],
  },
  {
    name: "definitions",
    files,
    tool: "list_code_definition_names",
    params: { path: "src" },
    says: ["first"],
  },
  {
    name: "read-missing",
    files,
    tool: "read_file",
    params: { path: "src\\missing.ts" },
    says: ["no file or folder at src/missing.ts", "a.ts"],
  },
];

let runs: TaskRuns;

beforeAll(async () => {
  runs = await TaskRuns.of(LOOKS);
}, 400_000);
afterAll(() => runs.end());

it.each(LOOKS)("$name", ({ name, says, never = [] }) => {
  const { code, stderr, sent } = runs.of(name);
  expect(code, stderr).toBe(0);
  const result = sent.slice(sent.lastIndexOf('"role":"tool"'));
  for (const each of says) expect(result).toContain(JSON.stringify(each).slice(1, -1));
  for (const each of never) expect(result).not.toContain(each);
});
