/**
 * One read of the network may bring many events of an answer, or half of one. What they say is the same, it is there as soon
 * as it has arrived, and an error or a Stop between two events ends the answer there.
 */
import { describe, expect, it } from "vitest";
import { AnswerReader } from "../../../../src/core/assistant/answer-reader.ts";
import { type AssistantBlock, foldEvents } from "../../../../src/core/assistant/events.ts";
import { Interrupt, ProviderError } from "../../../../src/core/errors.ts";
import type { Clock } from "../../../../src/core/ports/system.ts";
import { apis } from "../../../../src/core/provider/apis.ts";
import type { StreamPart } from "../../../../src/core/provider/provider.ts";
import { serverEvents } from "../../../../src/core/provider/sse.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { modelAt } from "../../../support/connections.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";
import { delta, stream } from "../../../support/raw-stream.ts";

type StreamedApi = "chat" | "responses" | "anthropic";

/** Time stands still: what needs a limit to end never ends. */
const still: Clock = { now: () => new Date(0), after: () => ({ dispose: () => undefined }) };
const request = { system: "s", messages: [], tools: [], protocol: "native" as const };
const settings = settingsSchema.parse({});

/** The parts of an answer whose body is `body`. */
function partsOf(
  body: ReadableStream<Uint8Array>,
  { api = "chat", signal = new AbortController().signal }: { api?: StreamedApi; signal?: AbortSignal } = {},
): AsyncIterator<StreamPart> {
  const endpoint = {
    ...{ ...modelAt("http://127.0.0.1:1/v1", "m", { api }), provider: settings.provider },
    ...{ apiKey: "key", clock: still },
    fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  };
  return apis[api].stream(endpoint, request, new Set(), signal)[Symbol.asyncIterator]();
}

/** A body that arrives in these pieces. `ends`: false: it stays open after them. */
function bodyOf(pieces: readonly string[], ends = true): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      if (ends) controller.close();
    },
  });
}

/** What is read of the parts, and the error that ends them. */
async function read(parts: AsyncIterator<StreamPart>): Promise<{ parts: StreamPart[]; error: unknown }> {
  const received: StreamPart[] = [];
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) received.push(next.value);
    return { parts: received, error: undefined };
  } catch (error) {
    return { parts: received, error };
  }
}

const textOf = (parts: readonly StreamPart[]) =>
  parts.map((part) => (part.type === "text" ? part.delta : "")).join("");

/** The events of a text of two deltas, in each API. */
const TWO_WORDS: Record<StreamedApi, readonly [first: object, second: object]> = {
  chat: [delta({ content: "One" }), delta({ content: " two" })],
  responses: [
    { type: "response.output_text.delta", output_index: 0, delta: "One" },
    { type: "response.output_text.delta", output_index: 0, delta: " two" },
  ],
  anthropic: [
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "One" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: " two" } },
  ],
};
const APIS = ["chat", "responses", "anthropic"] as const;
const failed = { type: "error", error: { type: "overloaded_error", message: "the model crashed" } };

describe.each(APIS)("events that arrive together: %s", (api) => {
  const [first, second] = TWO_WORDS[api];

  it("are handed over before the next ones arrive", async () => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(given) {
        controller = given;
      },
    });
    const parts = partsOf(body, { api });
    for (const event of [first, second]) {
      controller?.enqueue(new TextEncoder().encode(stream(event)));
      expect(await parts.next()).toMatchObject({ value: { type: "text" }, done: false });
    }
    await parts.return?.();
  });

  it("say what comes before an error, then the error, and nothing behind it", async () => {
    const body = bodyOf([stream(first, failed, second, "[DONE]")], false);
    const { parts, error } = await read(partsOf(body, { api }));
    expect(textOf(parts)).toBe("One");
    expect(error instanceof ProviderError && error.view.code).toBe("server-error");
  });

  it("say what comes before data that cannot be read", async () => {
    const { parts, error } = await read(partsOf(bodyOf([stream(first, "{half", second)], false), { api }));
    expect(textOf(parts)).toBe("One");
    expect(error instanceof ProviderError && error.view.code).toBe("bad-response");
  });

  it("are not read on after a Stop between them", async () => {
    const stop = new AbortController();
    const parts = partsOf(bodyOf([stream(first, second)], false), { api, signal: stop.signal });
    expect(await parts.next()).toMatchObject({ value: { delta: "One" } });
    stop.abort();
    await expect(parts.next()).rejects.toBeInstanceOf(Interrupt);
    expect(await parts.next()).toMatchObject({ done: true });
  });
});

