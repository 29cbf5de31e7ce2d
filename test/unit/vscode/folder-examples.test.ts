/** Examples of the first page that fit a real folder. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { demonstrationOf } from "../../../src/vscode/panel/demonstration.ts";
import { folderExamples } from "../../../src/vscode/panel/folder-examples.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-examples-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = (files: Record<string, string>) =>
  Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(folder, name), text)));
const shown = async (files: string[] = []) =>
  (await folderExamples(folder, files)).map(({ code, value }) => `${code} ${value}`.trim());

it("offers a beginning where there is nothing", async () => {
  expect(await shown()).toEqual(["start"]);
  await put({ ".gitignore": "" });
  expect(await shown()).toEqual(["start"]);
  expect(await folderExamples(path.join(folder, "absent"), [])).toEqual([{ code: "start", value: "" }]);
});

it("names the scripts of a package, by its package manager", async () => {
  await put({
    "package.json": JSON.stringify({ scripts: { test: "vitest", lint: "biome check", build: "tsc" } }),
    "README.md": "",
  });
  expect(await shown()).toEqual(["explain", "fix-tests npm test", "fix-lint npm run lint"]);
  await put({ "pnpm-lock.yaml": "" });
  expect(await shown()).toEqual(["explain", "fix-tests pnpm test", "fix-lint pnpm run lint"]);
});

it("knows the tests of other languages, and suggests them where there are none", async () => {
  await put({ "go.mod": "module a\n", "main.go": "" });
  expect(await shown(["main.go", "main_test.go"])).toEqual([
    ...["explain", "fix-tests go test ./...", "find-bug main.go", "write-readme"],
  ]);
  await rm(path.join(folder, "go.mod"));
  expect(await shown(["notes.txt", "main.go"])).toEqual([
    ...["explain", "write-tests main.go", "find-bug main.go", "write-readme"],
  ]);
});

it("does without a package.json that is none", async () => {
  for (const text of ["{", "[]", '{"scripts": 3}', " ".repeat(300_000)]) {
    await put({ "package.json": text, "README.md": "" });
    expect(await shown()).toEqual(["explain"]);
  }
});

it("knows the demonstration by the address that its starter passed, and by nothing else", () => {
  const connections = [
    { name: "main", baseUrl: "http://127.0.0.1:4000/v1" },
    { name: "real", baseUrl: "https://example.com/v1" },
  ];
  expect(demonstrationOf(connections, undefined)).toEqual({});
  expect(demonstrationOf(connections, "")).toEqual({});
  expect(demonstrationOf(connections, "http://127.0.0.1:4001/v1")).toEqual({});
  expect(demonstrationOf(connections, "http://127.0.0.1:4000/v1")).toEqual({ demonstration: "main" });
});
