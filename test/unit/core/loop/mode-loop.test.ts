/** What the model hears when the mode becomes act: that the plan may be carried out, where there is one, and only once. */
import { afterEach, expect, it } from "vitest";
import type { Script } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const PLANNED = { tool: "plan_mode_respond", params: { response: "Write a.txt." } };
const DONE = { tool: "attempt_completion", params: { result: "Done." } };
const lastRequest = () => JSON.stringify(agent.server.requests.at(-1)?.body);
const said = (words: string) => lastRequest().split(words).length - 1;

async function start(protocol: "xml" | "native", script: Script): Promise<void> {
  agent = await startAgent({ protocol, script });
  await agent.view.active.setMode("plan");
}

it.each(underOne("xml"))("under %s, a plan that waits is answered once", async (protocol) => {
  await start(protocol, { turns: [{ match: { request: 1 }, answer: [PLANNED] }, { answer: [DONE] }] });
  await agent.view.send("plan it");
  await agent.view.active.idle;
  await agent.view.active.startWaitingPlan();
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(agent.view.active.transcript.mode).toBe("act");
  expect(said("Carry out the plan")).toBe(1);
  expect(said("# TODO LIST REQUIRED")).toBe(1);
});

it("a switch sends nothing, and the next message carries out the plan that waits", async () => {
  await start("xml", { turns: [{ match: { request: 1 }, answer: [PLANNED] }, { answer: [DONE] }] });
  await agent.view.send("plan it");
  await agent.view.active.idle;
  for (const mode of ["act", "plan", "act"] as const) {
    await agent.view.active.setMode(mode);
    expect(agent.view.active.busy).toBe(false);
  }
  expect(agent.server.requests).toHaveLength(1);
  await agent.view.send("go, but in blue");
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(said("Carry out the plan")).toBe(1);
  expect(said("go, but in blue")).toBe(1);
  expect(said("follow the message")).toBe(1);
});

it("a message in plan mode answers a plan without starting it", async () => {
  await start("xml", { turns: [{ times: true, answer: [PLANNED] }] });
  await agent.view.send("plan it");
  await agent.view.active.idle;
  await agent.view.active.setMode("act");
  await agent.view.active.setMode("plan");
  await agent.view.send("in blue");
  await agent.view.active.idle;
  expect(said("Carry out the plan")).toBe(0);
});

it.each(underOne("xml"))("under %s, nothing is said of a plan that nobody made", async (protocol) => {
  await start(protocol, {
    turns: [{ match: { request: 1 }, answer: [{ text: "It is a cat." }] }, { answer: [DONE] }],
  });
  await agent.view.send("what is it?");
  await agent.view.active.idle;
  await agent.view.active.setMode("act");
  await agent.view.send("paint it");
  await agent.view.active.idle;
  expect(said("Carry out the plan")).toBe(0);
  expect(said("# TODO LIST REQUIRED")).toBe(1);
});

it("a mode that was chosen before the first message is no change", async () => {
  await start("xml", { turns: [{ answer: [DONE] }] });
  await agent.view.active.setMode("act");
  await agent.view.send("paint it");
  await agent.view.active.idle;
  expect(said("# TODO LIST RECOMMENDED")).toBe(1);
  expect(said("# TODO LIST REQUIRED")).toBe(0);
});

it("a change that was taken back before anything was said is none", async () => {
  await start("xml", { turns: [{ times: true, answer: [{ text: "Fine." }] }] });
  await agent.view.send("first");
  await agent.view.active.idle;
  await agent.view.active.setMode("act");
  await agent.view.active.setMode("plan");
  await agent.view.send("second");
  await agent.view.active.idle;
  expect(said("# TODO LIST REQUIRED")).toBe(0);
});

it("a plan for which the model must read more does not end the turn", async () => {
  const params = { response: "Not sure yet.", needs_more_exploration: true };
  await start("xml", {
    turns: [
      { match: { request: 1 }, answer: [{ tool: "plan_mode_respond", params }] },
      { match: { request: 2 }, answer: [PLANNED] },
    ],
  });
  await agent.view.send("plan it");
  expect((await agent.view.active.idle)?.type).toBe("planned");
  expect(agent.server.requests).toHaveLength(2);
  expect(said("Continue exploring with the reading tools")).toBe(1);
});
