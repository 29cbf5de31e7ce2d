/** What runs, is read or is written without a question on Windows' own Node, and what happens with names that only Windows has. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Ended, WindowsProject } from "./windows.ts";

let project: WindowsProject;
let judged: Map<string, Ended>;

const answer = z.looseObject({ verdict: z.string(), reason: z.looseObject({ code: z.string() }) });

/** Names of files, each with the verdict about reading it and about writing it. */
const PATHS: readonly (readonly [name: string, read: string, write: string])[] = [
  ["a.txt", "allow", "allow"],
  ["A.TXT", "allow", "allow"],
  [String.raw`src\new.txt`, "allow", "allow"],
  ["src/new.txt", "allow", "allow"],
  [String.raw`src\..\a.txt`, "allow", "allow"],
  // Names of devices, in any folder and with any ending.
  ["con", "ask", "ask"],
  ["aux.txt", "ask", "ask"],
  [String.raw`src\NUL`, "ask", "ask"],
  ["src/prn.tar.gz", "ask", "ask"],
  ["com1.log", "ask", "ask"],
  ["LPT9", "ask", "ask"],
  ["conin$", "ask", "ask"],
  // Windows drops dots and spaces at the end of a name, and what follows a colon is another stream of the same file.
  [".env.", "ask", "ask"],
  [".env ", "ask", "ask"],
  ["package.json.", "allow", "ask"],
  [".git./hooks/pre-commit", "allow", "ask"],
  ["a.txt:stream", "ask", "ask"],
  ["a.txt::$DATA", "ask", "ask"],
  [".env::$DATA", "ask", "ask"],
  // Names that Windows makes up for long ones.
  ["GIT~1/hooks/pre-commit", "ask", "ask"],
  ["PACKAG~1.JSO", "ask", "ask"],
  // Names of other case.
  [".ENV", "ask", "ask"],
  ["PACKAGE.JSON", "allow", "ask"],
  [".GIT/Hooks/pre-commit", "allow", "ask"],
  // Drives.
  // The tools resolve it from the project's folder, not from the current folder of the drive.
  ["C:a.txt", "allow", "allow"],
  ["D:a.txt", "ask", "ask"],
  [String.raw`C:\windows\win.ini`, "ask", "ask"],
  ["C:/windows/win.ini", "ask", "ask"],
  [String.raw`\windows\win.ini`, "ask", "ask"],
  ["/windows/win.ini", "ask", "ask"],
  [String.raw`Z:\etc\hostname`, "ask", "ask"],
  [String.raw`..\other.txt`, "ask", "ask"],
  // Other machines and devices.
  [String.raw`\\server\share\a.txt`, "ask", "ask"],
  ["//server/share/a.txt", "ask", "ask"],
  [String.raw`\\?\C:\windows\win.ini`, "ask", "ask"],
  ["//?/C:/windows/win.ini", "ask", "ask"],
  [String.raw`\\.\C:\windows\win.ini`, "ask", "ask"],
  [String.raw`\\?\UNC\server\share\a.txt`, "ask", "ask"],
  [String.raw`\\.\pipe\nekode`, "ask", "ask"],
  [String.raw`\??\C:\windows\win.ini`, "ask", "ask"],
  [String.raw`\\localhost\c$\windows\win.ini`, "ask", "ask"],
];

/** Names of the project itself, absolute: they are allowed. */
const OWN = [
  (file: string) => file,
  (file: string) => file.toLowerCase(),
  (file: string) => file.toUpperCase(),
  (file: string) => file.replaceAll("\\", "/"),
];

/** The same file by a name that must ask. */
const OWN_ODD = [
  (file: string) => `\\\\?\\${file}`,
  (file: string) => `\\\\.\\${file}`,
  (file: string) => `\\\\localhost\\c$${file.slice(2)}`,
];

/** Command lines of cmd.exe. */
const COMMANDS: readonly (readonly [command: string, verdict: string])[] = [
  ["del /q a.txt", "ask"],
  ["rd /s /q .", "ask"],
  ["format c: /y", "ask"],
  ["dir > a.txt", "ask"],
  ["dir & del a.txt", "ask"],
  ["dir ^& del a.txt", "ask"],
  ["for %i in (*) do del %i", "ask"],
  [String.raw`type \\server\share\a.txt`, "ask"],
  ["type .env", "ask"],
  ["type %USERPROFILE%\\.ssh\\id_rsa", "ask"],
  ["start calc", "ask"],
  ["powershell -c ls", "ask"],
  ["reg add HKCU\\Software\\X /f", "ask"],
];

beforeAll(async () => {
  project = await WindowsProject.create({
    "a.txt": "a\r\n",
    ".env": "KEY=1\r\n",
    "package.json": "{}",
    "src/b.txt": "b\n",
  });
  const own = project.onC("a.txt");
  const paths = [...PATHS.map(([name]) => name), ...[...OWN, ...OWN_ODD].map((form) => form(own))];
  const asked = [
    ...paths.flatMap((name) => [
      ["--read", name],
      ["--write", name],
    ]),
    ...COMMANDS.map(([command]) => [command]),
  ];
  const ended = await project.runAll(asked.map((each) => ({ args: ["judge", "--json", ...each] })));
  judged = new Map(
    asked.map((each, index) => [each.join(" "), ended[index] ?? { code: null, stdout: "", stderr: "" }]),
  );
}, 400_000);
afterAll(() => project.remove());

function verdictOn(...args: string[]): string {
  const ended = judged.get(args.join(" "));
  if (ended?.code !== 0) return `failed: ${ended?.stderr}`;
  return answer.parse(JSON.parse(ended.stdout)).verdict;
}

describe("a file", () => {
  it.each(PATHS)("%s: to read: %s, to write: %s", (name, read, write) => {
    expect([verdictOn("--read", name), verdictOn("--write", name)]).toEqual([read, write]);
  });

  it.each(OWN.map((form, index) => [index, form] as const))(
    "of the project, by its full name %#",
    (_, form) => {
      const name = form(project.onC("a.txt"));
      expect([verdictOn("--read", name), verdictOn("--write", name)], name).toEqual(["allow", "allow"]);
    },
  );

  it.each(OWN_ODD.map((form, index) => [index, form] as const))(
    "of the project, by the name of a device or a share %#",
    (_, form) => {
      const name = form(project.onC("a.txt"));
      expect([verdictOn("--read", name), verdictOn("--write", name)], name).toEqual(["ask", "ask"]);
    },
  );
});

describe("a command of cmd.exe", () => {
  it.each(COMMANDS)("%s: %s", (command, verdict) => {
    expect(verdictOn(command)).toBe(verdict);
  });
});
