/** The command lines of `nekode batch` and `nekode worker`. */
import { expect, it } from "vitest";
import { readBatchOptions, readWorkerOptions } from "../../../src/cli/batch/batch-options.ts";

const batch = (...args: string[]) => readBatchOptions(args, {}, "/work");
const worker = (...args: string[]) => readWorkerOptions(args, {}, "/work");

it("of a batch: a file, where its results go, and what applies to each task", () => {
  expect(
    batch("tasks.jsonl", "--model=-x", "--permission=all", "--jobs", "8", "--shard", "2/3"),
  ).toMatchObject({
    ...{ file: "tasks.jsonl", out: "/work/tasks.results.jsonl", jobs: 8, timeoutMs: 3_600_000 },
    ...{ queue: undefined, shard: { index: 2, of: 3 }, agentArgs: ["--model=-x", "--permission=all"] },
  });
});

it("of a worker: its queue, also from the environment, which other users of the machine do not see", () => {
  expect(readWorkerOptions([], { NEKODE_QUEUE: "redis://x" }, "/work")).toMatchObject({
    queue: "redis://x",
    jobs: 1,
  });
  expect(worker("--queue=redis://y", "--checks", "--idle", "5", "--missing", "2")).toMatchObject({
    ...{ queue: "redis://y", checks: true, idleMs: 5_000, takeOverMs: 2_000 },
  });
});

it.each([
  [() => batch(), /requires one FILE/],
  [() => batch("a", "b"), /requires one FILE; got 2/],
  [() => batch("a", "--out", "a"), /--out must not be the file/],
  [() => batch("a", "--jobs", "1.5"), /--jobs must be an integer/],
  [() => batch("a", "--jobs", "0"), /--jobs must be a number from 1 to 256/],
  [() => batch("a", "--shard", "4/3"), /--shard must be I\/N/],
  [() => batch("a", "--max-cost", "x"), /--max-cost must be a number of at least 0/],
  [() => batch("a", "--resume", "x"), /resume/],
  [() => worker(), /requires --queue/],
  [() => worker("tasks.jsonl", "--queue", "redis://x"), /takes tasks from the queue/],
])("a fault is named (%#)", (read, text) => {
  expect(read).toThrow(text);
});
