/** What the context window holds by kind, from the request that the next message would make. */
import { afterEach, describe, expect, it } from "vitest";
import type { WindowKind } from "../../../../src/shared/models/window-contents.ts";
import type { Script } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const LONG = "猫は液体である。\n".repeat(400);
const READS: Script = {
  scope: "server",
  turns: [
    { answer: [{ text: "I look." }, { tool: "read_file", params: { path: "long.txt" } }] },
    { answer: [{ text: "It is about cats." }] },
    { answer: [{ tool: "search_files", params: { path: ".", regex: "液体" } }] },
    { answer: [{ text: "Found." }] },
    { answer: [{ text: "I see." }] },
  ],
};

async function start(options: Partial<AgentOptions> = {}) {
  agent = await startAgent({ script: READS, files: { "long.txt": LONG, "short.txt": "a\n" }, ...options });
}
async function say(text: string) {
  await agent.view.send(text);
  await agent.view.active.idle;
}
const tokens = (kind: WindowKind) =>
  agent.view.active.requests.contents().parts.find((part) => part.kind === kind)?.tokens ?? 0;

describe.each(underOne("xml"))("the window's contents under %s", (protocol) => {
  it("add up to the forecast of the next request, before and after messages", async () => {
    await start({ protocol });
    for (const text of ["", "What is in long.txt?", "Where?"]) {
      if (text !== "") await say(text);
      const { parts, tokens: all } = agent.view.active.requests.contents();
      const sum = parts.reduce((total, part) => total + part.tokens, 0);
      expect(Math.abs(sum - all)).toBeLessThanOrEqual(parts.length);
      expect(Math.abs(all - agent.view.active.requests.forecast("").tokens)).toBeLessThan(100);
    }
  });

  it("attribute what was read to files, other results to results, and words to the conversation", async () => {
    await start({ protocol });
    expect(tokens("tools")).toBeGreaterThan(1_000);
    expect([tokens("files"), tokens("results"), tokens("rules"), tokens("servers")]).toEqual([0, 0, 0, 0]);
    await say("What is in long.txt?");
    const read = tokens("files");
    expect(read).toBeGreaterThan(1_500);
    expect(tokens("results")).toBe(0);
    await say("Where?");
    expect(tokens("results")).toBeGreaterThan(100);
    const words = tokens("conversation");
    await say("long words ".repeat(500));
    expect(tokens("conversation")).toBeGreaterThan(words + 700);
  });

  it("count a mentioned file as a file, and the rules and instructions as rules", async () => {
    const settings = { customInstructions: "Always say what you read. ".repeat(50) };
    await start({ protocol, settings, script: { turns: [{ answer: [{ text: "Yes." }] }] } });
    expect(tokens("rules")).toBeGreaterThan(200);
    await say("Look at @/long.txt");
    expect(tokens("files")).toBeGreaterThan(1_500);
    expect(tokens("conversation")).toBeLessThan(1_500);
  });
});

it("tells what is left out, and what the answers of each model cost", async () => {
  await start({
    script: {
      scope: "server",
      turns: [
        ...(READS.turns ?? []).slice(0, 4),
        { answer: [{ text: "<summary>Cats are liquid.</summary>" }] },
        { answer: [{ text: "Go on." }] },
      ],
    },
  });
  await say("What is in long.txt?");
  await agent.view.active.chooseModel("act", "default/second");
  await say("Where?");
  expect(agent.view.active.requests.contents().leftOut).toEqual({
    messages: 0,
    results: 0,
    isSummarized: false,
  });
  const models = agent.view.active.requests.contents().models;
  expect(models.map(({ name, requests }) => [name, requests])).toEqual([
    ["default/scripted", 2],
    ["default/second", 2],
  ]);
  const { inputTokens } = agent.view.active.chatView.totals;
  expect(models.reduce((sum, model) => sum + model.inputTokens, 0)).toBe(inputTokens);
  await say("/compact");
  const { leftOut } = agent.view.active.requests.contents();
  expect(leftOut.isSummarized).toBe(true);
  expect(leftOut.messages).toBeGreaterThan(3);
});
