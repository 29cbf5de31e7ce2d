/**
 * Answers requests for chat completions with recorded answers, without any network. It replaces only the host's `fetch`, so that all
 * other code runs as it does with a real endpoint.
 */
import type { Message } from "../../../shared/message.ts";
import * as z from "../../../shared/zod.ts";
import type { Fetch } from "../../ports/web.ts";
import { isComplete } from "../../sessions/export/script.ts";

/** The address of the recorded endpoint, to which nothing is sent. */
export const RECORDED_URL = "https://replay.invalid/v1";

const requestSchema = z.looseObject({
  tools: z._default(z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })), []),
});

export interface RecordedEndpoint {
  fetch: Fetch;
  /** The names of the tools that requests offered. */
  offered: ReadonlySet<string>;
}

/**
 * `next`: the answer to a request; undefined: there is none, and the request stays open until it is aborted. `exhausted` is
 * called then.
 */
export function recordedEndpoint(next: () => Message | undefined, exhausted: () => void): RecordedEndpoint {
  const offered = new Set<string>();
  const fetch: Fetch = async (_url, init) => {
    if (init?.method !== "POST") return Response.json({ object: "list", data: [] });
    const body: unknown = JSON.parse(String(init.body));
    for (const tool of requestSchema.parse(body).tools) offered.add(tool.function.name);
    const answer = next();
    if (answer) return new Response(streamed(answer), { headers: { "content-type": "text/event-stream" } });
    exhausted();
    return aborted(init.signal);
  };
  return { fetch, offered };
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** The answer as server-sent events. Calls keep their recorded ids. */
function streamed({ blocks }: Message): string {
  let calls = 0;
  const deltas = blocks.flatMap((block): Record<string, unknown>[] => {
    if (block.type === "text") return block.text === "" ? [] : [{ content: block.text }];
    if (block.type === "reasoning") return block.text === "" ? [] : [{ reasoning_content: block.text }];
    if (block.type !== "tool-call" || !isComplete(block)) return [];
    const fn = { name: block.name, arguments: JSON.stringify(block.params) };
    return [{ tool_calls: [{ index: calls++, id: block.id, type: "function", function: fn }] }];
  });
  const chunks = [
    ...deltas.map((delta) => ({ index: 0, delta, finish_reason: null })),
    { index: 0, delta: {}, finish_reason: calls > 0 ? "tool_calls" : "stop" },
  ];
  const events = chunks.map((choice) =>
    JSON.stringify({
      id: "replay",
      object: "chat.completion.chunk",
      created: 0,
      model: "",
      choices: [choice],
    }),
  );
  return [...events, "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
}
