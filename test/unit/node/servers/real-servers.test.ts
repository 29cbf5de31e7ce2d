import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { EXAMPLE } from "../../../../src/core/tools/servers/load-mcp-documentation.ts";
import { killListed } from "../../../support/processes.ts";
import {
  agent,
  begin,
  configure,
  eachInItsFolder,
  everything,
  lastResult,
  memory,
  node,
  packages,
  REPLY,
  serverPids,
  use,
} from "./real-servers-support.ts";

eachInItsFolder();

describe("a task with real servers", () => {
  it("knows the tools at its first request, asks, runs them, and shows texts, structured results and images", async () => {
    await configure({ every: node(everything, "stdio"), notes: node(memory) });
    await begin(
      [
        use("get-sum", { a: 2, b: 3 }),
        use("get-tiny-image"),
        use("get-structured-content", { location: "Chicago" }),
        REPLY,
      ],
      { mcp: false },
    );
    await agent.view.send("go");
    for (let call = 0; call < 3; call++) agent.view.active.approve(await agent.asked());
    expect((await agent.view.active.idle)?.type).toBe("replied");
    const system = String(agent.server.chat(1).messages[0]?.content);
    expect(system).toContain("## every");
    expect(system).toContain("## notes");
    expect(system).toContain("create_entities");
    expect(lastResult(2)).toContain("The sum of 2 and 3 is 5");
    expect(JSON.stringify(agent.server.chat(3).messages)).toContain("data:image/png;base64,");
    expect(lastResult(4)).toContain("temperature");
    expect(agent.calls().map(({ state }) => state)).toEqual(["done", "done", "done"]);
  });

  it("survives the death of a server in mid-call, and starts it again for the next call", async () => {
    await configure({ every: node(everything, "stdio") });
    await begin([
      use("trigger-long-running-operation", { duration: 60, steps: 600 }),
      use("echo", { message: "back" }),
      REPLY,
    ]);
    const progress = agent.until((event) => event.type === "output" && event.delta.includes("%"));
    await agent.view.send("go");
    await progress;
    const pids = serverPids();
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) killListed(pid);
    await agent.view.active.idle;
    expect(agent.calls()[0]?.state).toBe("failed");
    expect(agent.rows()).toContainEqual(expect.objectContaining({ kind: "notice", code: "server-ended" }));
    expect(lastResult(3)).toContain("back");
  });

  it("runs the example of the documentation that models get", async () => {
    const file = path.join(packages, "..", "test", `.example-${process.pid}.mjs`);
    await writeFile(file, EXAMPLE);
    try {
      await configure({ every: node(file) });
      await begin([use("forecast", { city: "Osaka" }), REPLY]);
      await agent.view.send("go");
      await agent.view.active.idle;
      expect(lastResult(2)).toContain("Sunny in Osaka.");
    } finally {
      await rm(file);
    }
  });
});
