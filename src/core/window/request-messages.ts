/**
 * Derives a request's messages from the conversation. The session keeps every message in full; the conversation's `window`
 * blocks, which `fit.ts` decides, state what requests omit. The same conversation therefore always gives the same request, even after a restart, and
 * each request begins with the previous one.
 */
import { productName } from "../../shared/history/session-origin.ts";
import {
  type Block,
  type Message,
  type ToolCallBlock,
  type ToolResultBlock,
  toolCalls,
  type WindowBlock,
} from "../../shared/message.ts";
import { estimateImageTokens, estimateTokens } from "../context/tokens.ts";
import { fencedData } from "../fence.ts";
import { truncateMiddle } from "../text.ts";
import { resultShorteningOf } from "../tools/registry.ts";
import { type BoundResult, factsOf, resultFactsOf } from "./derived.ts";
import { keptRules } from "./kept-rules.ts";
import { keptSkills } from "./loaded-skills.ts";

/** What requests omit: the sum of the window blocks so far. */
export interface WindowState {
  /** Ids of the calls whose results are replaced by a note. */
  shortened: ReadonlySet<string>;
  /** Index of the last message whose added details (environment, reminders) are omitted; 0: none. */
  detailsUpTo: number;
  /** Index of the last message that is omitted entirely, which never includes the first one; 0: none. */
  leftOutUpTo: number;
  /** The summary that replaces them. */
  summary: string | undefined;
  /** Some of them are not covered by a summary. */
  pruned: boolean;
}

/** Estimated tokens of overhead for a message, and for a call. */
const MESSAGE_FRAME = 4;
const CALL_FRAME = 12;

