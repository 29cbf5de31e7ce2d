/** Sessions, locks, kills, search and servers on Windows' own Node. */
import { readFileSync, watch } from "node:fs";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { type ModelServer, type ScriptTurn, startModelServer } from "../model-server/server.ts";
import { processesNaming } from "../support/processes.ts";
import { generator, seedOf } from "../support/random.ts";
import { type Started, WindowsProject } from "./windows.ts";

const seed = seedOf("windows-kills");
const KILLS = 10;
/** A task prints more events than this before its last request. */
const LATEST_EVENT = 60;
const REQUESTS = 40;

const DONE: ScriptTurn = {
  times: true,
  answer: [{ tool: "attempt_completion", params: { result: "Finished." } }],
};

let server: ModelServer;
let project: WindowsProject;
let env: Record<string, string>;

beforeEach(async () => {
  server = await startModelServer();
  project = await WindowsProject.create();
  env = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_API_KEY: "sk-secret-of-the-test" };
});
afterEach(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
  await project.remove();
});

const messageEvent = z.looseObject({
  type: z.literal("message"),
  message: z.looseObject({ id: z.string() }),
});
const exported = z.looseObject({
  session: z.looseObject({ messages: z.array(z.looseObject({ id: z.string() })) }),
});
const idsOf = (json: string) => exported.parse(JSON.parse(json)).session.messages.map(({ id }) => id);

it("a session is created, listed, found, continued, renamed, exported, deleted and restored", async () => {
  server.setScript({ turns: [DONE] });
  expect((await project.run(["猫の件"], env)).code).toBe(0);
  const [listed, found] = await project.runAll([{ args: ["--list"] }, { args: ["--search", "猫の"] }], env);
  expect(listed?.stdout).toContain("猫の件");
  expect(found?.stdout).toContain("猫の件");
  const id = listed?.stdout.split(" ")[0] ?? "";
  const ended = await project.runAll(
    [
      ...[
        ["--continue", "もっと"],
        ["--resume", id, "さらに"],
        ["--rename", id, "犬の件"],
      ],
      ...[
        ["--export", id],
        ["--export", id, "--format", "json"],
        ["--export", id, "--export-dir", project.onC("out")],
      ],
      ...[["--delete", id], ["--list"], ["--undelete", id], ["--list"]],
    ].map((args) => ({ args })),
    env,
  );
  expect(ended.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual(ended.map(() => 0));
  const said = (index: number) => ended[index]?.stdout ?? "";
  for (const each of ["# 犬の件", "もっと", "さらに"]) expect(said(3)).toContain(each);
  expect(idsOf(said(4))).toHaveLength(8);
  expect(said(7)).not.toContain("犬の件");
  expect(said(9)).toContain("犬の件");
});

it("the same project by a path of other case has the same sessions", async () => {
  server.setScript({ turns: [DONE] });
  expect((await project.run(["first"], env)).code).toBe(0);
  const [listed] = await project.runAll([{ args: ["--cwd", project.onC().toUpperCase(), "--list"] }], env);
  expect(listed?.stdout).toContain("first");
});

it("a session that another process works on is continued only by whoever takes it over", async () => {
  server.setScript({
    scope: "server",
    turns: [{ answer: [{ hold: "working" }, { text: "First." }] }, { answer: [{ text: "Second." }] }],
  });
  const first = await project.start(["the long task"], env);
  await server.waitForHold("working");
  const [listed] = await project.runAll([{ args: ["--list"] }], env);
  expect(listed?.stdout).toContain("(open in another window or terminal)");
  const id = listed?.stdout.split(" ")[0] ?? "";
  const [refused, taken] = await project.runAll(
    [{ args: ["--resume", id, "me too"] }, { args: ["--resume", id, "--take-over", "me too"] }],
    env,
  );
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--take-over") });
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining("Second.") });
  server.release("working");
  expect(await first.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("took over this session"),
  });
});

it("two processes that work in one project at once keep all of their messages", async () => {
  server.setScript({ turns: [DONE] });
  const names = ["one", "two", "three"];
  const ended = await Promise.all(names.map((name) => project.run([name], env)));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  const [listed] = await project.runAll([{ args: ["--list"] }], env);
  for (const name of names) expect(listed?.stdout).toContain(name);
});

