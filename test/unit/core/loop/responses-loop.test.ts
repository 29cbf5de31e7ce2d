/** Whole tasks over the Responses API, against a server that refuses whatever is not exactly as it issued it. */
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { shownPart } from "../../../../src/shared/view/reducer.ts";
import type { Script, ScriptPart } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const read = (path: string): ScriptPart => ({ tool: "read_file", params: { path } });
const FILES = { "a.txt": "one\n", "b.txt": "two\n" };

async function start(script: Script, more: Partial<AgentOptions> = {}): Promise<void> {
  agent = await startAgent({ script, protocol: "native", files: FILES, approval: { read: true }, ...more });
  agent.settings.provider.api = "responses";
}

const bodySchema = z.looseObject({
  instructions: z.string(),
  input: z.array(z.looseObject({ type: z.string() })),
  tools: z.array(z.unknown()).optional(),
});
const sent = () => agent.server.requests.map(({ body }) => bodySchema.parse(body));
const kinds = (n: number) =>
  (sent()[n - 1]?.input ?? []).map(({ type, role }) => (typeof role === "string" ? role : type));
const reasoning = (n: number) => (sent()[n - 1]?.input ?? []).filter(({ type }) => type === "reasoning");

describe("a task", () => {
  it("keeps the reasoning and sends it back in its place, also after a restart", async () => {
    await start({
      turns: [
        { answer: [{ reasoning: "First a." }, { text: "I look." }, read("a.txt"), read("b.txt")] },
        { answer: [{ reasoning: "Now that." }, read("b.txt")] },
        { answer: [{ reasoning: "All seen." }, DONE] },
        { answer: [{ text: "More." }] },
      ],
    });
    await agent.view.send("do it");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    await agent.restart();
    await agent.view.send("more");
    await agent.view.active.idle;
    expect(kinds(4)).toEqual([
      "user",
      ...["reasoning", "assistant", "function_call", "function_call"],
      // Environment details follow the first results, because the window is no longer empty.
      ...["function_call_output", "function_call_output", "user"],
      ...["reasoning", "function_call", "function_call_output"],
      ...["reasoning", "function_call", "function_call_output", "user"],
    ]);
    expect(reasoning(4)).toMatchObject(
      ["First a.", "Now that.", "All seen."].map((text) => ({ summary: [{ type: "summary_text", text }] })),
    );
    // A panel receives what it shows, not the reasoning in encrypted form.
    const shown = agent.events.flatMap((event) =>
      event.type === "message" ? [shownPart(event.message, agent.view.active.chatView.faces)] : [],
    );
    expect(JSON.stringify(shown)).not.toContain("gAAA");
    expect(agent.rows().filter(({ kind }) => kind === "reasoning")).toMatchObject([
      { text: "First a." },
      { text: "Now that." },
      { text: "All seen." },
    ]);
  });

  it("begins each request as the one before, byte for byte", async () => {
    const turns = Array.from({ length: 12 }, (_, n) => ({
      answer: [{ reasoning: `Step ${n}.` }, n % 3 === 2 ? { text: `Seen ${n}.` } : read("a.txt")],
    }));
    await start({ turns });
    for (let n = 0; n < 4; n++) {
      await agent.view.send(`message ${n}`);
      await agent.view.active.idle;
    }
    expect(sent()).toHaveLength(12);
    let before = "";
    for (const { instructions, input, tools } of sent()) {
      const text = JSON.stringify([tools, instructions, ...input]).slice(0, -1);
      expect(text.startsWith(before)).toBe(true);
      before = text;
    }
  });

  it("sends reasoning to the model alone that it is from", async () => {
    await start({
      turns: [
        { match: { model: "scripted" }, answer: [{ reasoning: "Mine." }, read("a.txt")] },
        { match: { model: "scripted" }, answer: [{ text: "A." }] },
        { match: { model: "other" }, answer: [{ reasoning: "Yours." }, { text: "B." }] },
        { match: { model: "scripted" }, answer: [{ text: "C." }] },
      ],
    });
    for (const model of ["scripted", "other", "scripted"]) {
      agent.settings.provider.model = model;
      await agent.view.send(`say, ${model}`);
      await agent.view.active.idle;
    }
    const texts = [1, 2, 3, 4].map((n) => reasoning(n).map(({ summary }) => JSON.stringify(summary)));
    expect(texts).toEqual([[], [expect.stringContaining("Mine.")], [], [expect.stringContaining("Mine.")]]);
  });

  it("that was cut off at the limit goes on", async () => {
    await start({
      turns: [
        {
          finishReason: "length",
          answer: [{ reasoning: "Long." }, { nativeTool: { name: "read_file", arguments: '{"path":"a.' } }],
        },
        { answer: [DONE] },
      ],
    });
    await agent.view.send("do it");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(kinds(2).slice(0, 4)).toEqual(["user", "reasoning", "function_call", "function_call_output"]);
    expect(agent.rows().some((row) => row.kind === "notice" && row.code === "reply-cut")).toBe(true);
  });

  it("whose connection was lost goes on with what had arrived", async () => {
    await start({
      turns: [
        {
          fault: { kind: "cut", times: 1, after: 5 },
          answer: [{ reasoning: "Hm, hm, hm." }, { text: "Hello" }],
        },
        { times: true, answer: [DONE] },
      ],
    });
    await agent.view.send("do it");
    expect((await agent.view.active.idle)?.type).toBe("failed");
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(kinds(2).slice(0, 3)).toEqual(["user", "reasoning", "assistant"]);
  });

  it("that failed within the reasoning goes on without it", async () => {
    await start({
      turns: [
        {
          fault: { kind: "streamError", times: 1, after: 5 },
          answer: [{ reasoning: "Hm, hm, hm, hm, hm, hm." }, { text: "Hello" }],
        },
      ],
    });
    await agent.view.send("do it");
    expect((await agent.view.active.idle)?.type).toBe("failed");
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(reasoning(2)).toEqual([]);
  });

  it("shows the model images that a user attached, and counts tokens", async () => {
    await start({
      turns: [
        { answer: [{ text: "Seen." }], usage: { promptTokens: 900, completionTokens: 7, cachedTokens: 512 } },
      ],
    });
    await agent.view.send("look", [{ mimeType: "image/png", data: "AAAA" }]);
    await agent.view.active.idle;
    expect(JSON.stringify(sent()[0]?.input)).toContain('"image_url":"data:image/png;base64,AAAA"');
    expect(agent.view.active.chatView.totals).toMatchObject({
      inputTokens: 900,
      outputTokens: 7,
      cachedTokens: 512,
    });
  });

  it("falls back to calls in the text where the model has no native ones", async () => {
    await start(
      {
        supportsTools: false,
        turns: [{ answer: [{ reasoning: "Hm." }, read("a.txt")] }, { answer: [DONE] }],
      },
      { protocol: "auto" },
    );
    await agent.view.send("do it");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(kinds(3)).toEqual(["user", "reasoning", "assistant", "user", "user"]);
  });

  it("is condensed, and goes on with the summary", async () => {
    const long = "word ".repeat(2_000);
    await start({
      turns: [
        { match: { request: 1 }, answer: [{ reasoning: "Hm." }, { text: `${long}.` }] },
        { match: { lastUser: "/summar/i" }, times: true, answer: [{ text: "All was said." }] },
        { times: true, answer: [{ reasoning: "Ha." }, { text: "Fine." }] },
      ],
    });
    for (const text of ["one", "two", "/compact", "three"]) {
      await agent.view.send(text);
      await agent.view.active.idle;
    }
    expect(agent.rows().some((row) => row.kind === "error")).toBe(false);
  });
});
