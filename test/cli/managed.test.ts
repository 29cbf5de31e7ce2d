/** The policy of an administrator at its real path, in every host that is a process: terminal, other editors, batches. */
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { hasNamespaces, startManaged } from "../support/managed-machine.ts";
import { type Ended, Project } from "./support.ts";

const program = path.join(import.meta.dirname, "../../dist/cli.js");
const BY = "Example IT";
const WRITE = { tool: "write_to_file", params: { path: "cat.txt", content: "meow\n" } };
const DONE = { tool: "attempt_completion", params: { result: "Done." } };

let project: Project;
let model: ModelServer;

beforeEach(async () => {
  model = await startModelServer();
  model.setScript({
    turns: [
      { match: { request: 1 }, times: true, answer: [WRITE] },
      { times: true, answer: [DONE] },
    ],
  });
  project = await Project.create({ "neko.txt": "cats\n" });
});

afterEach(async () => {
  await model.close();
  await project.remove();
});

const policyOf = (more: object) => JSON.stringify({ version: 1, managedBy: BY, ...more });

function start(policy: string, args: readonly string[], env: Record<string, string> = {}) {
  return startManaged(policy, path.join(path.dirname(project.folder), "policy.json"), {
    command: [process.execPath, program, ...args],
    cwd: project.folder,
    env: { ...project.environment, NEKODE_BASE_URL: model.url, NEKODE_MODEL: "scripted", ...env },
  });
}

async function run(
  policy: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = await start(policy, args, env);
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  child.stdin.end();
  const [code] = await once(child, "close");
  return { code: z.nullable(z.number()).parse(code), ...printed };
}

const asked = () => model.requests.filter(({ path: at }) => at.includes("completions")).length;

describe.runIf(hasNamespaces)("on a computer that is managed", () => {
  it("the terminal host asks whatever the command line and the configuration allow", async () => {
    const policy = policyOf({ permissions: { highest: "ask" } });
    const config = path.join(path.dirname(project.folder), "config");
    await mkdir(config);
    await writeFile(path.join(config, "config.json"), JSON.stringify({ version: 1, permission: "all" }));
    for (const args of [
      ["--approve", "all"],
      ["--permission", "all"],
      ["--config-dir", config],
    ]) {
      const ended = await run(policy, [...args, "Write"]);
      expect([ended.code, ended.stderr]).toEqual([
        4,
        expect.stringContaining(`${BY} requires approval for this`),
      ]);
    }
    await expect(project.read("cat.txt")).rejects.toThrow("ENOENT");
    expect(
      (await run(policyOf({ permissions: { highest: "edits" } }), ["--approve", "all", "Write"])).code,
    ).toBe(0);
    expect(await project.read("cat.txt")).toBe("meow\n");
  });

  it("no request leaves for an endpoint or a model that is not allowed, and doctor and policy say so", async () => {
    const policy = policyOf({ endpoints: ["https://models.example.com"], export: "off" });
    const ended = await run(policy, ["--approve", "all", "Write"], { NEKODE_POLICY: "/dev/null" });
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringContaining(`${BY} does not allow requests to http://`),
    ]);
    const doctor = await run(policy, ["doctor", "--yes"]);
    expect(doctor.stderr).toContain(`Managed by ${BY}: /etc/nekode/policy.json`);
    expect(doctor.stderr).toContain("Endpoints: only https://models.example.com");
    const shown = await run(policy, ["policy"]);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("Sessions cannot be exported")]);
    const checked = await run(policy, ["policy", "check", "absent.json"]);
    expect([checked.code, checked.stderr]).toEqual([
      1,
      expect.stringMatching(/^nekode: .*absent\.json cannot be read: /),
    ]);
    expect((await run(policy, ["config"])).stderr).toContain(`Managed by ${BY}`);
    expect(model.requests).toEqual([]);
    const other = await run(policyOf({ models: ["corp-*"] }), ["--approve", "all", "Write"]);
    expect(other.stderr).toContain(`${BY} does not allow the model scripted.`);
    expect(asked()).toBe(0);
  });

  it("a policy that cannot be used, or that others can write, stops every command with one sentence", async () => {
    for (const args of [
      ["Write"],
      ["acp"],
      ["batch", "tasks.jsonl"],
      ["worker", "--queue", "redis://localhost"],
      ["judge", "ls"],
    ]) {
      const ended = await run(policyOf({ sandbx: "required" }), args);
      expect([args[0], ended.code, ended.stdout]).toEqual([args[0], 1, ""]);
      expect(ended.stderr.trim().split("\n")).toEqual([
        expect.stringMatching(
          /^nekode: Nekode is managed on this computer and does not start, .*sandbx.*Ask your administrator\.$/,
        ),
      ]);
    }
    expect((await run("{", ["--version"])).code).toBe(0);
    expect(asked()).toBe(0);
  });

  it("other editors cannot choose more than the policy, and are asked", async () => {
    const child = await start(policyOf({ permissions: { highest: "ask" } }), ["acp", "--permission", "all"]);
    const line = z.object({
      id: z.optional(z.number()),
      method: z.optional(z.string()),
      result: z.optional(z.unknown()),
    });
    let next = 0;
    const waiting = new Map<number, (result: unknown) => void>();
    const permissions: string[] = [];
    createInterface({ input: child.stdout }).on("line", (text) => {
      const { id, method, result } = line.parse(JSON.parse(text));
      if (id === undefined) return;
      if (method === undefined) return void waiting.get(id)?.(result);
      permissions.push(method);
      send({ id, result: { outcome: { outcome: "selected", optionId: "reject_once" } } });
    });
    const send = (message: object) =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const call = (method: string, params: object) =>
      new Promise<unknown>((resolve) => {
        const id = ++next;
        waiting.set(id, resolve);
        send({ id, method, params });
      });
    await call("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const opened = z
      .object({ sessionId: z.string() })
      .parse(await call("session/new", { cwd: project.folder, mcpServers: [] }));
    await call("session/set_config_option", {
      sessionId: opened.sessionId,
      configId: "permission",
      value: "all",
    });
    await call("session/prompt", { sessionId: opened.sessionId, prompt: [{ type: "text", text: "Write" }] });
    expect(permissions).toContain("session/request_permission");
    await expect(project.read("cat.txt")).rejects.toThrow("ENOENT");
    child.stdin.end();
    await once(child, "close");
  });

  it("a batch cannot lift the policy", async () => {
    project.commit();
    await project.write({
      "tasks.jsonl": `${JSON.stringify({ id: "a", cwd: project.folder, task: "Write" })}\n`,
    });
    const results = path.join(path.dirname(project.folder), "results.jsonl");
    await run(policyOf({ permissions: { highest: "ask" } }), [
      ...["batch", "tasks.jsonl", "--out", results, "--approve", "all"],
    ]);
    expect(await readFile(results, "utf8")).toContain('"status":"needs-approval"');
    await expect(project.read("cat.txt")).rejects.toThrow("ENOENT");
  });
});
