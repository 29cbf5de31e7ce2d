/** The plans of a session, and the one that it carries out, as its messages have them. Nothing else is stored about either. */
import type { Message, ToolCallBlock, ToolResultBlock } from "../../../shared/message.ts";
import { toolCalls } from "../../../shared/message.ts";
import { planTitle } from "../../../shared/plan-document.ts";
import * as replies from "../../prompts/replies.ts";
import type { ToolSet } from "../../tools/set/tool-set.ts";

export interface SessionPlan {
  /** The call that presented it. */
  callId: string;
  title: string;
  /** In Markdown, as the model wrote it. */
  text: string;
}

/** The plan that a session carries out. */
export interface StartedPlan {
  /** As it was handed over: with what the user changed. */
  text: string;
  /** The message with which the user started it. */
  messageId: string;
  /** The model has been told how its changes differ from the plan. */
  isCompared: boolean;
}

/** The newest plan document of the session, or that of one call; undefined: there is none. */
export function planIn(
  messages: readonly Message[],
  tools: ToolSet,
  callId?: string,
): SessionPlan | undefined {
  for (const plan of plansIn(messages, tools))
    if (callId === undefined || plan.callId === callId) return plan;
  return undefined;
}

/** The plan documents of the session, the newest one first. */
export function* plansIn(messages: readonly Message[], tools: ToolSet): Generator<SessionPlan> {
  const refused = new Set<string>();
  for (const message of messages.toReversed()) {
    for (const { callId: id, outcome } of resultsIn(message)) if (outcome !== "done") refused.add(id);
    for (const call of toolCalls(message).toReversed()) {
      const plan = refused.has(call.id) ? undefined : planOf(call, tools);
      if (plan) yield plan;
    }
  }
}

function planOf(call: ToolCallBlock, tools: ToolSet): SessionPlan | undefined {
  if (call.foreign !== undefined || tools.find(call.name)?.turnEnd !== "planned") return undefined;
  const resolved = tools.resolve(call);
  // An interim answer is followed by more reading.
  if (!resolved.ok || resolved.tool.continuation?.(resolved.params) !== undefined) return undefined;
  const { response } = resolved.params;
  const title = typeof response === "string" ? planTitle(response) : undefined;
  return title === undefined ? undefined : { callId: call.id, title, text: String(response) };
}

/** The plan that the session carries out; undefined: there is none, or its task was completed before. */
export function startedPlan(messages: readonly Message[], tools: ToolSet): StartedPlan | undefined {
  let isCompared = false;
  for (const message of messages.toReversed()) {
    const text = startIn(message, messages, tools);
    if (text !== undefined) return { text, messageId: message.id, isCompared };
    const completions = resultsIn(message).filter(({ name }) => tools.find(name)?.turnEnd === "completed");
    if (completions.some(({ outcome }) => outcome === "done")) return undefined;
    if (completions.some((result) => textOf(result).startsWith(replies.PLAN_DIFFERS))) isCompared = true;
  }
  return undefined;
}

/** The plan that this message starts. */
function startIn(message: Message, messages: readonly Message[], tools: ToolSet): string | undefined {
  if (message.role === "user") {
    const texts = message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
    return texts.map(handedOverIn).find((text) => text !== undefined);
  }
  for (const result of resultsIn(message)) {
    const end = tools.find(result.name)?.turnEnd;
    // Results of other tools are from outside.
    if (end === undefined) continue;
    const text = textOf(result);
    const handedOver = handedOverIn(text);
    if (handedOver !== undefined) return handedOver;
    if (end === "planned" && text.startsWith(replies.SWITCHED_TO_ACT))
      return planTextIn(text) ?? planIn(messages, tools, result.callId)?.text;
  }
  return undefined;
}

/** The plan in the text of a message that hands one over. */
function handedOverIn(text: string): string | undefined {
  const head = /^<(?:task|user_message|answer|feedback)>\n/.exec(text)?.[0];
  const begins = head !== undefined && text.startsWith(replies.START_PLAN, head.length);
  return begins ? planTextIn(text) : undefined;
}

function planTextIn(text: string): string | undefined {
  const from = text.indexOf(replies.PLAN_TAGS[0]);
  const to = text.lastIndexOf(replies.PLAN_TAGS[1]);
  return from < 0 || to < from ? undefined : text.slice(from + replies.PLAN_TAGS[0].length, to);
}

function resultsIn({ blocks }: Message): ToolResultBlock[] {
  return blocks.filter((block) => block.type === "tool-result");
}

function textOf({ parts }: ToolResultBlock): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
