/** What a replay does with a stored session, in order: the user's messages, and the answers that are played. */
import {
  type ImageBlock,
  type Message,
  type Mode,
  type ToolCallBlock,
  type ToolResultBlock,
  toolCalls,
} from "../../../shared/message.ts";
import type { ReplayReport } from "../../../shared/run/replay-report.ts";
import { answerParts, isComplete } from "../../sessions/export/script.ts";

export type ReplayStep =
  | { type: "say"; text: string; images: ImageBlock[]; mode: Mode | undefined }
  | { type: "answer"; message: Message };

export interface ReplayPlan {
  steps: ReplayStep[];
  answers: Message[];
  /** The recorded results, by call id. */
  results: ReadonlyMap<string, ToolResultBlock>;
  skipped: ReplayReport["skipped"];
}

export function planReplay(messages: readonly Message[]): ReplayPlan {
  const plan: Pick<ReplayPlan, "steps" | "skipped"> = { steps: [], skipped: [] };
  const results = new Map<string, ToolResultBlock>();
  for (const message of messages) {
    for (const block of message.blocks) if (block.type === "tool-result") results.set(block.callId, block);
    const skipped = skippedPart(message);
    if (skipped) plan.skipped.push(skipped);
    else if (message.role === "assistant") plan.steps.push({ type: "answer", message });
    else if (message.display !== undefined) plan.steps.push(sayStep(message, message.display));
  }
  const answers = plan.steps.flatMap((step) => (step.type === "answer" ? [step.message] : []));
  return { ...plan, answers, results };
}

/** The calls of an answer that a replay makes. */
export function playedCalls(message: Message): ToolCallBlock[] {
  return toolCalls(message).filter(isComplete);
}

function skippedPart(message: Message): ReplayReport["skipped"][number] | undefined {
  const { blocks, display = "", interrupted, role } = message;
  // A summary that the user requested took a request that is no answer of the conversation.
  if (blocks.some(({ type }) => type === "window"))
    return display === "" ? undefined : { what: "condense", text: display };
  if (blocks.some(({ type }) => type === "answers")) return { what: "comparison", text: display };
  if (role !== "assistant") return undefined;
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");
  if (interrupted) return { what: "cut-off-answer", text: text.slice(0, 100) };
  return answerParts(message).length === 0 ? { what: "empty-answer", text: "" } : undefined;
}

function sayStep({ blocks }: Message, text: string): ReplayStep {
  const images = blocks.filter((block): block is ImageBlock => block.type === "image" && !block.supplied);
  const details = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const mode = /^# Current Mode\n(ACT|PLAN) MODE$/m.exec(details)?.[1];
  return { type: "say", text, images, mode: mode === "PLAN" ? "plan" : mode === "ACT" ? "act" : undefined };
}
