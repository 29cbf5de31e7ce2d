/** What a power failure in the middle of a task leaves: the moments at which the journal is synced. */
import { afterEach, expect, it } from "vitest";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { toolCalls } from "../../../../src/shared/message.ts";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { assets, clockAt, type MemoryStorage, quietLog } from "../sessions/support.ts";

let agent: Agent;
afterEach(() => agent.close());

const COMMAND: ScriptPart = {
  tool: "execute_command",
  params: { command: "make", requires_approval: "false" },
};
const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };

/** What the next start finds after a power failure at this moment. */
async function survives(storage: MemoryStorage) {
  const store = await openSessionStore(storage.afterPowerFailure(), assets, clockAt(), quietLog);
  const id = (await store.latest()) ?? "";
  const messages = (await store.load(id))?.messages ?? [];
  return {
    texts: messages.flatMap(({ display }) => (display === undefined ? [] : [display])),
    calls: messages.flatMap((message) => toolCalls(message).map(({ name }) => name)),
    started: (await store.startedCalls(id)).size,
  };
}

it("takes nothing of a message that the user has sent", async () => {
  agent = await startAgent({ script: { scope: "server", turns: [{ answer: [DONE] }] } });
  await agent.view.send("keep this");
  expect((await survives(agent.storage)).texts).toEqual(["keep this"]);
  await agent.view.active.idle;
});

it("leaves of a command that runs its call, and that it has started", async () => {
  const left: Awaited<ReturnType<typeof survives>>[] = [];
  agent = await startAgent({
    script: { scope: "server", turns: [{ answer: [COMMAND] }, { answer: [DONE] }] },
    approval: { commandSafe: true, commandAll: true },
    run: async () => {
      left.push(await survives(agent.storage));
      return 0;
    },
  });
  await agent.view.send("run it");
  await agent.view.active.idle;
  expect(left).toEqual([{ texts: ["run it"], calls: ["execute_command"], started: 1 }]);
});

it("does not wait for the disk before a command that can change nothing", async () => {
  const left: Awaited<ReturnType<typeof survives>>[] = [];
  const command = { tool: "execute_command", params: { command: "ls", requires_approval: "false" } };
  agent = await startAgent({
    script: { scope: "server", turns: [{ answer: [command] }, { answer: [DONE] }] },
    run: async () => {
      left.push(await survives(agent.storage));
      return 0;
    },
  });
  agent.host.shell.sandbox = async () => ({ engine: "bubblewrap", version: "0.8.0" });
  await agent.view.send("look");
  await agent.view.active.idle;
  expect(left).toEqual([{ texts: ["look"], calls: [], started: 0 }]);
});
