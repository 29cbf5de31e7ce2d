/** Tasks with servers of packages: the folder, the servers and the agent of the test that runs. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { ProjectServers } from "../../../../src/core/servers/project-servers.ts";
import { createProjectServers } from "../../../../src/node/servers/project-mcp.ts";
import type { ScriptPart, ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { connector, marked, memorySecrets, withMark } from "./support.ts";

export const packages = path.join(import.meta.dirname, "../../../../node_modules");

export const everything = path.join(packages, "@modelcontextprotocol/server-everything/dist/index.js");

export const memory = path.join(packages, "@modelcontextprotocol/server-memory/dist/index.js");

let folder: string;
export let servers: ProjectServers;
export let agent: Agent;

export function eachInItsFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "nekode-servers-"));
  });

  afterEach(async () => {
    await agent?.close();
    await servers.close();
    await rm(folder, { recursive: true, force: true });
  });
}

export async function configure(mcpServers: Record<string, unknown>): Promise<void> {
  await writeFile(path.join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
  const { host } = memoryHost();
  servers = createProjectServers({
    host: { ...host, workspace: { root: folder, roots: [{ name: "x", path: folder }], trusted: true } },
    connector: await connector(),
    configDir: folder,
    dataDir: path.join(folder, "data"),
    environment: process.env,
    secrets: memorySecrets(),
    askInput: undefined,
    log: () => {},
  });
}

/** In the environment of the servers, so that the test finds their processes. */
export const mark = withMark();

export const node = (...args: string[]) => ({ command: process.execPath, args, ...mark });

export const serverPids = () => marked(mark).map(({ pid }) => pid);

export const REPLY: ScriptTurn = { answer: [{ text: "Done." }] };

export const use = (tool: string, args: Record<string, unknown> = {}): ScriptTurn => ({
  answer: [
    {
      tool: "use_mcp_tool",
      params: { server_name: "every", tool_name: tool, arguments: args },
    } as ScriptPart,
  ],
});

export async function begin(turns: ScriptTurn[], approval = { mcp: true }): Promise<void> {
  agent = await startAgent({ script: { turns }, servers, approval });
}

export const lastResult = (n: number) => JSON.stringify(agent.server.chat(n).messages.slice(-2));
