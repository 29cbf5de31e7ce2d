/** `nekode doctor`: the cost is said first and can be refused, the findings are printed, and used from then on. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Fault, PlayedModel } from "../unit/core/provider/check/played-model.ts";
import { Project } from "./support.ts";

/** What the check times would tell of this machine, not of the model that is played. */
const STILL = { NODE_OPTIONS: `--require=${path.join(import.meta.dirname, "../fixtures/still-clock.cjs")}` };

let project: Project;
let played: PlayedModel | undefined;
beforeEach(async () => {
  project = await Project.create({});
});
afterEach(async () => {
  played?.close();
  await project.remove();
});

async function play(fault: Fault): Promise<string> {
  played = await new PlayedModel(fault).start();
  return played.url;
}
const learned = () => readFile(path.join(project.dataDir, "models/learned.json"), "utf8");

it("checks an address, says what it costs, and keeps what it found", async () => {
  const url = await play("tools-refused");
  const { code, stdout, stderr } = await project.spawn(["doctor", url, "--yes"], {
    ...STILL,
    NEKODE_API_KEY: "k",
  });
  expect(code, stderr).toBe(0);
  expect(stdout).toBe("Nekode works well with this model. Tools are called in XML.\n");
  expect(stderr).toContain("The check uses at most about 32,000 tokens, 16,000 of them to measure");
  expect(stderr).toContain("– Native tool calls: ");
  expect(stderr).toContain("m does not support tools");
  expect(stderr).toContain("✓ Context window: 14,400 tokens fit");
  expect(stderr.split("\n").filter((line) => /^[✓✗–·] /.test(line))).toHaveLength(25);
  const file = JSON.parse(await learned());
  expect(Object.values(file.models)).toMatchObject([{ facts: { tools: { value: false, origin: "check" } } }]);
  expect(await learned()).not.toContain('"k"');

  // The next run does not try what is known to be refused.
  const before = played?.requests ?? 0;
  const run = await project.run(["--base-url", url, "--model", "m", "Say PONG"], { NEKODE_API_KEY: "k" });
  expect(run.stderr).not.toContain("does not support");
  expect(played?.requests).toBeGreaterThan(before);
});

it("without a terminal or a budget does not measure the window", async () => {
  const { stderr } = await project.spawn(["doctor", await play("none")], STILL);
  expect(stderr).toContain("16,000 tokens, 0 of them to measure");
  expect(stderr).toContain("· Context window: not measured");
});

it("asks on a terminal, and sends nothing more after a no", async () => {
  const url = await play("none");
  const refused = await project.converseOnTerminal(["doctor", url], STILL, [["Start the check?", "n\r"]]);
  expect(refused.code).toBe(0);
  expect(refused.stdout).not.toContain("First token");
  const before = played?.requests ?? 0;
  const done = await project.converseOnTerminal(["doctor", url], STILL, [
    ["or [w]ithout measuring the window:", "w\r"],
    ["Context window: not measured", ""],
    ["Nekode works well with this model.", ""],
  ]);
  expect(done.code).toBe(0);
  expect(played?.requests).toBeGreaterThan(before + 15);
});

it("names an endpoint that cannot be used, in Japanese too, and exits with 1", async () => {
  const { code, stdout, stderr } = await project.run(["doctor", await play("bad-key"), "--model", "m"], {
    NEKODE_API_KEY: "k",
    LANG: "ja_JP.UTF-8",
  });
  expect([code, stdout]).toEqual([1, "このままでは、Nekode はこのモデルを使えません。\n"]);
  expect(stderr).toContain("✗ 回答: ");
  expect(stderr).toContain("API キー");
});

it("writes the report as JSON, checks a connection by name, and names one that is unknown", async () => {
  const url = await play("none");
  await project.run(["config", "set", "connections.local.baseUrl", url]);
  const { code, stdout } = await project.spawn(["doctor", "local/m", "--json"], STILL);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ name: "local/m", verdict: "good" });
  const unknown = await project.run(["doctor", "nowhere"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('no connection "nowhere"')]);
});
