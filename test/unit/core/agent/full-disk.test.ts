/** A disk that is full in the middle of a task. */
import { afterEach, expect, it } from "vitest";
import type { ScriptPart } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const COMMAND: ScriptPart = {
  tool: "execute_command",
  params: { command: "make", requires_approval: "false" },
};
const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };

it("stops it and says so; with room again it goes on, and what had run does not run again", async () => {
  let runs = 0;
  agent = await startAgent({
    script: { scope: "server", turns: [{ answer: [COMMAND] }, { answer: [DONE] }] },
    approval: { commandSafe: true, commandAll: true },
    run: async () => {
      runs += 1;
      agent.storage.beforeChange = () => {
        throw new Error("ENOSPC: no space left on device, write");
      };
      return 0;
    },
  });
  await agent.view.send("run it");
  expect((await agent.view.active.idle)?.type).toBe("failed");
  expect(agent.rows().at(-1)).toMatchObject({
    kind: "error",
    error: { code: "not-saved", detail: "ENOSPC: no space left on device, write" },
  });
  agent.storage.beforeChange = () => {};
  await agent.view.active.retry();
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(runs).toBe(1);
  expect(JSON.stringify(agent.server.chat(2).messages)).toContain("interrupted while it ran");
});
