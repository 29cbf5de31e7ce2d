/** How long a message takes to the first words of its answer: over the Agent Client Protocol, and without it. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { type ClientContext, client, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import { openProject } from "../../src/node/open-project.ts";
import { createTerminalHost } from "../../src/node/terminal-host.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import type { CallCost } from "./report.ts";

const ROUNDS = 41;
const START_ROUNDS = 9;

const PROGRAM = path.resolve("dist/cli.js");
const WORDS = "It says something.";

interface Place {
  root: string;
  dataDir: string;
  server: ModelServer;
}

type Program = ChildProcessByStdio<Writable, Readable, null>;

function start({ root, dataDir, server }: Place, args: readonly string[]): Program {
  const env = {
    ...process.env,
    HOME: dataDir,
    NEKODE_DATA_DIR: dataDir,
    NEKODE_BASE_URL: server.url,
    NEKODE_MODEL: "scripted",
    NEKODE_CONTEXT_WINDOW: "200000",
  };
  return spawn(process.execPath, [PROGRAM, ...args], { cwd: root, env, stdio: ["pipe", "pipe", "ignore"] });
}

/** An editor with one session. `ask` resolves with the milliseconds to the first words. */
async function openEditor(place: Place): Promise<{ ask(): Promise<number>; close(): Promise<void> }> {
  const child = start(place, ["acp", "--protocol", "xml"]);
  let first: () => void = () => undefined;
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  const connection = client({ name: "bench" })
    .onNotification(methods.client.session.update, ({ params }) => {
      if (params.update.sessionUpdate === "agent_message_chunk") first();
    })
    .connect(ndJsonStream(Writable.toWeb(child.stdin), input));
  const agent: ClientContext = connection.agent;
  await agent.request(methods.agent.initialize, { protocolVersion: 1 });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: place.root, mcpServers: [] });
  return {
    async ask() {
      const words = new Promise<void>((resolve) => {
        first = resolve;
      });
      const from = performance.now();
      const turn = agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: "text", text: "What does it say?" }],
      });
      await words;
      const ms = performance.now() - from;
      await turn;
      return ms;
    },
    async close() {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.stdin.end();
      await ended;
    },
  };
}

/** The same agent on the same ports in this process, as the terminal uses it. */
async function openTerminal({
  root,
  dataDir,
  server,
}: Place): Promise<Awaited<ReturnType<typeof openEditor>>> {
  const log = { info: () => undefined, error: (text: string, cause: unknown) => console.error(text, cause) };
  const host = createTerminalHost({ policy: undefined, root, assetsDir: path.resolve("dist/wasm"), log });
  const settings = settingsSchema.parse({
    provider: { baseUrl: server.url, model: "scripted", protocol: "xml", contextWindow: 200_000 },
  });
  const opened = await openProject({
    host,
    sessions: { root },
    dataDir,
    environment: process.env,
    settings: () => settings,
    apiKey: async () => undefined,
  });
  const { project } = opened;
  const { view } = project;
  return {
    async ask() {
      const from = performance.now();
      const words = new Promise<void>((resolve) => {
        const listening = project.onEvent(({ type }) => {
          if (type !== "delta") return;
          listening.dispose();
          resolve();
        });
      });
      await view.send("What does it say?");
      await words;
      const ms = performance.now() - from;
      await view.active.idle;
      return ms;
    },
    async close() {
      await view.newTask();
      host.shell.dispose();
      await opened.close();
    },
  };
}

/** From the start of the program to the first words. */
async function firstWords(place: Place, how: "acp" | "terminal"): Promise<number> {
  const from = performance.now();
  if (how === "acp") {
    const editor = await openEditor(place);
    await editor.ask();
    const ms = performance.now() - from;
    await editor.close();
    return ms;
  }
  const child = start(place, ["--json", "--protocol", "xml", "What does it say?"]);
  child.stdin.end();
  let ms = 0;
  for await (const line of createInterface({ input: child.stdout }))
    if (ms === 0 && line.includes('"type":"delta"')) ms = performance.now() - from;
  return ms;
}

/** The two take turns, so that what else the machine does falls on both alike. Medians. */
async function compare(
  rounds: number,
  editor: () => Promise<number>,
  terminal: () => Promise<number>,
): Promise<CallCost> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    times[0].push(await editor());
    times[1].push(await terminal());
  }
  const [ms = 0, bareMs = 0] = times.map((each) => each.sort((a, b) => a - b)[rounds >> 1]);
  return { ms, bareMs };
}

export async function roundTrips(): Promise<Record<string, CallCost>> {
  if (!existsSync(PROGRAM)) throw new Error(`There is no ${PROGRAM}. Run npm run build first.`);
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-bench-"));
  const server = await startModelServer({ script: { turns: [{ times: true, answer: [{ text: WORDS }] }] } });
  try {
    const [root, dataDir] = [path.join(folder, "project"), path.join(folder, "data")];
    await mkdir(root);
    await mkdir(dataDir);
    const place = { root, dataDir, server };
    const [editor, terminal] = [await openEditor(place), await openTerminal(place)];
    // The first rounds compile.
    for (const each of [editor, terminal]) await each.ask();
    const prompt = await compare(ROUNDS, editor.ask, terminal.ask);
    await Promise.all([editor.close(), terminal.close()]);
    const begin = await compare(
      START_ROUNDS,
      () => firstWords(place, "acp"),
      () => firstWords(place, "terminal"),
    );
    return {
      [`a message to the first words of the answer, ${ROUNDS} in one session`]: prompt,
      "the start of the program to the first words": begin,
    };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export function roundTripsText(costs: Record<string, CallCost>): string {
  const lines = Object.entries(costs).map(
    ([name, { ms, bareMs }]) =>
      `  ${name}: ${ms.toFixed(2)} ms, terminal host ${bareMs.toFixed(2)} ms, ratio ${(ms / bareMs).toFixed(2)}`,
  );
  return ["an editor, over the Agent Client Protocol", ...lines].join("\n");
}
