import { connect } from "node:net";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { Script } from "../../model-server/server.ts";
import { ask, body, client, clientOf, post, send, serveEachTest, server, stream, tool } from "./client.ts";

serveEachTest();

function play(...turns: Script["turns"]): void {
  server.setScript({ turns });
}

describe("matching", () => {
  it("says which text has no turn, and that as a refusal", async () => {
    play({ match: { lastUser: "cat" }, answer: [{ text: "meow" }] });
    await expect(stream(client, ask("a dog"))).rejects.toMatchObject({
      status: 400,
      code: "script_exhausted",
    });
    expect(server.refusals[0]).toContain("a dog");
  });

  it("keeps concurrent conversations apart", async () => {
    play({ answer: [{ text: "first" }, { hold: "gate" }, { text: "!" }] }, { answer: [{ text: "second" }] });
    const started = ["a", "b", "c"].map((text) => stream(client, ask(text)));
    await server.waitForRequest(3);
    for (const _ of started) server.release("gate");
    expect((await Promise.all(started)).map((answer) => answer.content)).toEqual([
      "first!",
      "first!",
      "first!",
    ]);
    const next = ["b", "c", "a"].map((text) => stream(client, ask(text)));
    expect((await Promise.all(next)).map((answer) => answer.content)).toEqual(["second", "second", "second"]);
  });

  it("counts over all conversations where the script says so", async () => {
    server.setScript({
      scope: "server",
      turns: [{ answer: [{ text: "one" }] }, { answer: [{ text: "two" }] }],
    });
    expect((await stream(client, ask("a"))).content).toBe("one");
    expect((await stream(client, ask("b"))).content).toBe("two");
  });

  it("knows a conversation by its first user message without environment details", async () => {
    play({ answer: [{ text: "one" }] }, { answer: [{ text: "two" }] });
    const message = (time: string): OpenAI.ChatCompletionMessageParam => ({
      role: "user",
      content: [
        { type: "text", text: "<task>\nhi\n</task>" },
        { type: "text", text: `<environment_details>\n${time}\n</environment_details>` },
      ],
    });
    await stream(client, { messages: [message("10:00")] });
    expect((await stream(client, { messages: [message("10:01")] })).content).toBe("two");
    expect(server.requests[0]?.conversation).toBe(server.requests[1]?.conversation);
  });

  const environment = (mode: string): string =>
    `<environment_details>\n# Current Mode\n${mode} MODE\n</environment_details>`;
  const native: OpenAI.ChatCompletionMessageParam[] = [
    { role: "user", content: `<task>\nhi\n</task>\n${environment("PLAN")}` },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "a", type: "function", function: { name: "read_file", arguments: '{"path":"x.txt"}' } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "body of x" },
  ];
  const xml: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: "You are an agent." },
    { role: "user", content: `<task>\nhi\n</task>\n${environment("PLAN")}` },
    { role: "assistant", content: "<read_file>\n<path>x.txt</path>\n</read_file>" },
    {
      role: "user",
      content: [
        { type: "text", text: "[read_file for 'x.txt'] Result:" },
        { type: "text", text: "body of x" },
        { type: "text", text: environment("ACT") },
      ],
    },
  ];

  it.each<
    [string, NonNullable<Script["turns"][number]["match"]>, OpenAI.ChatCompletionMessageParam[], boolean]
  >([
    ["last user text", { lastUser: "hi" }, native, true],
    [
      "last user text, not a message of environment details alone",
      { lastUser: "/^<task>\\nhi\\n<.task>$/" },
      [...native, { role: "user", content: environment("ACT") }],
      true,
    ],
    ["last user text without environment details", { lastUser: "Current Mode" }, xml, false],
    ["first user text", { firstUser: "/^<task>\\s*HI/i" }, xml, true],
    ["what the user said", { said: "/^hi$/" }, xml, true],
    ["what the user said is no result", { said: "body" }, xml, false],
    ["any message but the system prompt", { anyMessage: "an agent" }, xml, false],
    ["system", { system: "an agent" }, xml, true],
    ["protocol xml", { protocol: "xml" }, xml, true],
    ["protocol native", { protocol: "native" }, xml, false],
    ["latest mode", { mode: "act" }, xml, true],
    ["result, native", { toolResult: "read_file" }, native, true],
    ["result, XML", { toolResult: { tool: "read_file", text: "/^body of x$/" } }, xml, true],
    ["result with other text", { toolResult: { tool: "read_file", text: "nothing" } }, native, false],
    ["stream", { stream: false }, native, false],
    ["all conditions together", { request: 2, model: "other" }, native, false],
  ])("by %s", async (_name, match, messages, fits) => {
    play({ match, answer: [{ text: "fits" }] }, { answer: [{ text: "does not" }] });
    expect((await stream(client, { messages })).content).toBe(fits ? "fits" : "does not");
  });

  it("tells a fresh result from one of an earlier turn", async () => {
    const later = [
      ...native,
      { role: "assistant", content: "So." },
      { role: "user", content: "and?" },
    ] as const;
    play(
      { match: { toolResult: "read_file" }, answer: [{ text: "fresh" }] },
      { match: { toolResult: { tool: "read_file", ever: true } }, answer: [{ text: "old" }] },
    );
    expect((await stream(client, { messages: [...later] })).content).toBe("old");
  });
});

