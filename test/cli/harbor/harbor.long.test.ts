/**
 * The adapter for Harbor: the commands that it would run in a container run here, with the packed program and a played model.
 * test/cli/{json-lines,replay} prove for `npm test` the report and the trajectory that it reads.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NEKO_AFTER } from "../../model-server/scripts/neko.ts";
import { atifFaults } from "../../support/atif-check.ts";
import { HarborTask, KEY } from "./harbor-task.ts";

const repository = path.join(import.meta.dirname, "../../..");

let harbor: HarborTask;

beforeEach(async () => {
  harbor = await HarborTask.create();
});
afterEach(() => harbor.remove());

it("installs the package, runs the task, and gives back a trajectory with what it took", async () => {
  const { version } = JSON.parse(await readFile(path.join(repository, "package.json"), "utf8"));
  const context = await harbor.run(
    '--mode plan is no option here: it\'s "@/neko.txt" $(false) 猫を犬に',
    "own/scripted",
  );
  expect(context).toMatchObject({
    ...{ version, error: null, cost_usd: null },
    metadata: { status: "done", exit: 0, requests: 2, files: [{ path: "neko.txt", kind: "changed" }] },
  });
  expect(await harbor.project.read("neko.txt")).toBe(`${NEKO_AFTER}\n`);
  const trajectory = JSON.parse(await harbor.log("trajectory.json"));
  expect(atifFaults(trajectory)).toEqual([]);
  expect(trajectory.agent).toEqual({ name: "nekode", version, model_name: "scripted" });
  expect(trajectory.steps[0].extra.typed).toContain('it\'s "@/neko.txt" $(false)');
  expect(context).toMatchObject({
    n_input_tokens: trajectory.final_metrics.total_prompt_tokens,
    n_output_tokens: trajectory.final_metrics.total_completion_tokens,
  });
  expect(harbor.server.requests.length).toBe(2);
  for (const name of ["trajectory.json", "nekode.jsonl", "report.json"])
    expect(await harbor.log(name)).not.toContain(KEY);
});

it("lets the task's tests decide after a limit, and fails with the reason if the endpoint does", async () => {
  const again = { tool: "list_files", params: { path: "." } };
  harbor.server.setScript({ turns: [{ times: true, answer: [again] }] });
  expect(await harbor.run("go on for ever", "own/scripted")).toMatchObject({
    error: null,
    metadata: { status: "limit", exit: 3, requests: 5 },
  });
  harbor.server.setScript({
    turns: [{ times: true, fault: { kind: "status", status: 401, message: "no such key" } }],
  });
  const failed = await harbor.run("hello", "own/scripted");
  expect(failed).toMatchObject({ metadata: { status: "failed", exit: 1 } });
  expect(failed.error).toContain("exit 1");
  expect(atifFaults(JSON.parse(await harbor.log("trajectory.json")))).toEqual([]);
});
