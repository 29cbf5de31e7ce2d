/** Tasks with llama.cpp's server, as the scripted model plays it. */
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Clock } from "../../../../src/core/ports/system.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { defineForeignTool } from "../../../../src/core/tools/tool.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import type { ScriptPart, ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { hurriedClock } from "../../../support/hurried-clock.ts";

let agent: Agent;
afterEach(() => agent.close());

const files = { "a.txt": "one", "b.txt": "two" };
const read = (path: string): ScriptPart => ({ tool: "read_file", params: { path } });
const DONE: ScriptTurn = { answer: [{ tool: "attempt_completion", params: { result: "Done." } }] };
const MODEL = "tiny.gguf";

/** The window that the server names is waited for, however busy the machine is. */
const patientClock: Clock = {
  now: systemClock.now,
  after: (ms, run) => (ms <= 1_000 ? { dispose: () => undefined } : systemClock.after(ms, run)),
};

/** Sends a message, and returns how its turn ends. */
async function run(options: AgentOptions): Promise<unknown> {
  const { script } = options;
  const server = typeof script === "function" ? script : { models: [MODEL], llamaCpp: {}, ...script };
  agent = await startAgent({ files, clock: patientClock, ...options, script: server });
  agent.settings.provider.protocol = options.protocol ?? "auto";
  await agent.view.send("do it");
  return (await agent.view.active.idle)?.type;
}

const bodies = () => agent.server.requests.map(({ text }) => text);
/** The items of a request over the Responses API. */
const input = (index: number) =>
  z.object({ input: z.array(z.looseObject({ type: z.string() })) }).parse(agent.server.requests[index]?.body)
    .input;
const windowShown = () => /[\d.]+K? \/ ([\d.]+K) tokens used/.exec(bodies()[0] ?? "")?.[1];
const get = async (path: string): Promise<unknown> => (await fetch(new URL(path, agent.server.url))).json();
const slotsSchema = z.array(
  z.object({ is_processing: z.boolean(), n_prompt_tokens: z.number(), n_prompt_tokens_cache: z.number() }),
);
const slots = async () => slotsSchema.parse(await get("/slots"));

describe("templates that want alternating roles", () => {
  it("refuse once what follows a result, and never again in the same model", async () => {
    const turns: ScriptTurn[] = [{ answer: [read("a.txt")] }, { answer: [read("b.txt")] }, DONE, DONE];
    expect(await run({ script: { turns, alternatingRoles: true } })).toBe("completed");
    await agent.view.send("and again");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.server.refusals).toHaveLength(1);
    expect(agent.server.refusals[0]).toMatch(/roles must alternate/);
    // The calls stay native.
    expect(agent.server.chat(agent.server.requests.length).tools).toBeDefined();
    expect(agent.rows().some(({ kind }) => kind === "error")).toBe(false);
  });
});

describe("the Responses API without indexes", () => {
  const answer = [{ reasoning: "Both files." }, { text: "I read both." }, read("a.txt"), read("b.txt")];

  it("keeps the calls of an answer apart, and sends its reasoning back with them", async () => {
    expect(await run({ api: "responses", protocol: "native", script: { turns: [{ answer }, DONE] } })).toBe(
      "completed",
    );
    expect(agent.calls().map(({ state, subject }) => [state, subject])).toEqual([
      ["done", "a.txt"],
      ["done", "b.txt"],
      ["done", ""],
    ]);
    expect(agent.server.refusals).toEqual([]);
    expect(input(1).map(({ type }) => type)).toEqual([
      ...["message", "reasoning", "message", "function_call", "function_call"],
      ...["function_call_output", "function_call_output", "message"],
    ]);
    expect(input(1)[1]?.content).toEqual([{ type: "reasoning_text", text: "Both files." }]);
  });

  it("takes images of results in a message, because it refuses them as the output of a call", async () => {
    const image = { type: "image" as const, mimeType: "image/png", data: "iVBORw0KGgo=" };
    const registry = new ToolRegistry();
    registry.add(
      defineForeignTool({
        name: "look",
        presentation: { icon: "globe", title: { doing: "Looking" }, row: "tool" },
        access: "read",
        description: "Looks.",
        schema: { type: "object", properties: {} },
        prepare: async () => ({ paths: [], view: {}, run: async () => ({ parts: [image] }) }),
      }),
    );
    const turns: ScriptTurn[] = [{ answer: [{ tool: "look", params: {} }] }, DONE];
    const script = { turns, llamaCpp: { images: true } };
    expect(await run({ api: "responses", protocol: "native", script, registry })).toBe("completed");
    expect(agent.server.refusals).toEqual(["Output of tool call should be 'Input text'"]);
    const sent = input(agent.server.requests.length - 1).map((item) => JSON.stringify(item));
    expect(sent.filter((item) => item.includes("input_image"))).toEqual([
      expect.stringContaining('"type":"message","role":"user"'),
    ]);
  });
});

