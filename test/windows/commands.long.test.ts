/** Commands in cmd.exe on Windows' own Node: quoting, exit codes, code pages, and what is left of one that was ended. */
import iconv from "iconv-lite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TaskRuns, type WindowsTask } from "./tasks.ts";

interface Command {
  name: string;
  command: string;
  files?: Record<string, string | Uint8Array>;
  /** What the model reads. */
  says: readonly string[];
  never?: readonly string[];
  cwd?: string;
}

const print = `node -e "console.log(JSON.stringify(process.argv.slice(1)))"`;

const COMMANDS: Command[] = [
  { name: "exit-0", command: "echo fine", says: ["fine", "Exit code 0"] },
  { name: "exit-7", command: "echo before & exit 7", says: ["before", "Exit code 7"] },
  { name: "exit-b", command: "cmd /c exit /b 3", says: ["Exit code 3"] },
  { name: "and", command: "echo one && echo two-%OS%", says: ["one", "two-Windows_NT"] },
  { name: "or", command: "cmd /c exit 1 || echo reached", says: ["reached"] },
  { name: "quoted", command: `${print} "x y" z "a&b"`, says: ['["x y","z","a&b"]'] },
  { name: "two-quotes", command: `"node" -e "console.log(1+1)" & echo "end"`, says: ["2", '"end"'] },
  { name: "caret", command: "echo a^&b", says: ["a&b"] },
  { name: "folder", command: "echo [%CD%]", says: [String.raw`work\t`] },
  { name: "spaces", command: 'type "a b.txt"', files: { "a b.txt": "inside\r\n" }, says: ["inside"] },
  { name: "japanese-file", command: "type 猫.txt", files: { "猫.txt": "内容です\r\n" }, says: ["内容です"] },
  {
    name: "japanese-folder",
    command: "dir /b",
    files: { "資料 1/b.txt": "" },
    cwd: "資料 1",
    says: ["b.txt"],
  },
  { name: "errors", command: "type missing.txt", says: ["missing.txt"] },
  { name: "stderr", command: "echo out & echo err 1>&2", says: ["out", "err"] },
  {
    name: "pipe",
    command: "type a.txt | node pipe.cjs",
    files: { "a.txt": "one\r\ntwo\r\n", "pipe.cjs": "process.stdin.pipe(process.stdout)" },
    says: ["two"],
  },
  { name: "redirect", command: "echo written> out.txt & type out.txt", says: ["written"] },
  { name: "unknown", command: "no-such-program-here", says: ["no-such-program-here", "Exit code 9009"] },
  { name: "long-output", command: 'node -e "for (let i = 0; i < 5000; i++) console.log(i)"', says: ["4999"] },
  { name: "no-key", command: "set NEKODE_ & set", says: ["SystemRoot"], never: ["sk-secret-of-the-test"] },
];

/** In both code pages: names, output of cmd.exe, output of programs in UTF-8, lines of both, and a file in the code page. */
const pages = (page: number, text: string): Command[] => [
  { name: `dir-${page}`, command: "dir /b", files: { [`${text}.txt`]: "" }, says: [`${text}.txt`] },
  { name: `echo-${page}`, command: `echo ${text}`, says: [text] },
  { name: `utf8-${page}`, command: `node -e "console.log('${text}')"`, says: [text] },
  {
    name: `both-${page}`,
    command: `echo 1${text}& node -e "console.log('2${text}')"& echo 3${text}`,
    says: [`1${text}`, `2${text}`, `3${text}`],
  },
  {
    name: `bytes-${page}`,
    command: "node print.cjs",
    files: {
      "print.cjs": `process.stdout.write(Buffer.from("${iconv.encode(`${text}\r\n`.repeat(50), `cp${page}`).toString("base64")}", "base64"))`,
    },
    says: [text],
  },
];

const PAGES = [
  { page: 932, locale: "ja_JP", text: "表示ソ能力" },
  { page: 936, locale: "zh_CN", text: "简体中文" },
];

const task = ({ name, command, files, cwd }: Command): WindowsTask => ({
  ...{ name, tool: "execute_command", params: { command, requires_approval: false } },
  ...(files === undefined ? {} : { files }),
  ...(cwd === undefined ? {} : { cwd }),
});

function expectSaid(runs: TaskRuns, { name, says, never = [] }: Command): void {
  const { code, stderr, sent } = runs.of(name);
  expect(code, stderr).toBe(0);
  // After the call itself, which has the command.
  const result = sent.slice(sent.lastIndexOf('"role":"tool"'));
  for (const each of says) expect(result).toContain(JSON.stringify(each).slice(1, -1));
  for (const each of never) expect(result).not.toContain(each);
}

describe("a command", () => {
  let runs: TaskRuns;
  beforeAll(async () => {
    runs = await TaskRuns.of(COMMANDS.map(task));
  }, 400_000);
  afterAll(() => runs.end());

  it.each(COMMANDS)("$name: $command", (each) => expectSaid(runs, each));
});

describe.each(PAGES)("in code page $page", ({ page, locale, text }) => {
  const commands = pages(page, text);
  let runs: TaskRuns;
  beforeAll(async () => {
    runs = await TaskRuns.of(commands.map(task), locale);
  }, 400_000);
  afterAll(() => runs.end());

  it.each(commands)("$name", (each) => expectSaid(runs, each));
});
