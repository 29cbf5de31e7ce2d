/** What calls of MCP tools cost over our connection and over the bare SDK client, to the same local server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { build } from "esbuild";
import { bundles } from "../../esbuild.mjs";
import type { ServerConnector, ServerLaunch } from "../../src/core/ports/servers.ts";
import { createModelFetch } from "../../src/node/net/model-fetch.ts";
import { createServerConnector } from "../../src/node/servers/connector.ts";
import type { CallCost } from "./report.ts";

/** Calls in a row; rounds; and rounds that start a server. */
const CALLS = 200;
const ROUNDS = 21;
const START_ROUNDS = 9;

const ARGUMENTS = { text: "What the cat wrote. ".repeat(50) };
type LocalLaunch = Extract<ServerLaunch, { type: "stdio" }>;

/** A started server, and how to call it. */
export interface Started {
  call(): Promise<unknown>;
  close(): Promise<void>;
}

export async function connectedServer(connector: ServerConnector, launch: LocalLaunch): Promise<Started> {
  const { signal } = new AbortController();
  const events = {
    log: () => undefined,
    changed: () => undefined,
    ask: async () => ({ action: "decline" as const }),
    roots: () => [],
  };
  const connection = await connector.connect("sample", launch, events, { signal, timeoutMs: 60_000 });
  await connection.tools(signal);
  return {
    call: () => connection.callTool("echo", ARGUMENTS, { signal, timeoutMs: 60_000 }),
    close: () => connection.close(),
  };
}

async function bare({ command, args, env, cwd }: LocalLaunch): Promise<Started> {
  const client = new Client({ name: "bench", version: "0.0.0" });
  await client.connect(new StdioClientTransport({ command, args, env, cwd, stderr: "ignore" }));
  await client.listTools();
  return {
    call: () => client.callTool({ name: "echo", arguments: ARGUMENTS }),
    close: () => client.close(),
  };
}

async function perCall({ call }: Started): Promise<number> {
  const from = performance.now();
  for (let n = 0; n < CALLS; n++) await call();
  return (performance.now() - from) / CALLS;
}

/** From the start of the process to the first result. */
async function firstCall(start: () => Promise<Started>): Promise<number> {
  const from = performance.now();
  const started = await start();
  await started.call();
  const ms = performance.now() - from;
  await started.close();
  return ms;
}

/** The two take turns, so that what else the machine does falls on both alike. Medians. */
async function compare(
  rounds: number,
  own: () => Promise<number>,
  plain: () => Promise<number>,
): Promise<CallCost> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    times[0].push(await own());
    times[1].push(await plain());
  }
  const [ms = 0, bareMs = 0] = times.map((each) => each.sort((a, b) => a - b)[rounds >> 1]);
  return { ms, bareMs };
}

/** Our connection to local servers, with the built guard in that folder, and how to start the scripted one. */
export async function localConnector(
  folder: string,
): Promise<{ connector: ServerConnector; launch: LocalLaunch }> {
  const guard = bundles({ minify: true }).find(({ name }) => name === "guard");
  const place = { absWorkingDir: process.cwd(), entryPoints: ["src/node/servers/guard-main.ts"] };
  await build({ ...guard?.options, ...place, outfile: path.join(folder, "guard.js") });
  const connector = createServerConnector({
    folder,
    roots: () => [],
    environment: process.env,
    fetch: createModelFetch({}),
    version: "0.0.0",
    secrets: { get: async () => undefined, set: async () => undefined, delete: async () => undefined },
    dataDir: folder,
    signIn: [],
  });
  const program = path.resolve("test/fixtures/servers/scripted.mjs");
  const command = { command: process.execPath, args: [program, "{}"] };
  return { connector, launch: { type: "stdio", ...command, env: {}, cwd: folder } };
}

export async function callCosts(): Promise<Record<string, CallCost>> {
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-bench-"));
  try {
    const { connector, launch } = await localConnector(folder);
    const [own, plain] = [await connectedServer(connector, launch), await bare(launch)];
    // The first rounds compile.
    for (const each of [own, plain]) await perCall(each);
    const call = await compare(
      ROUNDS,
      () => perCall(own),
      () => perCall(plain),
    );
    await Promise.all([own.close(), plain.close()]);
    const start = await compare(
      START_ROUNDS,
      () => firstCall(() => connectedServer(connector, launch)),
      () => firstCall(() => bare(launch)),
    );
    return { [`a call, ${CALLS} in a row`]: call, "the start of a server to the first result": start };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function callCostsText(costs: Record<string, CallCost>): string {
  const lines = Object.entries(costs).map(
    ([name, { ms, bareMs }]) =>
      `  ${name}: ${ms.toFixed(2)} ms, bare client ${bareMs.toFixed(2)} ms, ratio ${(ms / bareMs).toFixed(2)}`,
  );
  return ["tools of a local MCP server", ...lines].join("\n");
}
