/**
 * A gateway that others wrote, between the built terminal host and the played model: what it makes of streams, errors and ends. It lists no
 * models: its own `/v1/models` fails.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runReportSchema } from "../../src/shared/run/run-report.ts";
import { type Ended, Project } from "../cli/support.ts";
import { type ModelServer, type Script, type ScriptTurn, startModelServer } from "../model-server/server.ts";
import { freePort } from "../support/free-port.ts";
import { foreignPackage } from "./foreign-package.ts";
import { writeTable } from "./table.ts";

type Api = "chat" | "responses";

const KEY = "key-of-the-gateway";
const READY = /Ready for connections/;
const DONE: ScriptTurn = { answer: [{ tool: "attempt_completion", params: { result: "All done." } }] };
const TOKENS = { promptTokens: 5_000, completionTokens: 40, cachedTokens: 4_000 };

const rows = new Map<string, Partial<Record<Api, string>>>();
let gateway: ChildProcess;
let url: string;
let model: ModelServer;
let project: Project;

beforeAll(async () => {
  const { program } = foreignPackage("@portkey-ai/gateway");
  const port = await freePort();
  url = `http://127.0.0.1:${port}/v1`;
  const preload = path.join(import.meta.dirname, "own-response.mjs");
  const args = ["--import", preload, program, "--headless", `--port=${port}`];
  gateway = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    for (const stream of [gateway.stdout, gateway.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (READY.test(said)) resolve();
      });
    gateway.once("exit", () => reject(new Error(`the gateway ended: ${said}`)));
  });
});
afterAll(async () => {
  const closed = once(gateway, "close");
  gateway.kill("SIGKILL");
  await closed;
  const cells = [...rows].map(([what, { chat = "", responses = "" }]) => [what, chat, responses]);
  await writeTable("gateway", ["what the model's server does", "chat completions", "Responses"], cells);
});

beforeEach(async () => {
  model = await startModelServer();
  project = await Project.create({ "a.txt": "one\n", "b.txt": "two\n" });
});
afterEach(async () => {
  expect(model.refusals).toEqual([]);
  await model.close();
  await project.remove();
});

/** Starts a task that asks the model through the gateway. */
async function begin(api: Api, script: Script) {
  model.setScript({ apiKey: KEY, ...script });
  const config = path.join(project.folder, "..", ".config/nekode");
  const headers = { "x-portkey-provider": "openai", "x-portkey-custom-host": model.url };
  const connection = { name: "gateway", api, baseUrl: url, keyEnv: "GATEWAY_KEY", headers };
  await mkdir(config, { recursive: true });
  await writeFile(
    path.join(config, "config.json"),
    JSON.stringify({ version: 1, connections: [connection], model: "gateway/scripted" }),
  );
  const args = ["--protocol", "native", "--approve", "read,edit", "--json", "do it"];
  return project.start(args, { GATEWAY_KEY: KEY });
}

async function run(api: Api, script: Script): Promise<Ended> {
  const { ended } = await begin(api, script);
  const result = await ended;
  // What went wrong is among the events.
  return { ...result, stderr: `${result.stderr}${result.stdout.slice(-2_000)}` };
}

function found(what: string, api: Api, result: string): void {
  rows.set(what, { ...rows.get(what), [api]: result });
}

/** The last line of `--json`. */
const reportIn = (stdout: string) => JSON.parse(stdout.trim().split("\n").at(-1) ?? "");

describe.each(["chat", "responses"] as const)("through a gateway, over %s", (api) => {
  it("reasoning, text, calls and tokens arrive", async () => {
    const first: ScriptTurn = {
      answer: [
        { reasoning: "Both files, 両方." },
        { text: "I read 猫 both." },
        { tool: "read_file", params: { path: "a.txt" } },
        { tool: "read_file", params: { path: "b.txt" } },
      ],
      usage: TOKENS,
    };
    const { code, stdout, stderr } = await run(api, { turns: [first, { ...DONE, usage: TOKENS }] });
    expect(code, stderr).toBe(0);
    for (const text of ["Both files, 両方.", "I read 猫 both."]) expect(stdout).toContain(text);
    expect(model.requests).toHaveLength(2);
    for (const text of ["one", "two"]) expect(model.requests[1]?.text).toContain(text);
    const { tokens } = runReportSchema.parse(reportIn(stdout));
    expect(tokens).toEqual({ input: 10_000, output: 80, cached: 8_000 });
    found("reasoning, text, two calls, tokens", api, "all arrive");
  });

  it("a call of 100 KB arrives whole", async () => {
    const content = "A line of a long file, 一行.\n".repeat(3_500);
    const write: ScriptTurn = { answer: [{ tool: "write_to_file", params: { path: "long.txt", content } }] };
    const { code, stderr } = await run(api, { turns: [write, DONE], chunkSize: 40, writeSize: 1_000 });
    expect(code, stderr).toBe(0);
    expect(await project.read("long.txt")).toBe(content);
    found("a call of 100 KB", api, "arrives whole");
  });

  it("a refusal for a moment is asked again", async () => {
    const busy: ScriptTurn = { ...DONE, fault: { kind: "status", status: 429, retryAfter: 0, times: 1 } };
    const { code, stderr } = await run(api, { turns: [busy, DONE] });
    expect(code, stderr).toBe(0);
    expect(model.requests.length).toBeGreaterThan(1);
    found("429, then an answer", api, "asked again");
  });

  it("a refusal for good is named in the server's own words", async () => {
    const fault = { kind: "status", status: 400, message: "The cat is on the keyboard." } as const;
    const { code, stderr } = await run(api, { turns: [{ ...DONE, fault }] });
    expect(code).toBe(1);
    expect(stderr).toContain("The cat is on the keyboard.");
    found("400", api, "named in its words");
  });

  it("an error in mid-stream is asked again", async () => {
    const error = {
      ...{ code: 500, type: "server_error" },
      message: "The model produced output that does not match the expected peg-native format",
    };
    const broken: ScriptTurn = {
      answer: [{ text: "I write the file now, with all of its lines." }],
      fault: { kind: "streamError", after: 3, error },
    };
    const { code, stderr } = await run(api, { turns: [broken, DONE] });
    expect(code, stderr).toBe(0);
    expect(model.requests).toHaveLength(2);
    found("an error in mid-stream", api, "asked again");
  });

  it("a connection that breaks in mid-stream is asked again", async () => {
    const cut: ScriptTurn = {
      answer: [{ text: "I will now read the file." }],
      fault: { kind: "cut", after: 3 },
    };
    const { code, stderr } = await run(api, { turns: [cut, DONE] });
    expect(code, stderr).toBe(0);
    expect(model.requests).toHaveLength(2);
    found("a connection that breaks in mid-stream", api, "asked again");
  });

  it("Ctrl+C ends the task at once, whatever the gateway does", async () => {
    const waiting: ScriptTurn = { answer: [{ text: "I" }, { hold: "answer" }, { text: "wait." }] };
    const { child, ended } = await begin(api, { turns: [waiting] });
    await Promise.race([model.waitForHold("answer"), ended]);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    const isPassedOn = model.requests[0]?.abortedByClient;
    model.release("answer");
    await model.requests[0]?.closed;
    const reached = isPassedOn || model.requests[0]?.abortedByClient;
    found(
      "Ctrl+C while it answers",
      api,
      reached ? "ends; the model is told" : "ends; the gateway lets the model finish",
    );
  });
});
