/** The approval of a command has what it certainly does that is hard to take back. */
import { afterEach, expect, it } from "vitest";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(() => agent.close());

it.each([
  ["rm -rf src", ["deletes"]],
  ["npm test", undefined],
])("%s", async (command, dangers) => {
  const params = { command, requires_approval: true };
  agent = await startAgent({
    script: { scope: "server", turns: [{ answer: [{ tool: "execute_command", params }] }] },
  });
  await agent.view.send("go");
  const asked = await agent.until(({ type }) => type === "approval");
  expect(asked.type === "approval" ? asked.approval.dangers : []).toEqual(dangers);
  await agent.view.stop();
});
