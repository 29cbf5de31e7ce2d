/** The scripted model as Gemini's compatible endpoint: it issues thought signatures and wants them back where they were. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { type ModelServer, type ScriptTurn, startModelServer } from "../../model-server/server.ts";
import { type Body, post } from "./client.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const TOOLS = [{ type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } }];
const USER = { role: "user", content: "hi" };
const CALLS: ScriptTurn = {
  times: true,
  answer: [
    { tool: "f", params: {} },
    { tool: "f", params: {} },
  ],
};
const TEXT: ScriptTurn = { times: true, answer: [{ text: "ok" }] };

const callSchema = z.looseObject({ id: z.string(), extra_content: z.unknown().optional() });
const answerSchema = z.object({
  choices: z.tuple([
    z.object({
      message: z.looseObject({ tool_calls: z.array(callSchema).default([]), content: z.unknown() }),
    }),
  ]),
});
type Call = z.infer<typeof callSchema>;

beforeEach(() => server.setScript({ thoughtSignatures: true, turns: [CALLS] }));

async function answer(changes: Body = {}): Promise<{ calls: Call[]; message: Body }> {
  const { text } = await post(server, { tools: TOOLS, ...changes });
  const { message } = answerSchema.parse(JSON.parse(text)).choices[0];
  return { calls: message.tool_calls, message };
}
const results = (calls: readonly Call[]) =>
  calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "done" }));
const assistant = (calls: readonly Body[]) => ({ role: "assistant", content: null, tool_calls: calls });
const without = ({ extra_content: _, ...call }: Call) => call;

it("signs the first call of an answer, and accepts it back", async () => {
  const { calls, message } = await answer();
  expect(calls.map((call) => "extra_content" in call)).toEqual([true, false]);
  expect(message).not.toHaveProperty("extra_content");
  const { status } = await post(server, {
    tools: TOOLS,
    messages: [USER, assistant(calls), ...results(calls)],
  });
  expect(status).toBe(200);
});

it.each<[string, (first: Call, second: Call) => Body[], RegExp]>([
  ["missing", (first, second) => [without(first), second], /function call `default_api:f` , position 1/],
  [
    "on another call",
    (first, second) => [without(first), { ...second, extra_content: first.extra_content }],
    /missing a thought_signature/,
  ],
  [
    "on another call as well",
    (first, second) => [first, { ...second, extra_content: first.extra_content }],
    /not valid: messages\[1\]\.tool_calls\[1\]/,
  ],
  [
    "changed",
    (first, second) => [{ ...first, extra_content: { google: { thought_signature: "AAAA" } } }, second],
    /not valid: messages\[1\]\.tool_calls\[0\]/,
  ],
  [
    "replaced by the word for another's calls",
    (first, second) => [
      { ...first, extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } },
      second,
    ],
    /not valid/,
  ],
])("refuses a conversation in which a signature is %s", async (_name, change, words) => {
  const { calls } = await answer();
  const [first, second] = calls;
  if (!first || !second) throw new Error("two calls");
  const messages = [USER, assistant(change(first, second)), ...results(calls)];
  const { status, text } = await post(server, { tools: TOOLS, messages });
  expect(status).toBe(400);
  expect(text).toMatch(words);
});

it("refuses another model's signature, and calls without any, but for Google's word", async () => {
  const { calls } = await answer();
  const messages = [USER, assistant(calls), ...results(calls)];
  expect((await post(server, { model: "n", tools: TOOLS, messages })).text).toMatch(/not valid/);
  const foreign = calls.map(without);
  const unsigned = [USER, assistant(foreign), ...results(calls)];
  expect((await post(server, { model: "n", tools: TOOLS, messages: unsigned })).text).toMatch(/missing a/);
  const [first, ...rest] = foreign;
  const extra_content = { google: { thought_signature: "skip_thought_signature_validator" } };
  const skipping = [USER, assistant([{ ...first, extra_content }, ...rest]), ...results(calls)];
  expect((await post(server, { model: "n", tools: TOOLS, messages: skipping })).status).toBe(200);
});

it("signs a text, which goes back with its message", async () => {
  server.setScript({ thoughtSignatures: true, turns: [TEXT] });
  const { message } = await answer();
  const { extra_content } = message;
  expect(extra_content).toMatchObject({ google: { thought_signature: expect.any(String) } });
  const back = (more: Body) =>
    post(server, { messages: [USER, { role: "assistant", content: "ok", ...more }, USER] });
  expect((await back({ extra_content })).status).toBe(200);
  expect((await back({})).text).toMatch(/missing a thought_signature/);
});

it("signs nothing where the script does not say so, and refuses signatures there", async () => {
  const { calls } = await answer();
  server.setScript({ turns: [CALLS] });
  const messages = [USER, assistant(calls), ...results(calls)];
  expect((await post(server, { tools: TOOLS, messages })).text).toMatch(
    /Unknown parameter: 'messages\[1\]\.tool_calls\[0\]\.extra_content'/,
  );
  expect((await answer()).calls.some((call) => "extra_content" in call)).toBe(false);
});
