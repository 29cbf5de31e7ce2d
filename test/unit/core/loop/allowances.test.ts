/** What a user allows on an approval holds for its scope, and no longer. */
import { afterEach, expect, it } from "vitest";
import { WorkspaceCommands } from "../../../../src/core/loop/calls/workspace-commands.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { MemoryStorage, quietLog } from "../sessions/support.ts";

const call: ScriptPart = {
  tool: "execute_command",
  params: { command: "npm test", requires_approval: false },
};
const done: ScriptPart = { text: "All done." };
const answers = [call, call, done, call, done, call, done];
const agents: Agent[] = [];

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

async function start(storage: MemoryStorage, always: string[] = []): Promise<Agent> {
  const agent = await startAgent({
    script: { scope: "server", turns: answers.map((answer) => ({ times: 1, answer: [answer] })) },
    storage,
    workspaceCommands: new WorkspaceCommands(storage, quietLog),
    allowCommand: (entry) => {
      always.push(entry);
      agent.settings.commands.allow.push(entry);
    },
    disallowCommand: (entry) => {
      agent.settings.commands.allow = agent.settings.commands.allow.filter((each) => each !== entry);
    },
  });
  agents.push(agent);
  return agent;
}

/** Sends a message, allows the first question in `scope`; resolves with the number of questions. */
async function allowing(agent: Agent, allow: "session" | "workspace" | "always"): Promise<number> {
  const before = agent.events.filter(({ type }) => type === "approval").length;
  await agent.view.send("test it");
  agent.view.active.approve(await agent.asked(), undefined, { allow });
  await agent.view.active.idle;
  return agent.events.filter(({ type }) => type === "approval").length - before;
}

/** Whether the next message's call asks. */
async function asks(agent: Agent): Promise<boolean> {
  await agent.view.send("again");
  const asked = agent.asked().then((id) => agent.view.active.reject(id));
  const end = await Promise.race([asked.then(() => true), agent.view.active.idle.then(() => false)]);
  await agent.view.stop();
  return end;
}

it("this session: until a new task, and stored nowhere", async () => {
  const storage = new MemoryStorage();
  const always: string[] = [];
  const agent = await start(storage, always);
  expect(await allowing(agent, "session")).toBe(1);
  expect(await agent.view.active.approvals.allowances.list()).toEqual([
    { entry: "npm test", scope: "session" },
  ]);
  expect(await asks(agent)).toBe(false);
  await agent.view.newTask();
  expect(await agent.view.active.approvals.allowances.list()).toEqual([]);
  expect(await asks(agent)).toBe(true);
  expect(always).toEqual([]);
  expect([...storage.files.keys()]).not.toContain("allowed-commands.json");
});

it("this workspace: in another window and after a restart, until it is removed in any of them", async () => {
  const storage = new MemoryStorage();
  const always: string[] = [];
  const agent = await start(storage, always);
  expect(await allowing(agent, "workspace")).toBe(1);
  expect(always).toEqual([]);
  expect(agent.settings.commands.allow).toEqual([]);
  const elsewhere = new WorkspaceCommands(storage, quietLog);
  await elsewhere.refresh();
  expect(elsewhere.entries).toEqual(["npm test"]);
  await agent.restart();
  expect(await asks(agent)).toBe(false);
  await elsewhere.remove("npm test");
  expect(await asks(agent)).toBe(true);
});

it("always: only what the user added is stored, and it can be removed", async () => {
  const always: string[] = [];
  const agent = await start(new MemoryStorage(), always);
  expect(await allowing(agent, "always")).toBe(1);
  expect(always).toEqual(["npm test"]);
  await agent.view.newTask();
  expect(await asks(agent)).toBe(false);
  await agent.view.active.approvals.allowances.remove({ entry: "npm test", scope: "always" });
  expect(await asks(agent)).toBe(true);
});

it("a damaged list allows nothing, and can be added to", async () => {
  const storage = new MemoryStorage();
  storage.files.set("allowed-commands.json", new TextEncoder().encode('{"version":1,"commands":"npm"}'));
  const commands = new WorkspaceCommands(storage, quietLog);
  await commands.refresh();
  expect(commands.entries).toEqual([]);
  await commands.add("make");
  expect(commands.entries).toEqual(["make"]);
});
