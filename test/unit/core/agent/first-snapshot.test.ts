/**
 * The first snapshot of the folder reads many files, so it is taken while nothing else is done: while the model answers the results of its
 * calls, or the user is asked. An answer alone needs none.
 */
import { afterEach, expect, it } from "vitest";
import { Checkpoints } from "../../../../src/core/checkpoints/checkpoints.ts";
import type { ScriptTurn } from "../../../model-server/script.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { memoryFileStates } from "../../../support/memory-file-states.ts";

let agent: Agent;
/** How many requests the model had when each snapshot was taken. */
let taken: number[];
afterEach(() => agent.close());

async function start(turns: readonly ScriptTurn[]): Promise<void> {
  taken = [];
  agent = await startAgent({
    files: { "a.txt": "meow" },
    approval: { read: true },
    script: { scope: "server", turns: [...turns] },
    checkpoints: ({ host, files }, storage) =>
      new Checkpoints({
        ...{ storage, files: memoryFileStates(files), roots: () => [], clock: host.clock, log: host.log },
        settings: () => agent.settings.checkpoints,
        newId: host.newId,
        snapshots: {
          async take() {
            taken.push(agent.server.requests.length);
            return { unavailable: "no-repository" };
          },
          changes: async () => [],
          read: async () => new Map(),
          dispose: async () => {},
        },
      }),
  });
}

it("is taken once, neither for an answer alone nor beside the first calls", async () => {
  await start([
    { answer: [{ text: "Cats meow." }] },
    { answer: [{ tool: "read_file", params: { path: "a.txt" } }] },
    { answer: [{ tool: "list_files", params: { path: "." } }] },
    { answer: [{ text: "It says so." }] },
  ]);
  await agent.view.send("What do cats do?");
  await agent.view.active.idle;
  expect(taken).toEqual([]);
  await agent.view.send("Does the file say so?");
  await agent.view.active.idle;
  expect(agent.server.requests).toHaveLength(4);
  // With the answer to the third request, which has the first results.
  expect(taken).toEqual([3]);
});

it("is taken while the user is asked about a first command", async () => {
  await start([
    { answer: [{ tool: "execute_command", params: { command: "make", requires_approval: "true" } }] },
    { answer: [{ text: "It does not." }] },
  ]);
  await agent.view.send("Does it build?");
  const callId = await agent.asked();
  expect(taken).toEqual([1]);
  agent.view.active.reject(callId);
  await agent.view.active.idle;
  expect(taken).toEqual([1]);
});
