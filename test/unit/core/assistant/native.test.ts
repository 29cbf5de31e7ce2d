import { describe, expect, test } from "vitest";
import type { ToolCallDelta } from "../../../../src/core/answer-deltas.ts";
import { foldEvents } from "../../../../src/core/assistant/events.ts";
import { createNativeCallParser } from "../../../../src/core/assistant/native.ts";
import { type CompletionChunk, partsOf } from "../../../../src/core/provider/chat/chunks.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";

const tools = [
  { name: "read_file", params: ["path"] },
  { name: "read_file_info", params: ["path"] },
  { name: "write_to_file", params: ["path", "content"] },
  { name: "load_mcp_documentation", params: [] },
];

/** Calls as endpoints send them. */
type Sent = NonNullable<
  NonNullable<NonNullable<NonNullable<CompletionChunk["choices"]>[number]["delta"]>["tool_calls"]>
>;

function received(sent: Sent): ToolCallDelta[] {
  const parts = [...partsOf({ choices: [{ delta: { tool_calls: sent } }] })];
  return parts.flatMap((part) => (part.type === "tool-calls" ? part.deltas : []));
}

function run(chunks: Sent[], options?: { cutOff?: boolean }) {
  let made = 0;
  const parser = createNativeCallParser(tools, () => `made-${made++}`);
  const events = chunks.flatMap((items) => parser.push(received(items)));
  const { events: last, calls } = parser.end(options);
  events.push(...last);
  return { events, calls, blocks: foldEvents(events) };
}

const READ_A = { name: "read_file", arguments: '{"path":"a"}' };
const READ_B = { name: "read_file", arguments: '{"path":"b"}' };

