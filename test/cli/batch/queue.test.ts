/**
 * Batches over a queue, with a real Redis: what a worker runs of it, and what is never in it. In `queue.long.test.ts` workers, the
 * feeder and the queue itself are killed while tasks run.
 */
import { afterEach, beforeEach, expect, it } from "vitest";
import { QueuePlace } from "./queue-place.ts";
import { KEY } from "./support.ts";

let queue: QueuePlace;

beforeEach(async () => {
  queue = await QueuePlace.create();
});
afterEach(() => queue.close());

it("a worker runs no command from the queue unless its user allowed checks, and a key that the model repeats is nowhere", async () => {
  const said = { tool: "attempt_completion", params: { result: `The key is ${KEY}.` } };
  queue.server.setScript({ turns: [{ answer: [said] }] });
  const file = await queue.batch.tasks([{ id: "a", cwd: "project", task: "do it", check: "true" }]);
  const feeder = await queue.fed(file);
  const limits = ["--permission", "edits", "--missing", "2", "--idle", "2"];
  const worker = queue.batch.begin(["worker", "--queue", queue.redis.url, ...limits]);
  expect((await worker.ended).stderr).toContain("Checks do not run without --checks.");
  expect((await feeder.ended).code).toBe(1);
  const result = (await queue.batch.results()).get("a");
  expect(result).toMatchObject({
    ...{ status: "done", answer: "The key is [API key removed by Nekode]." },
    check: { exit: null, output: expect.stringContaining("without --checks") },
  });
  expect(JSON.stringify(result)).not.toContain(KEY);
  expect(await queue.stored()).not.toContain(KEY);
});
