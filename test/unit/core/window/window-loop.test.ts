/** The window in the real loop: condensing on request, a refusal answered by one retry that fits, and after a restart. */
import { afterEach, describe, expect, it } from "vitest";
import type { Script, ScriptPart } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";
import { sampled } from "../../../support/random.ts";

let agent: Agent;
afterEach(async () => {
  await agent.close();
});

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const read = (path: string): ScriptPart => ({ tool: "read_file", params: { path } });
const SUMMARY = "## Task\nRead the notes.\n\n## Pending\nNothing.";
const CONDENSE = {
  match: { lastUser: 'explicit_instructions type="condense"' },
  answer: [{ text: SUMMARY }],
};
const files = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [
    `note${n}.txt`,
    `note ${n} begins\n${"Some words of a note. ".repeat(700)}\n`,
  ]),
);

async function run(options: AgentOptions, text = "read the notes"): Promise<void> {
  agent = await startAgent(options);
  await agent.view.send(text);
  await agent.view.active.idle;
}

const notices = () => agent.rows().filter((row) => row.kind === "notice");
const body = (n: number) => JSON.stringify(agent.server.chat(n).messages);

describe.each(underOne("native"))("/compact under %s", (protocol) => {
  const turns = [
    { match: { request: 1 }, answer: [read("note0.txt")] },
    { match: { request: 2 }, answer: [DONE] },
    CONDENSE,
    { match: { anyMessage: "go on then" }, answer: [{ text: "Going on." }] },
  ];

  it("replaces the earlier messages by a summary that the next request carries, also after a restart", async () => {
    await run({ script: { turns }, protocol, files });
    await agent.view.send("/compact keep the names");
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(body(3)).toContain("keep the names");
    expect(notices()).toEqual([expect.objectContaining({ code: "condensed", detail: SUMMARY })]);
    expect(agent.rows().some((row) => row.kind === "user" && row.text === "/compact keep the names")).toBe(
      true,
    );
    const rows = agent.rows();
    await agent.restart();
    expect(agent.rows()).toEqual(rows);
    const { parts, more } = agent.view.active.texts.leftOut(notices()[0]?.id ?? "");
    expect([parts.map(({ title, subject }) => [title, subject]), more]).toEqual([[["Read", "note0.txt"]], 0]);
    expect(agent.view.active.texts.part(parts[0]?.id ?? "")).toMatchObject({
      name: "read_file for note0.txt.txt",
    });
    expect(agent.view.active.texts.part(parts[0]?.id ?? "")?.text).toContain("note 0 begins");
    expect([agent.view.active.texts.leftOut("gone:0"), agent.view.active.texts.part("gone")]).toEqual([
      { parts: [], more: 0 },
      undefined,
    ]);
    await agent.view.send("go on then");
    await agent.view.active.idle;
    const sent = body(4);
    expect(sent).toContain("## Pending");
    expect(sent).toContain("read the notes");
    expect(sent).not.toContain("note 0 begins");
    expect(agent.server.refusals).toEqual([]);
  });

  it("says so when there is nothing to condense, and when the model gives no summary", async () => {
    const script: Script = { turns: [{ match: { request: 1 }, answer: [DONE] }, ...turns.slice(0, 2)] };
    await run({ script, protocol, files });
    await agent.view.send("/smol");
    await agent.view.active.idle;
    expect(notices()).toEqual([expect.objectContaining({ code: "condense-nothing" })]);
    expect(agent.server.requests).toHaveLength(1);
  });
});

describe("condensing that is stopped", () => {
  const turns = [
    { match: { request: 1 }, answer: [read("note0.txt")] },
    { match: { request: 2 }, answer: [DONE] },
    { ...CONDENSE, fault: { kind: "stall", where: "connection" } as const },
    { match: { anyMessage: "go on then" }, answer: [{ text: "Going on." }] },
  ];

  it("leaves everything as it was, and the next request has it all", async () => {
    await run({ script: { turns }, protocol: "native", files });
    const before = body(2);
    const asking = agent.until((event) => event.type === "status" && event.status === "waiting");
    await agent.view.send("/compact");
    await asking;
    await agent.view.stop();
    expect((await agent.view.active.idle)?.type).not.toBe("replied");
    expect(agent.view.active.chatView.status).toBe("idle");
    expect(notices()).toEqual([expect.objectContaining({ code: "stopped" })]);
    await agent.view.send("go on then");
    await agent.view.active.idle;
    const last = agent.server.requests.length;
    expect(body(last).startsWith(before.slice(0, -1))).toBe(true);
    expect(body(last)).not.toContain("summary");
    expect(agent.server.refusals).toEqual([]);
  });
});

