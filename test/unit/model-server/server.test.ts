import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";

let server: ModelServer;
let client: OpenAI;

beforeEach(async () => {
  server = await startModelServer({ script: { turns: [{ answer: [{ text: "吾輩は犬である。" }] }] } });
  client = new OpenAI({ baseURL: server.url, apiKey: "any", maxRetries: 0 });
});

afterEach(() => server.close());

describe("an answer", () => {
  it("streams", async () => {
    const stream = await client.chat.completions.create({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      usage = chunk.usage;
    }
    expect(text).toBe("吾輩は犬である。");
    expect(usage?.completion_tokens).toBe(6);
    expect(server.refusals).toEqual([]);
  });
});
