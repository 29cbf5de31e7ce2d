/** The first command is judged sooner, because what it is read with is loaded when the model makes its first calls. */
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { Judge } from "../../../../src/core/loop/calls/permission.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  vi.restoreAllMocks();
  await agent.close();
});

it("the grammar of commands is loaded with the first calls in act mode, and not before", async () => {
  agent = await startAgent({
    files: { "a.txt": "meow" },
    approval: { read: true },
    script: {
      scope: "server",
      turns: [
        { answer: [{ tool: "attempt_completion", params: { result: "Cats meow." } }] },
        ...[1, 2].flatMap(() => [
          { answer: [{ tool: "read_file", params: { path: "a.txt" } }] },
          { answer: [{ text: "It says so." }] },
        ]),
      ],
    },
  });
  // Other tests of the process may have loaded the grammar already, so that its file says nothing.
  const prepare = vi.spyOn(Judge.prototype, "prepare");
  onTestFinished(() => prepare.mockRestore());
  const say = async (text: string) => {
    await agent.view.send(text);
    await agent.view.active.idle;
  };
  await say("What do cats do?");
  await agent.view.active.setMode("plan");
  await say("Does the file say so?");
  expect(prepare).not.toHaveBeenCalled();
  await agent.view.active.setMode("act");
  await say("Does it still?");
  expect(agent.server.requests).toHaveLength(5);
  expect(prepare).toHaveBeenCalled();
});