describe("a prompt that the endpoint refuses as too long", () => {
  const reading = Array.from({ length: 8 }, (_, n) => ({
    match: { request: n + 1 },
    answer: [read(`note${n}.txt`)],
  }));
  const context = { autoCondense: false };
  const WORDINGS = ["openai", "anthropic", "vllm", "llamacpp", "openrouter", "gemini", "mistral"] as const;

  it.each(sampled(WORDINGS, 7))("in the words of %s is answered by one retry that fits", async (wording) => {
    const fault = { kind: "contextLength", wording, limit: 22_000, used: 31_000, times: 1 } as const;
    const turns = [...reading, { match: { request: 9 }, fault, answer: [DONE] }];
    await run({ script: { turns }, protocol: "xml", files, settings: { context } });
    expect(agent.server.requests).toHaveLength(10);
    expect(body(10).length).toBeLessThan(body(9).length * 0.8);
    expect(agent.rows().at(-1)).toMatchObject({ tool: "attempt_completion", state: "done" });
    expect(notices()).toEqual([expect.objectContaining({ code: "context-shortened" })]);
  });

  it.each([
    [
      "LM Studio",
      "Trying to keep the first 31000 tokens when context the overflows. However, the model is loaded with context length of only 22000 tokens, which is not enough.",
    ],
    ["Ollama", "the input length exceeds the context length"],
    [
      "llama.cpp, newer",
      "request (31000 tokens) exceeds the available context size (22000 tokens), try increasing it",
    ],
  ])("in the words of %s, too", async (_name, message) => {
    const fault = { kind: "status", status: 400, message, times: 1 } as const;
    const turns = [...reading, { match: { request: 9 }, fault, answer: [DONE] }];
    await run({ script: { turns }, protocol: "xml", files, settings: { context } });
    expect(agent.server.requests).toHaveLength(10);
    expect(body(10).length).toBeLessThan(body(9).length * 0.8);
  });

  const words =
    "This model's maximum context length is 22000 tokens. However, your messages resulted in 31000 tokens.";
  it.each([
    ["status 413 and no words", { kind: "body", status: 413, contentType: "text/plain", body: "" }],
    ["status 422", { kind: "status", status: 422, message: words }],
    ["status 500", { kind: "status", status: 500, message: words }],
    [
      "status 429, where a minute allows less than the prompt",
      { kind: "status", status: 429, message: "Request too large (TPM): Limit 22000, Requested 31000." },
    ],
    ["a stream that began with 200", { kind: "streamError", after: 0, error: { message: words } }],
    [
      "a window that the prompt should fit, but for the answer that is kept free",
      {
        kind: "status",
        status: 400,
        message: "input length and `max_tokens` exceed context limit: 26000 + 40000 > 60000",
      },
    ],
  ] as const)("by %s is answered by one retry that fits, too", async (_name, fault) => {
    const turns = [...reading, { match: { request: 9 }, fault: { ...fault, times: 1 }, answer: [DONE] }];
    await run({ script: { turns }, protocol: "xml", files, settings: { context } });
    expect(agent.server.requests).toHaveLength(10);
    expect(body(10).length).toBeLessThan(body(9).length * 0.8);
    expect(agent.rows().at(-1)).toMatchObject({ tool: "attempt_completion", state: "done" });
  });

  it("after a part of the answer has come is an error row that can be retried", async () => {
    const fault = { kind: "streamError", after: 12, error: { message: words }, times: 1 } as const;
    const turns = [
      ...reading,
      { match: { request: 9 }, fault, answer: [{ text: "I was just saying that all is well." }] },
      { match: { request: 10 }, answer: [DONE] },
    ];
    await run({ script: { turns }, protocol: "xml", files, settings: { context } });
    expect(agent.rows().at(-1)).toMatchObject({ kind: "error", error: { code: "context-length" } });
    await agent.view.active.retry();
    expect((await agent.view.active.idle)?.type).toBe("completed");
    expect(agent.server.refusals).toEqual([]);
  });

  it("twice is an error row, not a loop", async () => {
    const fault = { kind: "contextLength", limit: 22_000, used: 31_000 } as const;
    await run({
      script: { turns: [...reading, { times: true, fault }] },
      protocol: "xml",
      files,
      settings: { context },
    });
    expect(agent.server.requests).toHaveLength(10);
    expect(agent.rows().at(-1)).toMatchObject({ kind: "error", error: { code: "context-length" } });
  });
});

describe("a long task in the loop", () => {
  it("condenses by itself and stays below a window that the endpoint enforces", async () => {
    const turns = [
      { ...CONDENSE, times: true as const },
      ...Array.from({ length: 24 }, (_, n) => ({
        match: { anyMessage: "read the notes" },
        answer: [read(`note${n % 12}.txt`), { text: `Note ${n}: ${"as I said, ".repeat(150)}` }],
      })),
      { answer: [DONE] },
    ];
    agent = await startAgent({ script: { turns, contextWindow: 16_000 }, protocol: "native", files });
    agent.settings.provider.contextWindow = 16_000;
    agent.settings.provider.maxOutputTokens = 1_000;
    await agent.view.send("read the notes");
    await agent.view.active.idle;
    expect(agent.rows().at(-1)).toMatchObject({ tool: "attempt_completion", state: "done" });
    expect(agent.server.refusals).toEqual([]);
    expect(notices().map((row) => row.kind === "notice" && row.code)).toContain("condensed");
    // Each part stands under one notice, and is there whole.
    const steps = notices().map((row) => ({ row, ...agent.view.active.texts.leftOut(row.id) }));
    for (const { row, parts, more } of steps) {
      if (row.kind !== "notice" || row.values?.[0] === "0") continue;
      expect(parts.length).toBeGreaterThan(0);
      expect(more).toBe(0);
      for (const { id, title, subject } of parts) {
        expect(agent.view.active.texts.part(id)?.text).toContain(
          title ? "Some words of a note." : subject.slice(0, 40),
        );
      }
    }
    const condensed = steps.filter(({ row }) => row.kind === "notice" && row.code === "condensed");
    const said = condensed.flatMap(({ parts }) => parts.filter(({ title }) => !title).map(({ id }) => id));
    expect(new Set(said).size).toBe(said.length);
  });
});
