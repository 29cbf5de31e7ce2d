/** Attributes the tokens of a request to kinds of content, and the costs of a conversation to models. */
import type { Block, Message } from "../../shared/message.ts";
import { WINDOW_KINDS, type WindowContents, type WindowKind } from "../../shared/models/window-contents.ts";
import { estimateTokens } from "../context/tokens.ts";
import type { PromptPart } from "../prompts/sections.ts";
import { readFile } from "../tools/read-file.ts";
import type { Tool } from "../tools/tool.ts";
import type { PlannedRequest } from "../window/fit.ts";
import { blockTokens, messageTokens } from "../window/request-messages.ts";
import type { RequestFrame } from "../window/sizer.ts";

export interface RequestParts {
  frame: Pick<RequestFrame, "system" | "tools">;
  /** The parts of the system prompt that are of another kind than `system`. */
  prompt: readonly PromptPart[];
  planned: PlannedRequest;
  /** The tool that a name in the conversation means. */
  find(name: string): Pick<Tool, "name" | "origin"> | undefined;
}

/** What a mention of a file or folder includes. */
const INCLUDED = /<(file_content|folder_content)\b[^>]*>[\s\S]*?<\/\1>/g;

/** The predicted tokens of the request by kind; estimates of parts are scaled so that they add up. */
export function tokensByKind({ frame, prompt, planned, find }: RequestParts): WindowContents["parts"] {
  const counts: Record<WindowKind, number> = {
    system: 0,
    tools: 0,
    servers: 0,
    rules: 0,
    files: 0,
    results: 0,
    conversation: 0,
  };
  let rest = estimateTokens(frame.system);
  for (const { kind, text } of prompt) {
    const tokens = estimateTokens(text);
    counts[kind] += tokens;
    rest -= tokens;
  }
  counts.system += Math.max(0, rest);
  for (const tool of frame.tools) {
    const kind = find(tool.name)?.origin === "server" ? "servers" : "tools";
    counts[kind] += estimateTokens(JSON.stringify(tool));
  }
  const names = callNames(planned.messages);
  for (const message of planned.messages) {
    let whole = messageTokens(message);
    for (const block of message.blocks) {
      const { kind, tokens } = attributed(block, (callId) => find(names.get(callId) ?? "")?.name);
      counts[kind] += tokens;
      whole -= tokens;
    }
    counts.conversation += Math.max(0, whole);
  }
  const raw = WINDOW_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  const scale = raw === 0 ? 0 : planned.tokens / raw;
  return WINDOW_KINDS.map((kind) => ({ kind, tokens: Math.round(counts[kind] * scale) }));
}

/** The tokens of a block that belong to one kind; the rest is conversation. */
function attributed(
  block: Block,
  toolOf: (callId: string) => string | undefined,
): { kind: WindowKind; tokens: number } {
  if (block.type === "tool-result") {
    const kind = toolOf(block.callId) === readFile.name ? "files" : "results";
    return { kind, tokens: blockTokens(block) };
  }
  if (block.type !== "text" || block.source === "context") return { kind: "conversation", tokens: 0 };
  const included = [...block.text.matchAll(INCLUDED)].map(([text]) => text);
  return { kind: "files", tokens: Math.min(blockTokens(block), estimateTokens(included.join(""))) };
}

function callNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { blocks } of messages)
    for (const block of blocks) if (block.type === "tool-call") names.set(block.id, block.name);
  return names;
}

/** What the answers of each model cost, the first model first. */
export function costByModel(messages: readonly Message[]): WindowContents["models"] {
  const models = new Map<string, WindowContents["models"][number]>();
  for (const { model, connection, usage } of messages) {
    if (model === undefined || !usage) continue;
    const name = connection === undefined ? model : `${connection}/${model}`;
    const before = models.get(name) ?? { name, requests: 0, inputTokens: 0, outputTokens: 0 };
    const cost = usage.cost === undefined ? before.cost : (before.cost ?? 0) + usage.cost;
    models.set(name, {
      name,
      requests: before.requests + 1,
      inputTokens: before.inputTokens + usage.inputTokens,
      outputTokens: before.outputTokens + usage.outputTokens,
      ...(cost === undefined ? {} : { cost }),
    });
  }
  return [...models.values()];
}
