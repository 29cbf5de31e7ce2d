/**
 * Batches over a queue, with a real Redis: what a worker runs of it, and what is never in it. In `queue.long.test.ts` workers, the
 * feeder and the queue itself are killed while tasks run.
 */
import { afterEach, beforeEach, expect, it } from "vitest";
import { QueuePlace } from "./queue-place.ts";

let queue: QueuePlace;

beforeEach(async () => {
  queue = await QueuePlace.create();
});
afterEach(() => queue.close());

it("a worker runs no command from the queue unless its user allowed checks, and the result says so", async () => {
  const file = await queue.batch.tasks([{ id: "a", cwd: "project", task: "do it", check: "true" }]);
  const feeder = await queue.fed(file);
  const worker = queue.work("--idle", "2");
  expect((await worker.ended).stderr).toContain("Checks do not run without --checks.");
  expect((await feeder.ended).code).toBe(1);
  expect((await queue.batch.results()).get("a")).toMatchObject({
    ...{ status: "done", check: { exit: null, output: expect.stringContaining("without --checks") } },
  });
});

it("a key that the model repeats is neither in the queue nor in the results", async () => {
  const key = "sk-queue-9f8e7d6c5b4a3210";
  const said = `The key is ${key}.`;
  queue.server.setScript({
    turns: [
      {
        match: { request: 1 },
        answer: [{ tool: "write_to_file", params: { path: "key.txt", content: `${said}\n` } }],
      },
      { answer: [{ tool: "attempt_completion", params: { result: said } }] },
    ],
  });
  const file = await queue.batch.tasks([{ id: "a", cwd: "project", task: "do it", check: "cat key.txt" }]);
  const feeder = await queue.fed(file);
  const args = [
    "worker",
    "--queue",
    queue.redis.url,
    "--permission",
    "edits",
    "--missing",
    "2",
    "--idle",
    "2",
    "--checks",
  ];
  expect((await queue.batch.start(args, { NEKODE_API_KEY: key }).ended).code).toBe(0);
  await feeder.ended;
  const result = (await queue.batch.results()).get("a");
  expect(result?.answer).toBe("The key is [API key removed by Nekode].");
  expect(JSON.stringify(result)).not.toContain(key);
  expect(await queue.stored()).not.toContain(key);
});
