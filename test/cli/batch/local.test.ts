/** `nekode batch` on one machine: what becomes of tasks, and of a batch that is killed or interrupted. */
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { batchReportSchema } from "../../../src/shared/run/batch-lines.ts";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { BatchPlace, SCRIPT } from "./support.ts";

let server: ModelServer;
let place: BatchPlace;

beforeEach(async () => {
  server = await startModelServer({ script: SCRIPT });
  place = await BatchPlace.create(server);
});
afterEach(async () => {
  await server.close();
  await place.remove();
});

const batch = (file: string, ...args: string[]) => ["batch", file, "--permission", "edits", ...args];

it("each task has a result, the user's folder stays as it is, and a second start runs nothing again", async () => {
  const file = await place.tasks([
    { id: "here", cwd: "project", task: "do it", check: "cat neko.txt && git diff --quiet HEAD" },
    { id: "asks", cwd: "project", task: "run it", check: "true" },
    { id: "nowhere", repo: "project", rev: "v9", task: "do it" },
  ]);
  const first = await place.run(batch(file, "--jobs", "2", "--json"));
  const results = await place.results();
  expect(results.get("here")).toMatchObject({
    ...{ status: "done", files: [{ path: "out.txt", kind: "added" }], requests: 2, cost: null },
    check: { exit: 0, output: "two cats\n" },
  });
  expect(results.get("nowhere")).toMatchObject({
    ...{ status: "failed", session: null, error: { text: "The repository has no revision v9." } },
  });
  const asks = results.get("asks");
  expect(asks).toMatchObject({ status: "needs-approval", approval: { subject: "./x.sh" } });
  expect(asks).not.toHaveProperty("check");
  expect(first.code).toBe(1);
  const report = batchReportSchema.parse(JSON.parse(first.stdout));
  expect(report).toMatchObject({
    ...{ exit: 1, tasks: 3, left: 0, checks: { passed: 1, failed: 0 } },
    counts: { done: 1, failed: 1, limit: 0, "needs-approval": 1 },
  });
  const patch = path.join(place.folder, "..", results.get("here")?.patch ?? "");
  expect(place.git("apply", "--numstat", patch)).toBe("1\t0\tout.txt\n");
  expect(place.git("status", "--porcelain")).toBe(" M neko.txt\n");

  // Whoever is asked later finds the session where it waits.
  const worktree = asks?.worktree ?? "";
  const no = await place.run(["answer", asks?.session ?? "", "no", "--cwd", worktree]);
  expect(no.code).toBe(0);

  const asked = server.requests.length;
  const second = await place.run(batch(file));
  expect(server.requests).toHaveLength(asked);
  expect(second.stderr).toContain("Tasks that already have a result: 3 of 3.");
  expect(second.stdout).toContain(
    "Tasks: 3. 1 done, 1 failed, 0 stopped by a limit, 1 waiting for approval, 0 left",
  );
});

it("names everything that is wrong, and starts nothing", async () => {
  const file = await place.tasks([
    { id: "a", cwd: "project", task: "do it" },
    { id: "a", cwd: "elsewhere", task: "do it" },
  ]);
  const { code, stderr } = await place.run(batch(file));
  expect(code).toBe(2);
  expect(stderr).toMatch(/line 2: id: Line 1 has the same id\.[\s\S]*line 2: cwd: There is no folder/);
  expect(stderr).toContain("No task was started.");
  const none = await place.run(batch("missing.jsonl"));
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("missing.jsonl cannot be read")]);
  expect(server.requests).toEqual([]);
});

it("Ctrl+C stops the tasks, leaves nothing, and says how to continue", async () => {
  const file = await place.tasks([{ id: "held", cwd: "project", task: "wait a while" }]);
  const { signals, ended } = place.begin(batch(file));
  await server.waitForHold("go");
  signals.emit("SIGINT");
  const { code, stderr, stdout } = await ended;
  expect([code, stdout]).toEqual([130, expect.stringContaining("1 left")]);
  expect(stderr).toContain("To continue, run the same command again");
  await place.expectUntouched();
});