describe("what providers send", () => {
  test("the usual: id and name first, then the arguments in pieces", () => {
    const { events, calls } = run([
      [{ index: 0, id: "call_1", function: { name: "write_to_file", arguments: "" } }],
      [{ index: 0, function: { arguments: '{"path":"a","con' } }],
      [{ index: 0, function: { arguments: 'tent":"x\\n' } }],
      [{ index: 0, function: { arguments: 'y"}' } }],
    ]);
    expect(events).toEqual([
      { type: "tool-start", index: 0, name: "write_to_file", id: "call_1" },
      { type: "param", index: 0, name: "path", delta: "a" },
      { type: "param", index: 0, name: "content", delta: "x\n" },
      { type: "param", index: 0, name: "content", delta: "y" },
      { type: "tool-end", index: 0, partial: false, native: { arguments: { path: "a", content: "x\ny" } } },
    ]);
    expect(calls).toEqual([
      {
        index: 0,
        id: "call_1",
        name: "write_to_file",
        argumentsText: '{"path":"a","content":"x\\ny"}',
        arguments: { path: "a", content: "x\ny" },
        error: null,
        partial: false,
      },
    ]);
  });

  test("several calls interleave by index", () => {
    const { calls, blocks } = run([
      [{ index: 0, id: "1", function: { name: "read_file", arguments: '{"pa' } }],
      [{ index: 1, id: "2", function: { name: "read_file", arguments: '{"path"' } }],
      [
        { index: 0, function: { arguments: 'th":"a"}' } },
        { index: 1, function: { arguments: ':"b"}' } },
      ],
    ]);
    expect(calls.map((call) => [call.id, call.arguments])).toEqual([
      ["1", { path: "a" }],
      ["2", { path: "b" }],
    ]);
    expect(blocks).toMatchObject([{ params: { path: "a" } }, { params: { path: "b" } }]);
  });

  test.each<[string, Sent[]]>([
    ["whole arguments at once", [[{ index: 0, id: "1", function: READ_A }]]],
    [
      "arguments as an object",
      [[{ index: 0, id: "1", function: { name: "read_file", arguments: { path: "a" } } }]],
    ],
    [
      "the name in every delta",
      [
        [{ index: 0, id: "1", function: { name: "read_file", arguments: '{"path"' } }],
        [{ index: 0, id: "1", function: { name: "read_file", arguments: ':"a"}' } }],
      ],
    ],
    [
      "another id in every delta",
      [
        [{ index: 0, id: "1", function: { name: "read_file", arguments: '{"path"' } }],
        [{ index: 0, id: "2", function: { name: "read_file", arguments: ':"a"}' } }],
      ],
    ],
    [
      "the name in pieces",
      [
        [{ index: 0, id: "1", function: { name: "read_" } }],
        [{ index: 0, function: { name: "file" } }],
        [{ index: 0, function: { arguments: '{"path":"a"}' } }],
      ],
    ],
    [
      "no index, the id only first",
      [
        [{ id: "1", function: { name: "read_file", arguments: '{"pa' } }],
        [{ function: { arguments: 'th":"a"}' } }],
      ],
    ],
    [
      "nulls and empty ids",
      [
        [{ index: 0, id: "1", function: { name: "read_file", arguments: null } }],
        [{ index: 0, id: "", function: { name: null, arguments: '{"path":"a"}' } }],
        [{ index: 0, id: null, function: null }],
      ],
    ],
    [
      "the whole arguments once more at the end",
      [[{ index: 0, id: "1", function: READ_A }], [{ index: 0, id: "1", function: READ_A }]],
    ],
    [
      "the arguments under an index of their own",
      [
        [{ index: 0, id: "1", function: { name: "read_file", arguments: "" } }],
        [{ index: 1, function: { arguments: '{"pa' } }],
        [{ index: 1, function: { arguments: 'th":"a"}' } }],
      ],
    ],
    [
      "each delta repeats the arguments before it",
      ['{"pa', '{"path"', '{"path":', '{"path":"a', '{"path":"a"}'].map((args) => [
        { index: 0, id: "1", function: { name: "read_file", arguments: args } },
      ]),
    ],
    [
      "each delta repeats the arguments before it, the first one without a value",
      ['{"path":', '{"path":"a"}'].map((args) => [
        { index: 0, id: "1", function: { name: "read_file", arguments: args } },
      ]),
    ],
    [
      "a channel of the template after the name",
      [[{ index: 0, id: "1", function: { ...READ_A, name: "read_file<|channel|>commentary" } }]],
    ],
    [
      "a channel after the name, in pieces",
      [
        [{ index: 0, id: "1", function: { name: "r" } }],
        [{ index: 0, function: { name: "ead_file <|cons" } }],
        [{ index: 0, function: { name: "train|>json" } }],
        [{ index: 0, function: { arguments: '{"path":"a"}' } }],
      ],
    ],
    [
      "a closing tag after the name",
      [[{ index: 0, id: "1", function: { ...READ_A, name: "read_file</name>" } }]],
    ],
    [
      "no id, and the name once more at the end",
      [
        [{ index: 0, id: "1", function: READ_A }],
        [{ index: 0, function: { name: "read_file", arguments: "" } }],
      ],
    ],
    [
      "an empty object first",
      [
        [{ index: 0, id: "1", function: { name: "read_file", arguments: {} } }],
        [{ index: 0, function: { arguments: '{"path":"a"}' } }],
      ],
    ],
  ])("%s", (_, chunks) => {
    const { calls, blocks } = run(chunks);
    const argumentsText = '{"path":"a"}';
    expect(calls).toMatchObject([
      { id: "1", name: "read_file", arguments: { path: "a" }, argumentsText, error: null },
    ]);
    expect(blocks).toEqual([{ type: "tool", name: "read_file", params: { path: "a" }, partial: false }]);
  });

  test.each<[string, Sent[]]>([
    ["no index: a new id is a new call", [[{ id: "1", function: READ_A }], [{ id: "2", function: READ_B }]]],
    ["no index, no ids: a name after whole arguments", [[{ function: READ_A }], [{ function: READ_B }]]],
    [
      "the index 0 for every call",
      [[{ index: 0, id: "1", function: READ_A }], [{ index: 0, id: "2", function: READ_B }]],
    ],
    [
      "the index 0 for every call, no ids",
      [[{ index: 0, function: READ_A }], [{ index: 0, function: READ_B }]],
    ],
    [
      "the index 0 for every call, no ids, the arguments apart",
      [READ_A, READ_B].flatMap(({ name, arguments: args }) => [
        [{ index: 0, function: { name } }],
        [{ index: 0, function: { arguments: args } }],
      ]),
    ],
    [
      "each call's arguments under the index after it",
      [READ_A, READ_B].flatMap(({ name, arguments: args }, i) => [
        [{ index: i * 2, id: `${i}`, function: { name, arguments: "" } }],
        [{ index: i * 2 + 1, function: { arguments: args } }],
      ]),
    ],
    [
      "both in one chunk",
      [
        [
          { id: "1", function: READ_A },
          { id: "2", function: READ_B },
        ],
      ],
    ],
  ])("two calls: %s", (_, chunks) => {
    const { calls } = run(chunks);
    expect(calls.map((call) => call.arguments)).toEqual([{ path: "a" }, { path: "b" }]);
  });

  test("the index 0 for every call, the first without arguments", () => {
    const { calls } = run([
      [{ index: 0, id: "1", function: { name: "load_mcp_documentation", arguments: "" } }],
      [{ index: 0, id: "2", function: READ_A }],
    ]);
    expect(calls.map((call) => [call.name, call.arguments])).toEqual([
      ["load_mcp_documentation", {}],
      ["read_file", { path: "a" }],
    ]);
  });

  test("the index 0 for every call, no ids, another tool first", () => {
    const { calls } = run([
      [{ index: 0, function: { name: "load_mcp_documentation", arguments: "{}" } }],
      [{ index: 0, function: { name: "read_file" } }],
      [{ index: 0, function: { arguments: '{"path":"a"}' } }],
    ]);
    expect(calls.map((call) => [call.name, call.arguments])).toEqual([
      ["load_mcp_documentation", {}],
      ["read_file", { path: "a" }],
    ]);
  });

  test("an object that begins as the one around it is no repetition", () => {
    const { calls, blocks } = run(
      ['{"a":', '{"a":', "1}}"].map((args) => [
        { index: 0, id: "1", function: { name: "read_file", arguments: args } },
      ]),
    );
    expect(calls).toMatchObject([{ arguments: { a: { a: 1 } } }]);
    expect(blocks).toMatchObject([{ params: { a: '{"a":1}' } }]);
  });

  test("what each delta repeats is reported once", () => {
    const whole = '{"path":"a","content":"some text"}';
    const { blocks } = run(
      [12, 24, 27, 34].map((length) => [
        { index: 0, id: "1", function: { name: "write_to_file", arguments: whole.slice(0, length) } },
      ]),
    );
    expect(blocks).toMatchObject([{ params: { path: "a", content: "some text" }, partial: false }]);
  });

  test("ids that are missing or given twice are made", () => {
    expect(run([[{ function: READ_A }]]).calls[0]?.id).toBe("made-0");
    const twice = [0, 1].map((index) => ({ index, id: "call_0", function: READ_A }));
    expect(run([twice]).calls.map((call) => call.id)).toEqual(["call_0", "made-0"]);
  });

  test.each(["", "null", "{}", " "])("no arguments for a tool that takes none, as %j", (args) => {
    const { calls, blocks } = run([
      [{ index: 0, id: "1", function: { name: "load_mcp_documentation", arguments: args } }],
    ]);
    expect(calls).toMatchObject([{ arguments: {}, error: null, partial: false }]);
    expect(blocks).toEqual([{ type: "tool", name: "load_mcp_documentation", params: {}, partial: false }]);
  });

  test("arguments that were encoded twice", () => {
    const args = JSON.stringify(JSON.stringify({ path: "a" }));
    const { calls, blocks } = run([
      [{ index: 0, id: "1", function: { name: "read_file", arguments: args } }],
    ]);
    expect(calls).toMatchObject([{ arguments: { path: "a" }, error: null }]);
    expect(blocks).toMatchObject([{ params: { path: "a" }, partial: false }]);
  });

  test("parameters that are not text come as their JSON", () => {
    const args = '{"n": 5, "list":[1, {"a":"x"}],"text":"","ok":false}';
    const chunks = args.split("").map((part) => [{ index: 0, function: { arguments: part } }]);
    const { blocks } = run([[{ index: 0, id: "1", function: { name: "read_file" } }], ...chunks]);
    expect(blocks).toMatchObject([{ params: { n: "5", list: '[1, {"a":"x"}]', text: "", ok: "false" } }]);
  });
});