describe("models and keys", () => {
  it("lists the models with what the script says of them", async () => {
    server.setScript({ turns: [], models: ["small", { id: "large", context_length: 200_000 }] });
    const models = await client.models.list();
    expect(models.data).toMatchObject([{ id: "small" }, { id: "large", context_length: 200_000 }]);
    expect(server.otherRequests[0]).toMatchObject({ method: "GET", path: "/v1/models" });
    expect(server.requests).toHaveLength(0);
  });

  it("refuses a model that does not exist", async () => {
    server.setScript({ turns: [], models: ["small"] });
    await expect(stream(client, ask("hi"))).rejects.toMatchObject({ status: 404, code: "model_not_found" });
  });

  it("refuses a wrong key everywhere, and takes the right one", async () => {
    server.setScript({ turns: [{ answer: [{ text: "ok" }] }], apiKey: "secret" });
    await expect(stream(client, ask("hi"))).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
    await expect(client.models.list()).rejects.toMatchObject({ status: 401 });
    expect((await stream(clientOf(server, "secret"), ask("hi"))).content).toBe("ok");
  });

  it("refuses tools where the model has none", async () => {
    server.setScript({ turns: [{ answer: [{ text: "ok" }] }], supportsTools: false });
    await expect(stream(client, { ...ask("hi"), tools: [tool("f")] })).rejects.toThrow(
      /does not support tools/,
    );
    expect((await stream(client, ask("hi"))).content).toBe("ok");
  });

  it("refuses prompts above the script's context window", async () => {
    server.setScript({ turns: [{ answer: [{ text: "ok" }] }], contextWindow: 100 });
    await expect(stream(client, ask("word ".repeat(100)))).rejects.toMatchObject({
      status: 400,
      code: "context_length_exceeded",
    });
    expect((await stream(client, ask("word"))).content).toBe("ok");
  });
});

