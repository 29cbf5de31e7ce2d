/**
 * What a request carries of the conversation. The session keeps every message whole; a request is derived from it by
 * what the conversation's `window` blocks say, so that the same conversation always gives the same request, also after
 * a restart, and each request begins as the one before it.
 */
import type { Block, Message, ToolResultBlock, WindowBlock } from "../../shared/message.ts";
import { estimateImageTokens, estimateTokens } from "../context/tokens.ts";
import { truncateMiddle } from "../text.ts";
import { oldResultOf } from "../tools/registry.ts";

/** What later requests leave out, as the window blocks so far add up to it. */
export interface WindowState {
  /** Calls whose results are a note. */
  shortened: ReadonlySet<string>;
  /** Index of the last message whose added details (environment, reminders) are left out; 0: none. */
  detailsUpTo: number;
  /** Index of the last message that is left out altogether, the first one never is; 0: none. */
  leftOutUpTo: number;
  /** What stands in their place. */
  summary: string | undefined;
  /** Some of them are in no summary. */
  pruned: boolean;
}

/** Estimated tokens of a message's frame, and of a call's. */
const messageFrame = 4;
const callFrame = 12;

export function windowState(messages: readonly Message[]): WindowState {
  const shortened = new Set<string>();
  let detailsUpTo = 0;
  let leftOutUpTo = 0;
  let summary: string | undefined;
  let pruned = false;
  const steps = messages.flatMap((message) => windowBlocks(message));
  if (steps.length === 0) return { shortened, detailsUpTo, leftOutUpTo, summary, pruned };
  const wanted = new Set(steps.flatMap((step) => [step.detailsUpTo, step.leftOut?.upTo]));
  const indices = new Map<string, number>();
  messages.forEach(({ id }, index) => {
    if (wanted.has(id)) indices.set(id, index);
  });
  // A step that names a message which is no longer there (the person went back before it) leaves nothing out.
  for (const step of steps) {
    for (const id of step.shortened) shortened.add(id);
    detailsUpTo = Math.max(detailsUpTo, indices.get(step.detailsUpTo ?? "") ?? 0);
    const upTo = indices.get(step.leftOut?.upTo ?? "");
    if (upTo === undefined || !step.leftOut) continue;
    leftOutUpTo = Math.max(leftOutUpTo, upTo);
    pruned = step.leftOut.summary === undefined;
    summary = step.leftOut.summary ?? summary;
  }
  return { shortened, detailsUpTo, leftOutUpTo, summary, pruned };
}

export function windowBlocks(message: Message): WindowBlock[] {
  return message.blocks.filter((block) => block.type === "window");
}

/** The messages as a request carries them. `cap`: estimated tokens of one result; what is beyond is cut out of its middle. */
export function requestMessages(messages: readonly Message[], state: WindowState, cap: number): Message[] {
  const out: Message[] = [];
  messages.forEach((message, index) => {
    if (index > 0 && index <= state.leftOutUpTo) {
      if (index === state.leftOutUpTo) out.push(standIn(message, state, questionOf(messages, index)));
      return;
    }
    if (message.role === "tool") out.push(boundResults(message, state, cap));
    else if (message.role === "user") {
      const bare = index > 0 && index <= state.detailsUpTo && afterResults(out);
      const kept = bare ? withoutDetails(message) : message;
      if (!isUnsent(kept)) out.push(withoutRules(kept));
    } else out.push(message);
  });
  return out;
}

/** Between two answers something must stand: details may only go where results stand. */
function afterResults(out: readonly Message[]): boolean {
  return out.at(-1)?.role === "tool";
}

function standIn(message: Message, { summary, pruned }: WindowState, question: string | undefined): Message {
  const texts = summary === undefined ? [] : [`${summaryIntro}\n\n<summary>\n${summary}\n</summary>`];
  if (pruned) texts.push(prunedNote);
  if (question !== undefined)
    texts.push(`${questionIntro}\n\n<user_message>\n${capped(question, questionTokens)}\n</user_message>`);
  const text = texts.join("\n\n");
  return {
    id: `${message.id}:left-out`,
    role: "user",
    createdAt: message.createdAt,
    blocks: [{ type: "text", text, source: "context" }],
  };
}

/** Estimated tokens of a question that is repeated. */
const questionTokens = 2_000;

/**
 * What the user said last, where the messages up to `index` are left out and their answer goes on behind them: an answer
 * is never kept without its question.
 */
function questionOf(messages: readonly Message[], index: number): string | undefined {
  const next = messages.slice(index + 1).find((message) => !isUnsent(message));
  if (next === undefined || next.display !== undefined) return undefined;
  for (let at = index; at > 0; at--) {
    const message = messages[at];
    if (message?.display !== undefined && !isUnsent(message)) return message.display;
  }
  return undefined;
}

export const questionIntro = "What follows answers this message of the user:";
export const summaryIntro =
  "The conversation between the task above and what follows was condensed. This is what it held:";
export const prunedNote =
  "[Earlier messages are left out here, because the context window is full. Look again at what you need from them.]";

/** Nothing of it goes to the model. */
export function isUnsent({ blocks }: Message): boolean {
  return blocks.every(({ type }) => type === "window" || type === "rules");
}

const sentMessages = new WeakMap<Message, Message>();

/** Those are in the system prompt, or told in words beside them. */
function withoutRules(message: Message): Message {
  if (!message.blocks.some(({ type }) => type === "rules")) return message;
  let sent = sentMessages.get(message);
  if (!sent) {
    sent = { ...message, blocks: message.blocks.filter(({ type }) => type !== "rules") };
    sentMessages.set(message, sent);
  }
  return sent;
}

const bareMessages = new WeakMap<Message, Message>();

