/**
 * A batch over a queue while workers, the feeder and the queue itself are killed; whose change is too large, or whose worker loses its
 * first connection. `queue.test.ts` proves that a queue works at all, and test/unit/batch what becomes of its results.
 */
import { stat, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { QueuePlace } from "./queue-place.ts";
import { KEY, printed } from "./support.ts";

let queue: QueuePlace;

beforeEach(async () => {
  queue = await QueuePlace.create();
});
afterEach(() => queue.close());

it("kill -9 of a worker, of the feeder and of Redis: each task has one result, and no key was in the queue", async () => {
  const file = await queue.batch.tasks([
    { id: "here", cwd: "project", task: "wait here", check: "cat neko.txt" },
    { id: "there", repo: "project", rev: "v1", task: "do it", check: "cat neko.txt" },
    { id: "elsewhere", cwd: "no-such-folder", task: "do it" },
  ]);
  const killed = queue.startWork("--jobs", "3", "--checks");
  await printed(killed, "Taking tasks");
  const first = queue.startFeed(file);
  await queue.server.waitForHold("go");
  killed.child.kill("SIGKILL");
  first.child.kill("SIGKILL");
  await Promise.all([killed.ended, first.ended]);

  const second = queue.feed(file, "--json");
  await printed(second, "The tasks are in the queue");
  // It stays while the dead worker's tasks are not yet its own, although that takes longer than it may be idle.
  const worker = queue.work("--idle", "1", "--checks");
  await printed(worker, "\nhere: started");
  const [lost, workerLost] = [printed(second, "is not available"), printed(worker, "is not available")];
  await queue.redis.kill();
  await Promise.all([lost, workerLost]);
  queue.server.release("go");
  queue.server.release("go");
  await queue.redis.again();
  const [gathered, worked] = await Promise.all([second.ended, worker.ended]);

  expect([gathered.code, worked.code]).toEqual([1, 0]);
  for (const { stderr } of [gathered, worked])
    expect(stderr).toContain(`The queue at ${queue.redis.url} is available again.`);
  const results = await queue.batch.results();
  expect(results.get("here")).toMatchObject({ status: "done", check: { exit: 0, output: "two cats\n" } });
  expect(results.get("there")).toMatchObject({ status: "done", check: { exit: 0, output: "cat\n" } });
  expect(results.get("elsewhere")?.error?.text).toMatch(/no folder .*no-such-folder on this machine/);
  expect(results.size).toBe(3);
  const all = await queue.stored();
  expect(all).toContain("wait here");
  expect(all).not.toContain(KEY);
  await queue.batch.expectUntouched();
});

it("a queue that does not come back: both sides say so and end, and the same command goes on", async () => {
  // Held, as its result might otherwise be there before the queue is gone.
  const file = await queue.batch.tasks([{ id: "a", cwd: "project", task: "wait here" }]);
  const other = queue.batch.start(["worker", "--queue", queue.redis.url.replace("//", "//user:hidden@")]);
  const denied = await other.ended;
  expect([denied.code, denied.stderr]).toEqual([1, expect.stringContaining("WRONGPASS")]);
  expect(denied.stderr).not.toContain("hidden");

  const [feeder, worker] = [queue.feed(file, "--wait", "1"), queue.work("--wait", "1", "--jobs", "1")];
  await Promise.all([printed(feeder, "in the queue"), printed(worker, "Taking")]);
  await queue.redis.kill();
  const ended = await Promise.all([feeder.ended, worker.ended]);
  expect(ended.map(({ code }) => code)).toEqual([1, 1]);
  for (const { stderr } of ended)
    expect(stderr).toMatch(/is not available[\s\S]*did not become available in time\. No result is lost/);

  const refused = await queue.feed(file).ended;
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("ECONNREFUSED")]);
});

it("a change that is too large for the queue stays in its worktree, and the result says so", async () => {
  const script = "#!/bin/sh\nhead -c 14000000 /dev/urandom | base64 > big.txt\n";
  await writeFile(queue.batch.file("x.sh"), script, { mode: 0o755 });
  queue.batch.git("add", "x.sh");
  queue.batch.git("commit", "-qm", "big");
  const file = await queue.batch.tasks([{ id: "big", cwd: "project", task: "run it" }]);
  const feeder = await queue.fed(file);
  const worker = queue.work("--permission", "all", "--idle", "2");
  expect((await worker.ended).code).toBe(0);
  expect((await feeder.ended).stderr).toContain("on the machine that ran the task");
  const result = (await queue.batch.results()).get("big");
  expect(result).toMatchObject({ status: "done", error: { code: "large-patch" } });
  expect(result?.files).toEqual([{ path: "big.txt", kind: "added" }]);
  expect(result?.patch).toBeUndefined();
  expect(result?.worktree).toBeUndefined();
  expect((await stat(path.join(result?.workerFolder ?? "", "big.txt"))).size).toBeGreaterThan(16_000_000);
});

/** Passes connections on to Redis, but for the second one, which it ends at once. */
async function withoutSecond(url: string): Promise<{ url: string; server: Server }> {
  const { port } = new URL(url);
  let count = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (++count === 2) {
      socket.destroy();
      return;
    }
    const redisSocket = connect(Number(port), "127.0.0.1");
    redisSocket.on("error", () => socket.destroy());
    socket.pipe(redisSocket).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as AddressInfo;
  const through = new URL(url);
  through.port = String(own);
  return { url: through.href, server };
}

it("a worker whose own connection ends before it is ready connects again, and takes tasks", async () => {
  const proxy = await withoutSecond(queue.redis.url);
  try {
    const feeder = await queue.fed(await queue.batch.tasks([{ id: "a", cwd: "project", task: "do it" }]));
    const worker = queue.batch.start([
      "worker",
      "--queue",
      proxy.url,
      "--permission",
      "edits",
      "--missing",
      "2",
      "--idle",
      "1",
    ]);
    expect(await worker.ended).toMatchObject({ code: 0 });
    await feeder.ended;
    expect((await queue.batch.results()).get("a")).toMatchObject({ status: "done" });
  } finally {
    proxy.server.close();
  }
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
