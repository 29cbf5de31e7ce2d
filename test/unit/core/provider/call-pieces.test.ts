/** Chunks of a call that repeat an earlier one but for a piece of the arguments are read as if each were parsed. */
import { describe, expect, it } from "vitest";
import { CallPieces } from "../../../../src/core/provider/chat/call-pieces.ts";
import { partsOf, readChunk } from "../../../../src/core/provider/chat/chunks.ts";
import { anyText, fc } from "../../../support/property.ts";
import { delta } from "../../../support/raw-stream.ts";

const parsed = (text: string) => partsOf(readChunk(JSON.parse(text), text, []));
const piece = (text: string, more: object = {}) => ({ index: 0, function: { arguments: text }, ...more });
const chunk = (call: object, more: object = {}) =>
  JSON.stringify({ id: "c", created: 1, ...delta({ tool_calls: [call] }), ...more });

/** The delta in `text`, as a reader that remembers `first` reads it. */
function readAfter(first: string, text: string) {
  const pieces = new CallPieces();
  pieces.remember(first, [...parsed(first)]);
  return pieces.read(text);
}

describe("a chunk is read without being parsed", () => {
  it("where only the piece is another, whatever characters it has", () => {
    fc.assert(
      fc.property(anyText(), anyText(), fc.constantFrom(chunk, spaced), (before, text, write) => {
        const next = write(piece(text));
        const [part] = parsed(next);
        const read = readAfter(write(piece(before)), next);
        expect([{ type: "tool-calls", deltas: [read] }]).toEqual([part]);
      }),
    );
  });

  it("where it repeats the id, the name or the signature", () => {
    const more = { id: "call_1", extra_content: { google: { thought_signature: "abc" } } };
    const named = (text: string) =>
      chunk({ ...piece(text), function: { name: "list", arguments: text }, ...more });
    expect(readAfter(named("a"), named("b"))).toEqual({
      ...{ index: 0, id: "call_1", name: "list", arguments: "b" },
      extra: more.extra_content,
    });
  });
});

/** As Python writes JSON. */
const spaced = (call: object) => chunk(call).replaceAll('":', '": ').replaceAll(',"', ', "');

describe("a chunk is parsed", () => {
  const first = chunk(piece("abc"));

  it.each<[string, string]>([
    ["of another call", chunk({ ...piece("abc"), index: 1 })],
    ["with an id", chunk(piece("abc", { id: "call_1" }))],
    ["with a name", chunk({ index: 0, function: { name: "list", arguments: "abc" } })],
    ["with text beside the call", JSON.stringify({ ...JSON.parse(first), ...delta({ content: "x" }) })],
    ["that ends the answer", first.replace('"finish_reason":null', '"finish_reason":"stop"')],
    [
      "that ends the answer in as many characters",
      first.replace('"finish_reason":null', '"finish_reason":"no"'),
    ],
    ["with usage", chunk(piece("abc"), { usage: { prompt_tokens: 1 } })],
    ["with an error", chunk(piece("abc"), { error: "lost" })],
    ["whose piece ends in its middle", first.replace('"abc"', '"a","arguments":"b"')],
    ["whose piece has a name behind it", first.replace('"abc"', '"a","name":"list"')],
    ["whose piece has no end", first.replace('"abc"', '"abc\\"')],
    ["with arguments that are no text", first.replace('"abc"', "{}")],
    ["that is shorter", first.slice(0, 20)],
    ["that is cut off", first.slice(0, -1)],
  ])("%s", (_name, text) => {
    expect(readAfter(first, first)).toMatchObject({ arguments: "abc" });
    expect(readAfter(first, text)).toBeUndefined();
  });

  it.each<[string, string]>([
    ["two calls", JSON.stringify(delta({ tool_calls: [piece("abc"), piece("def", { index: 1 })] }))],
    ["two calls, one without arguments", JSON.stringify(delta({ tool_calls: [piece("abc"), { index: 1 }] }))],
    ["a call and text", JSON.stringify(delta({ content: "x", tool_calls: [piece("abc")] }))],
    ["a call and the end", JSON.stringify(delta({ tool_calls: [piece("abc")] }, "stop"))],
    ["a call without arguments", chunk({ index: 0, id: "call_1", function: { name: "list" } })],
    ["arguments that are no text", chunk({ index: 0, function: { arguments: { path: "a" } } })],
    ["a piece with other escapes", chunk(piece("abc")).replace("abc", "\\u0061bc")],
    ["arguments in two places", chunk(piece("abc"), { more: { arguments: "abc" } })],
  ])("after one that has %s", (_name, text) => {
    expect(readAfter(text, text)).toBeUndefined();
  });
});
