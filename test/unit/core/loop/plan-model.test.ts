/** Plan mode's model is named wherever a model is: in the session that it begins, and in the facts of a report. */
import { afterEach, expect, it } from "vitest";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(() => agent.close());

async function say(mode: "plan" | "act", text: string): Promise<void> {
  const provider = { model: "acting", planModel: "planning", protocol: "xml" };
  const answer = [{ tool: "ask_followup_question", params: { question: "Which?" } }];
  agent = await startAgent({ script: { turns: [{ answer }] } });
  Object.assign(agent.settings.provider, provider);
  await agent.view.active.setMode(mode);
  await agent.view.send(text);
  await agent.view.active.idle;
}

it.each([
  ["plan", "planning"],
  ["act", "acting"],
] as const)("a session that begins in %s mode is %s's", async (mode, model) => {
  await say(mode, "hello");
  const { store } = await agent.another();
  const [listed] = await store.list();
  expect((await store.load(listed?.id ?? ""))?.model).toBe(model);
  expect(agent.server.chat(1).model).toBe(model);
  await store.close();
});

it("a report names the model that writes it", async () => {
  await say("plan", "/reportbug it is slow");
  const sent = JSON.stringify(agent.server.chat(1).messages);
  expect(sent).toContain("planning");
  expect(sent).not.toContain("acting");
});