function withoutDetails(message: Message): Message {
  let bare = bareMessages.get(message);
  if (!bare) {
    const blocks = message.blocks.filter((block) => !isDetail(block));
    bare = blocks.length === message.blocks.length ? message : { ...message, blocks };
    bareMessages.set(message, bare);
  }
  return bare;
}

export function isDetail(block: Block): boolean {
  return block.type === "text" && block.source === "context";
}

interface BoundResult {
  cap: number;
  whole: ToolResultBlock;
  note: ToolResultBlock;
  /** Estimated tokens that the note saves. */
  saving: number;
}
const boundCache = new WeakMap<ToolResultBlock, BoundResult>();
/** By which of its results are notes; a message of one result has two forms. */
const toolMessages = new WeakMap<Message, { cap: number; forms: Map<string, Message> }>();

function boundResults(message: Message, { shortened }: WindowState, cap: number): Message {
  let key = "";
  for (const block of message.blocks) {
    key += block.type === "tool-result" && shortened.has(block.callId) ? "1" : "0";
  }
  let known = toolMessages.get(message);
  if (known?.cap !== cap) {
    known = { cap, forms: new Map() };
    toolMessages.set(message, known);
  }
  let form = known.forms.get(key);
  if (!form) {
    form = formOf(message, key, cap);
    known.forms.set(key, form);
  }
  return form;
}

function formOf(message: Message, key: string, cap: number): Message {
  const blocks = message.blocks.map((block, index): Block => {
    if (block.type !== "tool-result") return block;
    const bound = boundResult(block, cap);
    return key[index] === "1" ? bound.note : bound.whole;
  });
  return blocks.every((block, index) => block === message.blocks[index]) ? message : { ...message, blocks };
}

/** A result as it is sent: whole up to the cap, and as the note that takes its place when room is short. */
export function boundResult(block: ToolResultBlock, cap: number): BoundResult {
  const known = boundCache.get(block);
  if (known?.cap === cap) return known;
  const parts = block.parts.map((part) =>
    part.type === "text" ? { ...part, text: capped(part.text, cap) } : part,
  );
  const changed = parts.some((part, index) => {
    const before = block.parts[index];
    return part.type === "text" && before?.type === "text" && part.text !== before.text;
  });
  const whole = changed ? { ...block, parts } : block;
  const note: ToolResultBlock = { ...block, parts: [{ type: "text", text: noteOf(block) }] };
  const bound = { cap, whole, note, saving: blockTokens(whole) - blockTokens(note) };
  boundCache.set(block, bound);
  return bound;
}

/** A text never has more tokens than twice its characters, so a short one is not counted. */
function capped(text: string, cap: number): string {
  if (text.length * 2 <= cap) return text;
  const tokens = estimateTokens(text);
  if (tokens <= cap) return text;
  const max = Math.floor((text.length * cap) / tokens);
  return truncateMiddle(text, { max, headShare: 0.7, next: "ask for the part that you need" });
}

function noteOf({ name, parts }: ToolResultBlock): string {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const images = parts.length - texts.length;
  const amount = images > 0 ? `${length} characters, ${images} images` : `${length} characters`;
  const head = oldResultOf(name).firstLine === false ? "" : firstLine(texts[0] ?? "");
  return `${head}[This result (${amount}) is left out to save room. Call ${name} again if you need it.]`;
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line === "" || line === text ? "" : `${line.slice(0, 200)}\n`;
}

const sizes = new WeakMap<Message, number>();

/** Estimated tokens of a message in a request. */
export function messageTokens(message: Message): number {
  let size = sizes.get(message);
  if (size === undefined) {
    size = messageFrame;
    for (const block of message.blocks) size += blockTokens(block);
    sizes.set(message, size);
  }
  return size;
}

export function blockTokens(block: Block): number {
  switch (block.type) {
    case "text":
      return estimateTokens(block.text);
    case "image":
      return estimateImageTokens(block.data);
    case "tool-call":
      return callFrame + estimateTokens(block.name) + estimateTokens(JSON.stringify(block.params));
    case "tool-result":
      return resultTokens(block);
    default:
      return 0;
  }
}

const resultSizes = new WeakMap<ToolResultBlock, number>();

function resultTokens(block: ToolResultBlock): number {
  let size = resultSizes.get(block);
  if (size === undefined) {
    size = callFrame;
    for (const part of block.parts) {
      size += part.type === "text" ? estimateTokens(part.text) : estimateImageTokens(part.data);
    }
    resultSizes.set(block, size);
  }
  return size;
}

export function totalTokens(messages: readonly Message[]): number {
  let total = 0;
  for (const message of messages) total += messageTokens(message);
  return total;
}

/**
 * Where the conversation may be cut: indices at which the part that is kept may begin. Never between call and result, nor
 * between what the user said and the answer to it unless `apart` says that no other cut is left.
 */
export function mayBegin(messages: readonly Message[], index: number, apart = false): boolean {
  const message = messages[index];
  if (!apart && message?.role === "assistant" && saidBefore(messages, index)) return false;
  return (
    index > 0 &&
    message !== undefined &&
    message.role !== "tool" &&
    !isWindowStep(message) &&
    !isUnsent(message)
  );
}

function saidBefore(messages: readonly Message[], index: number): boolean {
  for (let at = index - 1; at > 0; at--) {
    const before = messages[at];
    if (before && !isUnsent(before)) return before.display !== undefined;
  }
  return false;
}

export function isWindowStep(message: Message): boolean {
  return message.blocks.some((block) => block.type === "window");
}

/** Index of the last answer; what follows it is the newest turn. 0: none. */
export function lastAnswer(messages: readonly Message[]): number {
  const index = messages.findLastIndex((message) => message.role === "assistant");
  return Math.max(0, index);
}
