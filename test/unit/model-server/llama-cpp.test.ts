/** The scripted model as llama.cpp's server: what it says of itself, how it writes answers, and what it refuses. */
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { type ModelServer, type Script, startModelServer } from "../../model-server/server.ts";
import { type Body, post, send, tool } from "./client.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const play = (script: Partial<Script>) =>
  server.setScript({ models: ["m"], llamaCpp: {}, turns: [], ...script });
const get = async (path: string) => {
  const { status, text } = await send(server, { method: "GET", path });
  return { status, body: JSON.parse(text) };
};
const respond = (changes: Body) =>
  send(server, {
    path: "/v1/responses",
    body: JSON.stringify({ model: "m", input: "hi", ...changes }),
  });
const errorSchema = z.object({
  error: z.object({ code: z.number(), message: z.string(), type: z.string() }),
});
const errorOf = (text: string) => errorSchema.parse(JSON.parse(text)).error;

it("pings before the first event, which comes with the first delta, and ends with what was evaluated", async () => {
  play({ turns: [{ answer: [{ ping: 2 }, { text: "ok" }] }] });
  const { text } = await post(server, { stream: true, stream_options: { include_usage: true } });
  expect(text).toMatch(/^:\n\n:\n\ndata: .*"delta":\{"role":"assistant","content":null\}/);
  const events = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data = ""]) => JSON.parse(data));
  const { usage, timings } = events.at(-1);
  expect([timings.cache_n + timings.prompt_n, timings.predicted_n]).toEqual([
    usage.prompt_tokens,
    usage.completion_tokens,
  ]);
});

it("says the same in a stream and as a whole", async () => {
  const answer = [{ reasoning: "Hm." }, { text: "ok" }, { nativeTool: { name: "f", id: "1" } }];
  play({ turns: [{ answer, times: true }] });
  const tools = [
    { type: "function", name: "f", parameters: { type: "object", properties: {} }, strict: false },
  ];
  const [whole, streamed] = [await respond({ tools }), await respond({ tools, stream: true })];
  const last = JSON.parse(/"response":(\{.*\}),"timings"/.exec(streamed.text)?.[1] ?? "");
  const named = (output: Body[]) =>
    output.map(({ type, call_id, arguments: args, content }) => ({ type, call_id, args, content }));
  expect(named(last.output)).toEqual(named(JSON.parse(whole.text).output));
  expect(streamed.text).not.toMatch(/output_index|sequence_number/);
  const { text } = await post(server, { tools: [tool("f")] });
  expect(JSON.parse(text).choices[0].message).toMatchObject({
    ...{ content: "ok", reasoning_content: "Hm." },
    tool_calls: [{ id: "1", function: { name: "f", arguments: "{}" } }],
  });
});

it("refuses a prompt that is larger than a slot, and reasoning without its text", async () => {
  play({ llamaCpp: { window: 100 } });
  const long = { messages: [{ role: "user", content: "word ".repeat(200) }] };
  expect(errorOf((await post(server, long)).text)).toMatchObject({
    code: 400,
    message: expect.stringMatching(
      /^request \(\d+ tokens\) exceeds the available context size \(100 tokens\)/,
    ),
    type: "exceed_context_size_error",
  });
  play({});
  const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
  const message = { role: "assistant", type: "message", content: [{ type: "output_text", text: "ok" }] };
  const user = { role: "user", content: [{ type: "input_text", text: "hi" }] };
  const { text } = await respond({ input: [user, reasoning, message, user] });
  expect(errorOf(text)).toMatchObject({ code: 400, message: "item['content'] is not an array" });
});

it("as a router, loads a model with its first request, and takes no other name", async () => {
  play({
    models: ["a", "b"],
    llamaCpp: { router: true, window: 4_096 },
    turns: [{ answer: [{ text: "ok" }] }],
  });
  expect((await get("/props")).body).toMatchObject({
    role: "router",
    default_generation_settings: { n_ctx: 0 },
  });
  const props = "/props?model=a&autoload=false";
  expect((await get(props)).body.error.message).toBe("model is not loaded");
  expect((await post(server, { model: "a" })).status).toBe(200);
  expect((await get(props)).body.default_generation_settings.n_ctx).toBe(4_096);
  expect(errorOf((await post(server, { model: "c" })).text).message).toBe("model 'c' not found");
});