it(`killed at ${KILLS} moments of a busy task, it loses nothing that it said (NEKODE_SEED=${seed})`, {
  timeout: 600_000,
}, async () => {
  const finish: ScriptTurn = { ...DONE, match: { said: "finish now" } };
  const turns = Array.from({ length: REQUESTS }, (_, index): ScriptTurn => {
    const file = {
      tool: "write_to_file",
      params: { path: `out-${index}.txt`, content: `${"内容\r\n".repeat(50)}${index}\r\n` },
    };
    const command = {
      tool: "execute_command",
      params: { command: `echo ${index}>> log.txt`, requires_approval: false },
    };
    return {
      match: { request: index + 1 },
      times: true,
      answer: [{ text: `Step ${index}.` }, index % 2 === 0 ? file : command],
    };
  });
  server.setScript({ chunkSize: 12, turns: [finish, ...turns, DONE] });
  const next = generator(seed);
  for (let kill = 0; kill < KILLS; kill++) {
    const events = Math.floor(next() * LATEST_EVENT);
    const started = await project.start(["--json", "--approve", "all", `work ${kill}`], env);
    const said = await killedAfter(started, events);
    if (said.length === 0) continue;
    const where = `after ${events} events`;
    const [listed] = await project.runAll([{ args: ["--list"] }], env);
    expect(listed?.stdout, where).not.toContain("open in another window");
    const id =
      listed?.stdout
        .split("\n")
        .find((line) => line.includes(`work ${kill}`))
        ?.split(" ")[0] ?? "";
    const [json, resumed] = await project.runAll(
      [
        { args: ["--export", id, "--format", "json"] },
        { args: ["--approve", "all", "--resume", id, "finish now"] },
      ],
      env,
    );
    const ids = idsOf(json?.stdout ?? "");
    expect(ids.slice(0, said.length), where).toEqual(said);
    expect(resumed, where).toMatchObject({ code: 0, stdout: expect.stringContaining("Finished.") });
  }
});

/** The ids of the messages in the output of a run that is killed when it has printed so many events. */
async function killedAfter({ child, output, ended }: Started, events: number): Promise<string[]> {
  const lines = () => readFileSync(output, "utf8").split("\n").slice(0, -1);
  const look = () => {
    if (lines().length > events) child.kill("SIGKILL");
  };
  const watcher = watch(output, look);
  look();
  await ended;
  watcher.close();
  return lines().flatMap((line) => {
    const { data } = messageEvent.safeParse(JSON.parse(line));
    return data === undefined ? [] : [data.message.id];
  });
}

it("a Node server of .mcp.json starts after its approval, is called, and leaves no process behind", async () => {
  await copyFile(
    path.join(import.meta.dirname, "../fixtures/servers/scripted.mjs"),
    path.join(project.folder, "server.mjs"),
  );
  await project.write({
    ".mcp.json": JSON.stringify({ mcpServers: { every: { command: "node", args: ["server.mjs", "{}"] } } }),
  });
  server.setScript({
    turns: [
      {
        answer: [
          {
            tool: "use_mcp_tool",
            params: { server_name: "every", tool_name: "echo", arguments: '{"a":"猫"}' },
          },
        ],
      },
      DONE,
    ],
  });
  const task = ["--protocol", "xml", "--approve", "mcp", "do it"];
  const [before, added, listed, tested, after] = await project.runAll(
    [
      ["mcp", "list"],
      ["mcp", "add", "--project", "every"],
      ["mcp", "list"],
      ["mcp", "test", "every"],
      task,
    ].map((args) => ({ args })),
    env,
  );
  expect(before?.stdout).toContain("every");
  expect(added, added?.stderr).toMatchObject({ code: 0 });
  expect(listed?.stdout).toContain("every");
  expect(tested, tested?.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("echo") });
  expect(after, after?.stderr).toMatchObject({ code: 0 });
  expect(JSON.stringify(server.chat(2).messages)).toContain("猫");
});

it("a worktree needs git, and says so", async () => {
  const [begun, listed] = await project.runAll(
    [{ args: ["--worktree", "a task"] }, { args: ["worktree", "list"] }],
    env,
  );
  expect(begun?.code).toBe(1);
  expect(begun?.stderr.toLowerCase()).toContain("git");
  expect(listed?.code, listed?.stderr).toBeLessThan(2);
});

it("a command that is at work when the time limit is over is ended", async () => {
  const mark = "mark-of-the-endless-command";
  const command = `for /L %i in (0,0,1) do @echo ${mark}>nul`;
  server.setScript({
    turns: [{ answer: [{ tool: "execute_command", params: { command, requires_approval: false } }] }],
  });
  const started = await project.start(["--approve", "all", "--timeout", "15", "run it"], env);
  const { code, stderr } = await started.ended;
  expect(code, stderr).toBe(3);
  // `wine64` itself has ended; the program that it ran had the mark in its arguments.
  await expect.poll(() => processesNaming(mark)).toEqual([]);
});
