import { describe, expect, it } from "vitest";
import type { ScriptTurn } from "../../model-server/server.ts";
import { ask, client, post, type RawAnswer, serveEachTest, server, stream } from "./client.ts";

serveEachTest();

const ANSWER: ScriptTurn["answer"] = [{ text: "吾輩は猫である。名前はまだ無い。" }];

function play(fault: NonNullable<ScriptTurn["fault"]>, more: Partial<ScriptTurn> = {}): void {
  server.setScript({ turns: [{ answer: ANSWER, fault, chunkSize: 4, ...more }] });
}

/** What the stream's readable events say. */
function textOf(raw: RawAnswer): string {
  return [...raw.text.matchAll(/"delta":\{"content":"([^"]*)"\}/g)].map((match) => match[1]).join("");
}

describe("in place of an answer", () => {
  it.each([401, 418, 503])("status %i", async (status) => {
    play({ kind: "status", status });
    await expect(stream(client, ask("hi"))).rejects.toMatchObject({ status });
    expect(server.refusals).toEqual([]);
  });

  it("own words", async () => {
    play({
      kind: "status",
      status: 402,
      message: "Insufficient credits",
      type: "billing",
      code: "no_credit",
    });
    await expect(stream(client, ask("hi"))).rejects.toMatchObject({
      status: 402,
      code: "no_credit",
      type: "billing",
      message: expect.stringContaining("Insufficient credits"),
    });
  });

  it("Retry-After in seconds, as a date and in milliseconds", async () => {
    play({ kind: "status", status: 429, retryAfter: 7 });
    expect((await post(server)).headers["retry-after"]).toBe("7");
    play({ kind: "status", status: 429, retryAfter: { dateIn: 30 } });
    const before = Date.now();
    const date = Date.parse(String((await post(server)).headers["retry-after"]));
    // Of the moment of the answer, in whole seconds.
    expect(date).toBeGreaterThan(before + 30_000 - 1_000);
    expect(date).toBeLessThanOrEqual(Date.now() + 30_000);
    play({ kind: "status", status: 429, retryAfterMs: 20 });
    expect((await post(server)).headers["retry-after-ms"]).toBe("20");
  });

  it("n times, then the answer, then no more", async () => {
    play({ kind: "status", status: 503, times: 2 });
    const seen: number[] = [];
    for (let n = 0; n < 4; n += 1) seen.push((await post(server)).status);
    expect(seen).toEqual([503, 503, 200, 400]);
  });

  it("an HTML page", async () => {
    play({ kind: "body" });
    const raw = await post(server);
    expect(raw).toMatchObject({ status: 502, text: expect.stringMatching(/^<!doctype html>/) });
    expect(raw.headers["content-type"]).toMatch(/^text\/html/);
  });

  it("no answer at all", async () => {
    play({ kind: "reset" });
    await expect(post(server)).rejects.toThrow(/hang up|ECONNRESET/);
    expect(await server.requests[0]?.closed).toBe("cut");
    expect(server.requests[0]?.abortedByClient).toBe(false);
  });

  it.each([
    ["openai", /maximum context length is 8192 tokens/],
    ["anthropic", /prompt is too long: 9001 tokens > 8192 maximum/],
    ["vllm", /maximum context length is 8192 tokens. However, you requested 9001/],
    ["llamacpp", /exceeds the available context size/],
    ["openrouter", /maximum context length is 8192 tokens. However, you requested about 9001/],
    ["gemini", /input token count \(9001\) exceeds/],
    ["mistral", /too large for model with 8192 maximum context length/],
  ] as const)("a prompt that is too long, in the words of %s", async (wording, words) => {
    play({ kind: "contextLength", wording });
    const raw = await post(server);
    expect(raw.status).toBe(400);
    expect(raw.text).toMatch(words);
    if (wording === "openai") expect(raw.text).toContain('"code":"context_length_exceeded"');
  });
});

describe("a cut", () => {
  it("falls into the middle of a character", async () => {
    play({ kind: "cut" });
    const raw = await post(server, { stream: true });
    expect(raw.broken).toBe(true);
    const bytes = Buffer.concat(raw.chunks);
    expect(bytes.at(-1)).toBeGreaterThanOrEqual(0xc0);
    expect(textOf(raw)).toBe("吾輩は猫である。");
    expect(await server.requests[0]?.closed).toBe("cut");
  });

  it("comes after so many characters", async () => {
    play({ kind: "cut", after: 4 });
    expect(textOf(await post(server, { stream: true }))).toBe("吾輩は猫");
  });

  it("breaks a whole answer", async () => {
    play({ kind: "cut" });
    const raw = await post(server);
    expect(raw.broken).toBe(true);
    expect(() => JSON.parse(raw.text)).toThrow();
  });

  it("happens once where it says so", async () => {
    play({ kind: "cut", times: 1 });
    await expect(stream(client, ask("hi"))).rejects.toThrow();
    expect((await stream(client, ask("hi"))).finishReason).toBe("stop");
  });
});

describe("a stall", () => {
  it.each([
    ["before the headers", { kind: "stall", where: "connection" }, false],
    ["after the headers", { kind: "stall", where: "headers" }, true],
    ["in the stream", { kind: "stall", where: "stream", after: 4 }, true],
  ] as const)("%s lasts until the client goes", async (_name, fault, hasHeaders) => {
    play(fault);
    const stop = new AbortController();
    let text = "";
    let headers = false;
    const reading = (async () => {
      const events = await client.chat.completions.create(
        { model: "m", stream: true, ...ask("hi") },
        { signal: stop.signal },
      );
      headers = true;
      if (fault.where === "headers") stop.abort();
      for await (const chunk of events) {
        text += chunk.choices[0]?.delta.content ?? "";
        if (text === "吾輩は猫") stop.abort();
      }
    })().catch(() => undefined);
    const record = await server.waitForRequest(1);
    if (fault.where === "connection") stop.abort();
    expect(await record.closed).toBe("aborted");
    await reading;
    expect(headers).toBe(hasHeaders);
    expect(text).toBe(fault.where === "stream" ? "吾輩は猫" : "");
  });
});

describe("within a stream", () => {
  it("no [DONE]", async () => {
    play({ kind: "noDone" });
    const raw = await post(server, { stream: true });
    expect(raw.text).not.toContain("[DONE]");
    expect(raw.text).toContain('"finish_reason":"stop"');
    expect(raw.broken).toBe(false);
  });

  it("a malformed line, half way", async () => {
    play({ kind: "malformed" }, { times: 2 });
    const raw = await post(server, { stream: true });
    expect(raw.text).toContain('data: {"id":"broken","cho\n\n');
    expect(raw.text.indexOf("broken")).toBeGreaterThan(raw.text.indexOf("である。"));
    expect(textOf(raw)).toBe("吾輩は猫である。名前はまだ無い。");
    await expect(stream(client, ask("hi"))).rejects.toThrow(/JSON/);
  });

  it("an error object", async () => {
    play({ kind: "streamError", after: 4, error: { message: "Overloaded", code: 529 } }, { times: 3 });
    expect(textOf(await post(server, { stream: true }))).toBe("吾輩は猫");
    await expect(stream(client, ask("hi"))).rejects.toThrow(/Overloaded/);
    const whole = await post(server);
    expect(JSON.parse(whole.text)).toEqual({ error: { message: "Overloaded", code: 529 } });
  });

  it("nothing", async () => {
    play({ kind: "empty" }, { times: 2 });
    expect(await stream(client, ask("hi"))).toMatchObject({ content: "", calls: [], finishReason: "stop" });
    expect(JSON.parse((await post(server)).text)).toMatchObject({
      choices: [{ message: { content: null } }],
    });
  });

  it("not even a choice", async () => {
    play({ kind: "empty", choices: false }, { times: 2 });
    expect((await post(server, { stream: true })).text).toBe("data: [DONE]\n\n");
    expect(JSON.parse((await post(server)).text)).toMatchObject({ choices: [] });
  });
});
