/** Whole tasks over the Messages API, against a server that refuses whatever is not exactly as it issued it. */
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../../../model-server/scripts/neko.ts";
import { type Script, type ScriptPart, startModelServer } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";

let agent: Agent;
/** What a test expects the server to refuse. */
let refused: string[] = [];
afterEach(async () => {
  expect(agent.server.refusals).toEqual(refused);
  refused = [];
  await agent.close();
});

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const read = (path: string): ScriptPart => ({ tool: "read_file", params: { path } });
const FILES = { "a.txt": "one\n", "b.txt": "two\n" };

async function start(script: Script, more: Partial<AgentOptions> = {}): Promise<void> {
  const given = { protocol: "native" as const, files: FILES, approval: { read: true } };
  agent = await startAgent({ script, ...given, api: "anthropic", ...more });
  agent.settings.provider.reasoningEffort = "low";
}

const bodySchema = z.looseObject({
  system: z.array(z.unknown()).optional(),
  tools: z.array(z.unknown()).optional(),
  messages: z.array(z.object({ role: z.string(), content: z.array(z.looseObject({ type: z.string() })) })),
  thinking: z.looseObject({ type: z.string() }).optional(),
});
const sent = () => agent.server.requests.map(({ body }) => bodySchema.parse(body));
const kinds = (n: number) =>
  (sent()[n - 1]?.messages ?? []).map(({ content }) => content.map(({ type }) => type).join(" "));
const thoughts = (n: number) =>
  (sent()[n - 1]?.messages ?? []).flatMap(({ content }) =>
    content.flatMap(({ type, thinking }) => (type === "thinking" ? [thinking] : [])),
  );

async function say(text: string) {
  await agent.view.send(text);
  return (await agent.view.active.idle)?.type;
}

describe.each(underOne("native"))("the reference exchange under %s", (protocol) => {
  it("changes the file, and reads the beginning of its second request from the cache", async () => {
    await start(nekoScript(), { protocol, files: { "neko.txt": `${NEKO_BEFORE}\n` }, approval: {} });
    const asked = agent.asked();
    await agent.view.send("@/neko.txt \n猫を犬にしてください");
    agent.view.active.approve(await asked);
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.files.get("/project/neko.txt")).toBe(`${NEKO_AFTER}\n`);
    const { inputTokens, cachedTokens, cacheWriteTokens = 0 } = agent.view.active.chatView.totals;
    expect(cachedTokens).toBeGreaterThan(inputTokens * 0.4);
    // All but what no mark follows is read, or kept for the next request.
    expect(cachedTokens + cacheWriteTokens).toBe(inputTokens);
  });
});

