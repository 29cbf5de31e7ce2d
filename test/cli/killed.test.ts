/** The terminal host killed at any moment of a busy task: what it had said is there, and the task goes on. */
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, type ScriptTurn, startModelServer } from "../model-server/server.ts";
import { random } from "../unit/node/session-content.ts";
import { Project } from "./support.ts";

const seed = Number(process.env.NEKODE_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** More by hand, see npm run endure. */
const kills = Number(process.env.NEKODE_KILLS ?? 2);
const atOnce = 2;

/** A turn of each kind, again and again: a file that is read, one that is written, a command. */
const steps = 40;
const turns: ScriptTurn[] = Array.from({ length: steps }, (_, index) => {
  const text = { text: `Step ${index}: 次に進みます。` };
  const tools = [
    { tool: "read_file", params: { path: "large.txt" } },
    {
      tool: "write_to_file",
      params: { path: `out-${index}.txt`, content: `${"内容\n".repeat(50)}${index}\n` },
    },
    { tool: "execute_command", params: { command: `echo ${index} >> log.txt`, requires_approval: false } },
  ];
  const tool = tools[index % tools.length];
  return { match: { request: index + 1 }, answer: tool ? [text, tool] : [text] };
});

let server: ModelServer;
let env: Record<string, string>;

beforeEach(async () => {
  const done: ScriptTurn = {
    match: { said: "finish now" },
    times: true,
    answer: [{ tool: "attempt_completion", params: { result: "Finished." } }],
  };
  const rest: ScriptTurn = {
    times: true,
    answer: [{ tool: "attempt_completion", params: { result: "All." } }],
  };
  server = await startModelServer({ script: { chunkSize: 12, turns: [done, ...turns, rest] } });
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "test-key" };
});
afterEach(() => server.close());

describe(`kill -9 at any moment (NEKODE_SEED=${seed})`, () => {
  it("loses nothing that was said, and the task resumes", { timeout: 60_000 + kills * 10_000 }, async () => {
    const next = random(seed);
    for (let kill = 0; kill < kills; kill += atOnce) {
      const runs = Array.from({ length: atOnce }, () => killedRun(Math.floor(next() * 400), next() * 6));
      await Promise.all(runs);
    }
    expect(server.refusals).toEqual([]);
  });
});

/** Kills the host so many milliseconds after it printed so many events. */
async function killedRun(events: number, delayMs: number): Promise<void> {
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
    await ended;
    const where = `after ${events} events and ${delayMs.toFixed(1)} ms`;
    const listed = await project.run(["--list", "--json"], env);
    expect(listed.stderr, where).toBe("");
    const id = parsed(listed.stdout.split("\n")[0] ?? "")?.id;
    // Killed before the first message was said.
    if (id === undefined) return expect(said, where).toEqual([]);
    const exported = JSON.parse((await project.run(["--export", id, "--format", "json"], env)).stdout);
    const ids = exported.session.messages.map((message: { id: string }) => message.id);
    expect(ids.slice(0, said.length), where).toEqual(said);
    expect(ids.length - said.length, where).toBeLessThanOrEqual(1);
    const resumed = await project.run([...options, "--resume", id, "finish now"], env);
    expect(resumed, `${where}: ${resumed.stderr}`).toMatchObject({ code: 0 });
    expect(resumed.stdout, where).toContain("Finished.");
  } finally {
    await project.remove();
  }
}

/** undefined: the line was cut off. */
function parsed(line: string): { type?: string; id?: string; message?: { id?: string } } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
