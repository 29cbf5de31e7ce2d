/**
 * A host in which four tasks work, killed at any moment: each has all that it announced, once, and goes on. For `npm test`,
 * session-processes.test.ts kills processes that write, and test/unit/core/agent/synced.test.ts proves what is synced when.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { rowsOf } from "../../../src/shared/view/reducer.ts";
import { type ModelServer, type ScriptTurn, startModelServer } from "../../model-server/server.ts";
import { generator, rounds, seedOf } from "../../support/random.ts";
import { openTasks } from "./many-sessions.ts";
import { temporaryFolder } from "./support.ts";

const wasm = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));
const seed = seedOf("many-sessions-killed");
const kills = rounds(1, 100);
const TASKS = 4;
/** A task announces two messages for each request, and has more requests than are ever needed. */
const REQUESTS = 60;
const LATEST_MESSAGE = 150;

const written = (index: number) => `${"内容\n".repeat(50)}${index}\n`;

const turns: ScriptTurn[] = Array.from({ length: REQUESTS }, (_, part) => ({
  match: { request: part + 1 },
  times: true,
  answer: [
    { text: `Step ${part}: 次に進みます。` },
    part % 2 === 0
      ? { tool: "write_to_file", params: { path: `out-${part}.txt`, content: written(part) } }
      : { tool: "list_files", params: { path: "." } },
  ],
}));
const FINISHED: ScriptTurn = {
  match: { said: "finish now" },
  times: true,
  answer: [{ tool: "attempt_completion", params: { result: "Finished." } }],
};

let server: ModelServer;
let host = "";

beforeAll(async () => {
  server = await startModelServer({ script: { chunkSize: 12, turns: [FINISHED, ...turns] } });
  const bundle = await build({
    entryPoints: [path.join(import.meta.dirname, "many-sessions-host.ts")],
    bundle: true,
    platform: "node",
    mainFields: ["module", "main"],
    format: "cjs",
    write: false,
    logLevel: "error",
    define: { "import.meta.url": "importMetaUrl" },
    banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(process.cwd() + "/").href;' },
    external: ["vscode"],
  });
  host = bundle.outputFiles[0]?.text ?? "";
});
afterAll(() => server.close());

it(`kill -9 at ${kills} moments loses nothing and doubles nothing (NEKODE_SEED=${seed})`, {
  timeout: 120_000 + kills * 20_000,
}, async () => {
  const next = generator(seed);
  for (let kill = 0; kill < kills; kill++) await killedRun(Math.floor(next() * LATEST_MESSAGE), next() * 6);
  expect(server.refusals).toEqual([]);
});

/** Kills the host so many milliseconds after its tasks announced so many messages. */
async function killedRun(messages: number, delayMs: number): Promise<void> {
  const where = `after ${messages} messages and ${delayMs.toFixed(1)} ms`;
  const [root, dataDir] = [await temporaryFolder(), await temporaryFolder()];
  const args = ["-", root, dataDir, wasm, server.url, String(TASKS)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end(host);
  const ended = once(child, "exit");
  const announced = new Map<string, string[]>();
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [session = "", id] = line.split(" ");
    // A line that was cut off.
    if (id === undefined || !/^.{8,}$/.test(id)) continue;
    announced.set(session, [...(announced.get(session) ?? []), id]);
    if (++count === messages + 1) setTimeout(() => child.kill("SIGKILL"), delayMs);
  }
  expect((await ended)[1], `${where}: it was at work`).toBe("SIGKILL");

  const problems: string[] = [];
  const log = { info: () => {}, error: (text: string) => void problems.push(text) };
  const { project, view, store } = await openTasks({ root, dataDir, wasm, baseUrl: server.url, log });
  const listed = await store.list();
  expect(listed.length, where).toBeLessThanOrEqual(TASKS);
  expect(
    [...announced.keys()].filter((session) => !listed.some(({ id }) => id === session)),
    where,
  ).toEqual([]);
  for (const { id } of listed) {
    const ids = ((await store.load(id))?.messages ?? []).map((message) => message.id);
    const said = announced.get(id) ?? [];
    expect(ids.slice(0, said.length), `${where}: session ${id}`).toEqual(said);
    expect(ids.length - said.length, `${where}: session ${id}`).toBeLessThanOrEqual(1);
    expect(new Set(ids).size, `${where}: session ${id}`).toBe(ids.length);
  }
  for (const name of await readdir(root)) {
    const index = /^out-(\d+)\.txt$/.exec(name)?.[1];
    if (index === undefined) continue;
    expect(await readFile(path.join(root, name), "utf8"), `${where}: ${name}`).toBe(written(Number(index)));
  }

  // Each is found again, asks nothing by itself, and goes on.
  const before = server.requests.length;
  const reopening = await project.restore("");
  expect([...reopening].sort(), where).toEqual(listed.map(({ id }) => id).sort());
  const { overview } = project;
  while (overview.all.length < listed.length)
    await new Promise<void>((resolve) => {
      const listening = overview.onChange(() => {
        listening.dispose();
        resolve();
      });
    });
  expect(server.requests, where).toHaveLength(before);
  for (const { id } of listed) {
    await view.open(id, { keep: true });
    await view.send("finish now");
    // A call that had not begun asks again.
    const { first } = view.active.approvals;
    if (first !== undefined) view.active.reject(first);
    expect((await view.active.idle)?.type, where).toBe("completed");
    expect(JSON.stringify(rowsOf(view.active.chatView).at(-1)), where).toContain("Finished.");
  }
  expect(problems, where).toEqual([]);
  await project.dispose();
  await store.close();
}