describe("a task", () => {
  it("keeps the thinking and sends it back in its place, also after a restart", async () => {
    await start({
      turns: [
        { answer: [{ reasoning: "First a." }, { text: "I look." }, read("a.txt"), read("b.txt")] },
        { answer: [{ reasoning: "secret", hidden: true }, { reasoning: "Now that." }, read("b.txt")] },
        { answer: [{ reasoning: "All seen." }, DONE] },
        { answer: [{ text: "More." }] },
      ],
    });
    expect(await say("do it")).toBe("completed");
    await agent.restart();
    await say("more");
    expect(kinds(4)).toEqual([
      "text text text",
      "thinking text tool_use tool_use",
      "tool_result tool_result text",
      "redacted_thinking thinking tool_use",
      // The environment is as it was.
      "tool_result",
      "thinking tool_use",
      "tool_result text",
    ]);
    expect(agent.rows().filter(({ kind }) => kind === "reasoning")).toMatchObject([
      { text: "First a." },
      { text: "Now that." },
      { text: "All seen." },
    ]);
  });

  it("begins each request as the one before, but for the marks of the cache", async () => {
    const turns = Array.from({ length: 12 }, (_, n) => ({
      answer: [{ reasoning: `Step ${n}.` }, n % 3 === 2 ? { text: `Seen ${n}.` } : read("a.txt")],
    }));
    await start({ turns });
    for (let n = 0; n < 4; n++) await say(`message ${n}`);
    expect(sent()).toHaveLength(12);
    let before: string[] = [];
    for (const { tools, system, messages } of sent()) {
      const parts = messages.flatMap(({ role, content }) => content.map((part) => [role, part]));
      const pieces = [tools, system, ...parts].map((piece) =>
        JSON.stringify(piece, (key, value: unknown) => (key === "cache_control" ? undefined : value)),
      );
      expect(pieces.slice(0, before.length)).toEqual(before);
      before = pieces;
    }
    expect(agent.view.active.chatView.totals.prefixBreaks).toBeUndefined();
  });

  it("sends thinking to the model alone that it is from, and thinks again in the next turn", async () => {
    await start({
      turns: [
        { match: { model: "scripted" }, answer: [{ reasoning: "Mine." }, read("a.txt")] },
        { match: { model: "scripted" }, answer: [{ reasoning: "A." }, { text: "A." }] },
        { match: { model: "other", request: 3 }, answer: [{ reasoning: "Yours." }, read("b.txt")] },
        { match: { model: "other" }, answer: [{ reasoning: "B." }, { text: "B." }] },
        { match: { model: "scripted" }, answer: [{ reasoning: "C." }, { text: "C." }] },
      ],
    });
    for (const model of ["scripted", "other", "scripted"]) {
      agent.settings.provider.model = model;
      expect(await say(`say, ${model}`)).toBe("replied");
    }
    expect([1, 2, 3, 4, 5].map(thoughts)).toEqual([[], ["Mine."], [], ["Yours."], ["Mine.", "A."]]);
    expect(sent().map(({ thinking }) => thinking?.type)).toEqual(Array.from({ length: 5 }, () => "enabled"));
  });

  it("goes on without thinking if the model changes within a turn", async () => {
    await start({
      turns: [
        { match: { model: "scripted" }, answer: [{ reasoning: "Mine." }, { hold: "one" }, read("a.txt")] },
        { match: { model: "other" }, answer: [{ reasoning: "Yours." }, { hold: "two" }, read("b.txt")] },
        { match: { model: "scripted" }, answer: [{ reasoning: "Back." }, { text: "C." }] },
        { match: { model: "scripted" }, answer: [{ reasoning: "New." }, { text: "D." }] },
      ],
    });
    await agent.view.send("go");
    for (const [hold, model] of [
      ["one", "other"],
      ["two", "scripted"],
    ] as const) {
      await agent.server.waitForHold(hold);
      agent.settings.provider.model = model;
      agent.server.release(hold);
    }
    expect((await agent.view.active.idle)?.type).toBe("replied");
    await say("again");
    expect(sent().map(({ thinking }) => thinking?.type)).toEqual([
      "enabled",
      undefined,
      "enabled",
      "enabled",
    ]);
    expect([1, 2, 3, 4].map(thoughts)).toEqual([[], [], ["Mine."], ["Mine.", "Back."]]);
  });

  it("that was cut off at the limit goes on", async () => {
    await start({
      turns: [
        {
          finishReason: "length",
          answer: [{ reasoning: "Long." }, { nativeTool: { name: "read_file", arguments: '{"path":"a.' } }],
        },
        { answer: [{ reasoning: "So." }, DONE] },
      ],
    });
    expect(await say("do it")).toBe("completed");
    expect(kinds(2).slice(1)).toEqual(["thinking tool_use", "tool_result text"]);
    expect(agent.rows().some((row) => row.kind === "notice" && row.code === "reply-cut")).toBe(true);
  });

  it("that was cut off within its thinking, or after it, goes on", async () => {
    await start({
      // The first answer has nothing that could be sent back, so the messages around it become one.
      scope: "server",
      turns: [
        { finishReason: "length", answer: [{ reasoning: "Too long." }] },
        {
          fault: { kind: "cut", times: 1, after: 12 },
          answer: [{ reasoning: "Hm, hm." }, { text: "Hello, hello" }],
        },
        { answer: [{ reasoning: "So." }, { text: "Fine." }] },
      ],
    });
    expect(await say("do it")).toBe("failed");
    expect(await say("go on")).toBe("failed");
    expect(await say("go on")).toBe("replied");
    expect(kinds(3).at(-2)).toBe("thinking text");
  });

  it("is asked for again when the endpoint is overloaded", async () => {
    await start({
      turns: [{ fault: { kind: "status", status: 529, times: 1 }, answer: [DONE] }],
    });
    expect(await say("do it")).toBe("completed");
    expect(agent.server.requests).toHaveLength(2);
  });

  it("goes on at an endpoint that no longer knows its own signatures, within a turn and after it", async () => {
    const turns: Script["turns"] = [
      { answer: [{ reasoning: "New." }, read("b.txt")] },
      { answer: [{ reasoning: "So." }, { text: "B." }] },
      { answer: [{ reasoning: "And." }, { text: "C." }] },
    ];
    const moved = await startModelServer({ script: { scope: "server", turns } });
    await start({ turns: [{ answer: [{ reasoning: "Old." }, { hold: "move" }, read("a.txt")] }] });
    await agent.view.send("go");
    await agent.server.waitForHold("move");
    agent.settings.provider.baseUrl = moved.url;
    agent.server.release("move");
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(await say("again")).toBe("replied");
    expect(moved.refusals).toEqual([expect.stringContaining("Invalid `signature` in `thinking` block")]);
    expect(moved.requests.flatMap(({ turn }) => turn ?? [])).toEqual(["#0", "#1", "#2"]);
    await moved.close();
  });

  it.each(["budget", "adaptive"] as const)(
    "thinks in the form that the endpoint takes: %s",
    async (thinkingForm) => {
      await start({
        thinkingForm,
        turns: [{ answer: [{ reasoning: "Hm." }, read("a.txt")] }, { answer: [{ reasoning: "So." }, DONE] }],
      });
      agent.settings.provider.model = thinkingForm === "budget" ? "claude-opus-9" : "glm-4.7";
      expect(await say("do it")).toBe("completed");
      const type = thinkingForm === "budget" ? "enabled" : "adaptive";
      refused = [
        thinkingForm === "budget"
          ? "This model does not support the effort parameter."
          : expect.stringContaining('"thinking.type.enabled" is not supported for this model.'),
      ];
      expect(
        sent()
          .map(({ thinking }) => thinking?.type)
          .slice(1),
      ).toEqual([type, type]);
    },
  );
});
