/** The Responses API as the scripted model plays it: faithful to the client of its maker, and stricter than the real one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ModelServer, type ScriptTurn, startModelServer } from "../../model-server/server.ts";
import { type Body, clientOf, send } from "./client.ts";

const REASONED: ScriptTurn = { times: true, answer: [{ reasoning: "Hm." }, { text: "ok" }] };

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => server.setScript({ turns: [REASONED] }));
afterAll(() => server.close());

const ENCRYPTED = { store: false, include: ["reasoning.encrypted_content"], reasoning: { summary: "auto" } };
const PIXEL = "data:image/png;base64,AAAA";
const user = (text: string): Body => ({ role: "user", content: [{ type: "input_text", text }] });
const assistant = (text: string, more: Body = {}): Body => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
  ...more,
});
const call = (call_id: unknown, more: Body = {}): Body => ({
  type: "function_call",
  call_id,
  name: "f",
  arguments: "{}",
  ...more,
});
const output = (call_id: unknown, value: unknown = "done"): Body => ({
  type: "function_call_output",
  call_id,
  output: value,
});

async function post(changes: Body): Promise<{ status: number; body: unknown }> {
  const request = { model: "m", input: [user("hi")], ...changes };
  const { status, text } = await send(server, { path: "/v1/responses", body: JSON.stringify(request) });
  return { status, body: JSON.parse(text) };
}

const answerSchema = z.looseObject({ output: z.array(z.looseObject({ type: z.string(), id: z.string() })) });

/** An item of reasoning that the server issues for the model. */
async function issued(model = "m"): Promise<Body> {
  const { body } = await post({ model, ...ENCRYPTED });
  const item = answerSchema.parse(body).output.find(({ type }) => type === "reasoning");
  if (!item) throw new Error("no reasoning came");
  const { status: _status, ...rest } = item;
  return rest;
}

describe("an answer", () => {
  const turn: ScriptTurn = {
    times: true,
    answer: [
      { reasoning: "Hm, a file." },
      { text: "I look at 猫." },
      { tool: "read_file", params: { path: "a.txt" } },
      { tool: "read_file", params: { path: "b.txt" } },
    ],
  };
  const tool = {
    type: "function" as const,
    name: "read_file",
    parameters: { type: "object" },
    strict: false,
  };

  it("adds up in the maker's own client as it does when it is not streamed", async () => {
    server.setScript({ turns: [turn] });
    const params = {
      model: "m",
      instructions: "s",
      input: "hi",
      tools: [tool],
      store: false,
      include: ["reasoning.encrypted_content" as const],
      reasoning: { summary: "auto" as const },
    };
    const client = clientOf(server);
    const streamed = await client.responses.stream(params).finalResponse();
    const whole = await client.responses.create(params);
    for (const { output, output_text, status, usage } of [streamed, whole]) {
      expect(output.map(({ type }) => type)).toEqual([
        "reasoning",
        "message",
        "function_call",
        "function_call",
      ]);
      expect(output[0]).toMatchObject({
        summary: [{ type: "summary_text", text: "Hm, a file." }],
        encrypted_content: expect.stringContaining("gAAA"),
      });
      expect(output_text).toBe("I look at 猫.");
      expect(output[3]).toMatchObject({ name: "read_file", arguments: '{"path":"b.txt"}' });
      expect(status).toBe("completed");
      expect(usage?.output_tokens).toBeGreaterThan(usage?.output_tokens_details.reasoning_tokens ?? 0);
    }
  });

  it("contains what was asked for: no summary and no encrypted reasoning otherwise", async () => {
    const { body } = await post({ store: false });
    expect(answerSchema.parse(body).output[0]).toMatchObject({ type: "reasoning", summary: [] });
    expect(answerSchema.parse(body).output[0]).not.toHaveProperty("encrypted_content");
  });

  it("that is cut off at a limit is incomplete", async () => {
    server.setScript({ turns: [{ finishReason: "length", answer: [{ text: "Hel" }] }] });
    const { body } = await post({});
    expect(body).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  });
});

