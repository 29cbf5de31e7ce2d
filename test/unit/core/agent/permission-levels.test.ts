/** What runs without asking in a session: its level, classes and exceptions, over real sessions on a disk in memory. */
import { afterEach, describe, expect, it } from "vitest";
import { toJson } from "../../../../src/core/sessions/exchange.ts";
import { LEVEL_ACCESS, LEVELS, levelOf } from "../../../../src/shared/permission/levels.ts";
import { ASK_ALL, NO_PERMISSION } from "../../../../src/shared/permission/session-permission.ts";
import type { Script, ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const write = (path: string): ScriptPart => ({ tool: "write_to_file", params: { path, content: "new" } });
const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
/** Content that no earlier turn wrote: writing the same again does not ask. */
const inTurn = (call: ScriptPart, turn: number): ScriptPart =>
  "tool" in call && call.params?.content !== undefined
    ? { ...call, params: { ...call.params, content: `${turn}\n` } }
    : call;
/** Each message makes these calls, then completes. */
const calling = (...calls: ScriptPart[]): Script => ({
  scope: "server",
  turns: [1, 2, 3].flatMap((turn) => [
    { answer: calls.map((call) => inTurn(call, turn)) },
    { answer: [DONE] },
  ]),
});

async function start(script: Script, settings: Record<string, unknown> = {}) {
  agent = await startAgent({ script, files: { "a.txt": "a\n", ".env": "KEY=1\n" }, settings });
}

/** What the next message asks for; each question is answered with no. */
async function asked(): Promise<string[]> {
  const subjects: string[] = [];
  const answering = agent.project.onEvent((event) => {
    if (event.type !== "approval") return;
    subjects.push(event.approval.path ?? event.approval.command ?? "?");
    queueMicrotask(() => agent.view.active.reject(event.approval.callId));
  });
  await agent.view.send("Go");
  await agent.view.active.idle;
  answering.dispose();
  return subjects;
}

const level = (name: (typeof LEVELS)[number]) => ({ classes: LEVEL_ACCESS[name], exceptions: null });

describe("the level of a session", () => {
  it("starts from the settings, and decides from the next call on", async () => {
    await start(calling(write("b.txt")));
    expect(levelOf(agent.view.active.access)).toBe("ask");
    expect(await asked()).toEqual(["b.txt"]);
    await agent.view.active.changePermission(level("edits"));
    expect(agent.view.active.chatView.permission.classes).toEqual(LEVEL_ACCESS.edits);
    expect(await asked()).toEqual([]);
    await agent.view.active.changePermission(level("ask"));
    expect(await asked()).toEqual(["b.txt"]);
  });

  it("can be below the settings", async () => {
    await start(calling(write("b.txt")), { approval: { edit: true } });
    expect(levelOf(agent.view.active.access)).toBe("edits");
    await agent.view.active.changePermission(level("ask"));
    expect(await asked()).toEqual(["b.txt"]);
  });

  it("lets nothing run at any level that always asks or is denied", async () => {
    const calls = [write(".env"), { tool: "execute_command", params: { command: "rm -r /" } }];
    await start(calling(...calls.slice(0, 1)), { commands: { deny: ["rm"] } });
    await agent.view.active.changePermission(level("all"));
    expect(await asked()).toEqual([".env"]);
    agent.server.setScript(calling(...calls.slice(1)));
    expect(await asked()).toEqual([]);
    expect(JSON.stringify(agent.server.chat(agent.server.requests.length).messages)).toContain(
      "rm is on the deny list",
    );
    const denied = agent.rows().filter((row) => row.kind === "call" && row.tool === "execute_command");
    expect(denied).toMatchObject([{ state: "failed" }]);
  });

  it("is on disk with the session, chosen before its first message or after, and comes back", async () => {
    await start(calling(write("b.txt")));
    await agent.view.active.changePermission(level("edits"));
    expect(await asked()).toEqual([]);
    await agent.restart();
    expect(levelOf(agent.view.active.access)).toBe("edits");
    await agent.view.active.changePermission({ classes: { web: true } });
    await agent.restart();
    expect(agent.view.active.chatView.permission.classes).toEqual({ ...LEVEL_ACCESS.edits, web: true });
    expect(levelOf(agent.view.active.access)).toBe("custom");
    expect(await asked()).toEqual([]);
  });

  it("is the session's own: a new task starts from the settings, a branch keeps it, an import has none", async () => {
    await start(calling(write("b.txt")));
    await agent.view.active.changePermission(level("edits"));
    await asked();
    const first = agent.rows().find((row) => row.kind === "user")?.id ?? "";
    await agent.view.editAndResend(first, "Go on");
    await agent.view.active.idle;
    expect(levelOf(agent.view.active.access)).toBe("edits");
    const { store } = await agent.another();
    const stored = await store.load(agent.view.active.id);
    expect(stored?.permission.classes).toEqual(LEVEL_ACCESS.edits);
    await agent.view.newTask();
    expect(agent.view.active.chatView.permission).toEqual(NO_PERMISSION);
    const file = new TextEncoder().encode(toJson(stored ?? expect.fail("not stored")));
    await agent.view.open(await agent.project.library.import(file));
    expect(agent.view.active.chatView.permission).toEqual(NO_PERMISSION);
    expect(await asked()).toEqual(["b.txt"]);
  });
});

describe("exceptions of a session", () => {
  it("let one tool run, or ask, whatever its class does", async () => {
    const READ: ScriptPart = { tool: "read_file", params: { path: "a.txt" } };
    await start(calling(READ, write("b.txt")));
    await agent.view.active.changePermission({ exceptions: { write_to_file: true, read_file: false } });
    expect(await asked()).toEqual(["a.txt"]);
    await agent.view.active.changePermission({ exceptions: { read_file: null } });
    expect(await asked()).toEqual([]);
    await agent.view.active.changePermission(level("ask"));
    expect(agent.view.active.chatView.permission.exceptions).toEqual({});
    expect(await asked()).toEqual(["b.txt"]);
  });

  it("never let a command run that is not safe", async () => {
    await start(
      calling({ tool: "execute_command", params: { command: "touch made", requires_approval: "false" } }),
    );
    await agent.view.active.changePermission({ exceptions: { execute_command: true } });
    expect(await asked()).toEqual(["touch made"]);
  });
});

it("asks for everything if what is stored cannot be read", async () => {
  const { permissionOf } = await import("../../../../src/core/sessions/db/session-rows.ts");
  for (const permission of ["", "{", '{"classes":{"edit":"yes"},"exceptions":{}}']) {
    expect(permissionOf({ permission })).toEqual(ASK_ALL);
  }
  expect(permissionOf({ permission: null })).toEqual(NO_PERMISSION);
});

it("has a level for each set of classes that one names, and none for others", () => {
  for (const name of LEVELS) expect(levelOf(LEVEL_ACCESS[name])).toBe(name);
  expect(levelOf({ ...LEVEL_ACCESS.all, web: false })).toBe("custom");
  expect(levelOf({ ...LEVEL_ACCESS.ask, read: false })).toBe("custom");
});