describe("items that arrive together", () => {
  const args = JSON.stringify({ path: "a", content: "x\\ny" });
  const open = { index: 0, id: "call_1", name: "write_to_file" };
  const name = { index: 0, name: "write_to_file" };
  const piece = (text: string, index = 0) => ({ index, arguments: text });
  /** What an endpoint sends after `sent` characters of the arguments, in usual and in odd ways. */
  const ways: readonly ((sent: number, size: number) => { items: ToolCallDelta[]; sent: number })[] = [
    (sent, size) => ({ items: [piece(args.slice(sent, sent + size))], sent: sent + size }),
    (sent, size) => ({ items: [piece(args.slice(0, sent + size))], sent: sent + size }),
    (sent) => ({ items: [piece(args.slice(sent))], sent: args.length }),
    (sent) => ({ items: [piece(args)], sent }),
    (sent) => ({ items: [piece("{}")], sent }),
    (sent) => ({ items: [piece(" ")], sent }),
    (sent) => ({ items: [name], sent }),
    (sent) => ({ items: [{ ...name, arguments: "{}" }], sent }),
    (sent) => ({ items: [{ ...piece(""), extra: { google: { thought_signature: String(sent) } } }], sent }),
    (sent, size) => ({ items: [{ ...open, arguments: args.slice(sent, sent + size) }], sent: sent + size }),
    (sent, size) => ({ items: [piece(args.slice(0, size), 1)], sent }),
    () => ({ items: [{ ...open, id: "call_2" }], sent: 0 }),
  ];
  const way = fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat(ways.length - 1) },
  );
  const items = fc.array(fc.tuple(way, fc.integer({ min: 1, max: 9 })), { maxLength: 14 }).map((steps) => {
    let sent = 0;
    return steps.reduce<ToolCallDelta[]>(
      (before, [index, size]) => {
        const next = ways[index]?.(sent, size);
        sent = next?.sent ?? sent;
        return [...before, ...(next?.items ?? [])];
      },
      [open],
    );
  });

  const read = (chunks: readonly (readonly ToolCallDelta[])[]) => {
    let made = 0;
    const parser = createNativeCallParser(tools, () => `made-${made++}`);
    const events = chunks.flatMap((together) => parser.push(together));
    const { events: last, calls } = parser.end();
    return { calls, blocks: foldEvents([...events, ...last]) };
  };
  const withoutEmptyExtra = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (key, inner) =>
      key === "extra" && Object.keys(inner).length === 0 ? undefined : inner,
    );

  test("are read as if each came alone", () => {
    fc.assert(
      fc.property(items, fc.nat(), (sent, at) => {
        // An item with something beside its arguments is never joined to others.
        const alone = withoutEmptyExtra(read(sent.map((one) => [{ extra: {}, ...one }])));
        expect(withoutEmptyExtra(read([sent]))).toEqual(alone);
        const cut = at % (sent.length + 1);
        expect(withoutEmptyExtra(read([sent.slice(0, cut), sent.slice(cut)]))).toEqual(alone);
      }),
      { numRuns: rounds(500, 20_000) },
    );
  });

  test("are read with the id and the signature that come beside a later piece", () => {
    const signature = { google: { thought_signature: "abc" } };
    const { calls } = read([
      [
        { index: 0, name: "read_file", arguments: '{"path":' },
        { index: 0, arguments: '"a' },
        { index: 0, id: "call_1", arguments: '"' },
        { index: 0, arguments: "}", extra: signature },
      ],
    ]);
    expect(calls).toMatchObject([{ id: "call_1", arguments: { path: "a" }, extra: signature }]);
  });

  test("of which one begins more calls than there may be are not read on", () => {
    const parser = createNativeCallParser(tools, () => "made");
    parser.push(
      [1, 2, 3, 4].map((index) => ({ index, id: `call_${index}`, name: "read_file" })),
      2,
    );
    expect(parser.count).toBe(3);
  });
});

