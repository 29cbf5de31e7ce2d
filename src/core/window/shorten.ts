/** Chooses what to omit when a request no longer fits: superseded results first, whole messages last. */
import { type Message, type ToolCallBlock, type ToolResultBlock, toolCalls } from "../../shared/message.ts";
import { resultShorteningOf } from "../tools/registry.ts";
import type { ShownFile } from "../tools/tool.ts";
import { resultFactsOf } from "./derived.ts";
import {
  blockTokens,
  isDetail,
  isEnvironment,
  lastAnswerIndex,
  mayBegin,
  messageTokens,
  requestMessages,
  resultReplacement,
  totalTokens,
  type WindowState,
} from "./request-messages.ts";

/** Estimated tokens that a note must save. */
const LEAST_SAVING = 40;

export interface ShorteningInput {
  messages: readonly Message[];
  state: WindowState;
  /** Estimated tokens that the messages may have afterwards. */
  goal: number;
  /** Estimated tokens at the end that stay unshortened if possible. */
  protect: number;
  cap: number;
}

export interface Shortening {
  state: WindowState;
  /** Ids of the calls whose results were shortened now. */
  shortened: string[];
  /** Estimated tokens of the messages afterwards. */
  tokens: number;
}

/**
 * Shortens results: first those superseded by a later result that shows the same file, anywhere; then the oldest ones and
 * the details around them, up to the protected end; with `all`, also beyond it.
 */
export function shorten(input: ShorteningInput, all: boolean): Shortening {
  const { messages, state, goal, cap } = input;
  let tokens = totalTokens(requestMessages(messages, state, cap));
  const added = new Set<string>();
  let { detailsUpTo } = state;
  const start = state.leftOutUpTo + 1;
  const take = (block: ToolResultBlock): void => {
    if (state.shortened.has(block.callId) || added.has(block.callId)) return;
    if (resultShorteningOf(block.name).stays && block.outcome === "done") return;
    const { saving } = resultReplacement(block, cap);
    if (saving < LEAST_SAVING) return;
    added.add(block.callId);
    tokens -= saving;
  };
  for (const block of superseded(messages, start)) take(block);
  const end = all ? messages.length : protectedFrom(messages, input.protect);
  const environment = messages.findLastIndex((message) => message.blocks.some(isEnvironment));
  const newest = environment < 0 ? messages.length - 1 : environment;
  for (let index = start; index < end && tokens > goal; index++) {
    const message = messages[index];
    if (!message) break;
    for (const block of message.blocks) if (block.type === "tool-result") take(block);
    if (message.role !== "user" || index <= detailsUpTo || index >= newest) continue;
    detailsUpTo = index;
    if (messages[index - 1]?.role !== "tool") continue;
    for (const block of message.blocks) if (isDetail(block)) tokens -= blockTokens(block);
  }
  const shortened = new Set([...state.shortened, ...added]);
  const next = { ...state, shortened, detailsUpTo };
  // Counted again, because the running total is only approximate.
  return { state: next, shortened: [...added], tokens: totalTokens(requestMessages(messages, next, cap)) };
}

/** Index of the first message of the protected end: about `tokens` estimated tokens, and always the newest turn. */
export function protectedFrom(messages: readonly Message[], tokens: number): number {
  const newest = lastAnswerIndex(messages);
  let index = messages.length;
  let sum = 0;
  while (index > 1) {
    const message = messages[index - 1];
    if (!message) break;
    sum += messageTokens(message);
    if (sum > tokens) break;
    index--;
  }
  return Math.min(index, newest === 0 ? messages.length : newest);
}

/** Results that show a file that a later result shows again, in full or with the same lines. */
function superseded(messages: readonly Message[], from: number): ToolResultBlock[] {
  const calls = new Map(messages.flatMap(toolCalls).map((call) => [call.id, call]));
  const seen = new Set<string>();
  const found: ToolResultBlock[] = [];
  for (let index = messages.length - 1; index >= from; index--) {
    const message = messages[index];
    if (message?.role !== "tool") continue;
    for (const block of message.blocks) {
      if (block.type !== "tool-result" || block.outcome !== "done") continue;
      const shown = shows(block, calls.get(block.callId));
      if (!shown) continue;
      const { path, lines } = shown;
      if (seen.has(path) || (lines !== "" && seen.has(`${path}\n${lines}`))) found.push(block);
      else seen.add(lines === "" ? path : `${path}\n${lines}`);
    }
  }
  return found;
}

/** The file and the lines that a result shows. */
function shows(block: ToolResultBlock, call: ToolCallBlock | undefined): ShownFile | null {
  const facts = resultFactsOf(block);
  if (facts.shown === undefined) {
    const text = block.parts.find((part) => part.type === "text")?.text ?? "";
    const found = call && resultShorteningOf(call.name).shows?.(call.params, text);
    facts.shown = found ? { ...found, path: plainPath(found.path) } : null;
  }
  return facts.shown;
}

function plainPath(path: string): string {
  return path.replaceAll("\\", "/").replace(/^\.\//, "");
}

/**
 * Omits the oldest messages. The first message and the newest turn stay, and a call stays with its result. undefined:
 * nothing more can be omitted.
 */
export function prune(input: ShorteningInput): WindowState | undefined {
  const whole = pruneAt(input, false);
  // A single turn that fills the window is cut inside; the user's message is then repeated.
  return whole?.reached ? whole.state : (pruneAt(input, true)?.state ?? whole?.state);
}

function pruneAt(
  input: ShorteningInput,
  apart: boolean,
): { state: WindowState; reached: boolean } | undefined {
  const { messages, state, goal, cap } = input;
  const sent = new Map(
    requestMessages(messages, state, cap).map((message) => [message.id, messageTokens(message)]),
  );
  let tokens = [...sent.values()].reduce((sum, size) => sum + size, 0);
  const newest = lastAnswerIndex(messages);
  let leftOutUpTo = state.leftOutUpTo;
  let reached = false;
  for (let index = state.leftOutUpTo + 1; index < newest; index++) {
    tokens -= sent.get(messages[index]?.id ?? "") ?? 0;
    if (!mayBegin(messages, index + 1, apart)) continue;
    leftOutUpTo = index;
    reached = tokens <= goal;
    if (reached) break;
  }
  if (leftOutUpTo === state.leftOutUpTo) return undefined;
  return { state: { ...state, leftOutUpTo, pruned: true }, reached };
}
