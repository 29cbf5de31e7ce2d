/** `--output-schema`: standard output has JSON that fits the schema, or the run fails and says why. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runReportSchema } from "../../src/shared/run/run-report.ts";
import { type ModelServer, type ScriptTurn, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

const SCHEMA = {
  type: "object",
  properties: { severity: { enum: ["low", "high"] }, summary: { type: "string" } },
  required: ["severity", "summary"],
};
const GOOD = { severity: "high", summary: "猫\u202eがいる" };

let server: ModelServer;
let project: Project;
let env: Record<string, string>;

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({ "answer.schema.json": JSON.stringify(SCHEMA), "a.txt": "meow\n" });
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted" };
});
afterEach(async () => {
  await server.close();
  await project.remove();
});

const done = (output: unknown): ScriptTurn => ({
  answer: [
    { text: "I looked." },
    { tool: "attempt_completion", params: { result: "Found one.", output: output as never } },
  ],
});

function run(turns: ScriptTurn[], ...args: string[]) {
  server.setScript({ turns });
  return project.run(["--output-schema", "answer.schema.json", ...args], env);
}

it("standard output has the JSON and nothing else; what is said meanwhile is on standard error", async () => {
  const { code, stdout, stderr } = await run(
    [done({ severity: "medium" }), done(GOOD)],
    "--report",
    "report.json",
    "review",
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  // No character that a terminal obeys, and the same value.
  expect(stdout).not.toContain("\u202e");
  expect(JSON.parse(stdout)).toEqual(GOOD);
  expect(stderr).toContain("I looked.");
  expect(stderr).toContain('/severity must be equal to one of the allowed values: ["low","high"]');
  expect(JSON.parse(await project.read("report.json"))).toMatchObject({
    ...{ status: "done", answer: "Found one.", output: GOOD, requests: 2 },
  });
});

it("with --json the report has it beside the words", async () => {
  const { code, stdout } = await run([done(GOOD)], "--json", "--protocol", "xml", "review");
  expect(code).toBe(0);
  const report = runReportSchema.parse(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? ""));
  expect(report).toMatchObject({ answer: "Found one.", output: GOOD });
});

it("an answer that never fits fails the run, and standard output is empty", async () => {
  const bad = done({ severity: "none", summary: "?" });
  const ended = await run([bad, bad, bad, bad], "--report", "report.json", "review");
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toContain("The model gave no answer that fits the required schema.");
  expect(JSON.parse(await project.read("report.json"))).toMatchObject({
    ...{ status: "failed", requests: 3 },
    error: { code: "misfit-output" },
  });
  expect(JSON.parse(await project.read("report.json"))).not.toHaveProperty("output");
});

it("a paused run goes on with it, and a session that ended without one is asked for it", async () => {
  const command: ScriptTurn = {
    answer: [{ tool: "execute_command", params: { command: "touch b.txt", requires_approval: true } }],
  };
  const paused = await run([command], "--report", "report.json", "review");
  expect(paused).toMatchObject({ code: 4, stdout: "" });
  expect(paused.stderr).toContain(`--output-schema ${path.join(project.folder, "answer.schema.json")}`);
  const { session } = JSON.parse(await project.read("report.json"));
  const resumed = await run([done(GOOD)], "--resume", session, "--permission", "all");
  expect(JSON.parse(resumed.stdout)).toEqual(GOOD);

  server.setScript({ turns: [{ answer: [{ text: "Just words." }] }] });
  expect(await project.run(["inspect"], env)).toMatchObject({ code: 0 });
  const later = await run([done(GOOD)], "--continue");
  expect(JSON.parse(later.stdout)).toEqual(GOOD);
});

it("a schema that cannot be used is a usage error before anything is sent, and so is a conversation", async () => {
  const own = path.join(project.folder, "own.json");
  await writeFile(own, '{"$ref": "#/$defs/none"}');
  const wrong = await project.run(["--output-schema", "own.json", "review"], env);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toContain(`nekode: --output-schema ${own}: this is not a valid JSON schema: `);
  const { code, stderr } = await project.run(["--output-schema", "answer.schema.json"], env);
  expect(code).toBe(2);
  expect(stderr).toContain("--output-schema requires a TASK, --resume or --continue");
  expect(server.requests).toEqual([]);
});
