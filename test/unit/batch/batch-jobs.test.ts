/** What a worker reports is data from outside: whoever reaches the queue can write it. */
import { expect, it } from "vitest";
import { jobSchema } from "../../../src/batch/queue/batch-jobs.ts";

const RESULT = {
  ...{ id: "a", status: "done", session: "0f1e-2d3c", files: [{ path: "src/a.ts", kind: "added" }] },
  ...{ cost: 0.5, requests: 3, answer: "Done.", seconds: 1.5, worker: "machine", workerFolder: "/home/me/w" },
};

const read = (more: object) =>
  jobSchema.safeParse({
    version: 1,
    task: { id: "a", task: "do it" },
    outcome: { result: { ...RESULT, ...more }, patch: "diff" },
  });

it("keeps what a worker may say", () => {
  expect(read({}).data?.outcome?.result).toEqual(RESULT);
  expect(read({ cost: null, session: null, files: [], attempts: 2 }).success).toBe(true);
});

it("leaves out where the feeder's own files would be", () => {
  const { data } = read({ patch: "../../../../etc/passwd", worktree: "/etc" });
  expect(data?.outcome?.result).toEqual(RESULT);
});

it.each([
  { cost: -1e9 },
  { cost: -0.01 },
  { cost: 1e308 },
  { cost: Number.NaN },
  { cost: Number.POSITIVE_INFINITY },
  { cost: "0" },
  { requests: -5 },
  { requests: 1.5 },
  { seconds: -1 },
  { seconds: Number.POSITIVE_INFINITY },
  { attempts: 0 },
  { session: "../x" },
  { session: "--data-dir=/x" },
  { files: [{ path: "../a", kind: "added" }] },
  { files: [{ path: "/etc/passwd", kind: "changed" }] },
  { files: [{ path: "C:\\a", kind: "changed" }] },
  { files: [{ path: "a\\..\\..\\b", kind: "deleted" }] },
  { worker: "a\u001b[2J" },
  { workerFolder: "/a\nb" },
])("refuses %j", (more) => {
  expect(read(more).success).toBe(false);
});
