/** The first snapshot of the folder reads many files, so it is taken when the model makes calls, and not for an answer alone. */
import { afterEach, expect, it } from "vitest";
import { Checkpoints } from "../../../../src/core/checkpoints/checkpoints.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { memoryFileStates } from "../../../support/memory-file-states.ts";

let agent: Agent;
afterEach(() => agent.close());

it("is taken once, when the first answer has calls", async () => {
  let taken = 0;
  agent = await startAgent({
    files: { "a.txt": "meow" },
    approval: { read: true },
    script: {
      scope: "server",
      turns: [
        { answer: [{ text: "Cats meow." }] },
        { answer: [{ tool: "read_file", params: { path: "a.txt" } }] },
        { answer: [{ tool: "list_files", params: { path: "." } }] },
        { answer: [{ text: "It says so." }] },
      ],
    },
    checkpoints: ({ host, files }, storage) =>
      new Checkpoints({
        ...{ storage, files: memoryFileStates(files), roots: () => [], clock: host.clock, log: host.log },
        settings: () => agent.settings.checkpoints,
        newId: host.newId,
        snapshots: {
          async take() {
            taken++;
            return { unavailable: "no-repository" };
          },
          changes: async () => [],
          read: async () => new Map(),
          dispose: async () => {},
        },
      }),
  });
  await agent.view.send("What do cats do?");
  await agent.view.active.idle;
  expect(taken).toBe(0);
  await agent.view.send("Does the file say so?");
  await agent.view.active.idle;
  expect(agent.server.requests).toHaveLength(4);
  expect(taken).toBe(1);
});
