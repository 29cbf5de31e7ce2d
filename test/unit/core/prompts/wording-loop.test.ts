/** How much the instructions say goes by the model's window, and stands still within a task. */
import { afterEach, describe, expect, it } from "vitest";
import { wordingFor } from "../../../../src/core/tools/set/tool-set.ts";
import type { ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

const FULL = "who works in the user's editor";
const READ: ScriptTurn = { answer: [{ tool: "read_file", params: { path: "a.txt" } }] };
const DONE: ScriptTurn = { answer: [{ tool: "attempt_completion", params: { result: "Done." } }] };

const head = (request: number) => {
  const { messages, tools } = agent.server.chat(request);
  return JSON.stringify([messages[0], tools ?? []]);
};

async function run(protocol: "native" | "xml", window: number, turns: ScriptTurn[]): Promise<void> {
  agent = await startAgent({ protocol, script: { turns }, files: { "a.txt": "one\n" } });
  close = () => agent.close();
  agent.settings.provider.contextWindow = window;
  await agent.view.send("do it");
  expect((await agent.view.active.idle)?.type).toBe("completed");
}

it.each([
  [4_096, "compact"],
  [16_384, "compact"],
  [31_999, "compact"],
  [32_000, "full"],
  [32_768, "full"],
  [128_000, "full"],
])("a window of %i tokens gets the %s texts", (window, wording) => {
  expect(wordingFor(window)).toBe(wording);
});

it("that do not fit are refused with the window that the user knows", async () => {
  agent = await startAgent({ protocol: "xml", script: { turns: [DONE] } });
  close = () => agent.close();
  agent.settings.provider.contextWindow = 4_096;
  await agent.view.send("do it");
  expect((await agent.view.active.idle)?.type).toBe("failed");
  expect(agent.rows().at(-1)).toMatchObject({
    error: { code: "context-length", detail: expect.stringMatching(/^[\d,]+ \+ 819 > 4,096 tokens$/) },
  });
});

describe.each(["native", "xml"] as const)("the instructions under %s", (protocol) => {
  it("are short for a small window, and stay so when it grows", async () => {
    await run(protocol, 16_000, [READ, DONE, DONE]);
    expect(head(1)).not.toContain(FULL);
    agent.settings.provider.contextWindow = 200_000;
    await agent.view.send("go on");
    await agent.view.active.idle;
    expect([head(2), head(3)]).toEqual([head(1), head(1)]);
  });

  it("are long for a large one, in every request alike", async () => {
    await run(protocol, 64_000, [READ, READ, DONE]);
    expect(head(1)).toContain(FULL);
    expect([head(2), head(3)]).toEqual([head(1), head(1)]);
  });

  it("become short, once, when the window turns out to be small", async () => {
    await run(protocol, 64_000, [READ, DONE, READ, DONE]);
    agent.settings.provider.contextWindow = 16_000;
    await agent.view.send("go on");
    await agent.view.active.idle;
    expect([head(1).includes(FULL), head(3).includes(FULL)]).toEqual([true, false]);
    expect(head(4)).toBe(head(3));
  });
});
