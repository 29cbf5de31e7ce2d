/** Configuration, models and sessions in a real terminal. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { Project } from "./support.ts";

let server: ModelServer;
let other: ModelServer;
let project: Project;
let env: Record<string, string>;
let configFile: string;

beforeEach(async () => {
  const says = (text: string) => ({
    scope: "server" as const,
    turns: [{ times: true as const, answer: [{ tool: "attempt_completion", params: { result: text } }] }],
  });
  server = await startModelServer({
    script: {
      ...says("First server done."),
      models: [{ id: "small", context_length: 32_768 }, { id: "big" }],
    },
  });
  other = await startModelServer({
    script: { ...says("Second server done."), apiKey: "other-key", models: [{ id: "vendor/far" }] },
  });
  project = await Project.create({});
  const configDir = path.join(project.dataDir, "config");
  await mkdir(configDir, { recursive: true });
  configFile = path.join(configDir, "config.json");
  env = { NEKODE_CONFIG_DIR: configDir };
});
afterEach(async () => {
  expect([...server.refusals, ...other.refusals]).toEqual([]);
  await server.close();
  await other.close();
  await project.remove();
});

const config = async () => JSON.parse(await readFile(configFile, "utf8"));
const configured = () =>
  writeFile(
    configFile,
    JSON.stringify({
      version: 1,
      connections: [
        { name: "near", baseUrl: server.url },
        { name: "far", baseUrl: other.url, keyEnv: "FAR_KEY" },
      ],
      model: "near/small",
    }),
  );

describe("nekode config", () => {
  it("sets, gets, lists and unsets, and a task uses it without an option", async () => {
    const run = (...args: string[]) => project.run(["config", ...args], env);
    expect((await run("set", "connections.near.baseUrl", server.url)).code).toBe(0);
    expect((await run("set", "model", "near/small")).code).toBe(0);
    expect((await run("set", "commands.allow", '["npm test"]')).code).toBe(0);
    expect((await run("get", "model")).stdout).toBe("near/small\n");
    const { stdout, stderr } = await run();
    expect(stdout).toContain('model = "near/small"\n');
    expect(stdout).toContain(`connections.near.baseUrl = "${server.url}"\n`);
    expect(stderr).toBe(`${configFile}\n`);

    const done = await project.run(["do it"], env);
    expect([done.code, done.stdout, done.stderr]).toEqual([
      0,
      expect.stringContaining("First server done."),
      expect.any(String),
    ]);
    expect(server.chat(1).model).toBe("small");

    expect((await run("unset", "commands.allow")).code).toBe(0);
    const unset = await run("get", "commands.allow");
    expect([unset.code, unset.stdout, unset.stderr]).toEqual([1, "", "nekode: commands.allow is not set.\n"]);
  });

  it("names what is wrong, and exits with 2 without a change", async () => {
    for (const [args, words] of [
      [["set", "modle", "x"], "modle is unknown"],
      [["set", "permission", "most"], "permission is invalid. Must be one of: ask, edits, safe, all."],
      [["set", "connections.near.apiKey", "sk-123"], "connections[0].apiKey contains a key"],
    ] as const) {
      const { code, stderr } = await project.run(["config", ...args], env);
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    await writeFile(configFile, '{\n  "version": 1,\n  "model": "near/sm');
    const { code, stderr } = await project.run(["do it"], { ...env, LANG: "ja_JP.UTF-8" });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${configFile} の 3 行目: ファイルが途中で終わっています。`),
    ]);
    expect(await readFile(configFile, "utf8")).toContain("near/sm");
  });

  it("names an unknown key once, and goes on", async () => {
    await configured();
    await writeFile(configFile, JSON.stringify({ ...(await config()), color: "red" }));
    const { code, stderr } = await project.run(["do it"], env);
    expect([code, stderr.split("color is unknown").length]).toEqual([0, 2]);
  });
});

it("/model lists, switches from the next message on, and keeps it; /plan has a model of its own", async () => {
  await configured();
  const keyed = { ...env, FAR_KEY: "other-key" };
  const { code, stdout } = await project.converse([], keyed, [
    ["> ", "/model\r"],
    ["* 1. near/small", ""],
    ["32,768 tokens", ""],
    ["3. far/vendor/far", ""],
    ["> ", "first\r"],
    ["First server done.", ""],
    ["> ", "/model 3\r"],
    ["Model: far/vendor/far", ""],
    ["Saved to ", ""],
    ["> ", "second\r"],
    ["Second server done.", ""],
    ["> ", "/plan\r"],
    ["> ", "/model big\r"],
    ["Model: near/big", ""],
    ["> ", "/cost\r"],
    ["Input: ", ""],
    ["The cost is not known.", ""],
    ["> ", "/exit\r"],
  ]);
  expect(code, stdout).toBe(0);
  expect([server.chat(1).model, other.chat(1).model]).toEqual(["small", "vendor/far"]);
  expect(other.chat(1).messages.length).toBeGreaterThan(3);
  expect(await config()).toMatchObject({ model: "far/vendor/far", planModel: "near/big" });
  // The next run begins where this one ended.
  const again = await project.run(["again"], keyed);
  expect(again.stdout).toContain("Second server done.");
});

it("without a task, the last sessions are offered: Enter begins anew, a number continues, text is a task", async () => {
  await configured();
  await project.run(["the first wish"], env);
  await project.run(["the second wish"], env);
  const fresh = await project.converse([], env, [
    ["the first wish", ""],
    ["type a number to continue a session", ""],
    ["> ", "\r"],
    ["> ", "a third wish\r"],
    ["First server done.", ""],
    ["> ", "/exit\r"],
  ]);
  expect(fresh.code).toBe(0);
  expect(JSON.stringify(server.chat(3).messages)).not.toContain("the first wish");

  const continued = await project.converse([], env, [
    ["3. ", ""],
    ["the first wish", ""],
    ["> ", "3\r"],
    ["First server done.", ""],
    ["> ", "go on\r"],
    ["First server done.", ""],
    ["> ", "/sessions\r"],
    ["the second wish", ""],
    ["> ", "/exit\r"],
  ]);
  expect(continued.code).toBe(0);
  const sent = JSON.stringify(server.chat(4).messages);
  expect(sent).toContain("the first wish");
  expect(sent).toContain("go on");

  const typed = await project.converse([], env, [
    ["type a number to continue a session", ""],
    ["> ", "a fourth wish\r"],
    ["First server done.", ""],
    ["> ", "/exit\r"],
  ]);
  expect(typed.code).toBe(0);
  expect(JSON.stringify(server.chat(5).messages)).toContain("a fourth wish");
});

it("two models answer one message, and /choose continues with one of them", async () => {
  await configured();
  const { code, stdout } = await project.converse([], { ...env, FAR_KEY: "other-key" }, [
    ["> ", "@near/small @far/vendor/far Which one?\r"],
    ["1. near/small", ""],
    ["First server done.", ""],
    ["2. far/vendor/far", ""],
    ["Second server done.", ""],
    ["> ", "/choose 3\r"],
    ["There is no answer 3", ""],
    ["> ", "/choose 2\r"],
    ["Continuing with the answer of far/vendor/far.", ""],
    ["> ", "And now?\r"],
    ["First server done.", ""],
    ["> ", "/exit\r"],
  ]);
  expect(code, stdout).toBe(0);
  const sent = JSON.stringify(server.chat(2).messages);
  expect([sent.includes("Second server done."), sent.includes("First server done.")]).toEqual([true, false]);
});
