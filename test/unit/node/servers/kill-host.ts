/**
 * A host that connects to servers and kills itself: argument 1 is JSON of the phase in which it does that, the milliseconds after
 * the phase's start, the product's folder, and the launches.
 */
import type { ServerLaunch } from "../../../../src/core/ports/servers.ts";
import { createModelFetch } from "../../../../src/node/net/model-fetch.ts";
import { createServerConnector } from "../../../../src/node/servers/connector.ts";

export interface Killing {
  phase: "spawn" | "handshake" | "list" | "call" | "idle" | "close";
  afterMs: number;
  folder: string;
  launches: ServerLaunch[];
}

const killing: Killing = JSON.parse(process.argv[2] ?? "");
const signal = new AbortController().signal;
const options = { signal, timeoutMs: 60_000 };

/** The work of the phase goes on meanwhile. */
function at(phase: Killing["phase"]): void {
  if (phase === killing.phase) setTimeout(() => process.kill(process.pid, "SIGKILL"), killing.afterMs);
}

async function run(): Promise<void> {
  const connector = createServerConnector({
    folder: killing.folder,
    roots: () => [],
    environment: process.env,
    fetch: createModelFetch({}),
    version: "0.0.0",
    secrets: { get: async () => undefined, set: async () => {}, delete: async () => {} },
    dataDir: undefined,
    signIn: [],
  });
  let spawned = false;
  const events = {
    // The first line of a server shows that it runs, before it answers.
    log: () => {
      if (!spawned) at("handshake");
      spawned = true;
    },
    changed: () => {},
    ask: async () => ({ action: "decline" as const }),
    roots: () => [],
  };
  at("spawn");
  const connections = await Promise.all(
    killing.launches.map((launch, index) => connector.connect(`server-${index}`, launch, events, options)),
  );
  at("list");
  await Promise.all(connections.map((connection) => connection.tools(signal)));
  at("call");
  await Promise.all(connections.map((connection) => connection.callTool("detach", {}, options)));
  at("idle");
  if (killing.phase === "idle") await new Promise(() => setInterval(() => {}, 60_000));
  at("close");
  await Promise.all(connections.map((connection) => connection.close()));
  // The kill comes a moment after the phase's start, which may be after its end.
  if (killing.phase === "close") await new Promise(() => setInterval(() => {}, 60_000));
}

void run();
