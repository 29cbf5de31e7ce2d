/** What real endpoints stream, in shapes that OpenAI's own never has: each is understood, or said to be broken. */
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { delta, stream } from "../../../support/raw-stream.ts";
import { holdTimers } from "../../../support/timers.ts";
import { type Endpoint, ended, SSE, startEndpoint } from "./endpoint.ts";

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());

const hello = stream(delta({ role: "assistant", content: "Hel" }), delta({ content: "lo" }), ended);
const done = stream("[DONE]");

describe("an answer is understood", () => {
  it.each<[string, string | Buffer, Record<string, string>?]>([
    ["with comments between", `: OPENROUTER PROCESSING\n\n:\n\n${hello}: done\n\n${done}`],
    ["without the last word", hello],
    ["without a reason for its end", `${stream(delta({ content: "Hello" }))}${done}`],
    ["with CR LF", (hello + done).replaceAll("\n", "\r\n")],
    ["with CR alone", (hello + done).replaceAll("\n", "\r")],
    ["without empty lines between", (hello + done).replaceAll("\n\n", "\n")],
    ["without a space after the colon", hello.replaceAll("data: ", "data:")],
    ["without an end of its last line", (hello + done).trimEnd()],
    ["with event names and ids", hello.replaceAll("data:", "id: 7\nevent: message\nretry: 10\ndata:")],
    ["with a byte order mark", `\ufeff${hello}${done}`],
    ["without a content type", hello + done, {}],
    ["as plain text", hello + done, { "content-type": "text/plain; charset=utf-8" }],
    ["said to be JSON", hello + done, { "content-type": "application/json" }],
    ["packed", gzipSync(hello + done), { ...SSE, "content-encoding": "gzip" }],
    [
      "whole",
      JSON.stringify({ choices: [{ message: { content: "Hello" }, finish_reason: "stop" }] }),
      { "content-type": "application/json" },
    ],
    ["whole, said to be a stream", `\n ${JSON.stringify({ choices: [{ message: { content: "Hello" } }] })}`],
    ["with chunks without choices", stream({ choices: [] }, { id: "x" }) + hello + done],
    [
      "with the role in each",
      stream(...["Hel", "lo"].map((content) => delta({ role: "assistant", content })), ended),
    ],
    [
      "with nulls",
      stream(
        delta({ content: "Hello", tool_calls: null, reasoning_content: null, refusal: null }),
        delta({ content: null }, "stop"),
      ),
    ],
    [
      "with odd usage",
      stream(delta({ content: "Hello" }, "stop"), { choices: [], usage: { prompt_tokens: "many" } }),
    ],
    [
      "as a list of parts",
      stream(
        delta({
          content: [
            { type: "text", text: "Hello" },
            { type: "reference", reference_ids: [1] },
          ],
        }),
        ended,
      ),
    ],
    [
      "with an error after its end",
      stream(delta({ content: "Hello" }), delta({}, "length"), {
        choices: [],
        error: { code: 400, message: "Token limit reached" },
      }),
    ],
    [
      "with a choice of its own index",
      stream({ choices: [{ index: 3, delta: { content: "Hello" }, finish_reason: "stop" }] }),
    ],
  ])("%s", async (_name, body, headers = SSE) => {
    endpoint.say({ body, headers });
    const { text, error } = await endpoint.ask();
    expect(error).toBeUndefined();
    expect(text).toBe("Hello");
  });

  it.each(["", `: bye\n\n${done}\n`])(
    "and its connection is used for the next request, if its end and %j come later",
    async (rest) => {
      async function* body() {
        yield hello + done;
        await setTimeout(5);
        yield rest;
      }
      // The end of an answer is waited for only a moment, which a busy machine may need for those few milliseconds.
      holdTimers();
      const before = endpoint.connections();
      for (let requests = 0; requests < 3; requests++) {
        endpoint.say({ body: body() });
        expect(await endpoint.ask()).toMatchObject({ text: "Hello" });
      }
      expect(endpoint.connections() - before).toBeLessThanOrEqual(1);
    },
  );

  it("although its body never ends", async () => {
    async function* body() {
      yield hello + done;
      await new Promise(() => {});
    }
    const before = endpoint.connections();
    for (let requests = 0; requests < 2; requests++) {
      endpoint.say({ body: body() });
      expect(await endpoint.ask()).toMatchObject({ text: "Hello" });
    }
    // The first of them may have used an open connection, and closed it.
    expect(endpoint.connections() - before).toBeGreaterThanOrEqual(1);
  });

  it("however its bytes are cut", async () => {
    const bytes = Buffer.from(
      `: x\r\n\r\n${stream(delta({ content: "猫\u{1f408}" }), ended)}`.replaceAll("\n\n", "\r\n\r\n"),
    );
    const { serverEvents, decodedText } = await import("../../../../src/core/provider/sse.ts");
    for (const size of [1, 2, 3, 5, 7, 1000]) {
      const events: unknown[] = [];
      async function* pieces() {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      }
      for await (const batch of serverEvents(decodedText(pieces())))
        for (const event of batch) if (event.type === "data") events.push(JSON.parse(event.text));
      expect(events).toEqual([delta({ content: "猫\u{1f408}" }), ended]);
    }
  });

  it("with thinking in any of the fields that there are", async () => {
    const details = [{ type: "reasoning.text", text: "why", index: 0 }];
    endpoint.say({
      body: stream(
        delta({ reasoning_content: "a" }),
        delta({ reasoning: "b" }),
        delta({ reasoning: "c", reasoning_content: "" }),
        delta({ reasoning: "d", reasoning_details: details }),
        delta({ reasoning_details: details }),
        delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "f" }] }] }),
        delta({ content: "Hello" }, "stop"),
      ),
    });
    const { parts, text, error } = await endpoint.ask();
    expect(error).toBeUndefined();
    const thought = parts.map((part) => (part.type === "reasoning" ? part.delta : "")).join("");
    expect([thought, text]).toEqual(["abcdwhyf", "Hello"]);
  });

  it("with usage in every chunk: the last counts", async () => {
    const usage = (count: number) => ({ prompt_tokens: 10, completion_tokens: count, cost: null });
    endpoint.say({
      body: stream({ ...delta({ content: "a" }), usage: usage(1) }, { ...ended, usage: usage(2) }),
    });
    const { parts } = await endpoint.ask();
    expect(parts.findLast((part) => part.type === "usage")).toEqual({
      type: "usage",
      usage: { inputTokens: 10, outputTokens: 2 },
    });
  });
});

