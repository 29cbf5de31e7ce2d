/** Batches over a queue, with a real Redis: workers, the feeder and the queue itself are killed while tasks run. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { RedisServer } from "../../support/redis.ts";
import { BatchPlace, KEY, printed, SCRIPT } from "./support.ts";

let server: ModelServer;
let place: BatchPlace;
let redis: RedisServer;

beforeEach(async () => {
  server = await startModelServer({ script: SCRIPT });
  [place, redis] = await Promise.all([BatchPlace.create(server), RedisServer.start()]);
});
afterEach(async () => {
  await server.close();
  await redis.remove();
  await place.remove();
});

const feed = (file: string, ...args: string[]) => place.start(["batch", file, "--queue", redis.url, ...args]);
const work = (...args: string[]) =>
  place.start(["worker", "--queue", redis.url, "--permission", "edits", "--missing", "2", ...args]);

/** The feeder of a batch, as soon as the queue has its tasks: a worker that is there before may be idle for too long. */
async function fed(file: string) {
  const feeder = feed(file);
  await printed(feeder, "The tasks are in the queue");
  return feeder;
}

/** Everything that Redis has stored. */
async function stored(): Promise<string> {
  const folder = path.join(redis.folder, "appendonlydir");
  const files = await readdir(folder);
  return (await Promise.all(files.map((name) => readFile(path.join(folder, name), "latin1")))).join("");
}

it("kill -9 of a worker, of the feeder and of Redis: each task has one result, and no key was in the queue", async () => {
  const file = await place.tasks([
    { id: "here", cwd: "project", task: "wait here", check: "cat neko.txt" },
    { id: "there", repo: "project", rev: "v1", task: "do it", check: "cat neko.txt" },
    { id: "elsewhere", cwd: "no-such-folder", task: "do it" },
  ]);
  const killed = work("--jobs", "3", "--checks");
  await printed(killed, "Taking tasks");
  const first = feed(file);
  await server.waitForHold("go");
  killed.child.kill("SIGKILL");
  first.child.kill("SIGKILL");
  await Promise.all([killed.ended, first.ended]);

  const second = feed(file, "--json");
  await printed(second, "The tasks are in the queue");
  // It stays while the dead worker's tasks are not yet its own, although that takes longer than it may be idle.
  const worker = work("--idle", "1", "--checks");
  await printed(worker, "\nhere: started");
  const [lost, workerLost] = [printed(second, "is not available"), printed(worker, "is not available")];
  await redis.kill();
  await Promise.all([lost, workerLost]);
  server.release("go");
  server.release("go");
  await redis.again();
  const [gathered, worked] = await Promise.all([second.ended, worker.ended]);

  expect([gathered.code, worked.code]).toEqual([1, 0]);
  for (const { stderr } of [gathered, worked])
    expect(stderr).toContain(`The queue at ${redis.url} is available again.`);
  const results = await place.results();
  expect(results.get("here")).toMatchObject({ status: "done", check: { exit: 0, output: "two cats\n" } });
  expect(results.get("there")).toMatchObject({ status: "done", check: { exit: 0, output: "cat\n" } });
  expect(results.get("elsewhere")?.error?.text).toMatch(/no folder .*no-such-folder on this machine/);
  expect(results.size).toBe(3);
  const all = await stored();
  expect(all).toContain("wait here");
  expect(all).not.toContain(KEY);
  await place.expectUntouched();
});

it("a worker runs no command from the queue unless its user allowed checks, and the result says so", async () => {
  const file = await place.tasks([{ id: "a", cwd: "project", task: "do it", check: "true" }]);
  const feeder = await fed(file);
  const worker = work("--idle", "2");
  expect((await worker.ended).stderr).toContain("Checks do not run without --checks.");
  expect((await feeder.ended).code).toBe(1);
  expect((await place.results()).get("a")).toMatchObject({
    ...{ status: "done", check: { exit: null, output: expect.stringContaining("without --checks") } },
  });
});

it("a change that is too large for the queue stays in its worktree, and the result says so", async () => {
  const script = "#!/bin/sh\nhead -c 14000000 /dev/urandom | base64 > big.txt\n";
  await writeFile(place.file("x.sh"), script, { mode: 0o755 });
  place.git("add", "x.sh");
  place.git("commit", "-qm", "big");
  const file = await place.tasks([{ id: "big", cwd: "project", task: "run it" }]);
  const feeder = await fed(file);
  const worker = work("--permission", "all", "--idle", "2");
  expect((await worker.ended).code).toBe(0);
  expect((await feeder.ended).stderr).toContain("on the machine that ran the task");
  const result = (await place.results()).get("big");
  expect(result).toMatchObject({ status: "done", error: { code: "large-patch" } });
  expect(result?.files).toEqual([{ path: "big.txt", kind: "added" }]);
  expect(result?.patch).toBeUndefined();
  expect(result?.worktree).toBeUndefined();
  expect((await stat(path.join(result?.workerFolder ?? "", "big.txt"))).size).toBeGreaterThan(16_000_000);
});

it("a key that the model repeats is neither in the queue nor in the results", async () => {
  const key = "sk-queue-9f8e7d6c5b4a3210";
  const said = `The key is ${key}.`;
  server.setScript({
    turns: [
      {
        match: { request: 1 },
        answer: [{ tool: "write_to_file", params: { path: "key.txt", content: `${said}\n` } }],
      },
      { answer: [{ tool: "attempt_completion", params: { result: said } }] },
    ],
  });
  const file = await place.tasks([{ id: "a", cwd: "project", task: "do it", check: "cat key.txt" }]);
  const feeder = await fed(file);
  const args = [
    "worker",
    "--queue",
    redis.url,
    "--permission",
    "edits",
    "--missing",
    "2",
    "--idle",
    "2",
    "--checks",
  ];
  expect((await place.start(args, { NEKODE_API_KEY: key }).ended).code).toBe(0);
  await feeder.ended;
  const result = (await place.results()).get("a");
  expect(result?.answer).toBe("The key is [API key removed by Nekode].");
  expect(JSON.stringify(result)).not.toContain(key);
  expect(await stored()).not.toContain(key);
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
  const proxy = await withoutSecond(redis.url);
  try {
    const feeder = await fed(await place.tasks([{ id: "a", cwd: "project", task: "do it" }]));
    const worker = place.start([
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
    expect((await place.results()).get("a")).toMatchObject({ status: "done" });
  } finally {
    proxy.server.close();
  }
});

it("a queue that does not come back: both sides say so and end, and the same command goes on", async () => {
  // Held, as its result might otherwise be there before the queue is gone.
  const file = await place.tasks([{ id: "a", cwd: "project", task: "wait here" }]);
  const other = place.start(["worker", "--queue", redis.url.replace("//", "//user:hidden@")]);
  const denied = await other.ended;
  expect([denied.code, denied.stderr]).toEqual([1, expect.stringContaining("WRONGPASS")]);
  expect(denied.stderr).not.toContain("hidden");

  const [feeder, worker] = [feed(file, "--wait", "1"), work("--wait", "1", "--jobs", "1")];
  await Promise.all([printed(feeder, "in the queue"), printed(worker, "Taking")]);
  await redis.kill();
  const ended = await Promise.all([feeder.ended, worker.ended]);
  expect(ended.map(({ code }) => code)).toEqual([1, 1]);
  for (const { stderr } of ended)
    expect(stderr).toMatch(/is not available[\s\S]*did not become available in time\. No result is lost/);

  const refused = await feed(file).ended;
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("ECONNREFUSED")]);
});
