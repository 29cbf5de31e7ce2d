/** Requests of each API: how long one takes to build, what a session sends, and what of its prefix changes. */
import * as z from "zod";
import { apis } from "../../src/core/provider/apis.ts";
import { ToolRegistry } from "../../src/core/tools/registry.ts";
import { systemClock } from "../../src/node/clock.ts";
import { type ApiKind, connectionSchema } from "../../src/shared/models/connection.ts";
import { defaultSettings } from "../../src/shared/settings.ts";
import { startAgent } from "../support/agent.ts";
import type { Bench } from "./bench.ts";
import { conversation } from "./context.ts";
import type { Traffic } from "./report.ts";

type EndpointApi = Exclude<ApiKind, "editor">;
const KINDS: readonly EndpointApi[] = ["chat", "responses", "anthropic"];
const MODELS: Readonly<Record<EndpointApi, string>> = {
  chat: "gpt-4.1",
  responses: "gpt-5",
  anthropic: "claude-sonnet-4-5",
};
const MESSAGES = 1_000;
const messages = conversation(MESSAGES);
const tools = new ToolRegistry().native();

/** Milliseconds until a request is handed to the network. */
async function build(api: EndpointApi): Promise<number> {
  const connection = connectionSchema.parse({ name: "bench", api, baseUrl: "http://127.0.0.1:9/v1" });
  const from = performance.now();
  let ms = 0;
  const fetch = async () => {
    ms = performance.now() - from;
    throw new Error("built");
  };
  const endpoint = {
    ...{ connection, model: MODELS[api], apiKey: "key-of-the-bench", fetch },
    ...{ provider: defaultSettings.provider, clock: systemClock },
  };
  const request = { system: "You are an agent. ".repeat(500), messages, tools, protocol: "native" as const };
  const { signal } = new AbortController();
  try {
    for await (const _ of apis[api].stream(endpoint, request, new Set(), signal));
  } catch {
    // The request is not sent.
  }
  return ms;
}

export const benches: Bench[] = KINDS.map((api) => ({
  name: `${api}: a request of ${MESSAGES} messages, built`,
  target: "< 10 times JSON.stringify",
  run: () => build(api),
  baseline: () => void JSON.stringify(messages),
}));

const TURNS = 25;
const bodySchema = z.looseObject({
  system: z.unknown().optional(),
  tools: z.unknown().optional(),
  messages: z.array(z.unknown()).optional(),
  input: z.array(z.unknown()).optional(),
});

/** The parts of a prompt in order, without the marks of what is cached, which are not part of it. */
function pieces(text: string): string[] {
  const { system, tools: offered, messages: chat = [], input = [] } = bodySchema.parse(JSON.parse(text));
  return [offered, system, ...chat, ...input].map((part) =>
    JSON.stringify(part ?? null, (name, value: unknown) => (name === "cache_control" ? undefined : value)),
  );
}

/** A session of 25 messages, each answered after one look at a file. */
export async function traffic(): Promise<Record<string, Traffic>> {
  const found: Record<string, Traffic> = {};
  for (const api of KINDS) {
    const agent = await startAgent({
      protocol: "native",
      files: { "a.ts": "export const cat = 1;\n".repeat(100) },
      settings: {},
      script: {
        turns: Array.from({ length: 2 * TURNS }, (_, n) => ({
          match: { request: n + 1 },
          answer: n % 2 === 0 ? [{ tool: "read_file", params: { path: "a.ts" } }] : [{ text: "見ました。" }],
        })),
      },
    });
    agent.settings.provider.api = api;
    agent.settings.provider.model = MODELS[api];
    for (let n = 0; n < TURNS; n++) {
      await agent.view.send(`message ${n}`);
      await agent.view.active.idle;
    }
    const sent = agent.server.requests.map(({ text }) => text);
    const prompts = sent.map(pieces);
    let broken = 0;
    for (const [n, next] of prompts.entries()) {
      const before = prompts[n - 1] ?? [];
      const from = before.findIndex((piece, index) => piece !== next[index]);
      if (from >= 0) broken += before.slice(from).reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    }
    const bytes = sent.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const { cachedTokens, inputTokens } = agent.view.active.chatView.totals;
    found[api] = {
      requests: sent.length,
      bytesPerTurn: Math.round(bytes / TURNS),
      brokenBytes: broken,
      cachedShare: inputTokens > 0 ? cachedTokens / inputTokens : 0,
    };
    await agent.close();
  }
  return found;
}

export function trafficText(found: Record<string, Traffic>): string {
  const lines = Object.entries(found).map(
    ([api, { requests, bytesPerTurn, brokenBytes, cachedShare }]) =>
      `  ${api}: ${requests} requests, ${bytesPerTurn} bytes a turn, ${brokenBytes} bytes of the prefix changed, ${Math.round(100 * cachedShare)} % cached`,
  );
  return [`a session of ${TURNS} messages over each API`, ...lines].join("\n");
}
