/** The user messages of a task: the first with the wish, later ones with what the product adds. */
import type { Block, Message } from "../../shared/message.ts";
import type { Settings } from "../../shared/settings.ts";
import { environmentDetails } from "../context/environment.ts";
import { todoReminder } from "../context/focus-chain.ts";
import { expandMentions } from "../context/mentions.ts";
import type { Host } from "../ports.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Conversation } from "./conversation.ts";

export interface Said {
  text: string;
  images: readonly { mimeType: string; data: string }[];
  /** Not typed by the person, who only agreed to it: mentions in it stay words. */
  plain?: boolean;
}

export interface TurnOptions {
  host: Host;
  settings(): Settings;
  conversation: Conversation;
  context: ToolContext;
  signal: AbortSignal;
}

/** Text parts for what the person said: `wrap` names its role, mentions are expanded, contents follow. */
export async function saidText(
  said: Said,
  wrap: (text: string) => string,
  options: TurnOptions,
): Promise<string> {
  if (said.plain) return wrap(said.text);
  const { text, attachments } = await expandMentions(
    said.text,
    options.host,
    options.signal,
    (path, version) => options.context.seen.set(path, version),
  );
  return [wrap(text), ...attachments].join("\n\n");
}

export interface TurnParts {
  /** What the person said, already wrapped; each becomes a part of its own. */
  texts?: string[];
  images?: Said["images"];
  display?: string;
  first?: boolean;
  enteredAct?: boolean;
}

/** A user message with the todo reminder and the environment details after what the person said. */
export async function userMessage(parts: TurnParts, options: TurnOptions): Promise<Message> {
  const { host, conversation, settings, signal } = options;
  const first = parts.first ?? false;
  const blocks: Block[] = (parts.texts ?? []).map((text) => ({ type: "text", text, source: "person" }));
  for (const image of parts.images ?? []) blocks.push({ type: "image", ...image });
  const reminder = todoReminder({
    markdown: conversation.todo,
    requests: conversation.totals.requests,
    first,
    enteredAct: parts.enteredAct ?? false,
    planMode: conversation.mode === "plan",
  });
  if (reminder !== undefined) blocks.push({ type: "text", text: reminder, source: "context" });
  const details = await environmentDetails({
    host,
    first,
    mode: conversation.mode,
    totals: conversation.totals,
    maxFiles: settings().context.maxFiles,
    signal,
  });
  blocks.push({ type: "text", text: details, source: "context" });
  return {
    id: host.newId(),
    role: "user",
    blocks,
    createdAt: host.clock.now().toISOString(),
    ...(parts.display === undefined ? {} : { display: parts.display }),
  };
}
