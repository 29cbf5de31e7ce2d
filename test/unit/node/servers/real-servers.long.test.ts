/**
 * A task with real servers from packages: it is canceled, asks and ends. For `npm test`, real-servers.test.ts has a task with two of them,
 * and test/unit/core/loop/servers-loop.test.ts all of it in memory.
 */
import { describe, expect, it } from "vitest";
import {
  agent,
  begin,
  configure,
  eachInItsFolder,
  everything,
  lastResult,
  memory,
  node,
  REPLY,
  serverPids,
  servers,
  use,
} from "./real-servers-support.ts";

eachInItsFolder();

describe("a task with real servers", () => {
  it("shows progress, cancels a call at Stop, and uses the same server afterwards", async () => {
    await configure({ every: node(everything, "stdio") });
    await begin([
      use("trigger-long-running-operation", { duration: 60, steps: 600 }),
      use("echo", { message: "still here" }),
      REPLY,
    ]);
    const progress = agent.until((event) => event.type === "output" && event.delta.includes("%"));
    await agent.view.send("go");
    await progress;
    const info = servers.all[0]?.server.info;
    await agent.view.stop();
    expect(agent.calls()[0]?.state).toBe("interrupted");
    await agent.view.send("and now?");
    await agent.view.active.idle;
    expect(lastResult(3)).toContain("still here");
    expect(servers.all[0]?.server.info).toBe(info);
  });

  it("puts a form of the server into the call's row, and gives the answer back", async () => {
    await configure({ every: node(everything, "stdio") });
    await begin([use("trigger-elicitation-request"), REPLY]);
    const asked = agent.until((event) => event.type === "form");
    await agent.view.send("go");
    await asked;
    const form = agent.calls()[0]?.form;
    const fields = form?.ask.type === "fields" ? form.ask.fields : [];
    expect(fields.map(({ kind }) => kind.type)).toContain("boolean");
    const [first] = fields.filter(({ kind, required }) => required && kind.type === "text");
    const values = { [first?.name ?? "name"]: "ねこ" };
    agent.view.active.serverForms.answer(form?.id ?? "", { action: "accept", values });
    await agent.view.active.idle;
    expect(lastResult(2)).toContain("ねこ");
  });

  it("leaves no process behind when it ends", async () => {
    await configure({ every: node(everything, "stdio"), notes: node(memory) });
    await begin([use("echo", { message: "x" }), REPLY]);
    await agent.view.send("go");
    await agent.view.active.idle;
    expect(serverPids().length).toBeGreaterThanOrEqual(2);
    await servers.close();
    expect(serverPids()).toEqual([]);
  });
});
