/** The model of a session: chosen before it begins, between messages, and while a task runs. */
import { afterEach, describe, expect, it } from "vitest";
import { defaultModels, shownModel } from "../../../../src/shared/models/connection.ts";
import type { Script } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const models = () => agent.server.requests.map(({ body }) => (body as { model: string }).model);
const notices = () =>
  agent.rows().flatMap((row) => (row.kind === "notice" && row.code === "model-changed" ? [row.values] : []));

async function start(script: Script, settings: Record<string, unknown> = {}) {
  agent = await startAgent({ script, files: { "a.txt": "a\n" }, settings });
}

const READS: Script = {
  turns: [
    { answer: [{ text: "I read it." }, { tool: "read_file", params: { path: "a.txt" } }] },
    { answer: [{ text: "It has one line." }] },
  ],
};

describe("the model of a session", () => {
  it("chosen before the first message answers it, and no row reports a change", async () => {
    await start({ turns: [{ answer: [{ text: "Hello." }] }] });
    await agent.view.active.chooseModel("act", "default/chosen");
    expect(agent.view.active.chatView.chosen).toEqual({ act: "default/chosen" });
    await agent.view.send("Hi");
    await agent.view.active.idle;
    expect(models()).toEqual(["chosen"]);
    expect(notices()).toEqual([]);
    expect(agent.rows().find(({ kind }) => kind === "text")).toMatchObject({ by: "default/chosen" });
    expect(agent.view.active.chatView.chosen).toEqual({ act: "default/chosen" });
  });

  it("changes in the middle of a task with the next request, and a row reports it once", async () => {
    await start(READS);
    const called = agent.until((event) => event.type === "call-running");
    await agent.view.send("What does a.txt contain?");
    await called;
    await agent.view.active.chooseModel("act", "default/second");
    await agent.view.active.chooseModel("act", "default/second");
    await agent.view.active.idle;
    expect(models()).toEqual(["scripted", "second"]);
    expect(notices()).toEqual([["default/second", "act"]]);
    const by = agent.rows().flatMap((row) => (row.kind === "text" ? [row.by] : []));
    expect(by).toEqual(["default/scripted", "default/second"]);
  });

  it("is another one in each mode; a mode's choice changes nothing in the other", async () => {
    await start({ turns: [1, 2, 3].map(() => ({ answer: [{ text: "Yes." }] })) });
    await agent.view.active.chooseModel("plan", "default/planner");
    for (const mode of ["act", "plan", "act"] as const) {
      await agent.view.active.setMode(mode);
      await agent.view.send("Go");
      await agent.view.active.idle;
    }
    expect(models()).toEqual(["scripted", "planner", "scripted"]);
    expect(notices()).toEqual([]);
  });

  it("does not pass to another session", async () => {
    await start({ turns: [1, 2].map(() => ({ answer: [{ text: "Yes." }] })) });
    await agent.view.active.chooseModel("act", "default/chosen");
    await agent.view.send("Go");
    await agent.view.active.idle;
    await agent.view.newTask();
    expect(agent.view.active.chatView.chosen).toEqual({});
    await agent.view.send("Go");
    await agent.view.active.idle;
    expect(models()).toEqual(["chosen", "scripted"]);
  });
});

describe("the shown name of a model", () => {
  it("is that of the model that answers", async () => {
    await start({ turns: [] });
    const { settings } = agent;
    expect(defaultModels(settings)).toEqual({ act: "default/scripted" });
    const withPlan = { ...settings, provider: { ...settings.provider, planModel: "planner" } };
    expect(shownModel(defaultModels(withPlan), "plan")).toBe("default/planner");
    expect(shownModel(defaultModels(settings), "plan", { act: "x/y" })).toBe("x/y");
    expect(shownModel(defaultModels(withPlan), "plan", { act: "x/y" })).toBe("default/planner");
    expect(shownModel(defaultModels(withPlan), "act", { plan: "x/y" })).toBe("default/scripted");
    const none = { ...settings, provider: { ...settings.provider, baseUrl: "" } };
    expect(defaultModels(none)).toEqual({ act: "" });
  });
});