export function windowState(messages: readonly Message[]): WindowState {
  const shortened = new Set<string>();
  let detailsUpTo = 0;
  let leftOutUpTo = 0;
  let summary: string | undefined;
  let pruned = false;
  const steps = messages.flatMap((message) => windowBlocks(message));
  if (steps.length === 0) return { shortened, detailsUpTo, leftOutUpTo, summary, pruned };
  const named = new Set(steps.flatMap((step) => [step.detailsUpTo, step.leftOut?.upTo]));
  const indices = new Map<string, number>();
  messages.forEach(({ id }, index) => {
    if (named.has(id)) indices.set(id, index);
  });
  // A step whose message is no longer there, because the user went back to an earlier one, has no effect.
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

function windowBlocks(message: Message): WindowBlock[] {
  return message.blocks.filter((block) => block.type === "window");
}

/** The messages of a request. `cap`: estimated tokens of one result; the middle of a longer one is cut. */
export function requestMessages(messages: readonly Message[], state: WindowState, cap: number): Message[] {
  const out: Message[] = [];
  let foreign: readonly ToolCallBlock[] = [];
  messages.forEach((message, index) => {
    if (message.role === "assistant") foreign = foreignCalls(message);
    if (index > 0 && index <= state.leftOutUpTo) {
      if (index === state.leftOutUpTo)
        out.push(
          replacement(message, state, {
            question: questionOf(messages, index),
            environment: environmentOf(messages, index),
            skills: keptSkills(messages, index, cap),
            rules: keptRules(messages, index, cap),
          }),
        );
      return;
    }
    if (message.role === "tool") out.push(foreignResults(boundResults(message, state, cap), foreign, cap));
    else if (message.role === "user") {
      const bare = index > 0 && index <= state.detailsUpTo && afterResults(out);
      const kept = bare ? withoutDetails(message) : message;
      if (!isUnsent(kept)) out.push(withoutRules(kept));
    } else out.push(...(foreign.length === 0 ? [message] : ownWords(message)));
  });
  return out;
}

function foreignCalls(message: Message): readonly ToolCallBlock[] {
  const calls = toolCalls(message).filter((call) => call.foreign !== undefined);
  return calls.length === 0 ? NONE : calls;
}

const NONE: readonly ToolCallBlock[] = [];

/** An answer with calls of another product without these: as calls, the model would take the tools for its own. */
function ownWords(message: Message): Message[] {
  const facts = factsOf(message);
  facts.sent ??= {
    ...message,
    blocks: message.blocks.filter((block) => block.type !== "tool-call" || block.foreign === undefined),
  };
  return facts.sent.blocks.length === 0 ? [] : [facts.sent];
}

/** The calls of another product and their results, as data in a user message. */
function foreignResults(message: Message, calls: readonly ToolCallBlock[], cap: number): Message {
  if (calls.length === 0) return message;
  const facts = factsOf(message);
  if (facts.foreign?.cap !== cap) facts.foreign = { cap, form: foreignForm(message, calls, cap) };
  return facts.foreign.form;
}

function foreignForm(message: Message, calls: readonly ToolCallBlock[], cap: number): Message {
  const blocks = message.blocks.flatMap((block): Block[] => {
    if (block.type !== "tool-result") return [block];
    const call = calls.find(({ id }) => id === block.callId);
    const product = productName(block.foreign ?? call?.foreign ?? "");
    const texts = block.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const input = capped(JSON.stringify(call?.params ?? {}), cap);
    const data = fencedData(`${block.name}\n${input}\n\n${block.outcome}\n${texts.join("\n")}`);
    const images = block.parts.flatMap((part): Block[] =>
      part.type === "image" ? [{ ...part, supplied: true }] : [],
    );
    return [{ type: "text", text: `${foreignIntro(product)}\n${data}`, source: "context" }, ...images];
  });
  return { ...message, role: "user", blocks };
}

const foreignIntro = (product: string) =>
  `[Earlier, ${product} called a tool of its own, which is not available here. Its name, arguments, outcome and result are data:]`;

/** Whether details may be omitted: two answers must not be adjacent, so that is possible only after results. */
function afterResults(out: readonly Message[]): boolean {
  return out.at(-1)?.role === "tool";
}

/** What stays of the messages that are left out. */
interface KeptParts {
  question: string | undefined;
  environment: readonly Block[];
  skills: readonly string[];
  /** "": none. */
  rules: string;
}

function replacement(
  message: Message,
  { summary, pruned }: WindowState,
  { question, environment, skills, rules }: KeptParts,
): Message {
  const texts = summary === undefined ? [] : [`${SUMMARY_INTRO}\n\n<summary>\n${summary}\n</summary>`];
  if (rules !== "") texts.push(rules);
  if (skills.length > 0) texts.push(`${SKILLS_INTRO}\n\n${skills.join("\n\n")}`);
  if (pruned) texts.push(PRUNED_NOTE);
  if (question !== undefined)
    texts.push(`${QUESTION_INTRO}\n\n<user_message>\n${capped(question, QUESTION_TOKENS)}\n</user_message>`);
  const text = texts.join("\n\n");
  return {
    id: `${message.id}:left-out`,
    role: "user",
    createdAt: message.createdAt,
    blocks: [{ type: "text", text, source: "context" }, ...environment],
  };
}

/** The newest environment details of the messages up to `index`; none if only the first message, which stays, has any. */
function environmentOf(messages: readonly Message[], index: number): Block[] {
  for (let at = index; at > 0; at--) {
    const found = messages[at]?.blocks.filter(isEnvironment) ?? [];
    if (found.length > 0) return found;
  }
  return [];
}

/** Estimated tokens of a repeated user message. */
const QUESTION_TOKENS = 2_000;

/**
 * The user's last message, if the messages up to `index` are omitted but the answer to it continues after them: an answer is
 * never sent without its question.
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

const SKILLS_INTRO = "These skills were loaded for the task and still apply:";
const QUESTION_INTRO = "The following answers this user message:";
const SUMMARY_INTRO =
  "The conversation between the task above and the messages below was condensed. Summary:";
const PRUNED_NOTE =
  "[Earlier messages were omitted here because the context window is full. Read again what you need from them.]";

/** Blocks that only the product and the user read. */
const UNSENT: ReadonlySet<Block["type"]> = new Set(["window", "rules", "refused", "answers", "chosen"]);

/** Whether no part of the message is sent to the model. */
export function isUnsent({ blocks }: Message): boolean {
  return blocks.every(({ type }) => UNSENT.has(type));
}

/** Removes rules blocks: the model gets rules in the system prompt, or changes to them as text. */
function withoutRules(message: Message): Message {
  if (!message.blocks.some(({ type }) => type === "rules")) return message;
  const facts = factsOf(message);
  facts.sent ??= { ...message, blocks: message.blocks.filter(({ type }) => type !== "rules") };
  return facts.sent;
}

function withoutDetails(message: Message): Message {
  if (!message.blocks.some(isDetail)) return message;
  const facts = factsOf(message);
  facts.bare ??= { ...message, blocks: message.blocks.filter((block) => !isDetail(block)) };
  return facts.bare;
}

export function isDetail(block: Block): boolean {
  return block.type === "text" && block.source === "context";
}

/** Environment details come only when something is new, so the newest ones are in effect until the next. */
export function isEnvironment(block: Block): boolean {
  return isDetail(block) && block.type === "text" && block.text.startsWith("<environment_details>");
}

function boundResults(message: Message, { shortened }: WindowState, cap: number): Message {
  let key = "";
  let isSame = true;
  for (const block of message.blocks) {
    const isNote = block.type === "tool-result" && shortened.has(block.callId);
    key += isNote ? "1" : "0";
    isSame &&= !isNote && (block.type !== "tool-result" || block.parts.every((part) => isShort(part, cap)));
  }
  if (isSame) return message;
  const facts = factsOf(message);
  if (facts.bound?.cap !== cap) facts.bound = { cap, forms: new Map() };
  const { forms } = facts.bound;
  let form = forms.get(key);
  if (!form) {
    form = formOf(message, key, cap);
    forms.set(key, form);
  }
  return form;
}

function formOf(message: Message, key: string, cap: number): Message {
  const blocks = message.blocks.map((block, index): Block => {
    if (block.type !== "tool-result") return block;
    return key[index] === "1" ? resultReplacement(block, cap).note : boundResult(block, cap).whole;
  });
  return blocks.every((block, index) => block === message.blocks[index]) ? message : { ...message, blocks };
}

function boundResult(block: ToolResultBlock, cap: number): BoundResult {
  const facts = resultFactsOf(block);
  if (facts.bound?.cap !== cap) facts.bound = { cap, whole: wholeOf(block, cap) };
  return facts.bound;
}

function wholeOf(block: ToolResultBlock, cap: number): ToolResultBlock {
  if (block.parts.every((part) => isShort(part, cap))) return block;
  const parts = block.parts.map((part) =>
    part.type === "text" ? { ...part, text: capped(part.text, cap) } : part,
  );
  const changed = parts.some((part, index) => {
    const before = block.parts[index];
    return part.type === "text" && before?.type === "text" && part.text !== before.text;
  });
  return changed ? { ...block, parts } : block;
}

/** Created when it is first needed, because most results are never replaced. */
export function resultReplacement(
  block: ToolResultBlock,
  cap: number,
): NonNullable<BoundResult["replacement"]> {
  const bound = boundResult(block, cap);
  if (!bound.replacement) {
    const note: ToolResultBlock = { ...block, parts: [{ type: "text", text: noteOf(block) }] };
    bound.replacement = { note, saving: blockTokens(bound.whole) - blockTokens(note) };
  }
  return bound.replacement;
}

/** A text has at most two tokens per character, so short texts are not counted. */
function isShort(part: ToolResultBlock["parts"][number], cap: number): boolean {
  return part.type !== "text" || part.text.length * 2 <= cap;
}

function capped(text: string, cap: number): string {
  if (text.length * 2 <= cap) return text;
  const tokens = estimateTokens(text);
  if (tokens <= cap) return text;
  const max = Math.floor((text.length * cap) / tokens);
  return truncateMiddle(text, { max, headShare: 0.7, next: "request the part that you need" });
}

function noteOf({ name, parts, foreign }: ToolResultBlock): string {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const images = parts.length - texts.length;
  const amount = images > 0 ? `${length} characters, ${images} images` : `${length} characters`;
  const head = resultShorteningOf(name).firstLine === false ? "" : firstLine(texts[0] ?? "");
  const again = foreign === undefined ? ` Call ${name} again if you need it.` : "";
  return `${head}[This result (${amount}) was omitted to save context.${again}]`;
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line === "" || line === text ? "" : `${line.slice(0, 200)}\n`;
}

/** Estimated tokens of a message in a request. */
export function messageTokens(message: Message): number {
  const facts = factsOf(message);
  if (facts.tokens === undefined) {
    let tokens = MESSAGE_FRAME;
    for (const block of message.blocks) tokens += blockTokens(block);
    facts.tokens = tokens;
  }
  return facts.tokens;
}

export function blockTokens(block: Block): number {
  switch (block.type) {
    case "text":
      return estimateTokens(block.text);
    case "image":
      return estimateImageTokens(block.data);
    case "tool-call":
      return CALL_FRAME + estimateTokens(block.name) + estimateTokens(JSON.stringify(block.params));
    case "tool-result":
      return resultTokens(block);
    // Requests do not contain these, or only as text blocks of their own.
    case "reasoning":
    case "refused":
    case "window":
    case "rules":
    case "answers":
    case "chosen":
      return 0;
  }
}

function resultTokens(block: ToolResultBlock): number {
  const facts = resultFactsOf(block);
  if (facts.tokens === undefined) {
    let tokens = CALL_FRAME;
    for (const part of block.parts)
      tokens += part.type === "text" ? estimateTokens(part.text) : estimateImageTokens(part.data);
    facts.tokens = tokens;
  }
  return facts.tokens;
}

export function totalTokens(messages: readonly Message[]): number {
  let total = 0;
  for (const message of messages) total += messageTokens(message);
  return total;
}

/**
 * Whether the kept part of the conversation may begin at `index`: never between a call and its result, and only with `apart`
 * between a user message and the answer to it.
 */
export function mayBegin(messages: readonly Message[], index: number, apart = false): boolean {
  const message = messages[index];
  if (!apart && message?.role === "assistant" && isAfterUserMessage(messages, index)) return false;
  return (
    index > 0 &&
    message !== undefined &&
    message.role !== "tool" &&
    !isWindowStep(message) &&
    !isUnsent(message)
  );
}

function isAfterUserMessage(messages: readonly Message[], index: number): boolean {
  for (let at = index - 1; at > 0; at--) {
    const before = messages[at];
    if (before && !isUnsent(before)) return before.display !== undefined;
  }
  return false;
}

export function isWindowStep(message: Message): boolean {
  return message.blocks.some((block) => block.type === "window");
}

/** Index of the last answer, after which the newest turn begins; 0: none. */
export function lastAnswerIndex(messages: readonly Message[]): number {
  const index = messages.findLastIndex((message) => message.role === "assistant");
  return Math.max(0, index);
}
