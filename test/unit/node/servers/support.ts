/** Connects to servers as the product does, with the guard as it ships. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { bundles } from "../../../../esbuild.mjs";
import type {
  Secrets,
  ServerConnection,
  ServerConnector,
  ServerEvents,
  ServerLaunch,
} from "../../../../src/core/ports/servers.ts";
import { createModelFetch } from "../../../../src/node/net/model-fetch.ts";
import { type ConnectorOptions, createServerConnector } from "../../../../src/node/servers/connector.ts";
import { processGuard } from "../../../../src/node/servers/process-guard.ts";
import { freePort } from "../../../support/free-port.ts";
import { type RunningProcess, runningProcesses } from "../../../support/processes.ts";

const repository = path.join(import.meta.dirname, "../../../..");
export const neverAborted = new AbortController().signal;

/** A folder with the product's guard and SDK, as they ship; the same one for all tests of a process. */
export function productFolder(): Promise<string> {
  builtFolder ??= buildProduct();
  return builtFolder;
}

let builtFolder: Promise<string> | undefined;

async function buildProduct(): Promise<string> {
  const folder = path.join(repository, ".cache/test-servers", String(process.pid));
  await mkdir(folder, { recursive: true });
  await Promise.all([buildBundle("guard", folder), buildBundle("mcp", folder)]);
  return folder;
}

/** Builds a bundle of esbuild.mjs into a folder; `entry`: with another entry. */
export async function buildBundle(name: string, folder: string, entry?: string): Promise<string> {
  const bundle = bundleOf(name);
  const outfile = path.join(folder, entry === undefined ? `${name}.js` : `${path.basename(entry, ".ts")}.js`);
  await build({
    ...bundle.options,
    absWorkingDir: repository,
    entryPoints: [entry ?? bundle.entry],
    outfile,
    sourcemap: false,
    // The program is a function, which the launcher calls; what a test has in its place is run by itself.
    ...(entry === undefined ? {} : { banner: bundleOf("launcher").options.banner, footer: {} }),
  });
  return outfile;
}

function bundleOf(name: string) {
  const bundle = bundles().find((each) => each.name === name);
  if (!bundle) throw new Error(`esbuild.mjs has no bundle named ${name}`);
  return bundle;
}

export async function connector(options: Partial<ConnectorOptions> = {}): Promise<ServerConnector> {
  return createServerConnector({
    folder: await productFolder(),
    roots: () => [],
    environment: process.env,
    fetch: createModelFetch({}),
    version: "0.0.0",
    secrets: memorySecrets(),
    dataDir: undefined,
    signIn: [],
    ...options,
  });
}

export function memorySecrets(): Secrets & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get: async (name) => entries.get(name),
    set: async (name, value) => void entries.set(name, value),
    delete: async (name) => void entries.delete(name),
  };
}

/** Events that only record. A question is declined unless `ask` is given. */
export function recordedEvents(
  own: Partial<ServerEvents> = {},
): ServerEvents & { lines: string[]; changes: string[] } {
  const lines: string[] = [];
  const changes: string[] = [];
  return {
    lines,
    changes,
    log: (line) => void lines.push(line),
    changed: (list) => void changes.push(list),
    ask: async () => ({ action: "decline" }),
    roots: () => [{ name: "project", path: repository }],
    ...own,
  };
}

/** A package's program, run by this Node. */
export function packageServer(name: string, entry: string, ...args: string[]): ServerLaunch {
  const program = path.join(repository, "node_modules", name, entry);
  return { type: "stdio", command: process.execPath, args: [program, ...args], env: {}, cwd: repository };
}

export const EVERYTHING = ["@modelcontextprotocol/server-everything", "dist/index.js"] as const;

/** A server of test/fixtures/servers. */
export function fixtureServer(name: string, ...args: string[]): ServerLaunch {
  const program = path.join(repository, "test/fixtures/servers", name);
  return { type: "stdio", command: process.execPath, args: [program, ...args], env: {}, cwd: repository };
}

/** To be called in a file of tests with many connections: without it, a guard starts and ends with nearly each of them. */
export function oneGuardForAll(): void {
  let done = () => {};
  beforeAll(async () => {
    done = await processGuard(await productFolder()).add({ mark: `NEKODE_TEST=${randomUUID()}` });
  });
  afterAll(() => done());
}

/** Connects, and closes the connection when the test ends. */
export async function connected(
  launch: ServerLaunch,
  events: ServerEvents = recordedEvents(),
  options: ConnectOptions = {},
): Promise<ServerConnection> {
  const connection = await connect(launch, events, options);
  onTestFinished(() => connection.close());
  return connection;
}

type ConnectOptions = Partial<ConnectorOptions> & { timeoutMs?: number };

async function connect(
  launch: ServerLaunch,
  events: ServerEvents,
  { timeoutMs = 30_000, ...options }: ConnectOptions = {},
): Promise<ServerConnection> {
  return (await connector(options)).connect("sample", launch, events, { signal: neverAborted, timeoutMs });
}

/** Takes what is to be done when nobody needs a server any more. */
export type WhenOver = (work: () => void) => void;

/** One connection for all tests of a `describe`, none of which may leave anything to the next. */
export function sharedConnection(
  launch: (whenOver: WhenOver) => ServerLaunch | Promise<ServerLaunch>,
  events: ServerEvents = recordedEvents(),
): () => ServerConnection {
  let connection: ServerConnection | undefined;
  const works: (() => void)[] = [];
  beforeAll(async () => {
    connection = await connect(await launch((work) => void works.push(work)), events);
  });
  afterAll(async () => {
    await connection?.close();
    for (const work of works) work();
  });
  return () => {
    if (connection === undefined) throw new Error("there is no connection yet");
    return connection;
  };
}

/** A variable for the environment of a server, by which a test finds the server and everything that it started. */
export function withMark(): { env: Record<string, string> } {
  return { env: { NEKODE_TEST: randomUUID() } };
}

/** The running processes with the mark. */
export function marked({ env }: { env: Record<string, string> }): RunningProcess[] {
  const mark = `NEKODE_TEST=${env.NEKODE_TEST}`;
  return runningProcesses((_, environment) => environment().includes(mark));
}

/** Starts server-everything on a port. Resolves when it listens. */
export async function everythingOnPort(
  transport: "streamableHttp" | "sse",
  whenOver: WhenOver = onTestFinished,
): Promise<string> {
  const port = await freePort();
  const program = path.join(repository, "node_modules", ...EVERYTHING);
  const child = spawn(process.execPath, [program, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  whenOver(() => void child.kill("SIGKILL"));
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes(String(port))) break;
  }
  child.stderr.resume();
  return `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`;
}
