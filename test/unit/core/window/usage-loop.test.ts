/** How large the window is, how full it is, and what it cost: as the endpoint says, or as far as can be told without it. */
import { afterEach, describe, expect, it } from "vitest";
import { totalsSchema } from "../../../../src/shared/totals.ts";
import { pieceTokens } from "../../../model-server/usage.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { underOne } from "../../../support/protocols.ts";

let agent: Agent;
afterEach(() => agent.close());

async function run(options: AgentOptions, text = "hello"): Promise<void> {
  agent = await startAgent(options);
  // On a busy machine, too, the list of models comes before anybody is tired of waiting for it.
  const { clock } = agent.host;
  const patient: typeof clock.after = (ms, run) =>
    ms <= 1_000 ? { dispose: () => {} } : clock.after(ms, run);
  agent.host.clock = { now: () => clock.now(), after: patient };
  await agent.view.send(text);
  await agent.view.active.idle;
}

const firstUser = () => JSON.stringify(agent.server.chat(1).messages[1]);
const totals = () => agent.view.active.chatView.totals;
const notices = () => agent.rows().filter((row) => row.kind === "notice");

describe("the window that the endpoint lists", () => {
  const models = [{ id: "scripted", context_length: 16_384 }];
  const turns = [{ answer: [{ text: "Fine." }] }];

  it("holds for the first message already: its environment and its mentions", async () => {
    const files = { "long.txt": "Some words of a note. ".repeat(5_000) };
    await run({ script: { models, turns }, files }, "see @/long.txt");
    expect(firstUser()).toContain("# Context Window Usage\\n0 / 16.384K tokens used (0%)");
    expect(firstUser()).toContain("(cut here, ");
    expect(firstUser().length).toBeLessThan(16_384 * 0.4 * 4 + 5_000);
    expect(totals().contextWindow).toBe(16_384);
  });

  it.each([9_000, 12_000, 20_000])(
    "of %i tokens holds a message with a mention that is far larger",
    async (window) => {
      const files = { "long.txt": "設定の値を読み込む。 Some words of a note. ".repeat(8_000) };
      const settings = { context: { maxFiles: 200 } };
      const small = [{ id: "scripted", context_length: window }];
      await run(
        { script: { models: small, turns, contextWindow: window }, files, settings },
        "see @/long.txt",
      );
      expect(agent.rows().at(-1)).toMatchObject({ kind: "text", text: "Fine." });
      expect(agent.server.refusals).toEqual([]);
    },
  );

  it("gives way to a smaller one that the user set", async () => {
    await run({ script: { models, turns } });
    agent.settings.provider.contextWindow = 12_000;
    await agent.view.send("again");
    await agent.view.active.idle;
    expect(JSON.stringify(agent.server.chat(2).messages.at(-1))).toContain("/ 12K tokens used");
  });

  it("is not asked for where the user set one, and 128,000 where nobody says", async () => {
    await run({ script: { turns } });
    expect(firstUser()).toContain("0 / 128K tokens used (0%)");
  });
});

describe("an endpoint that sends no usage", () => {
  const read = (n: number) => ({
    match: { request: n },
    usage: "none" as const,
    answer: [{ tool: "read_file", params: { path: `note${n}.txt` } }],
  });
  const files = Object.fromEntries(
    [1, 2, 3].map((n) => [`note${n}.txt`, "Some words of a note, メモの言葉。\n".repeat(200)]),
  );
  const turns = [read(1), read(2), read(3), { usage: "none" as const, answer: [{ text: "Done." }] }];

  it.each(underOne("xml"))(
    "leaves the meter to our estimate, marked as such, and no cost at all (%s)",
    async (protocol) => {
      await run({ script: { turns }, files, protocol }, "read the notes");
      const { contextTokens, contextEstimated, cost, requests, inputTokens, outputTokens, estimatedTokens } =
        totals();
      const { messages, tools } = agent.server.chat(4);
      const real = pieceTokens(JSON.stringify(tools ?? "")) + pieceTokens(JSON.stringify(messages));
      expect(contextEstimated).toBe(true);
      expect(Math.abs(contextTokens / real - 1)).toBeLessThan(0.25);
      expect(cost).toBeUndefined();
      expect(requests).toBe(4);
      expect(estimatedTokens).toBe(inputTokens + outputTokens);
      expect(JSON.stringify(messages)).toMatch(/Usage\\nabout [\d,]+ \/ 128K tokens used \(\d+%\)/);
      expect(totalsSchema.parse(totals())).toEqual(totals());
      const shown = totals();
      await agent.restart();
      expect(totals()).toEqual(shown);
    },
  );

  it("for one answer alone: the next figure is the endpoint's again, and the sum stays marked", async () => {
    await run({ script: { turns: [read(1), { answer: [{ text: "Done." }] }] }, files }, "read the notes");
    expect(totals().contextEstimated).toBeUndefined();
    expect(totals().estimatedTokens).toBeGreaterThan(0);
    expect(totals().estimatedTokens).toBeLessThan(totals().inputTokens);
  });

  it("but zeros counts nothing either", async () => {
    const usage = { promptTokens: 0, completionTokens: 0 };
    await run({ script: { turns: [{ usage, answer: [{ text: "Done." }] }] } });
    expect(totals().contextEstimated).toBe(true);
    expect(totals().contextTokens).toBeGreaterThan(1_000);
  });
});

describe("an endpoint that cuts prompts and says nothing", () => {
  it("is told to the user once, with what it counted and what there was", async () => {
    const usage = { promptTokens: 1_024, completionTokens: 20 };
    const turns = [{ times: true as const, usage, answer: [{ text: "Who are you?" }] }];
    await run({ script: { turns }, protocol: "native" });
    await agent.view.send("do it");
    await agent.view.active.idle;
    expect(notices()).toEqual([expect.objectContaining({ code: "prompt-cut" })]);
    const [row] = notices();
    const values = row?.kind === "notice" ? (row.values ?? []) : [];
    expect(values[0]).toBe("1,024");
    expect(Number(values[1]?.replace(",", ""))).toBeGreaterThan(2_048);
  });

  it("is found out later, too, when the prompt outgrows its window", async () => {
    const files = { "note.txt": "Some words of a note.\n".repeat(600) };
    const path = "note.txt";
    const turns = Array.from({ length: 12 }, (_, n) => ({
      match: { request: n + 1 },
      ...(n < 4 ? {} : { usage: { promptTokens: 14_000 + n, cachedTokens: 0 } }),
      answer: [
        { text: `Step ${n}. ` },
        { tool: "search_files", params: { path: ".", regex: `word ${n}` } },
        { tool: "read_file", params: { path, start_line: n + 1 } },
      ],
    }));
    await run(
      { script: { turns: [...turns, { answer: [{ text: "Done." }] }] }, files, protocol: "native" },
      "go",
    );
    expect(notices().map((row) => row.kind === "notice" && row.code)).toEqual(["prompt-cut"]);
  });
});