/** What becomes of the pieces of calls, if `together` of them arrive at once. */
async function blocksOf(pieces: readonly object[], together: number): Promise<AssistantBlock[]> {
  const chunks = pieces.map((piece) => stream(delta({ tool_calls: [piece] })));
  const reads = Array.from({ length: Math.ceil(chunks.length / together) }, (_, at) =>
    chunks.slice(at * together, (at + 1) * together).join(""),
  );
  const { parts, error } = await read(partsOf(bodyOf([...reads, stream(delta({}, "tool_calls"))])));
  expect(error).toBeUndefined();
  let ids = 0;
  const tools = [{ name: "write", params: ["path", "text"] }];
  const reader = new AnswerReader({ tools, newId: () => `new-${ids++}`, maxCalls: 10 });
  const events = parts.flatMap((part) => (part.type === "tool-calls" ? reader.toolCalls(part.deltas) : []));
  return foldEvents([...events, ...reader.end(false)]);
}

describe("pieces of calls that arrive together", () => {
  const args = JSON.stringify({ path: "a.ts", text: 'const cat = "\u732b \u{1f408}";\n'.repeat(20) });
  const opening = { index: 0, id: "call_1", function: { name: "write", arguments: "" } };
  const piece = (text: string, index = 0) => ({ index, function: { arguments: text } });
  const cut = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  const other = JSON.stringify({ path: "b.ts", text: "" });

  it.each<[string, readonly object[]]>([
    ["are read as one text", [opening, ...cut(args, 12).map((text) => piece(text))]],
    [
      "are read call by call, although the calls take turns",
      [
        opening,
        { index: 1, id: "call_2", function: { name: "write", arguments: "" } },
        ...cut(args, 30).flatMap((text, at) => [piece(text), piece(cut(other, 3)[at] ?? "", 1)]),
      ],
    ],
    [
      "are read once where each repeats what came before it",
      [opening, ...cut(args, 40).map((_, at, all) => piece(all.slice(0, at + 1).join("")))],
    ],
    [
      "are read once where the last one repeats them all",
      [opening, ...cut(args, 40).map((text) => piece(text)), piece(args)],
    ],
    ["are read after an empty object", [opening, piece("{}"), ...cut(args, 12).map((text) => piece(text))]],
  ])("%s", async (_name, pieces) => {
    const alone = await blocksOf(pieces, 1);
    expect(alone[0]).toMatchObject({ type: "tool", name: "write", params: { path: "a.ts" }, partial: false });
    for (const together of [2, 3, 7, pieces.length]) expect(await blocksOf(pieces, together)).toEqual(alone);
  });

  it("are one part, and text between them stays between", async () => {
    const chunks = [
      ...[opening, piece('{"path":'), piece('"a')].map((call) => delta({ tool_calls: [call] })),
      delta({ content: "Then" }),
      ...[piece('"'), piece("}")].map((call) => delta({ tool_calls: [call] })),
      delta({}, "tool_calls"),
    ];
    const { parts } = await read(partsOf(bodyOf([stream(...chunks)])));
    expect(parts.map((part) => (part.type === "tool-calls" ? part.deltas.length : part.type))).toEqual([
      3,
      "text",
      2,
      "finish",
    ]);
  });
});

describe("lines", () => {
  const ends = fc.constantFrom("\n", "\r\n", "\r");
  const lines = fc.array(
    fc.tuple(fc.constantFrom("", 'data: {"a":1}', "data:2", ": x", "event: e", "{}"), ends),
  );

  it("are the same wherever the pieces of a body end", async () => {
    const eventsIn = async (pieces: readonly string[]) => {
      async function* body() {
        yield* pieces;
      }
      const events: unknown[] = [];
      for await (const batch of serverEvents(body())) events.push(...batch);
      return events;
    };
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(40)), async (drawn, sizes) => {
        const text = drawn.flat().join("");
        const pieces: string[] = [];
        let from = 0;
        for (const size of sizes) {
          pieces.push(text.slice(from, from + size));
          from += size;
        }
        expect(await eventsIn([...pieces, text.slice(from)])).toEqual(await eventsIn([...text]));
      }),
      { numRuns: rounds(300, 5_000) },
    );
  });
});
