/** The results of a batch: each is written once, and what a kill or a full disk leaves is one complete file. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { resultsErrorText } from "../../../src/batch/batch-words.ts";
import { ResultsError, ResultsFile } from "../../../src/batch/results-file.ts";
import type { BatchResult } from "../../../src/shared/run/batch-lines.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

const t = translator({});
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-results-"));
  file = path.join(folder, "sub/out.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

function result(id: string, more: Partial<BatchResult> = {}): BatchResult {
  const none = { session: null, files: [], cost: null, requests: 0, answer: "", seconds: 0 };
  return { id, status: "done", ...none, ...more };
}

async function written(...results: BatchResult[]): Promise<string> {
  const open = await ResultsFile.open(file, false);
  for (const each of results) await open.append(each, "");
  await open.close();
  return readFile(file, "utf8");
}

const failing = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof ResultsError ? resultsErrorText(t, error) : String(error)),
  );

it("keeps what it was given, once, with the changes in a file of their own", async () => {
  const open = await ResultsFile.open(file, false);
  await Promise.all([
    open.append(result("a", { cost: 1 }), "diff of a"),
    open.append(result("a", { cost: 2 }), "another"),
    open.append(result("b"), ""),
  ]);
  await open.close();
  const again = await ResultsFile.open(file, false);
  expect([...again.results.keys()]).toEqual(["a", "b"]);
  const { cost, patch = "" } = again.results.get("a") ?? {};
  expect(cost).toBe(1);
  expect(await readFile(path.join(path.dirname(file), patch), "utf8")).toBe("diff of a");
  expect(again.results.get("b")).not.toHaveProperty("patch");
  await again.close();
});

it("drops a line that a kill cut off, wherever that was", async () => {
  const whole = await written(result("a"), result("日本"));
  const bytes = Buffer.from(whole);
  const first = bytes.indexOf("\n") + 1;
  for (const cut of [first + 1, first + 9, bytes.indexOf("本") + 1, bytes.length - 1]) {
    await writeFile(file, bytes.subarray(0, cut));
    expect(await written(result("c"))).toBe(`${bytes.subarray(0, first)}${JSON.stringify(result("c"))}\n`);
  }
});

it("refuses a file that is something else, and leaves it as it was", async () => {
  await written(result("a"));
  await writeFile(file, '{"id":"a"}\nkeep me\n');
  expect(await failing(ResultsFile.open(file, false))).toContain(`${file}, line 1: The line is not a result`);
  expect(await readFile(file, "utf8")).toBe('{"id":"a"}\nkeep me\n');
});

it("is used by one batch at a time", async () => {
  const open = await ResultsFile.open(file, false);
  expect(await failing(ResultsFile.open(file, false))).toContain(
    `Another nekode batch is writing to ${file}.`,
  );
  await open.close();
  await (await ResultsFile.open(file, false)).close();
});
