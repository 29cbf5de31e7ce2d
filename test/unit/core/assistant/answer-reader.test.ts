/** Calls of both protocols come out as events of one kind, numbered in the order in which they begin. */
import { describe, expect, it } from "vitest";
import { AnswerReader } from "../../../../src/core/assistant/answer-reader.ts";
import { type AssistantEvent, foldEvents } from "../../../../src/core/assistant/events.ts";

const TOOLS = [{ name: "read_file", params: ["path"] }];
const xml = (path: string) => `<read_file>\n<path>${path}</path>\n</read_file>\n`;
const native = (index: number, path: string) => ({
  index,
  id: `call_${index}`,
  name: "read_file",
  arguments: JSON.stringify({ path }),
});
function reader(maxCalls = 10): AnswerReader {
  let ids = 0;
  return new AnswerReader({ tools: TOOLS, newId: () => `new-${ids++}`, maxCalls });
}
const started = (events: readonly AssistantEvent[]) =>
  events.flatMap((event) => (event.type === "tool-start" ? [[event.index, event.id]] : []));

describe("an answer", () => {
  it("gives calls in text and native calls of one message as one row of calls", () => {
    const answer = reader();
    const events = [
      ...answer.text(`First.\n${xml("a")}`),
      ...answer.reasoning("Hm."),
      ...answer.toolCalls([native(0, "b"), native(1, "c")]),
      ...answer.end(false),
    ];
    expect(started(events)).toEqual([
      [0, undefined],
      [1, "call_0"],
      [2, "call_1"],
    ]);
    const calls = foldEvents(events).filter((block) => block.type === "tool");
    expect(calls.map((call) => call.type === "tool" && [call.params.path, call.partial])).toEqual([
      ["a", false],
      ["b", false],
      ["c", false],
    ]);
    expect(answer.speaksXml).toBe(false);
  });

  it("has one event for pieces of a parameter that are read together", () => {
    const pieces = ["a", ".t", 's"}'].map((text) => ({ index: 0, arguments: text }));
    const answer = reader();
    answer.toolCalls([{ index: 0, id: "call_0", name: "read_file", arguments: '{"path":"' }]);
    expect(answer.toolCalls(pieces)).toEqual([{ type: "param", index: 0, name: "path", delta: "a.ts" }]);
  });

  it("keeps apart the parameters of calls whose pieces take turns", () => {
    const answer = reader();
    const opened = [0, 1].map((index) => ({ index, id: `call_${index}`, name: "read_file" }));
    const pieces = ['{"path":"a', '{"path":"b', "1", "2", '"}', '"}'];
    const events = answer.toolCalls([
      ...opened,
      ...pieces.map((text, at) => ({ index: at % 2, arguments: text })),
    ]);
    const calls = foldEvents([...events, ...answer.end(false)]);
    expect(calls.map((call) => call.type === "tool" && call.params.path)).toEqual(["a1", "b2"]);
  });

  it("says that a model speaks XML only where no call came natively", () => {
    const answer = reader();
    answer.text(xml("a"));
    expect(answer.speaksXml).toBe(true);
    answer.toolCalls([native(0, "b")]);
    expect(answer.speaksXml).toBe(false);
  });

  it("ignores what follows the most calls that an answer may have, in either protocol", () => {
    for (const more of [
      (answer: AnswerReader) => answer.text(xml("c").repeat(5)),
      (answer: AnswerReader) => answer.toolCalls([3, 4, 5, 6].map((index) => native(index, "c"))),
    ]) {
      const answer = reader(2);
      const events = [...answer.text(xml("a")), ...answer.toolCalls([native(0, "b")])];
      expect(answer.tooManyCalls).toBe(false);
      events.push(...more(answer), ...answer.end(false));
      expect(answer.tooManyCalls).toBe(true);
      expect(started(events).length).toBeLessThanOrEqual(3);
    }
  });

  it("hands a native call's arguments over with the types that they have", () => {
    const answer = reader();
    const call = { index: 0, id: "x", name: "read_file", arguments: '{"path":"a","line":3}' };
    const events = [...answer.toolCalls([call]), ...answer.end(false)];
    expect(events.at(-1)).toMatchObject({ native: { arguments: { path: "a", line: 3 } } });
    const cut = reader();
    const half = { ...call, arguments: '{"path":"a' };
    const last = [...cut.toolCalls([half]), ...cut.end(true)].at(-1);
    expect(last).toMatchObject({ type: "tool-end", partial: true, native: { arguments: undefined } });
  });

  it.each<[string, (answer: AnswerReader) => AssistantEvent[], boolean]>([
    ["at the end", (answer) => answer.end(false), true],
    ["in an answer that was cut off", (answer) => answer.end(true), false],
    [
      "next to a native call",
      (answer) => [...answer.toolCalls([native(0, "b")]), ...answer.end(false)],
      false,
    ],
    ["before more text", (answer) => [...answer.text("\nThat is it."), ...answer.end(false)], false],
  ])("takes JSON in a fence %s for a call, or for an example", (_name, goOn, isCall) => {
    const answer = reader();
    const json = '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```\n';
    const blocks = foldEvents([...answer.text(`So:\n${json}`), ...goOn(answer)]);
    expect(blocks[0]).toEqual({ type: "text", text: expect.stringContaining("So:\n") });
    expect(JSON.stringify(blocks[0]).includes("read_file")).toBe(!isCall);
    const paths = blocks.flatMap((block) => (block.type === "tool" ? [block.params.path] : []));
    expect(paths.includes("a")).toBe(isCall);
  });
});
