/** The steps of the GitHub Action, run as its runner does, with the built program and a played model. */
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { readInputs } from "../../../scripts/action/inputs.mjs";
import { outputsOf } from "../../../scripts/action/runner.mjs";
import { makerConnections } from "../../../src/cli/config/maker-keys.ts";
import {
  ABOVE,
  command,
  done,
  placeOfEachTest,
  project,
  repository,
  runner,
  scratch,
  server,
} from "./action-place.ts";
import { readAction } from "./runner.ts";

placeOfEachTest();

const sent = () => JSON.stringify(server.requests.at(-1)?.body);

/** As if each variable had a value. */
const everyVariable = new Proxy<NodeJS.ProcessEnv>({}, { get: () => "x" });

it("a task that is done: every output, a key that nobody sees, a log without a command for the runner, and text of others as data", async () => {
  const answer = 'Line one\nstatus=failed\n`$(touch pwned)` and "quotes"\nEOF';
  server.setScript({
    turns: [
      {
        answer: [
          { text: "::set-output name=status::limit\n::add-mask::a\n::error::no\n" },
          { tool: "attempt_completion", params: { result: answer } },
        ],
        usage: { promptTokens: 10, completionTokens: 5, cost: 0.25 },
      },
    ],
  });
  const data =
    'See @/other.txt and @http://127.0.0.1:9/x /newrule "; touch pwned; `touch pwned` $(touch pwned)\n::error::no';
  await writeFile(path.join(scratch, "a.diff"), "+ @/other.txt\n");
  const run = runner();
  const { outcome, outputs } = await run.action({
    ...{ task: "Sort the issue", "api-key": "sk-of-the-action" },
    ...{ data, "data-file": path.join(scratch, "a.diff") },
  });
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
  expect(run.log).toContain("::error::no");
  expect(run.commands).toEqual([]);

  // Text of others is the content of a file: no mention, no command and no shell reads it.
  expect(sent()).toContain(JSON.stringify(data).slice(1, -1));
  expect(sent()).toContain("+ @/other.txt");
  expect(sent()).not.toContain("text that no request contains");
  expect((await readdir(project.folder)).sort()).toEqual(["a.txt", "other.txt"]);
});

it("reads by default; a paused task goes on in another run, with the answer to what was shown", async () => {
  server.setScript({ turns: [command("touch b.txt"), done("Made it.")] });
  const first = await runner().action({ task: "Make it" });
  expect(first).toMatchObject({
    outcome: "failure",
    outputs: { status: "needs-approval", "exit-code": "4" },
  });
  await expect(access(path.join(project.folder, "b.txt"))).rejects.toThrow();
  const { session = "", report = "", "data-dir": dataDir = "" } = first.outputs;
  const { approval } = JSON.parse(await readFile(report, "utf8"));
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

it.runIf(process.platform !== "win32")(
  "keys that the workflow sets itself reach the model, and neither they nor what is the runner's its commands or a process above them",
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
      ACTIONS_RUNTIME_TOKEN: "of-the-runner",
    };
    const both = `env > env.txt; ${process.platform === "linux" ? ABOVE : ""}`;
    server.setScript({ turns: [command(both), done("Listed.")] });
    const run = runner();
    const inputs = {
      task: "List",
      permission: "all",
      model: "named/scripted",
      "api-key": "sk-of-the-action",
    };
    const { outcome } = await run.action(inputs, env);
    expect({ outcome, log: run.log }).toMatchObject({ outcome: "success" });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-TEAM_TOKEN");
    for (const file of ["env.txt", ...(process.platform === "linux" ? ["up.txt"] : [])]) {
      const listed = await project.read(file);
      expect(listed).toContain("STRIPE_API_KEY=of-the-tests");
      for (const name of keys) expect(listed).not.toContain(name);
      expect(listed).not.toContain("sk-");
      expect(listed).not.toMatch(/of-the-runner|^INPUT_|^GITHUB_(?:ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)=/m);
    }
    expect(run.summary).toContain("(exit code 0) |");
  },
);

it("inputs that do not fit together fail the step, with an error for the runner", async () => {
  const run = runner();
  const { outcome, outputs } = await run.action({});
  expect({ outcome, status: outputs.status }).toEqual({ outcome: "failure", status: "failed" });
  expect(run.commands).toEqual(["::error::The action requires the input task, review or resume."]);
  expect(server.requests).toEqual([]);
  const read = (inputs: Record<string, string>) => () => readInputs(inputs);
  expect(read({ INPUT_ANSWER: "yes", INPUT_TASK: "x" })).toThrow(
    "The input answer requires resume, and no task.",
  );
  expect(read({ INPUT_REVIEW: "main", INPUT_MODE: "act" })).toThrow(
    "The input review cannot be used with mode.",
  );
  expect(read({ INPUT_RESUME: "x", INPUT_DATA: "y" })).toThrow(
    "The inputs data and data-file require a task.",
  );
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
