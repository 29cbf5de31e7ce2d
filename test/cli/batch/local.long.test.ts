/**
 * `nekode batch` on a full disk, and killed; revisions, limits and failing checks. `local.test.ts` proves that what is written stays,
 * and that a second start goes on.
 */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { batchReportSchema } from "../../../src/shared/run/batch-lines.ts";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { canMount } from "../../support/machine.ts";
import { isAlive, runningProcesses, statOf } from "../../support/processes.ts";
import { overAt } from "../support.ts";
import { BatchPlace, printed, SCRIPT } from "./support.ts";

let server: ModelServer;
let place: BatchPlace;
/** What unmounts file systems of a test, before their folders are removed. */
const mounted: (() => void)[] = [];

beforeEach(async () => {
  server = await startModelServer({ script: SCRIPT });
  place = await BatchPlace.create(server);
});
afterEach(async () => {
  await server.close();
  for (const unmount of mounted.splice(0)) unmount();
  await place.remove();
});

const batch = (file: string, ...args: string[]) => ["batch", file, "--permission", "edits", ...args];

it("a task begins at the revision that is named, its check may fail, and one that takes too long is stopped", async () => {
  const file = await place.tasks([
    { id: "there/1", repo: "project", rev: "v1", task: "do it", check: "cat neko.txt; exit 3" },
    { id: "endless", cwd: "project", task: "wait for ever", timeout: 77 },
  ]);
  const { code, stdout } = await place.spawn(batch(file, "--jobs", "2", "--json"), overAt(77, "Waiting."));
  const results = await place.results();
  expect(results.get("there/1")).toMatchObject({
    ...{ status: "done", files: [{ path: "out.txt", kind: "added" }] },
    check: { exit: 3, output: "cat\n" },
  });
  expect(results.get("endless")).toMatchObject({ status: "limit", session: expect.stringMatching(/./) });
  expect(code).toBe(1);
  expect(batchReportSchema.parse(JSON.parse(stdout))).toMatchObject({
    ...{ exit: 1, tasks: 2, left: 0, checks: { passed: 0, failed: 1 } },
    counts: { done: 1, limit: 1 },
  });
  expect((await place.run(batch(file))).stdout).toContain(
    "Tasks: 2. 1 done, 0 failed, 1 stopped by a limit, 0 waiting for approval, 0 left",
  );
});

it.runIf(canMount)(
  "a full disk: the batch ends, earlier results stay whole, and it goes on when there is space",
  async () => {
    const file = await place.tasks([{ id: "new", cwd: "project", task: "say it" }]);
    const folder = path.join(path.dirname(file), "small");
    await mkdir(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]);
    const unmount = () => void execFileSync("umount", ["-l", folder]);
    mounted.push(unmount);
    const out = path.join(folder, "out.jsonl");
    const old = { id: "old", status: "done", session: null, files: [], cost: null, requests: 0, seconds: 0 };
    const line = (answer: string) => `${JSON.stringify({ ...old, answer })}\n`;
    // Of its sixteen pages, the lock takes one, and ten bytes of the others are left.
    const before = line("x".repeat(15 * 4096 - 10 - line("").length));
    await writeFile(out, before);
    const full = await place.run(batch(file, "--out", out));
    expect(full.stderr).toMatch(/The result of new could not be written to .*no space left/i);
    expect(full.code).toBe(1);
    expect((await readFile(out, "utf8")) === before).toBe(true);
    await place.expectUntouched();
    execFileSync("mount", ["-o", "remount,size=1m", folder]);
    expect((await place.run(batch(file, "--out", out))).code).toBe(0);
    expect((await readFile(out, "utf8")).slice(before.length)).toMatch(/^\{"id":"new".*\}\n$/);
  },
);

it("kill -9 of a task's process, and then of the batch: nothing is lost, doubled or left behind", async () => {
  const file = await place.tasks([
    { id: "ready", cwd: "project", task: "do it" },
    { id: "held", cwd: "project", task: "wait a while" },
  ]);
  const started = place.start(batch(file, "--jobs", "2"));
  const { child, ended } = started;
  // Printed once the result is in the file.
  await Promise.all([server.waitForHold("go"), printed(started, "[1/2] ready")]);
  const asked = server.requests.length;
  const [victim = 0] = tasksOf(child.pid);
  process.kill(victim, "SIGKILL");
  // The task is started again.
  await server.waitForRequest(asked + 1);
  const [again = 0] = tasksOf(child.pid);
  child.kill("SIGKILL");
  await ended;
  expect([...(await place.results()).keys()]).toEqual(["ready"]);
  await expect.poll(() => isAlive(again)).toBe(false);
  // Otherwise the release might go to a connection whose end is not read yet.
  await Promise.all(server.requests.map(({ closed }) => closed));

  server.release("go");
  const { code } = await place.run(batch(file));
  expect(code).toBe(0);
  const results = await place.results();
  expect([...results.keys()]).toEqual(["ready", "held"]);
  expect(server.requests.filter(({ body }) => JSON.stringify(body).includes("do it"))).toHaveLength(2);
  await place.expectUntouched();
});

/** The processes of tasks that this process started. */
function tasksOf(pid = 0): number[] {
  const tasks = runningProcesses((each) => parentOf(each.pid) === pid && each.args.includes("--json"));
  return tasks.map((each) => each.pid);
}

const parentOf = (pid: number): number => Number(statOf(pid)[1]);
