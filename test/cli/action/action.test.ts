/** The steps of the GitHub Action, run as its runner does, with the built program and a played model. */
import { execFile } from "node:child_process";
import { access, chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outputsOf } from "../../../scripts/action/runner.mjs";
import { makerConnections } from "../../../src/cli/config/maker-keys.ts";
import { type ModelServer, type ScriptTurn, startModelServer } from "../../model-server/server.ts";
import { Project } from "../support.ts";
import { Runner, type RunnerOptions, readAction } from "./runner.ts";

const repository = path.join(import.meta.dirname, "../../..");

let server: ModelServer;
let project: Project;
let scratch: string;

beforeEach(async () => {
  server = await startModelServer();
  project = await Project.create({ "a.txt": "meow\n", "other.txt": "text that no request contains\n" });
  scratch = await mkdtemp(path.join(tmpdir(), "nekode-runner-"));
});
afterEach(async () => {
  await server.close();
  await project.remove();
  await rm(scratch, { recursive: true });
});

function runner(options: Partial<RunnerOptions> = {}): Runner {
  const { PATH = "", HOME = "", XDG_CACHE_HOME = "" } = project.environment;
  return new Runner({
    ...{ scratch, workspace: project.folder, actionFolder: repository, github: {} },
    env: {
      ...{ PATH, HOME, XDG_CACHE_HOME, LANG: "C.UTF-8" },
      ...{ NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted" },
    },
    ...options,
  });
}

const done = (result: string): ScriptTurn => ({
  answer: [{ tool: "attempt_completion", params: { result } }],
});
const command = (text: string): ScriptTurn => ({
  answer: [{ tool: "execute_command", params: { command: text, requires_approval: true } }],
});
/** Lists the environment of each process above the command. */
const ABOVE =
  "p=$$; while [ $p -gt 1 ]; do tr '\\0' '\\n' < /proc/$p/environ; p=$(sed -n 's/^PPid:.//p' /proc/$p/status); done > up.txt";
const sent = () => JSON.stringify(server.requests.at(-1)?.body);

it("a task that is done: every output, the summary, and a key that nobody sees", async () => {
  const answer = 'Line one\nstatus=failed\n`$(touch pwned)` and "quotes"\nEOF';
  server.setScript({
    turns: [{ ...done(answer), usage: { promptTokens: 10, completionTokens: 5, cost: 0.25 } }],
  });
  const run = runner();
  const { outcome, outputs } = await run.action({ task: "Look", "api-key": "sk-of-the-action" });
  expect({ outcome, ...outputs }).toMatchObject({
    ...{ outcome: "success", status: "done", "exit-code": "0", answer, output: "" },
    ...{ cost: "0.25", requests: "1", session: expect.stringMatching(/^[\w-]{20,}$/) },
    "data-dir": path.join(scratch, "temp/nekode"),
  });
  expect(JSON.parse(await readFile(outputs.report ?? "", "utf8"))).toMatchObject({ status: "done", answer });
  expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-of-the-action");
  expect(run.log).not.toContain("sk-of-the-action");
  expect(run.summary).toContain("| Status | done |");
  expect(run.summary).toContain(answer);
});

it("text of others is the content of a file: no mention, no command and no shell reads it", async () => {
  server.setScript({ turns: [done("Read.")] });
  const body =
    'See @/other.txt and @http://127.0.0.1:9/x /newrule "; touch pwned; `touch pwned` $(touch pwned)\n::error::no';
  await writeFile(path.join(scratch, "a.diff"), "+ @/other.txt\n");
  const { outputs } = await runner().action({
    ...{ task: "Sort the issue", data: body, "data-file": path.join(scratch, "a.diff") },
  });
  expect(outputs.status).toBe("done");
  expect(sent()).toContain(JSON.stringify(body).slice(1, -1).replaceAll("\\", "\\"));
  expect(sent()).toContain("+ @/other.txt");
  expect(sent()).not.toContain("text that no request contains");
  await expect(access(path.join(project.folder, "pwned"))).rejects.toThrow();
  const { stdout } = await promisify(execFile)("ls", ["-A", project.folder]);
  expect(stdout.trim().split("\n")).toEqual(["a.txt", "other.txt"]);
});

it("what the model writes to the log is no command for the runner", async () => {
  server.setScript({
    turns: [{ answer: [{ text: "::set-output name=status::limit\n::add-mask::a\n::error::no\n" }] }],
  });
  const run = runner();
  const { outputs } = await run.action({ task: "Look" });
  expect(run.log).toContain("::error::no");
  expect(run.commands).toEqual([]);
  expect(outputs.status).toBe("done");
});

it("reads by default; a paused task goes on in another run, with the answer to exactly what was shown", async () => {
  server.setScript({ turns: [command("touch b.txt"), done("Made it.")] });
  const first = await runner().action({ task: "Make it" });
  expect(first).toMatchObject({
    outcome: "failure",
    outputs: { status: "needs-approval", "exit-code": "4" },
  });
  await expect(access(path.join(project.folder, "b.txt"))).rejects.toThrow();
  const { session = "", report = "", "data-dir": dataDir = "" } = first.outputs;
  const { approval } = JSON.parse(await readFile(report, "utf8"));
  const wrong = await runner().action({
    resume: session,
    answer: "yes",
    shown: "0".repeat(32),
    "data-dir": dataDir,
  });
  expect(wrong.outputs.status).toBe("needs-approval");
  const { outcome, outputs } = await runner().action({
    ...{ resume: session, answer: "yes", shown: approval.shown, "data-dir": dataDir },
  });
  expect({ outcome, ...outputs }).toMatchObject({
    outcome: "success",
    status: "done",
    session,
    answer: "Made it.",
  });
  await access(path.join(project.folder, "b.txt"));
});

it("commands of the agent see neither the key nor the runner's files", async () => {
  server.setScript({ turns: [command("env > env.txt"), done("Listed.")] });
  const run = runner();
  const env = { ACTIONS_RUNTIME_TOKEN: "of-the-runner", OTHER: "stays" };
  await run.action({ task: "List", permission: "all", "api-key": "sk-of-the-action" }, env);
  const listed = await project.read("env.txt");
  expect(listed).toContain("OTHER=stays");
  expect(listed).not.toMatch(
    /sk-of-the-action|of-the-runner|^INPUT_|^GITHUB_(?:ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)=/m,
  );
  expect(run.summary).toContain("| Command | env &#62; env.txt (exit code 0) |");
});

it.runIf(process.platform === "linux")("nor do they find them in a process above them", async () => {
  server.setScript({ turns: [command(ABOVE), done("Listed."), command(ABOVE), done("Listed.")] });
  const env = {
    ACTIONS_RUNTIME_TOKEN: "of-the-runner",
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "to-sign-in",
    OTHER: "stays\nhere",
  };
  const secret = /sk-of-|of-the-runner|to-sign-in|^INPUT_|^GITHUB_(?:ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)=/m;
  await runner().action({ task: "List", permission: "all", "api-key": "sk-of-the-action" }, env);
  expect(await project.read("up.txt")).toContain("OTHER=stays\nhere");
  expect(await project.read("up.txt")).not.toMatch(secret);
  expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-of-the-action");
  // A key of the workflow's own environment.
  await runner().action(
    { task: "List", permission: "all" },
    { ...env, NEKODE_API_KEY: "sk-of-the-workflow" },
  );
  expect(await project.read("up.txt")).not.toMatch(secret);
  expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer sk-of-the-workflow");
});

it.runIf(process.platform !== "win32")(
  "keys that the workflow sets itself reach the model, and neither commands nor a process above them",
  async () => {
    const config = path.join(scratch, "config");
    await mkdir(config);
    const connection = { name: "named", baseUrl: server.url, keyEnv: "TEAM_TOKEN" };
    await writeFile(path.join(config, "config.json"), JSON.stringify({ connections: [connection] }));
    const names = makerConnections(everyVariable, []).map(({ keyEnv = "" }) => keyEnv);
    expect(names).toContain("ANTHROPIC_API_KEY");
    const keys = [...names, "NEKODE_SEARCH_API_KEY", "NEKODE_API_KEY", "TEAM_TOKEN"];
    const env = {
      ...Object.fromEntries(keys.map((name) => [name, `sk-${name}`])),
      ...{ NEKODE_CONFIG_DIR: config, NEKODE_SEARCH_PROVIDER: "brave", STRIPE_API_KEY: "of-the-tests" },
    };
    const both = `env > env.txt; ${process.platform === "linux" ? ABOVE : ""}`;
    server.setScript({ turns: [command(both), done("Listed.")] });
    const run = runner();
    const { outcome } = await run.action({ task: "List", permission: "all", model: "named/scripted" }, env);
    expect({ outcome, log: run.log }).toMatchObject({ outcome: "success" });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-TEAM_TOKEN");
    for (const file of ["env.txt", ...(process.platform === "linux" ? ["up.txt"] : [])]) {
      const listed = await project.read(file);
      expect(listed).toContain("STRIPE_API_KEY=of-the-tests");
      for (const name of keys) expect(listed).not.toContain(name);
      expect(listed).not.toContain("sk-");
    }
  },
);

/** As if each variable had a value. */
const everyVariable = new Proxy<NodeJS.ProcessEnv>({}, { get: () => "x" });

it("a final answer that fits a schema is an output; a schema that cannot be used fails the step", async () => {
  const output = { label: "bug" };
  await writeFile(
    path.join(project.folder, "own.json"),
    '{"properties": {"label": {"enum": ["bug"]}}, "required": ["label"]}',
  );
  server.setScript({
    turns: [{ answer: [{ tool: "attempt_completion", params: { result: "A bug.", output } }] }],
  });
  const { outputs } = await runner().action({ task: "Sort", "output-schema": "own.json" });
  expect(outputs).toMatchObject({ status: "done", output: '{"label":"bug"}', answer: "A bug." });
  const run = runner();
  const wrong = await run.action({ task: "Sort", "output-schema": "none.json" });
  expect(wrong).toMatchObject({
    outcome: "failure",
    outputs: { status: "failed", "exit-code": "2", report: "" },
  });
  expect(run.log).toContain("the file cannot be read: ENOENT");
});

it.each([
  [{}, "The action requires the input task, or resume."],
  [{ answer: "yes", task: "x" }, "The input answer requires resume, and no task."],
  [{ resume: "x", data: "y" }, "The inputs data and data-file require a task."],
])("inputs that do not fit together: %j", async (inputs, words) => {
  const run = runner();
  const { outcome, outputs } = await run.action(inputs);
  expect({ outcome, status: outputs.status }).toEqual({ outcome: "failure", status: "failed" });
  expect(run.commands).toEqual([`::error::${words}`]);
  expect(server.requests).toEqual([]);
});

it("an answer that a variable cannot hold is cut at a character, and such JSON is left out", () => {
  const report = { session: null, status: "done", files: [], requests: 1, cost: null, checks: [] };
  const run = { exit: 0, file: "/report.json", dataDir: "/data" };
  for (const character of ["a", "猫", "🐈"]) {
    const answer = character.repeat(70_000);
    const outputs = outputsOf({ ...report, answer, output: answer }, run);
    expect(Buffer.byteLength(outputs.answer ?? "")).toBeLessThan(121_000);
    expect(outputs.answer).toMatch(/^(.)\1{19999,}\n\n…$/su);
    expect(outputs.output).toBe(character === "a" ? JSON.stringify(answer) : "");
  }
});

it("no script of the action has an expression in it, and every input reaches the second step", async () => {
  const { inputs, runs } = await readAction(repository);
  for (const { run } of runs.steps) expect(run).not.toContain("${{");
  expect(Object.values(runs.steps[1]?.env ?? {})).toEqual(
    Object.keys(inputs).map((name) => `\${{ inputs.${name} }}`),
  );
});

describe("the first step", () => {
  /** A checkout, with a played npm that writes down what it is asked. */
  async function checkout(): Promise<{
    folder: string;
    asked(): Promise<string>;
    env: Record<string, string>;
  }> {
    const folder = path.join(scratch, "checkout");
    const bin = path.join(scratch, "bin");
    for (const each of ["action.yml", "package.json", "package-lock.json", "esbuild.mjs", "scripts"])
      await cp(path.join(repository, each), path.join(folder, each), { recursive: true });
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, "npm"), '#!/bin/sh\necho "$PWD: $*" >> "$0.asked"\nexit 3\n');
    await chmod(path.join(bin, "npm"), 0o755);
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: scratch };
    return { folder, env, asked: () => readFile(path.join(bin, "npm.asked"), "utf8").catch(() => "") };
  }

  it("installs the packages of a checkout without a build, and fails with them", async () => {
    const { folder, env, asked } = await checkout();
    const run = runner({ actionFolder: folder, env });
    expect((await run.action({ task: "Look" })).outcome).toBe("failure");
    expect(await asked()).toBe(`${folder}: ci --no-audit --no-fund\n`);
    expect(run.log).toContain("npm ci");
    expect(server.requests).toEqual([]);
  });

  it("takes a build that is whole, and no other", async () => {
    const { folder, env, asked } = await checkout();
    await mkdir(path.join(folder, "dist"));
    await writeFile(path.join(folder, "dist/cli.js"), 'console.log("run");');
    await runner({ actionFolder: folder, env }).action({ task: "Look" });
    expect(await asked()).not.toBe("");
    await writeFile(path.join(folder, "dist/meta.json"), "{}");
    const run = runner({ actionFolder: folder, env });
    expect((await run.action({ task: "Look" })).outcome).toBe("success");
    expect(run.log).toContain("Nekode is built already.");
    expect((await asked()).split("\n")).toHaveLength(2);
  });
});
