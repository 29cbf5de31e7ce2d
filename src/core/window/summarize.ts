/** Requests a summary of the conversation. The exchange is not part of the conversation, but its cost counts. */

import type { Usage } from "../../shared/message.ts";
import type { Host } from "../ports/host.ts";
import type { ModelRequest, StreamPart } from "../provider/provider.ts";
import { condenseInstructions, readSummary } from "./condense.ts";

export interface Summary {
  /** "" if the model gave none. */
  summary: string;
  usage: Usage | undefined;
}

/** Rejects as `stream` does. */
export async function askSummary(
  stream: (request: ModelRequest) => AsyncIterable<StreamPart>,
  request: ModelRequest,
  focus: string,
  host: Pick<Host, "newId" | "clock">,
): Promise<Summary> {
  const instructions = condenseInstructions(focus);
  const asking: ModelRequest = {
    ...request,
    messages: [
      ...request.messages,
      {
        id: host.newId(),
        role: "user",
        createdAt: host.clock.now().toISOString(),
        blocks: [{ type: "text", text: instructions, source: "context" }],
      },
    ],
  };
  let text = "";
  let called = "";
  let usage: Usage | undefined;
  for await (const part of stream(asking)) {
    if (part.type === "text") text += part.delta;
    else if (part.type === "usage") usage = part.usage;
    else if (part.type === "tool-calls") {
      for (const delta of part.deltas) called += delta.arguments ?? "";
    }
  }
  return { summary: readSummary(text) || calledContext(called), usage };
}

/** The summary from a tool call, which a model may send instead of text. */
function calledContext(args: string): string {
  try {
    const value: unknown = JSON.parse(args);
    const isCall = typeof value === "object" && value !== null && "context" in value;
    return isCall && typeof value.context === "string" ? value.context.trim() : "";
  } catch {
    return "";
  }
}