describe("records", () => {
  it("keeps what was sent", async () => {
    play({ name: "hello", answer: [{ text: "ok" }] });
    const before = Date.now();
    await stream(clientOf(server, "k"), { ...ask("猫"), temperature: 0.5 });
    const [record] = server.requests;
    expect(record).toMatchObject({
      method: "POST",
      path: "/v1/chat/completions",
      body: { model: "m", temperature: 0.5, messages: [{ role: "user", content: "猫" }] },
      turn: "hello",
      refusal: undefined,
      abortedByClient: false,
    });
    expect(record?.headers.authorization).toBe("Bearer k");
    expect(record?.receivedAt).toBeGreaterThanOrEqual(before);
    expect(await record?.closed).toBe("finished");
    expect(server.chat(1).messages).toHaveLength(1);
    expect(() => server.chat(2)).toThrow(/no chat request 2/);
  });

  it("keeps what was refused, too", async () => {
    await send(server, { body: "{not json" });
    await post(server, { temperature: 9 });
    expect(server.requests.map((record) => record.text)[0]).toBe("{not json");
    expect(server.requests[1]?.body).toMatchObject({ temperature: 9 });
    expect(() => server.chat(2)).toThrow(/temperature/);
    expect(server.refusals).toHaveLength(2);
  });

  it("lets tests wait for a request by number or by predicate", async () => {
    play({ times: true, answer: [{ text: "ok" }] });
    const second = server.waitForRequest(2);
    const cat = server.waitForRequest((record) => record.text.includes("cat"));
    await stream(client, ask("dog"));
    await stream(client, ask("cat"));
    expect((await second).text).toContain("cat");
    expect(await cat).toBe(await second);
    expect(await server.waitForRequest(1)).toBe(server.requests[0]);
  });

  it("knows that the client went away", async () => {
    play({ answer: [{ text: "begin" }, { hold: "middle" }, { text: "end" }] });
    const stop = new AbortController();
    const answer = stream(client, ask("hi"), stop.signal).catch(() => "stopped");
    await server.waitForHold("middle");
    stop.abort();
    const record = await server.waitForRequest((candidate) => candidate.abortedByClient);
    expect(await record.closed).toBe("aborted");
    await answer;
  });

  it("is not harmed by a client that goes away while it sends", async () => {
    play({ answer: [{ text: "ok" }] });
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, "127.0.0.1", () => {
        const head = "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
        socket.write(`${head}content-length: 1000\r\n\r\n{"model":`, () => socket.destroy());
      });
      socket.on("close", () => resolve());
    });
    expect((await stream(client, ask("hi"))).content).toBe("ok");
    expect(server.requests).toHaveLength(1);
  });
});

describe("holds", () => {
  it("keeps a release that comes before the stream", async () => {
    play({ answer: [{ hold: "gate" }, { text: "ok" }] });
    server.release("gate");
    expect((await stream(client, ask("hi"))).content).toBe("ok");
  });

  it("forgets it with the script", async () => {
    server.release("gate");
    play({ answer: [{ hold: "gate" }, { text: "ok" }] });
    const answer = stream(client, ask("hi"));
    await server.waitForHold("gate");
    server.release("gate");
    expect((await answer).content).toBe("ok");
  });

  it("holds a whole answer as well", async () => {
    play({ answer: [{ text: "ok" }, { hold: "gate" }] });
    const answer = client.chat.completions.create({ model: "m", ...ask("hi") });
    await server.waitForHold("gate");
    server.release("gate");
    expect((await answer).choices[0]?.message.content).toBe("ok");
  });
});

describe("a script", () => {
  it.each<[string, unknown, RegExp]>([
    ["unknown key", { turns: [{ answr: [] }] }, /turns\[0\].*answr/],
    [
      "unknown part",
      { turns: [{ answer: [{ txt: "a" }] }] },
      /turns\[0\]\.answer\[0\]: not a part.*text, reasoning/,
    ],
    [
      "part with a misspelled key",
      { turns: [{ answer: [{ tool: "f", params: {}, parms: {} }] }] },
      /answer\[0\].*parms/,
    ],
    ["bad status", { turns: [{ fault: { kind: "status", status: 200 } }] }, /turns\[0\]\.fault\.status/],
    [
      "bad regular expression",
      { turns: [{ match: { lastUser: "/(/" } }] },
      /turns\[0\]\.match\.lastUser.*regular/,
    ],
  ])("that is wrong is refused with the place: %s", async (_name, script, words) => {
    const { parseScript } = await import("../../model-server/script.ts");
    expect(() => parseScript(script)).toThrow(words);
  });

  it("in code that fails is answered with a 500 that says so", async () => {
    const noise = console.error;
    console.error = () => undefined;
    server.setScript(() => {
      throw new Error("oops");
    });
    const answer = await post(server);
    console.error = noise;
    expect(answer.status).toBe(500);
    expect(answer.text).toContain("oops");
  });
});

it("closes while streams are open", async () => {
  play({ answer: [{ hold: "never" }] });
  const answer = post(server, body({ stream: true })).catch(() => undefined);
  await server.waitForHold("never");
  await server.close();
  expect((await answer)?.broken).toBe(true);
});
