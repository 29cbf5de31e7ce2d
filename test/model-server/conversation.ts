import { createHash } from "node:crypto";
import { isRecord } from "./api-error.ts";

/** A message of any API, except the system prompt. A tool's result is a message of its own. */
export type PlainMessage =
  | { role: "user"; texts: readonly string[] }
  | {
      role: "assistant";
      texts: readonly string[];
      calls: readonly { id: string; name: string; params: unknown }[];
    }
  | { role: "tool"; texts: readonly string[]; callId: string };

/** A request, whatever its API. */
export interface Dialogue {
  model: string;
  stream: boolean;
  /** Names of the native tools; undefined: the request has none. */
  tools: readonly string[] | undefined;
  /** The texts of the system prompt. */
  system: readonly string[];
  messages: readonly PlainMessage[];
}

export interface ToolResult {
  tool: string;
  /** The call's subject, such as a path or command, if known. */
  target: string | undefined;
  text: string;
  /** Index of the message that contains it, the system prompt aside. */
  message: number;
}

/** The properties of a request that scripts can query, the same under both protocols. */
export interface Conversation {
  /** The same for all requests of one task: a digest of the first user message without environment details. */
  key: string;
  model: string;
  native: boolean;
  stream: boolean;
  /** Names of the native tools. */
  tools: string[];
  mode: "plan" | "act" | undefined;
  /** From 1: one more than the assistant messages. */
  request: number;
  system: string;
  firstUser: string;
  /** Text of the last user message that contains more than environment details. */
  lastUser: string;
  /** Text of each message but the system prompt. */
  texts: string[];
  /** What the user wrote, oldest first, with the index of the message. */
  said: { text: string; message: number }[];
  toolResults: ToolResult[];
  /** Index of the last assistant message among `texts`, -1 without one. */
  lastAssistant: number;
}

const ENVIRONMENT = /<environment_details>[\s\S]*?<\/environment_details>/g;
const FILE = /<(file_content|final_file_content|folder_content|url_content)\b[\s\S]*?<\/\1>/g;
const USER_TEXT = /<(task|feedback|answer|user_message)>([\s\S]*?)<\/\1>/g;
const RESULT = /^\s*\[(\w+)(?: for '([\s\S]*?)')?\] Result:/;
const MODE = /# Current Mode\s+(PLAN|ACT) MODE/g;

export function readConversation({ model, stream, tools, system, messages }: Dialogue): Conversation {
  const users = messages.filter(({ role }) => role === "user").map(wholeText);
  const firstUser = withoutEnvironment(users[0] ?? "");
  const toolResults: ToolResult[] = [];
  const said: Conversation["said"] = [];
  messages.forEach((message, index) => {
    if (message.role === "tool") {
      const text = message.texts.map(unfenced).join("\n");
      const call = callOf(messages, message.callId);
      toolResults.push({ tool: call?.name ?? "", target: call?.target, text, message: index });
      said.push(...taggedWords(text, index));
    }
    if (message.role === "user") readUserMessage(message.texts, index, toolResults, said);
  });
  const mode = messages.flatMap((message) => [...wholeText(message).matchAll(MODE)]).at(-1)?.[1];
  return {
    key: createHash("sha256").update(firstUser).digest("hex").slice(0, 16),
    model,
    native: tools !== undefined,
    stream,
    tools: [...(tools ?? [])],
    mode: mode === undefined ? undefined : mode === "PLAN" ? "plan" : "act",
    request: messages.filter(({ role }) => role === "assistant").length + 1,
    system: system.join("\n"),
    firstUser,
    lastUser: users.map(withoutEnvironment).findLast((text) => text !== "") ?? "",
    texts: messages.map(wholeText),
    said,
    toolResults,
    lastAssistant: messages.findLastIndex(({ role }) => role === "assistant"),
  };
}

function wholeText({ texts }: PlainMessage): string {
  return texts.join("\n");
}

function withoutEnvironment(text: string): string {
  return text.replace(ENVIRONMENT, "").trim();
}

/** A user message contains the user's text, results under the XML protocol, or both. */
function readUserMessage(
  texts: readonly string[],
  index: number,
  toolResults: ToolResult[],
  said: Conversation["said"],
): void {
  let result: ToolResult | undefined;
  const plain: string[] = [];
  const tagged: Conversation["said"] = [];
  for (const part of texts) {
    const text = withoutEnvironment(part);
    const header = RESULT.exec(text);
    if (header?.[1] !== undefined) {
      result = {
        tool: header[1],
        target: header[2],
        text: unfenced(text.slice(header[0].length).trim()),
        message: index,
      };
      toolResults.push(result);
    } else if (result !== undefined) {
      result.text = `${result.text}\n${unfenced(text)}`.trim();
    } else if (text !== "") {
      plain.push(text);
    }
    tagged.push(...taggedWords(text, index));
  }
  if (tagged.length > 0) said.push(...tagged);
  // Without tags, the first part is the user's and the host added the rest.
  else if (plain[0] !== undefined) said.push({ text: plain[0].replace(FILE, "").trim(), message: index });
}

/** The content of a fence, or the text. */
function unfenced(text: string): string {
  return /^<(data-\w+)>\n([\s\S]*)\n<\/\1>$/.exec(text)?.[2] ?? text;
}

function taggedWords(text: string, message: number): Conversation["said"] {
  return [...text.replace(FILE, "").matchAll(USER_TEXT)].map((match) => ({
    text: (match[2] ?? "").trim(),
    message,
  }));
}

function callOf(
  messages: readonly PlainMessage[],
  id: string,
): { name: string; target?: string } | undefined {
  for (const message of messages) {
    const call =
      message.role === "assistant" ? message.calls.find((candidate) => candidate.id === id) : undefined;
    if (call === undefined) continue;
    const { name, params } = call;
    const target = isRecord(params) ? (params.path ?? params.command ?? params.url) : undefined;
    return { name, ...(typeof target === "string" ? { target } : {}) };
  }
  return undefined;
}
