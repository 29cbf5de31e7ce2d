/** Endpoints of the Messages API that fail, or never end. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "../../../../../src/shared/message.ts";
import { type ModelServer, type ScriptTurn, startModelServer } from "../../../../model-server/server.ts";
import { stream } from "../../../../support/raw-stream.ts";
import { type Endpoint, startEndpoint } from "../endpoint.ts";
import { answer, delta, START, start, stop } from "./message-stream.ts";

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.heard.length = 0;
  endpoint.say({ body: answer() });
});

type AskOptions = NonNullable<Parameters<Endpoint["ask"]>[0]>;
const ask = (options: AskOptions = {}) =>
  endpoint.ask({ api: "anthropic", model: "claude-sonnet-4-5", ...options });

/** Sends pieces for ever, and counts their bytes. */
function* endless(sent: { bytes: number }, first: string, piece: string): Generator<string> {
  yield first;
  for (;;) {
    sent.bytes += piece.length;
    yield piece;
  }
}

describe("what never ends is ended", () => {
  const long = "x".repeat(64 * 1024);
  const thinking = start(0, { type: "thinking", thinking: "" });
  const call = start(0, { type: "tool_use", id: "a", name: "read_file", input: {} });
  it.each<[string, string, string]>([
    ["text", stream(START, start(0, { type: "text" })), stream(delta(0, { type: "text_delta", text: long }))],
    ["thinking", stream(START, thinking), stream(delta(0, { type: "thinking_delta", thinking: long }))],
    ["a signature", stream(START, thinking), stream(delta(0, { type: "signature_delta", signature: long }))],
    ["hidden thinking", "", stream(start(0, { type: "redacted_thinking", data: long }), stop(0))],
    ["arguments", stream(START, call), stream(delta(0, { type: "input_json_delta", partial_json: long }))],
    ["a line", stream(START), `data: "${long}`],
    ["an answer that does not stream", '{"type": "message", "content": "', long],
  ])("%s", async (_, first, piece) => {
    const sent = { bytes: 0 };
    endpoint.say({ body: endless(sent, first, piece) });
    const { error } = await ask({ provider: { firstTokenTimeout: 0, idleTimeout: 0 } });
    expect(error?.view.code).toBe("response-too-large");
    expect(sent.bytes).toBeLessThan(80 * 1024 * 1024);
  });

  it("a wait for the first token", async () => {
    endpoint.say({ body: endless({ bytes: 0 }, stream(START), stream({ type: "ping" })) });
    const { error } = await ask({ provider: { firstTokenTimeout: 0.2 } });
    expect(error?.view.code).toBe("first-token-timeout");
  });
});

describe("a played endpoint", () => {
  const answered: ScriptTurn["answer"] = [{ reasoning: "Hm." }, { text: "猫 and 犬 in a longer text." }];
  let server: ModelServer;
  afterEach(() => server.close());

  const play = async (turn: ScriptTurn, provider = {}) => {
    server = await startModelServer({ script: { turns: [{ times: true, answer: answered, ...turn }] } });
    const messages: Message[] = [
      { id: "1", role: "user", createdAt: "", blocks: [{ type: "text", text: "hi" }] },
    ];
    return ask({
      baseUrl: server.url,
      provider: { reasoningEffort: "low", ...provider },
      request: { messages },
    });
  };

  /** Short only for answers that the limit is to end: it would also end others that are late on a busy machine. */
  const limits: Record<string, Record<string, number>> = {
    "first-token-timeout": { firstTokenTimeout: 0.5 },
    "idle-timeout": { idleTimeout: 0.5 },
  };
  it.each<[string, ScriptTurn["fault"], string | undefined]>([
    ["cut", { kind: "cut" }, "connection-lost"],
    ["reset", { kind: "reset" }, "unreachable"],
    ["silent before its headers", { kind: "stall", where: "connection" }, "first-token-timeout"],
    ["silent after its headers", { kind: "stall", where: "headers" }, "first-token-timeout"],
    ["silent within its answer", { kind: "stall", where: "stream" }, "idle-timeout"],
    ["without its last event", { kind: "noDone" }, undefined],
    ["without its end", { kind: "noDone", finish: false }, "connection-lost"],
    ["unreadable", { kind: "malformed" }, "bad-response"],
    ["failing", { kind: "streamError" }, "server-error"],
    ["empty", { kind: "empty" }, undefined],
    ["nothing at all", { kind: "empty", choices: false }, "empty-response"],
    ["a page", { kind: "body" }, "server-error"],
    ["too long a prompt", { kind: "contextLength" }, "context-length"],
    ["overloaded", { kind: "status", status: 529 }, "server-error"],
    ["limited", { kind: "status", status: 429 }, "rate-limited"],
  ])("%s", async (_, fault, code) => {
    const { error } = await play({ fault }, limits[code ?? ""]);
    expect(error?.view.code).toBe(code);
    expect(server.refusals).toEqual([]);
  });

  it("is understood however it splits its events, and as a whole", async () => {
    const split = await play({ chunkSize: 1, writeSize: 1, keepAlive: "wait" });
    await server.close();
    const whole = await play({ wholeAnswer: true });
    for (const { parts, text: said, error } of [split, whole]) {
      expect(error).toBeUndefined();
      expect(said).toBe("猫 and 犬 in a longer text.");
      const signed = parts.flatMap((part) => (part.type === "signed-reasoning" ? [part.signed] : []));
      expect(signed).toMatchObject([{ type: "thinking", thinking: "Hm." }]);
    }
  });
});
