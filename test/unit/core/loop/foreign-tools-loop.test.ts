/** A tool that joins while the agent works: under both protocols it is called, asked for, run and shown like ours. */
import { afterEach, describe, expect, it } from "vitest";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { presentationOf } from "../../../../src/shared/tool-presentation.ts";
import { promptPieces } from "../../../model-server/chat/wire.ts";
import type { ScriptPart, ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { foreignTool } from "../../../support/foreign-tool.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const LOOK: ScriptTurn = { answer: [{ tool: "read_file", params: { path: "a.txt" } }] };
const ASK: ScriptTurn = { answer: [{ tool: "weather", params: { city: "東京", days: 2 } } as ScriptPart] };
const REPLY: ScriptTurn = { answer: [{ text: "Seen." }] };
const FILES = { "a.txt": "one\n" };

describe.each(["native", "xml"] as const)("under %s", (protocol) => {
  const prompt = (n: number) =>
    JSON.stringify([agent.server.chat(n).tools, agent.server.chat(n).messages[0]]);
  const say = async (text: string) => {
    await agent.view.send(text);
    return (await agent.view.active.idle)?.type;
  };

  it("is asked for and run, and its row knows its face, after a restart and without the tool as well", async () => {
    const registry = new ToolRegistry();
    const added = registry.add(foreignTool("weather"));
    agent = await startAgent({ script: { turns: [ASK, REPLY] }, protocol, files: FILES, registry });
    const asked = agent.asked();
    await agent.view.send("the weather?");
    agent.view.active.approve(await asked);
    expect((await agent.view.active.idle)?.type).toBe("replied");
    const row = { tool: "weather", subject: "東京", state: "done", shown: { text: "3" } };
    expect(agent.calls()).toMatchObject([row]);
    const presentation = foreignTool("weather").presentation;
    expect(presentationOf(agent.view.active.chatView.faces, "weather")).toEqual(presentation);
    expect(agent.events.filter((event) => event.type === "call" && event.face !== undefined)).toHaveLength(1);
    expect(JSON.stringify(agent.server.chat(2).messages)).toContain("Rain:");
    await agent.restart();
    expect(agent.calls()).toMatchObject([row]);
    expect(presentationOf(agent.view.active.chatView.faces, "weather")).toEqual(presentation);
    added.dispose();
    await agent.restart();
    expect(agent.calls()).toMatchObject([{ tool: "weather", state: "done" }]);
    expect(presentationOf(agent.view.active.chatView.faces, "weather")).toBeUndefined();
  });

  it("joins the prompt when the next turn begins, and at no request before", async () => {
    const registry = new ToolRegistry();
    agent = await startAgent({
      ...{ protocol, files: FILES, registry, approval: { read: true } },
      script: { turns: [LOOK, LOOK, REPLY, LOOK, REPLY, REPLY] },
    });
    const joined = agent.until((event) => event.type === "call-running");
    const first = say("look");
    await joined;
    const added = registry.add(foreignTool("weather"));
    expect(await first).toBe("replied");
    expect(agent.server.requests).toHaveLength(3);
    for (const n of [2, 3]) {
      expect(prompt(n) === prompt(1)).toBe(true);
      const before = promptPieces(agent.server.chat(n - 1));
      expect(promptPieces(agent.server.chat(n)).slice(0, before.length)).toEqual(before);
    }
    await say("look again");
    expect(prompt(4)).toContain("Tells the weather");
    expect(prompt(5) === prompt(4)).toBe(true);
    added.dispose();
    await say("and again");
    expect(prompt(6) === prompt(1)).toBe(true);
  });
});
