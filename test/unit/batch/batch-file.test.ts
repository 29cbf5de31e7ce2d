/** The tasks of a batch: everything that is wrong with the file is named, by line and field, before a task starts. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fileNameOf, readBatch, shardOf } from "../../../src/batch/batch-file.ts";
import { batchFaultText } from "../../../src/batch/batch-words.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

const t = translator({});
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-batch-"));
  await mkdir(path.join(folder, "here"));
});
afterEach(() => rm(folder, { recursive: true }));

async function read(lines: readonly unknown[], here = true) {
  const file = path.join(folder, "tasks.jsonl");
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  await writeFile(file, `\ufeff${text.join("\r\n")}\n`);
  const { tasks, faults } = await readBatch(file, here);
  return { tasks, faults: faults.map((fault) => batchFaultText(t, "tasks.jsonl", fault)) };
}

const good = { id: "a", cwd: "here", task: "do it" };

it("reads tasks, whose paths are relative to the file", async () => {
  const remote = "git@example.com:x/y.git";
  const { tasks, faults } = await read([
    good,
    "",
    { id: "b", repo: remote, rev: "v1", task: "it", timeout: 5 },
  ]);
  expect(faults).toEqual([]);
  expect(tasks).toEqual([
    { ...good, cwd: path.join(folder, "here") },
    { id: "b", repo: remote, rev: "v1", task: "it", timeout: 5 },
  ]);
});

it("names each fault with its line and field", async () => {
  const { faults } = await read([
    good,
    "{broken",
    "[1]",
    { cwd: "here", task: "" },
    { ...good, timeout: "1", chek: "x" },
    { id: "b", task: "no place" },
    { id: "c", cwd: "here", repo: "here", task: "two" },
    { id: "d", cwd: "elsewhere", task: "it" },
    { id: "e", repo: "--upload-pack=x", task: "it" },
    { ...good, task: "again" },
    { ...good, id: "f", timeout: 0 },
    { ...good, id: "x".repeat(201) },
    { id: "g", repo: "https://example.com/x.git", rev: "-x", task: "it" },
  ]);
  const place = (line: number, text: string) => `tasks.jsonl, line ${line}: ${text}`;
  expect(faults).toEqual([
    place(2, "The line is not valid JSON."),
    place(3, "The line is not a JSON object."),
    place(4, "id: Is missing."),
    place(4, "task: Must not be empty."),
    place(5, "timeout: Must be a number."),
    place(5, "chek: A task has no such field."),
    place(6, "cwd: A task requires cwd or repo."),
    place(7, "repo: A task cannot have both cwd and repo."),
    place(8, `cwd: There is no folder ${path.join(folder, "elsewhere")}.`),
    place(9, "repo: Must not begin with -."),
    place(10, "id: Line 1 has the same id."),
    place(11, "timeout: Must be greater than 0."),
    place(12, "id: Must have at most 200 characters."),
    place(13, "rev: Must not begin with -."),
  ]);
});

it("leaves folders to the workers where a queue brings the tasks to them", async () => {
  expect((await read([{ ...good, cwd: "elsewhere" }], false)).faults).toEqual([]);
});

it("gives each task to exactly one of several shards", () => {
  const tasks = Array.from({ length: 7 }, (_, at) => ({ ...good, id: String(at) }));
  const shards = [1, 2, 3].map((index) => shardOf(tasks, { index, of: 3 }).map(({ id }) => id));
  expect(shards).toEqual([
    ["0", "3", "6"],
    ["1", "4"],
    ["2", "5"],
  ]);
});

it("names files after ids, which differ where the ids do, and stay in their folder", () => {
  const names = ["a/b", "a_b", "..", "", "長い".repeat(90)].map(fileNameOf);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[\w.-]{0,60}-[0-9a-f]{8}$/);
});