describe("a request that is fine", () => {
  it.each<[string, Body]>([
    ["a string", { input: "hi" }],
    ["parts", { input: [{ ...user("hi"), content: [{ type: "input_image", image_url: PIXEL }] }] }],
    [
      "calls and their outputs, in any order",
      { input: [user("hi"), call("a"), call("b"), output("b"), output("a")] },
    ],
    [
      "an image in an output",
      {
        input: [
          user("hi"),
          call("a"),
          output("a", [{ type: "input_image", image_url: PIXEL, detail: "auto" }]),
        ],
      },
    ],
    [
      "calls with text between",
      { input: [user("hi"), call("a"), assistant("and"), call("b"), output("a"), output("b")] },
    ],
    ["text after a call", { input: [user("hi"), call("a"), assistant("and"), output("a")] }],
  ])("%s", async (_name, changes) => {
    expect(await post(changes)).toMatchObject({ status: 200 });
  });

  it("its own reasoning, unchanged and in order", async () => {
    const [first, second] = [await issued(), await issued()];
    const third = await issued();
    const calls = [second, call("a"), third, call("b"), output("a"), output("b")];
    const input = [user("hi"), first, assistant("One."), user("on"), ...calls];
    expect(await post({ input, ...ENCRYPTED })).toMatchObject({ status: 200 });
  });
});