describe("the window", () => {
  const turns = [DONE];

  it("of the only model holds under any name", async () => {
    expect(await run({ script: { turns, llamaCpp: { window: 24_000 } } })).toBe("completed");
    expect(agent.server.requests[0]?.body).toMatchObject({ model: "scripted" });
    expect(windowShown()).toBe("24K");
  });

  it("of a router is that of the model, which is not loaded to ask", async () => {
    const script = {
      turns,
      models: ["scripted", "other"],
      llamaCpp: { router: true, window: 20_000, slots: 2 },
    };
    expect(await run({ script })).toBe("completed");
    expect(windowShown()).toBe("20K");
    const { data } = z
      .object({ data: z.array(z.object({ status: z.object({ value: z.string() }) })) })
      .parse(await get("/v1/models"));
    expect(data.map(({ status }) => status.value)).toEqual(["loaded", "unloaded"]);
  });

  it("that a prompt exceeds is learned from the refusal, and the messages are shortened", async () => {
    const long = { "a.txt": "A line of a file that is long.\n".repeat(3_000) };
    const turns: ScriptTurn[] = [{ answer: [read("a.txt")] }, DONE];
    const script = { models: [MODEL], llamaCpp: { window: 14_000 }, turns };
    agent = await startAgent({ files: long, protocol: "native", script, approval: { read: true } });
    agent.settings.provider.contextWindow = 64_000;
    await agent.view.send("do it");
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.server.requests).toHaveLength(3);
  });
});

describe("a call that the server cannot read", () => {
  const error = {
    code: 500,
    message: "The model produced output that does not match the expected peg-native format",
    type: "server_error",
  };
  const garbled: ScriptTurn = {
    answer: [{ text: "I write the file now, with all of its lines." }],
    fault: { kind: "streamError", after: 3, error },
  };

  it.each(["chat", "responses"] as const)("is asked for again over %s", async (api) => {
    const script = { turns: [garbled, DONE] };
    expect(await run({ api, protocol: "native", script, clock: hurriedClock })).toBe("completed");
    expect(agent.server.requests).toHaveLength(2);
    expect(agent.rows().some(({ kind }) => kind === "error")).toBe(false);
  });
});

describe("a slow first token", () => {
  it("is waited for, however often the server says that it is at work", async () => {
    const limits: number[] = [];
    const clock: AgentOptions["clock"] = {
      now: systemClock.now,
      after(ms, run) {
        limits.push(ms);
        return systemClock.after(ms, run);
      },
    };
    const turns: ScriptTurn[] = [{ answer: [{ ping: 20 }, { hold: "prompt" }, { text: "Fine." }] }];
    agent = await startAgent({
      ...{ files, clock, protocol: "native", settings: {} },
      script: { models: [MODEL], llamaCpp: {}, turns },
    });
    Object.assign(agent.settings.provider, { firstTokenTimeout: 601, idleTimeout: 77 });
    await agent.view.send("do it");
    await agent.server.waitForHold("prompt");
    expect(limits.filter((ms) => [601_000, 77_000].includes(ms))).toEqual([601_000]);
    agent.server.release("prompt");
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(limits).toContain(77_000);
  });
});

describe("slots", () => {
  it("keep the prompts of two tasks at once, and the task counts what was cached", async () => {
    const turns: ScriptTurn[] = [
      { match: { firstUser: "second" }, answer: [{ text: "Fine." }] },
      { answer: [read("a.txt")] },
      { answer: [{ hold: "first" }, read("b.txt")] },
      DONE,
    ];
    agent = await startAgent({
      ...{ files, protocol: "native" },
      script: { models: [MODEL], llamaCpp: { slots: 2 }, turns },
    });
    await agent.view.send("do it");
    await agent.server.waitForHold("first");
    const { active } = agent.view;
    await agent.view.newTask({ keep: true });
    await agent.view.send("second");
    await agent.view.active.idle;
    agent.server.release("first");
    await active.idle;
    const kept = await slots();
    expect(kept.map(({ n_prompt_tokens }) => n_prompt_tokens > 1_000)).toEqual([true, true]);
    expect(kept[0]?.n_prompt_tokens_cache).toBeGreaterThan(0.9 * (kept[0]?.n_prompt_tokens ?? 0));
    const { cachedTokens, inputTokens } = active.chatView.totals;
    expect(cachedTokens).toBeGreaterThan(0.6 * inputTokens);
  });

  it("are free as soon as the task is stopped", async () => {
    const hold: ScriptTurn = { answer: [{ text: "I" }, { hold: "answer" }, { text: "wait." }] };
    agent = await startAgent({
      files,
      protocol: "native",
      script: { models: [MODEL], llamaCpp: {}, turns: [hold, DONE] },
    });
    await agent.view.send("do it");
    await agent.server.waitForHold("answer");
    const isBusy = async () => (await slots()).map(({ is_processing }) => is_processing);
    expect(await isBusy()).toEqual([true]);
    await agent.view.active.stop();
    await agent.server.requests[0]?.closed;
    expect(await isBusy()).toEqual([false]);
    await agent.view.send("again");
    expect((await agent.view.active.idle)?.type).toBe("completed");
  });
});