describe("calls that never run", () => {
  const cut = (args: string, options?: { cutOff?: boolean }) =>
    run([[{ index: 0, id: "1", function: { name: "write_to_file", arguments: args } }]], options);

  test.each([
    ["cut off", '{"path":"a","content":"x', "the JSON ends too early"],
    ["not JSON", "path=a", "not valid JSON"],
    ["an array", '["a"]', "must be a JSON object, got an array"],
    ["a text", '"a"', "must be a JSON object, got a string"],
    ["followed by more", '{"path":"a"}}', "expected nothing after the end"],
  ])("arguments that are %s", (_, args, reason) => {
    const { calls, blocks } = cut(args);
    expect(calls).toMatchObject([{ arguments: undefined, partial: true }]);
    expect(calls[0]?.error).toContain(reason);
    expect(blocks).toMatchObject([{ type: "tool", partial: true }]);
  });

  test("arguments under an index of their own, when several calls have none", () => {
    const { calls } = run([
      [0, 1].map((index) => ({ index, id: `${index}`, function: { name: "write_to_file" } })),
      [{ index: 2, function: { arguments: READ_A.arguments } }],
    ]);
    expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ["write_to_file", {}],
      ["write_to_file", {}],
      ["", { path: "a" }],
    ]);
  });

  test("a message cut off before the arguments", () => {
    expect(cut("", { cutOff: true }).calls).toMatchObject([{ partial: true }]);
    expect(cut('{"path":"a"}', { cutOff: true }).calls).toMatchObject([{ partial: false }]);
  });

  test("two parsers share nothing", () => {
    const one = createNativeCallParser(tools, () => "x");
    const two = createNativeCallParser(tools, () => "y");
    one.push(received([{ index: 0, id: "1", function: { name: "read_file", arguments: '{"path":"a' } }]));
    two.push(received([{ index: 0, id: "1", function: { name: "read_file", arguments: '{"path":"b' } }]));
    one.push(received([{ index: 0, function: { arguments: '1"}' } }]));
    two.push(received([{ index: 0, function: { arguments: '2"}' } }]));
    expect(one.end().calls[0]?.arguments).toEqual({ path: "a1" });
    expect(two.end().calls[0]?.arguments).toEqual({ path: "b2" });
  });
});