describe("a request is refused", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const tool = (more: Body) => ({ tools: [{ type: "function", name: "f", parameters: schema, ...more }] });

  it.each<[string, Body, RegExp]>([
    ["without a model", { model: undefined }, /Missing required parameter: 'model'/],
    ["without input", { input: undefined }, /Missing required parameter: 'input'/],
    ["with empty input", { input: [] }, /empty array/],
    ["with an unknown field", { messages: [] }, /Unknown parameter: 'messages'/],
    [
      "with an unknown field of an item",
      { input: [{ ...user("hi"), name: "x" }] },
      /Unknown parameter: 'input\[0\]\.name'/,
    ],
    [
      "with an earlier response",
      { previous_response_id: "resp_1" },
      /Previous response with id 'resp_1' not found/,
    ],
    ["with a limit that is too low", { max_output_tokens: 15 }, /Expected a value >= 16/],
    ["with an unknown effort", { reasoning: { effort: "default" } }, /"default" at 'reasoning\.effort'/],
    ["with an unknown include", { include: ["everything"] }, /"everything"/],
    [
      "with a type of content that users have not",
      { input: [{ role: "user", content: [{ type: "text", text: "hi" }] }] },
      /"text" at 'input\[0\]\.content\[0\]'.*'input_text'/,
    ],
    [
      "with a type of content that answers have not",
      {
        input: [user("hi"), { role: "assistant", content: [{ type: "input_text", text: "x" }] }, user("on")],
      },
      /"input_text" at 'input\[1\]\.content\[0\]'.*'output_text'/,
    ],
    ["with blank text", { input: [user(" ")] }, /text is empty/],
    ["with half a character", { input: [user("\ud800")] }, /Invalid Unicode in 'input\[0\]/],
    [
      "with no image",
      { input: [{ role: "user", content: [{ type: "input_image", image_url: { url: PIXEL } }] }] },
      /expected an image URL as a string/,
    ],
    [
      "with a call without output",
      { input: [user("hi"), call("a"), user("on")] },
      /No tool output found for function call a/,
    ],
    [
      "with a call without output at the end",
      { input: [user("hi"), call("a")] },
      /No tool output found for function call a/,
    ],
    [
      "with an output without call",
      { input: [user("hi"), output("a")] },
      /No tool call found for function call output with call_id a/,
    ],
    [
      "with two outputs of a call",
      { input: [user("hi"), call("a"), output("a"), output("a")] },
      /Duplicate output/,
    ],
    [
      "with two calls of an id",
      { input: [user("hi"), call("a"), output("a"), call("a"), output("a")] },
      /Duplicate function call/,
    ],
    [
      "with an id that is too long",
      { input: [user("hi"), call("a".repeat(65)), output("a".repeat(65))] },
      /maximum length 64/,
    ],
    [
      "with a name that is none",
      { input: [user("hi"), call("a", { name: "f.g" }), output("a")] },
      /does not match pattern/,
    ],
    [
      "with arguments that are an object",
      { input: [user("hi"), call("a", { arguments: {} }), output("a")] },
      /expected a string/,
    ],
    [
      "with arguments that are no object",
      { input: [user("hi"), call("a", { arguments: "[]" }), output("a")] },
      /JSON object/,
    ],
    ["with an empty output", { input: [user("hi"), call("a"), output("a", "")] }, /text is empty/],
    ["with an answer at the end", { input: [user("hi"), assistant("so")] }, /last item/],
    [
      "with an item by its id",
      { input: [user("hi"), { type: "item_reference", id: "msg_1" }] },
      /Item with id 'msg_1' not found/,
    ],
    [
      "with a message's id",
      { input: [user("hi"), assistant("so", { id: "msg_1" }), user("on")] },
      /Item with id 'msg_1' not found/,
    ],
    [
      "with tools as in chat completions",
      { tools: [{ type: "function", function: { name: "f" } }] },
      /Unknown parameter: 'tools\[0\]\.function'/,
    ],
    ["with a schema that is not strict, unless it says so", tool({}), /strict mode/],
    [
      "with two tools of a name",
      { tools: [...tool({ strict: false }).tools, ...tool({ strict: false }).tools] },
      /unique/,
    ],
  ])("%s", async (_name, changes, words) => {
    const { status, body } = await post(changes);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body).replaceAll('\\"', '"')).toMatch(words);
    expect(server.refusals.at(-1)).toMatch(words);
  });

  it.each<[string, (item: Body, other: Body) => Body, RegExp]>([
    [
      "that was changed",
      (item) => ({
        input: [
          user("hi"),
          { ...item, encrypted_content: `${item.encrypted_content}x` },
          assistant("so"),
          user("on"),
        ],
      }),
      /could not be verified.*could not be decrypted/,
    ],
    [
      "of another item",
      (item, other) => ({
        input: [
          user("hi"),
          { ...item, encrypted_content: other.encrypted_content },
          assistant("so"),
          user("on"),
        ],
      }),
      /item_id did not match/,
    ],
    [
      "that was issued for another model",
      (item) => ({ model: "n", input: [user("hi"), item, assistant("so"), user("on")] }),
      /issued for the model 'm', not 'n'/,
    ],
    [
      "without what followed it",
      (item) => ({ input: [user("hi"), item, user("on")] }),
      /without its required following item/,
    ],
    ["at the end", (item) => ({ input: [user("hi"), item] }), /without its required following item/],
    [
      "between a call and its output",
      (item) => ({ input: [user("hi"), call("a"), item, output("a")] }),
      /without its required following item/,
    ],
    [
      "in another order",
      (item, other) => ({ input: [user("hi"), other, assistant("so"), item, assistant("so"), user("on")] }),
      /not in the order/,
    ],
    [
      "twice",
      (item) => ({ input: [user("hi"), item, assistant("so"), item, assistant("so"), user("on")] }),
      /not in the order/,
    ],
    [
      "by its id",
      ({ encrypted_content: _, ...item }) => ({ input: [user("hi"), item, assistant("so"), user("on")] }),
      /not found. Items are not persisted/,
    ],
    [
      "with a field of answers",
      (item) => ({ input: [user("hi"), { ...item, status: "completed" }, assistant("so"), user("on")] }),
      /Unknown parameter: 'input\[1\]\.status'/,
    ],
    [
      "where answers are stored, without the stored item",
      (item) => ({ store: true, input: [user("hi"), item, assistant("so"), user("on")] }),
      /without its required following item/,
    ],
  ])("with reasoning %s", async (_name, changes, words) => {
    const [first, second] = [await issued(), await issued()];
    const { status, body } = await post({ ...ENCRYPTED, ...changes(first, second) });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body)).toMatch(words);
  });

  it("with reasoning of another server", async () => {
    const other = await startModelServer({ script: { turns: [REASONED] } });
    const request = { model: "m", input: [user("hi")], ...ENCRYPTED };
    const answer = await send(other, { path: "/v1/responses", body: JSON.stringify(request) });
    await other.close();
    const [item] = answerSchema.parse(JSON.parse(answer.text)).output;
    const { body } = await post({ ...ENCRYPTED, input: [user("hi"), item, assistant("so"), user("on")] });
    expect(JSON.stringify(body)).toMatch(/could not be decrypted/);
  });
});
