/** The terminal host killed at any moment of a busy task: what it had said is there, and the task goes on. */
import { watch } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, type ScriptTurn, startModelServer } from "../model-server/server.ts";
import { generator, rounds, seedOf } from "../support/random.ts";
import { inStore } from "./store.ts";
import { Project } from "./support.ts";

const seed = seedOf("killed");
const kills = rounds(1, 100);
const killsAtFirst = rounds(1, 300);
const AT_ONCE = 2;
/** A run prints about ten events for each of its requests, and more requests than are ever needed are in the script. */
const LATEST_EVENT = 300;
const REQUESTS = 100;
/** Changes in the folder of the store until its first message is there, and some after it. */
const FIRST_CHANGES = 30;

const written = (index: number) => `${"内容\n".repeat(50)}${index}\n`;

/** A request of each kind, again and again: a file that is read, one that is written, a command. For every run alike. */
const turns: ScriptTurn[] = Array.from({ length: REQUESTS }, (_, index) => {
  const text = { text: `Step ${index}: 次に進みます。` };
  const tools = [
    { tool: "read_file", params: { path: "large.txt" } },
    { tool: "write_to_file", params: { path: `out-${index}.txt`, content: written(index) } },
    { tool: "execute_command", params: { command: `echo ${index} >> log.txt`, requires_approval: false } },
  ];
  const tool = tools[index % tools.length];
  return { match: { request: index + 1 }, times: true, answer: tool ? [text, tool] : [text] };
});

let server: ModelServer;
let env: Record<string, string>;

beforeEach(async () => {
  const done: ScriptTurn = {
    match: { said: "finish now" },
    times: true,
    answer: [{ tool: "attempt_completion", params: { result: "Finished." } }],
  };
  const summary: ScriptTurn = { times: true, answer: [{ text: "Much is done." }] };
  server = await startModelServer({ script: { chunkSize: 12, turns: [done, ...turns, summary] } });
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
});
afterEach(() => server.close());

describe(`kill -9 at ${kills} moments of a busy task (NEKODE_SEED=${seed})`, () => {
  it("loses nothing that was said, and the task resumes", { timeout: 120_000 + kills * 10_000 }, async () => {
    const next = generator(seed);
    const moments = Array.from(
      { length: kills },
      () => [Math.floor(next() * LATEST_EVENT), next() * 6] as const,
    );
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let moment = moments.pop(); moment; moment = moments.pop()) await killedRun(...moment);
      }),
    );
    expect(server.refusals).toEqual([]);
  });
});

describe(`kill -9 while the first message is sent, ${killsAtFirst} times (NEKODE_SEED=${seed})`, () => {
  it("leaves a session with that message, or none", {
    timeout: 120_000 + killsAtFirst * 10_000,
  }, async () => {
    const next = generator(seed + 1);
    for (let turn = 0; turn < killsAtFirst; turn++) await killedAtFirst(Math.floor(next() * FIRST_CHANGES));
  });
});

it("a call that had not begun runs by what this command line allows, and then the new words are said", async () => {
  const project = await Project.create({ "large.txt": "" });
  try {
    // Nobody is there to say yes to the second request's file.
    expect(await project.run(["work hard"], env)).toMatchObject({ code: 4 });
    const id = "cut-off";
    await inStore(project, async (store) => {
      const whole = await store.load((await store.latest()) ?? "");
      if (!whole) throw new Error("no session");
      const { summary, model, mode, messages } = whole;
      await store.create({
        ...{ id, model, mode, title: "cut off" },
        projectPath: project.folder,
        startedAt: summary.startedAt,
      });
      // As a kill leaves it between the message and its call: without what came after the message.
      const calling = messages.findLastIndex((message) => message.role === "assistant");
      for (const message of messages.slice(0, calling + 1))
        await store.append(id, { ...message, id: `${id}-${message.id}` });
    });
    const resumed = await project.run(["--approve", "edit", "--resume", id, "finish now"], env);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
    expect(await project.read("out-1.txt")).toBe(written(1));
    const last = JSON.stringify(server.requests.at(-1)?.body);
    expect(last).toContain("finish now");
  } finally {
    await project.remove();
  }
});

/** Kills the host so many milliseconds after it printed so many events. */
async function killedRun(events: number, delayMs: number): Promise<void> {
  const where = `after ${events} events and ${delayMs.toFixed(1)} ms`;
  const project = await Project.create({ "large.txt": "長い行です。\n".repeat(2000) });
  try {
    const options = ["--approve", "all", "--max-requests", "1000"];
    const { child, ended } = project.start(["--json", ...options, "work hard"], env);
    if (!child.stdout) throw new Error("no output");
    const said: string[] = [];
    let count = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      const event = parsed(line);
      if (event?.type === "message" && event.message?.id !== undefined) said.push(event.message.id);
      if (++count === events + 1) setTimeout(() => child.kill("SIGKILL"), delayMs);
    }
    expect((await ended).code, `${where}: it was at work, not at its end`).toBeNull();
    const id = await expectSaid(project, said, where);
    await expectWholeFiles(project, where);
    // Killed before the first message was said.
    if (id === undefined) return;
    const resumed = await project.run([...options, "--resume", id, "finish now"], env);
    expect(resumed, `${where}: ${resumed.stderr}`).toMatchObject({ code: 0 });
    expect(resumed.stdout, where).toContain("Finished.");
  } finally {
    await project.remove();
  }
}

/** Kills the host when the folder of its sessions has changed so often. */
async function killedAtFirst(changes: number): Promise<void> {
  const where = `after ${changes} changes of the disk`;
  const project = await Project.create({ "large.txt": "" });
  await mkdir(project.dataDir);
  const watcher = watch(project.dataDir, { recursive: true });
  try {
    const { child, ended } = project.start(["--json", "--approve", "all", "work hard"], env);
    if (!child.stdout) throw new Error("no output");
    let left = changes;
    watcher.on("change", () => {
      if (left-- === 0) child.kill("SIGKILL");
    });
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const event = parsed(line);
      if (event?.type === "message" && event.message?.id !== undefined) said.push(event.message.id);
    }
    await ended;
    await inStore(project, async (store) => {
      expect(store.problems, where).toEqual([]);
      const sessions = await store.list();
      expect(sessions.length, where).toBeLessThanOrEqual(1);
      if (said.length > 0) expect(sessions, where).toHaveLength(1);
      for (const { id } of sessions)
        expect((await store.load(id))?.messages[0]?.display, where).toBe("work hard");
    });
  } finally {
    watcher.close();
    await project.remove();
  }
}

/** The store opens, has every message that was said, and lets go of the session; which one, undefined: none began. */
function expectSaid(project: Project, said: readonly string[], where: string): Promise<string | undefined> {
  return inStore(project, async (store) => {
    expect(store.problems, where).toEqual([]);
    expect([...(await store.elsewhere())], where).toEqual([]);
    const id = await store.latest();
    const messages = id === undefined ? [] : ((await store.load(id))?.messages ?? []);
    const ids = messages.map((message) => message.id);
    expect(ids.slice(0, said.length), where).toEqual(said);
    expect(ids.length - said.length, where).toBeLessThanOrEqual(1);
    return id;
  });
}

async function expectWholeFiles(project: Project, where: string): Promise<void> {
  for (const name of await readdir(project.folder)) {
    const index = /^out-(\d+)\.txt$/.exec(name)?.[1];
    if (index !== undefined)
      expect(await project.read(name), `${where}: ${name}`).toBe(written(Number(index)));
  }
}

/** undefined: the line was cut off. */
function parsed(line: string): { type?: string; message?: { id?: string } } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
