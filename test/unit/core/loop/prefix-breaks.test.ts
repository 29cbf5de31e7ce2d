/**
 * Whatever the user does in between, a request begins with the one before it, or the break has a name and is counted. Compares
 * what the server received, byte for byte, with what the session reports.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { TaskEvent } from "../../../../src/shared/event.ts";
import { promptPieces } from "../../../model-server/chat/wire.ts";
import type { ScriptTurn } from "../../../model-server/server.ts";
import { pieceTokens } from "../../../model-server/usage.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";

let agent: Agent;
afterEach(() => agent.close());

const files = { "AGENTS.md": "猫を大切に。", "src/a.ts": "export const cat = 1;\n".repeat(300) };
const image = { mimeType: "image/png", data: Buffer.alloc(200, 7).toString("base64") };

const turns: ScriptTurn[] = [
  { match: { system: "XML", protocol: "xml" }, times: true, answer: [{ text: "読みました。" }] },
  {
    match: { lastUser: "read" },
    times: true,
    answer: [{ text: "Looking." }, { tool: "read_file", params: { path: "src/a.ts" } }],
  },
  { times: true, answer: [{ text: "見ました。" }] },
];

type Step =
  | "say"
  | "read"
  | "image"
  | "mode"
  | "language"
  | "model"
  | "protocol"
  | "condense"
  | "todo"
  | "rules";
const CAUSES: Partial<Record<Step, string>> = {
  language: "instructions",
  model: "model",
  protocol: "protocol",
  condense: "window",
};
const steps = fc.array(
  fc.constantFrom<Step>(
    "say",
    "read",
    "image",
    "mode",
    "language",
    "model",
    "protocol",
    "condense",
    "todo",
    "rules",
  ),
  { minLength: 4, maxLength: 14 },
);

async function say(text: string, images: (typeof image)[] = []): Promise<void> {
  await agent.view.send(text, images);
  await agent.view.active.idle;
}

async function take(step: Step, n: number): Promise<void> {
  const { settings, view } = agent;
  if (step === "mode") await view.active.setMode(view.active.chatView.mode === "act" ? "plan" : "act");
  if (step === "language") settings.preferredLanguage = `language ${n}`;
  if (step === "model") settings.provider.model = `scripted-${n}`;
  if (step === "protocol")
    settings.provider.protocol = settings.provider.protocol === "xml" ? "native" : "xml";
  if (step === "todo") await view.active.setTodo(`- [ ] edited by hand ${n}`);
  if (step === "rules") agent.files.set("/project/AGENTS.md", `猫を大切に (${n})。`);
  if (step === "condense") await say("/compact");
  await say(step === "read" ? `read ${n}` : `message ${n}`, step === "image" ? [image] : []);
}

/** Without images, which the product counts by their size and this server does not. */
const textTokens = (piece: string) => pieceTokens(piece.replace(/data:image[^"]*/g, ""));

/** The requests of the conversation itself: a request for a summary is not one of them. */
function conversationRequests(): string[][] {
  return agent.server.requests
    .map((_, index) => agent.server.chat(index + 1))
    .filter(
      (chat) => !JSON.stringify(chat.messages.at(-1)).includes('explicit_instructions type=\\"condense'),
    )
    .map(promptPieces);
}

const codes = (events: readonly TaskEvent[]) =>
  events.flatMap((event) =>
    event.type === "notice" && event.code === "prefix-broken" ? event.values?.[0] : [],
  );

describe("a request that does not begin with the one before it", () => {
  it("has a named cause, in random sessions", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        agent = await startAgent({ script: { turns }, protocol: "native", files, approval: { read: true } });
        try {
          let unnamed = 0;
          let sent = 0;
          for (const [n, step] of plan.entries()) {
            const before = agent.view.active.chatView.totals.prefixBreaks ?? [];
            agent.events.length = 0;
            await take(step, n);
            const requests = conversationRequests();
            for (let at = Math.max(1, sent); at < requests.length; at++) {
              const [last = [], next = []] = [requests[at - 1], requests[at]];
              const from = last.findIndex((piece, index) => piece !== next[index]);
              if (from < 0) continue;
              const lost = last.slice(from).reduce((sum, piece) => sum + textTokens(piece), 0);
              const after = agent.view.active.chatView.totals.prefixBreaks ?? [];
              const counted = after.reduce((sum, each) => sum + each.count, 0);
              const isCounted = counted > before.reduce((sum, each) => sum + each.count, 0);
              const cause = CAUSES[step];
              const isNamed = isCounted && after.some((each) => each.cause === cause);
              const isReported = cause === "window" || codes(agent.events).includes(cause);
              if (!(isNamed && isReported) && lost > 2_048) unnamed += lost;
            }
            sent = requests.length;
          }
          expect(agent.server.refusals).toEqual([]);
          expect(unnamed, "tokens of breaks without a named cause").toBe(0);
          expect(
            (agent.view.active.chatView.totals.prefixBreaks ?? []).map(({ cause }) => cause),
          ).not.toContain("unknown");
        } finally {
          await agent.close();
        }
      }),
      {
        numRuns: rounds(3, 12),
        // Its image counts more for the server than for the product, which is not a break.
        examples: [
          [["image", "say", "say", "say", "say", "rules", "todo", "say", "rules", "condense", "say"]],
        ],
      },
    );
  });
});

describe("the report of a break", () => {
  it("names the cause and the tokens, once, and the totals keep both", async () => {
    agent = await startAgent({ script: { turns }, protocol: "native", files });
    await say("read this");
    agent.settings.preferredLanguage = "日本語";
    await say("again");
    await say("and again");
    const rows = agent.rows().filter((row) => row.kind === "notice" && row.code === "prefix-broken");
    expect(rows).toHaveLength(1);
    const [row] = rows;
    expect(row?.kind === "notice" && row.values?.[0]).toBe("instructions");
    const { prefixBreaks } = agent.view.active.chatView.totals;
    expect(prefixBreaks).toMatchObject([{ cause: "instructions", count: 1 }]);
    expect(prefixBreaks?.[0]?.tokens).toBeGreaterThan(2_000);
  });

  it("does not come with a request that fails before it is answered", async () => {
    const script = {
      turns: [
        { answer: [{ text: "見ました。" }] },
        { fault: { kind: "status" as const, status: 401 }, match: { system: "日本語" }, answer: [] },
      ],
    };
    agent = await startAgent({ script, protocol: "native", files });
    await say("first");
    agent.settings.preferredLanguage = "日本語";
    await say("second");
    expect(agent.view.active.chatView.totals.prefixBreaks).toBeUndefined();
  });
});
