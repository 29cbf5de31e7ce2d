/** What the Responses API is sent of a conversation. */
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../../../../src/core/provider/provider.ts";
import { type InputItem, inputItems } from "../../../../../src/core/provider/responses/input-items.ts";
import {
  NO_REASONING_BACK,
  PLAIN_OUTPUT,
} from "../../../../../src/core/provider/responses/responses-quirks.ts";
import type { Block, Message, ResultPart } from "../../../../../src/shared/message.ts";

const RECIPIENT = { model: "o9", connection: { name: "default" } };
let count = 0;

function message(role: Message["role"], blocks: Block[], more: Partial<Message> = {}): Message {
  const owner = role === "assistant" ? { model: "o9", connection: "default" } : {};
  return { id: `m${count++}`, role, blocks, createdAt: "2026-01-01T00:00:00Z", ...owner, ...more };
}
const text = (words: string): Block => ({ type: "text", text: words });
const image = { type: "image", mimeType: "image/png", data: "AAAA" } satisfies Block;
const call = (id: string, name = "read_file", params: Record<string, unknown> = { path: "a" }): Block => ({
  type: "tool-call",
  id,
  name,
  params,
});
const item = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  type: "reasoning",
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: `secret of ${id}`,
  ...more,
});
const reasoning = (signed?: Record<string, unknown>): Block => ({
  type: "reasoning",
  text: "Hm.",
  ...(signed ? { signed } : {}),
});
function result(callId: string, ...parts: ResultPart[]): Block {
  const label = `read_file for '${callId}'`;
  return { type: "tool-result", callId, name: "read_file", label, outcome: "done", parts };
}
const words = (said: string) => ({ type: "text" as const, text: said });

