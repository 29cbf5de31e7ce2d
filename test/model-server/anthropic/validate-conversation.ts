import { isRecord } from "../api-error.ts";
import type { IssuedThinking } from "./issued-thinking.ts";
import { type Marks, onlyFields, reject, type Thinking } from "./rules.ts";

interface Rules {
  marks: Marks;
  issued: IssuedThinking;
  thinking: Thinking;
  model: string;
  hasTools: boolean;
}

type Block = Record<string, unknown> & { type: string };
interface Message {
  role: "user" | "assistant";
  content: Block[];
}

const TYPES = {
  user: ["text", "image", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
} as const;

/** Throws a 400 that names the place of the fault. */
export function validateAnthropicMessages(value: unknown, rules: Rules): void {
  if (value === undefined) reject("messages: Field required");
  if (!Array.isArray(value)) reject("messages: Input should be a valid list");
  if (value.length === 0) reject("messages: at least one message is required");
  const messages = value.map((message: unknown, index) => messageOf(message, `messages.${index}`));
  messages.forEach((message, index) => {
    expectRole(message, messages[index - 1], index);
    message.content.forEach((block, place) => {
      validateBlock(block, message, `messages.${index}.content.${place}`, rules);
    });
  });
  validateCalls(messages, rules.hasTools);
  messages.forEach((message, index) => {
    if (message.role === "assistant") validateEnd(message, index, index === messages.length - 1);
  });
  validateTurn(messages, rules);
}

function messageOf(message: unknown, at: string): Message {
  if (!isRecord(message)) reject(`${at}: Input should be a valid dictionary`);
  onlyFields(message, ["role", "content"], at);
  const { role, content } = message;
  if (role !== "user" && role !== "assistant") {
    reject(
      `${at}: Unexpected role ${JSON.stringify(role)}. The Messages API accepts a top-level \`system\` parameter, not "system" as an input message role.`,
    );
  }
  if (typeof content === "string") {
    if (content.trim() === "") reject("messages: text content blocks must be non-empty");
    return { role, content: [{ type: "text", text: content }] };
  }
  if (!Array.isArray(content)) reject(`${at}.content: Input should be a valid list`);
  if (content.length === 0) reject(`${at}: all messages must have non-empty content`);
  const blocks = content.map((block: unknown, place): Block => {
    if (!isRecord(block) || typeof block.type !== "string") {
      reject(`${at}.content.${place}: Input should be a valid dictionary with a type`);
    }
    return { ...block, type: block.type };
  });
  return { role, content: blocks };
}

function expectRole({ role }: Message, before: Message | undefined, index: number): void {
  if (before === undefined && role !== "user") reject('messages: first message must use the "user" role');
  if (before?.role === role) {
    reject(
      `messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row (messages.${index})`,
    );
  }
}

function validateBlock(block: Block, { role }: Message, at: string, rules: Rules): void {
  const types: readonly string[] = TYPES[role];
  if (!types.includes(block.type)) {
    reject(`${at}: \`${block.type}\` blocks are not allowed in a message with role ${role}`);
  }
  const place = `${at}.${block.type}`;
  switch (block.type) {
    case "text":
      validateText(block, place, "messages");
      break;
    case "image":
      validateImage(block, place);
      break;
    case "tool_use":
      validateCall(block, place);
      break;
    case "tool_result":
      validateResult(block, place);
      break;
    default:
      validateThinkingBlock(block, at, rules);
  }
  rules.marks.take(block, at);
}

export function validateText(block: Record<string, unknown>, at: string, list: string): void {
  onlyFields(block, ["type", "text", "cache_control", "citations"], at);
  if (typeof block.text !== "string") reject(`${at}.text: Input should be a valid string`);
  if (block.text === "") reject(`${list}: text content blocks must be non-empty (${at})`);
  if (block.text.trim() === "")
    reject(`${list}: text content blocks must contain non-whitespace text (${at})`);
}

function validateImage(block: Record<string, unknown>, at: string): void {
  onlyFields(block, ["type", "source", "cache_control"], at);
  const { source } = block;
  if (!isRecord(source) || source.type !== "base64") reject(`${at}.source: Input should be a base64 source`);
  onlyFields(source, ["type", "media_type", "data"], `${at}.source.base64`);
  if (!/^image\/(?:png|jpeg|gif|webp)$/.test(String(source.media_type))) {
    reject(
      `${at}.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    );
  }
  if (typeof source.data !== "string" || !/^[A-Za-z0-9+/]+={0,2}$/.test(source.data)) {
    reject(`${at}.source.base64: invalid base64 data`);
  }
}

function validateCall(block: Record<string, unknown>, at: string): void {
  onlyFields(block, ["type", "id", "name", "input", "cache_control"], at);
  if (typeof block.id !== "string" || !/^[a-zA-Z0-9_-]+$/.test(block.id)) {
    reject(`${at}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
  if (typeof block.name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(block.name)) {
    reject(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  }
  if (!isRecord(block.input)) reject(`${at}.input: Input should be a valid dictionary`);
}

function validateResult(block: Record<string, unknown>, at: string): void {
  onlyFields(block, ["type", "tool_use_id", "content", "is_error", "cache_control"], at);
  if (typeof block.tool_use_id !== "string") reject(`${at}.tool_use_id: Field required`);
  const { content } = block;
  if (content === undefined || typeof content === "string") return;
  if (!Array.isArray(content)) reject(`${at}.content: Input should be a valid list`);
  content.forEach((part: unknown, index) => {
    const place = `${at}.content.${index}`;
    if (!isRecord(part)) reject(`${place}: Input should be a valid dictionary`);
    if (part.type === "text") validateText(part, place, "messages");
    else if (part.type !== "image")
      reject(`${place}: Input tag '${String(part.type)}' is not allowed in a result`);
    else if (block.is_error === true) reject(`${at}: all content must be type "text" if "is_error" is true`);
    else validateImage(part, place);
  });
}

function validateThinkingBlock(block: Block, at: string, { issued, model }: Rules): void {
  const { type } = block;
  const needed = type === "thinking" ? ["thinking", "signature"] : ["data"];
  onlyFields(block, ["type", ...needed], `${at}.${type}`);
  for (const name of needed) {
    if (typeof block[name] !== "string") reject(`${at}.${type}.${name}: Field required`);
  }
  const fault = issued.fault(block, model);
  if (fault !== undefined) {
    const what = type === "thinking" ? "`signature`" : "`data`";
    reject(`${at}: Invalid ${what} in \`${type}\` block (${fault})`);
  }
}

/** Each call has one result, first in the next message. */
function validateCalls(messages: readonly Message[], hasTools: boolean): void {
  const ids = new Set<string>();
  messages.forEach(({ content }, index) => {
    const calls = content.flatMap((block) => (block.type === "tool_use" ? [String(block.id)] : []));
    for (const id of calls) {
      if (ids.has(id)) reject(`messages.${index}: \`tool_use\` ids must be unique (${id})`);
      ids.add(id);
    }
    if (calls.length > 0 && !hasTools) {
      reject("Requests which include `tool_use` or `tool_result` blocks must define tools");
    }
    expectResults(calls, messages[index + 1], index);
    const earlier = (messages[index - 1]?.content ?? []).filter(({ type }) => type === "tool_use");
    content.forEach((block, place) => {
      if (block.type !== "tool_result" || earlier.some(({ id }) => id === block.tool_use_id)) return;
      reject(
        `messages.${index}.content.${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(block.tool_use_id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    });
  });
}

function expectResults(calls: readonly string[], next: Message | undefined, index: number): void {
  const results = (next?.content ?? []).filter(({ type }) => type === "tool_result");
  const missing = calls.filter((id) => !results.some((result) => result.tool_use_id === id));
  if (missing.length > 0) {
    reject(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  }
  const twice = calls.find((id) => results.filter((result) => result.tool_use_id === id).length > 1);
  if (twice !== undefined) {
    reject(
      `messages.${index + 1}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`,
    );
  }
  const other = (next?.content ?? []).findIndex(({ type }) => type !== "tool_result");
  if (other >= 0 && other < results.length) {
    reject(
      `messages.${index + 1}.content.${other}: \`tool_result\` blocks must come before all other content`,
    );
  }
}

function validateEnd({ content }: Message, index: number, isLast: boolean): void {
  const end = content.at(-1);
  if (end?.type === "thinking" || end?.type === "redacted_thinking") {
    reject(`messages.${index}: The final block in an assistant message cannot be \`${end.type}\`.`);
  }
  const call = content.findIndex(({ type }) => type === "tool_use");
  const text = content.findLastIndex(({ type }) => type === "text");
  const thinks = content.some(({ type }) => type.endsWith("thinking"));
  if (call >= 0 && text > call && !thinks) {
    reject(`messages.${index}.content.${text}: \`text\` blocks must come before \`tool_use\` blocks`);
  }
  if (!isLast) return;
  if (end?.type === "text" && /\s$/.test(String(end.text))) {
    reject("messages: final assistant content cannot end with trailing whitespace");
  }
  reject(
    "This model does not support assistant message prefill. The conversation must end with a user message.",
  );
}

/** Models that think only if a request asks for it. */
const ASKED_TO_THINK = /claude-(?:3|(?:sonnet|opus|haiku)-4)/;

/** The turn that goes on: the answers since the last message without results. */
function validateTurn(messages: readonly Message[], { thinking, issued, model }: Rules): void {
  let begin = messages.length - 1;
  while (messages[begin]?.content.some(({ type }) => type === "tool_result")) begin -= 2;
  const answers = messages.map(({ content }, index) => ({ content, index })).slice(Math.max(0, begin + 1));
  const turn = answers.filter(({ index }) => messages[index]?.role === "assistant");
  const [first] = turn;
  const found = first?.content[0]?.type;
  if (thinking === "enabled" && first && found !== "thinking" && found !== "redacted_thinking") {
    reject(
      `messages.${first.index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${found}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). To avoid this requirement, disable \`thinking\`.`,
    );
  }
  for (const { content, index } of turn) {
    const blocks = content.filter(({ type }) => type.endsWith("thinking"));
    const off = thinking === "disabled" || (thinking === undefined && ASKED_TO_THINK.test(model));
    if (off && blocks.length > 0) {
      reject(`messages.${index}: thinking blocks are not accepted in a turn while \`thinking\` is disabled`);
    }
    if (thinking === "enabled" || thinking === "adaptive") expectUnchanged(content, index, issued);
  }
}

function expectUnchanged(content: readonly Block[], index: number, issued: IssuedThinking): void {
  const before: unknown[] = [];
  for (const block of content) {
    if (block.type === "thinking") {
      before.push({ type: "thinking", thinking: block.thinking, signature: block.signature });
    } else if (block.type === "redacted_thinking") before.push({ type: block.type, data: block.data });
    else if (block.type === "tool_use" && before.length > 0 && issued.differs(String(block.id), before)) {
      reject(
        `messages.${index}.content: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
      );
    }
  }
}
