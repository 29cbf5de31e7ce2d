/** A model that continues a conversation of another one is told whose answers it reads, once. */
import { afterEach, expect, it } from "vitest";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(() => agent.close());

it.each(["native", "xml"] as const)("under %s", async (protocol) => {
  agent = await startAgent({
    script: { turns: [{ times: true, answer: [{ text: "猫です。" }] }] },
    protocol,
  });
  const newest = () => JSON.stringify(agent.server.chat(agent.server.requests.length).messages.at(-1));
  const say = async (text: string) => {
    await agent.view.send(text);
    await agent.view.active.idle;
  };
  await say("one");
  expect(newest()).not.toContain("# Models");
  agent.settings.provider.model = "second";
  await say("two");
  expect(newest()).toContain("written by default/scripted. You are default/second.");
  await say("three");
  expect(newest()).not.toContain("# Models");
  agent.settings.provider.model = "scripted";
  await say("four");
  expect(newest()).toContain("written by default/second. You are default/scripted.");
});