function wire(
  messages: Message[],
  protocol: ModelRequest["protocol"] = "native",
  quirks = new Set<typeof PLAIN_OUTPUT>(),
): InputItem[] {
  return inputItems({ messages, protocol }, RECIPIENT, quirks);
}
const user = (...content: unknown[]) => ({ type: "message", role: "user", content });
const said = (words: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: words }],
});
const PICTURE = { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" };
const input = (words: string) => ({ type: "input_text", text: words });

describe("items", () => {
  it("are in the order of the answer, each call with its output, in the order of the calls", () => {
    const items = wire([
      message("user", [text("Look"), image]),
      message("assistant", [text("One. "), text("Two."), call("a"), call("b")]),
      message("tool", [result("b", words("B")), result("a", words("A"))]),
      message("assistant", [text("Done.")]),
      message("user", [text("Thanks")]),
    ]);
    expect(items).toEqual([
      user(input("Look"), PICTURE),
      said("One. Two."),
      { type: "function_call", call_id: "a", name: "read_file", arguments: '{"path":"a"}' },
      { type: "function_call", call_id: "b", name: "read_file", arguments: '{"path":"a"}' },
      { type: "function_call_output", call_id: "a", output: "A" },
      { type: "function_call_output", call_id: "b", output: "B" },
      said("Done."),
      user(input("Thanks")),
    ]);
  });

  it("contain images of results in their place, or after them where the output must be a string", () => {
    const messages = [
      message("user", [text("Look")]),
      message("assistant", [call("a"), call("b")]),
      message("tool", [result("a", words("Seen:"), image), result("b", words("B"))]),
    ];
    expect(wire(messages).slice(3)).toEqual([
      { type: "function_call_output", call_id: "a", output: [input("Seen:"), PICTURE] },
      { type: "function_call_output", call_id: "b", output: "B" },
    ]);
    expect(wire(messages, "native", new Set([PLAIN_OUTPUT])).slice(3)).toEqual([
      { type: "function_call_output", call_id: "a", output: "Seen:" },
      { type: "function_call_output", call_id: "b", output: "B" },
      user(input("Image from read_file for 'a':"), PICTURE),
    ]);
  });

  it("are repaired: a call without a result, an id used twice or too long, a name that no API accepts, nothing in it", () => {
    const long = "x".repeat(100);
    const items = wire([
      message("assistant", [call("a", "functions.read file"), text("  ")]),
      message("assistant", [call("a"), call(long), call(`${long}y`)]),
      message("tool", [result("a", words("  "))]),
      message("user", [text("\ud800")]),
    ]);
    const calls = items.flatMap((item) => (item.type === "function_call" ? [item] : []));
    const outputs = items.flatMap((item) => (item.type === "function_call_output" ? [item.call_id] : []));
    expect(calls.map(({ name }) => name)).toEqual([
      "functions_read_file",
      "read_file",
      "read_file",
      "read_file",
    ]);
    expect(new Set(calls.map(({ call_id }) => call_id)).size).toBe(4);
    expect(calls.every(({ call_id }) => call_id.length <= 64)).toBe(true);
    expect(outputs).toEqual(calls.map(({ call_id }) => call_id));
    expect(items).toContainEqual({ type: "function_call_output", call_id: "a-2", output: "(no output)" });
    expect(items[0]).toMatchObject({ role: "user" });
    expect(JSON.stringify(items)).not.toMatch(/\\ud800/);
  });

  it("are never none", () => {
    expect(wire([])).toMatchObject([{ role: "user", content: [{ type: "input_text" }] }]);
  });

  it("are text alone under the XML protocol", () => {
    const items = wire(
      [
        message("user", [text("Look")]),
        message("assistant", [text("I look."), call("a")]),
        message("tool", [result("a", words("A"))]),
      ],
      "xml",
    );
    expect(items).toEqual([
      user(input("Look")),
      said("I look.\n\n<read_file>\n<path>a</path>\n</read_file>"),
      user(input("[read_file for 'a'] Result:"), input("A")),
    ]);
  });
});

describe("reasoning", () => {
  const conversation = (...blocks: Block[]) => [
    message("user", [text("Go")]),
    message("assistant", blocks),
    message("user", [text("On")]),
  ];
  const back = (messages: Message[], quirks?: Set<typeof PLAIN_OUTPUT>) =>
    wire(messages, "native", quirks).map((item) => ("id" in item ? item.id : item.type));

  it("goes back before what followed it, without the fields that only describe the answer", () => {
    const messages = conversation(
      reasoning(item("rs_1", { status: "completed" })),
      text("One."),
      reasoning(item("rs_2", { content: null })),
      reasoning(item("rs_3", { summary: [] })),
      call("a"),
    );
    expect(back(messages)).toEqual([
      "message",
      "rs_1",
      "message",
      "rs_2",
      "rs_3",
      "function_call",
      "function_call_output",
      "message",
    ]);
    expect(wire(messages)[1]).toEqual(item("rs_1"));
    expect(wire(messages)[3]).toEqual(item("rs_2"));
  });

  it.each<[string, Block[], Partial<Message>?, Set<typeof PLAIN_OUTPUT>?]>([
    ["that nothing follows", [text("One."), reasoning(item("rs_1"))]],
    ["that is not signed", [reasoning(), text("One.")]],
    ["of another API", [reasoning({ type: "thinking", thinking: "Hm.", signature: "abc" }), text("One.")]],
    ["without its content", [reasoning(item("rs_1", { encrypted_content: null })), text("One.")]],
    ["of another model", [reasoning(item("rs_1")), text("One.")], { model: "o8" }],
    ["of another connection", [reasoning(item("rs_1")), text("One.")], { connection: "work" }],
    ["that was refused before", [reasoning(item("rs_1")), text("One.")], {}, new Set([NO_REASONING_BACK])],
  ])("%s stays here", (_name, blocks, more, quirks) => {
    const [first, answer, last] = conversation(...blocks);
    if (!first || !answer || !last) throw new Error("three messages");
    expect(back([first, { ...answer, ...more }, last], quirks)).toEqual(["message", "message", "message"]);
  });

  it("goes back next to the phases of texts, which are the owner's alone", () => {
    const phased = (phase: string): Block => reasoning({ type: "message", phase });
    const messages = conversation(
      reasoning(item("rs_1")),
      text("I look."),
      phased("commentary"),
      text("Seen."),
      phased("final_answer"),
      text("."),
    );
    expect(wire(messages).slice(1, -1)).toEqual([
      item("rs_1"),
      { ...said("I look."), phase: "commentary" },
      { ...said("Seen."), phase: "final_answer" },
      said("."),
    ]);
    const [first, answer] = messages;
    if (!first || !answer) throw new Error("two messages");
    expect(wire([first, { ...answer, model: "o8" }])[1]).toEqual(said("I look.Seen.."));
  });

  it("that is not encrypted goes back with its text", () => {
    const open = item("rs_1", {
      encrypted_content: undefined,
      content: [{ type: "reasoning_text", text: "Hm, hm." }],
    });
    expect(wire(conversation(reasoning(open), text("One.")))[1]).toMatchObject({
      id: "rs_1",
      content: [{ text: "Hm, hm." }],
    });
  });
});
