/** A task with real servers from packages: it lists, asks, runs, shows an image, elicits, is canceled, and survives a server's death. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProjectServers } from "../../../../src/core/servers/project-servers.ts";
import { EXAMPLE } from "../../../../src/core/tools/servers/load-mcp-documentation.ts";
import { createProjectServers } from "../../../../src/node/servers/project-mcp.ts";
import type { ScriptPart, ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { killListed } from "../../../support/processes.ts";
import { connector, marked, memorySecrets, withMark } from "./support.ts";

const packages = path.join(import.meta.dirname, "../../../../node_modules");
const everything = path.join(packages, "@modelcontextprotocol/server-everything/dist/index.js");
const memory = path.join(packages, "@modelcontextprotocol/server-memory/dist/index.js");

let folder: string;
let servers: ProjectServers;
let agent: Agent;
let logged: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-servers-"));
});
afterEach(async () => {
  await agent?.close();
  await servers.close();
  await rm(folder, { recursive: true, force: true });
});

async function configure(mcpServers: Record<string, unknown>): Promise<void> {
  await writeFile(path.join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
  const { host } = memoryHost();
  logged = [];
  servers = createProjectServers({
    host: { ...host, workspace: { root: folder, roots: [{ name: "x", path: folder }], trusted: true } },
    connector: await connector(),
    configDir: folder,
    dataDir: path.join(folder, "data"),
    environment: process.env,
    secrets: memorySecrets(),
    askInput: undefined,
    log: (server, line) => void logged.push(`${server}: ${line}`),
  });
}

/** In the environment of the servers, so that the test finds their processes. */
const mark = withMark();
const node = (...args: string[]) => ({ command: process.execPath, args, ...mark });

const serverPids = () => marked(mark).map(({ pid }) => pid);
const REPLY: ScriptTurn = { answer: [{ text: "Done." }] };
const use = (tool: string, args: Record<string, unknown> = {}): ScriptTurn => ({
  answer: [
    {
      tool: "use_mcp_tool",
      params: { server_name: "every", tool_name: tool, arguments: args },
    } as ScriptPart,
  ],
});

async function begin(turns: ScriptTurn[], approval = { mcp: true }): Promise<void> {
  agent = await startAgent({ script: { turns }, servers, approval });
}

const lastResult = (n: number) => JSON.stringify(agent.server.chat(n).messages.slice(-2));

describe("a task with real servers", () => {
  it("knows the tools at its first request, asks, runs them, and shows texts, structured results and images", async () => {
    await configure({ every: node(everything, "stdio"), notes: node(memory) });
    await begin(
      [
        use("get-sum", { a: 2, b: 3 }),
        use("get-tiny-image"),
        use("get-structured-content", { location: "Chicago" }),
        REPLY,
      ],
      { mcp: false },
    );
    await agent.view.send("go");
    for (let call = 0; call < 3; call++) agent.view.active.approve(await agent.asked());
    expect((await agent.view.active.idle)?.type).toBe("replied");
    const system = String(agent.server.chat(1).messages[0]?.content);
    expect(system).toContain("## every");
    expect(system).toContain("## notes");
    expect(system).toContain("create_entities");
    expect(lastResult(2)).toContain("The sum of 2 and 3 is 5");
    expect(JSON.stringify(agent.server.chat(3).messages)).toContain("data:image/png;base64,");
    expect(lastResult(4)).toContain("temperature");
    expect(agent.calls().map(({ state }) => state)).toEqual(["done", "done", "done"]);
  });

  it("shows progress, cancels a call at Stop, and uses the same server afterwards", async () => {
    await configure({ every: node(everything, "stdio") });
    await begin([
      use("trigger-long-running-operation", { duration: 60, steps: 600 }),
      use("echo", { message: "still here" }),
      REPLY,
    ]);
    const progress = agent.until((event) => event.type === "output" && event.delta.includes("%"));
    await agent.view.send("go");
    await progress;
    const info = servers.all[0]?.server.info;
    await agent.view.stop();
    expect(agent.calls()[0]?.state).toBe("interrupted");
    await agent.view.send("and now?");
    await agent.view.active.idle;
    expect(lastResult(3)).toContain("still here");
    expect(servers.all[0]?.server.info).toBe(info);
  });

  it("puts a form of the server into the call's row, and gives the answer back", async () => {
    await configure({ every: node(everything, "stdio") });
    await begin([use("trigger-elicitation-request"), REPLY]);
    const asked = agent.until((event) => event.type === "form");
    await agent.view.send("go");
    await asked;
    const form = agent.calls()[0]?.form;
    const fields = form?.ask.type === "fields" ? form.ask.fields : [];
    expect(fields.map(({ kind }) => kind.type)).toContain("boolean");
    const [first] = fields.filter(({ kind, required }) => required && kind.type === "text");
    const values = { [first?.name ?? "name"]: "ねこ" };
    agent.view.active.serverForms.answer(form?.id ?? "", { action: "accept", values });
    await agent.view.active.idle;
    expect(lastResult(2)).toContain("ねこ");
  });

  it("survives the death of a server in mid-call, and starts it again for the next call", async () => {
    await configure({ every: node(everything, "stdio") });
    await begin([
      use("trigger-long-running-operation", { duration: 60, steps: 600 }),
      use("echo", { message: "back" }),
      REPLY,
    ]);
    const progress = agent.until((event) => event.type === "output" && event.delta.includes("%"));
    await agent.view.send("go");
    await progress;
    const pids = serverPids();
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) killListed(pid);
    await agent.view.active.idle;
    expect(agent.calls()[0]?.state).toBe("failed");
    expect(agent.rows()).toContainEqual(expect.objectContaining({ kind: "notice", code: "server-ended" }));
    expect(lastResult(3)).toContain("back");
  });

  it("leaves no process behind when it ends", async () => {
    await configure({ every: node(everything, "stdio"), notes: node(memory) });
    await begin([use("echo", { message: "x" }), REPLY]);
    await agent.view.send("go");
    await agent.view.active.idle;
    expect(serverPids().length).toBeGreaterThanOrEqual(2);
    await servers.close();
    expect(serverPids()).toEqual([]);
  });

  it("runs the example of the documentation that models get", async () => {
    const file = path.join(packages, "..", "test", `.example-${process.pid}.mjs`);
    await writeFile(file, EXAMPLE);
    try {
      await configure({ every: node(file) });
      await begin([use("forecast", { city: "Osaka" }), REPLY]);
      await agent.view.send("go");
      await agent.view.active.idle;
      expect(lastResult(2)).toContain("Sunny in Osaka.");
    } finally {
      await rm(file);
    }
  });
});