describe("an answer that is lost is not taken for a whole one", () => {
  const half = stream(delta({ content: "half" }));

  it("what was said before an error is heard before it, also without an empty line between", async () => {
    endpoint.say({ body: `${half.trimEnd()}\n{"error":"the model crashed"}\n\n` });
    const { text, error } = await endpoint.ask();
    expect([text, error?.view.code]).toEqual(["half", "server-error"]);
  });

  it.each([
    ["ends without an end", half, "connection-lost", false],
    ["ends within a chunk", `${half}data: {"choices":[{"del`, "connection-lost", false],
    [
      "ends with an error in a choice",
      half +
        stream({
          choices: [
            { delta: {}, finish_reason: "error", error: { code: 502, message: "Provider disconnected" } },
          ],
        }),
      "server-error",
      true,
    ],
    ["ends for the reason error", half + stream(delta({}, "error")), "server-error", true],
    [
      "ends with an error beside empty choices",
      half + stream({ choices: [], error: { message: "worker limit reached" } }),
      "server-error",
      true,
    ],
    [
      "ends with an error line of its own",
      `${half}{"error":"an error was encountered while running the model"}\n`,
      "server-error",
      true,
    ],
    ["ends with an error field", `${half}error: {"code":500,"message":"slot"}\n\n`, "server-error", true],
    [
      "begins with a wrong key",
      stream({ error: { code: 401, message: "User not found." } }),
      "bad-key",
      false,
    ],
    [
      "begins with no money",
      stream({ error: { code: 402, message: "Insufficient credits" } }),
      "bad-request",
      false,
    ],
    ["begins with a limit", stream({ error: { code: 429, message: "Rate limit" } }), "rate-limited", true],
    ["is none", "data: hello\n\n", "bad-response", false],
    ["is a page", "<!doctype html><html><head><title>Welcome</title></head></html>", "web-page", false],
    [
      "is LM Studio's of a wrong path",
      '{"error":"Unexpected endpoint or method. (POST /chat/completions)"}',
      "wrong-address",
      false,
    ],
    ["is nothing", "", "empty-response", true],
  ] as const)("%s", async (_name, body, code, transient) => {
    endpoint.say({ body });
    const { error } = await endpoint.ask();
    expect(error?.view.code).toBe(code);
    expect(error?.transient).toBe(transient);
  });
});
