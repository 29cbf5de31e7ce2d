/** The adapter for Harbor: the commands that it would run in a container run here, with the packed program and a played model. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../../model-server/scripts/neko.ts";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { atifFaults } from "../../support/atif-check.ts";
import { Project } from "../support.ts";

const repository = path.join(import.meta.dirname, "../../..");
const KEY = "sk-harbor-key-0123456789abcdef";

let packed: string;
let scratch: string;
let project: Project;
let server: ModelServer;

beforeAll(async () => {
  packed = await mkdtemp(path.join(tmpdir(), "nekode-packed-"));
  execFileSync(path.join(repository, "harbor/pack.sh"), [path.join(packed, "nekode.tgz")]);
});
afterAll(() => rm(packed, { recursive: true, force: true }));

beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "nekode-harbor-"));
  project = await Project.create({ "neko.txt": `${NEKO_BEFORE}\n` });
  server = await startModelServer({ script: nekoScript() });
});
afterEach(async () => {
  await server.close();
  await project.remove();
  await rm(scratch, { recursive: true, force: true });
});

/** Not synchronous: the model is played by this process. */
async function run(instruction: string, model: string) {
  const script = path.join(import.meta.dirname, "run_adapter.py");
  const args = [script, scratch, path.join(packed, "nekode.tgz"), project.folder, model, instruction];
  const env = {
    ...process.env,
    NEKODE_BASE_URL: server.url,
    NEKODE_API_KEY: KEY,
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const { stdout } = await promisify(execFile)("python3", args, { env });
  return JSON.parse(stdout);
}

const log = (name: string) => readFile(path.join(scratch, "logs/agent", name), "utf8");

it("installs the package, runs the task, and gives back a trajectory with what it took", async () => {
  const { version } = JSON.parse(await readFile(path.join(repository, "package.json"), "utf8"));
  const context = await run(
    '--mode plan is no option here: it\'s "@/neko.txt" $(false) 猫を犬に',
    "own/scripted",
  );
  expect(context).toMatchObject({
    ...{ version, error: null, cost_usd: null },
    metadata: { status: "done", exit: 0, requests: 2, files: [{ path: "neko.txt", kind: "changed" }] },
  });
  expect(await project.read("neko.txt")).toBe(`${NEKO_AFTER}\n`);
  const trajectory = JSON.parse(await log("trajectory.json"));
  expect(atifFaults(trajectory)).toEqual([]);
  expect(trajectory.agent).toEqual({ name: "nekode", version, model_name: "scripted" });
  expect(trajectory.steps[0].extra.typed).toContain('it\'s "@/neko.txt" $(false)');
  expect(context).toMatchObject({
    n_input_tokens: trajectory.final_metrics.total_prompt_tokens,
    n_output_tokens: trajectory.final_metrics.total_completion_tokens,
  });
  expect(server.requests.length).toBe(2);
  for (const name of ["trajectory.json", "nekode.jsonl", "report.json"])
    expect(await log(name)).not.toContain(KEY);
});

it("lets the task's tests decide after a limit, and fails with the reason if the endpoint does", async () => {
  const again = { tool: "list_files", params: { path: "." } };
  server.setScript({ turns: [{ times: true, answer: [again] }] });
  expect(await run("go on for ever", "own/scripted")).toMatchObject({
    error: null,
    metadata: { status: "limit", exit: 3, requests: 5 },
  });
  server.setScript({
    turns: [{ times: true, fault: { kind: "status", status: 401, message: "no such key" } }],
  });
  const failed = await run("hello", "own/scripted");
  expect(failed).toMatchObject({ metadata: { status: "failed", exit: 1 } });
  expect(failed.error).toContain("exit 1");
  expect(atifFaults(JSON.parse(await log("trajectory.json")))).toEqual([]);
});
