/** How thinking is requested of a model, and the blocks of thinking that are sent back to it. */
import type { Block } from "../../../shared/message.ts";
import * as z from "../../../shared/zod.ts";
import type { Endpoint, Quirk } from "../api.ts";
import { wellFormed } from "../wire-history.ts";
import {
  ADAPTIVE_THINKING,
  ALWAYS_THINKS,
  BUDGET_THINKING,
  NO_DISPLAY,
  NO_THINKING,
} from "./anthropic-quirks.ts";
import type { ClaudeTraits } from "./claude-traits.ts";

type Effort = Endpoint["provider"]["reasoningEffort"];

/** Fields of a request. */
export interface ThinkingFields {
  thinking?:
    | { type: "enabled"; budget_tokens: number }
    | { type: "adaptive"; display?: "summarized" }
    | { type: "disabled" };
  output_config?: { effort: "low" | "medium" | "high" };
}

/** Tokens of thinking. */
const BUDGETS = { low: 2_048, medium: 8_192, high: 24_576 };
/** What an answer needs besides its thinking, in tokens. */
const LEAST_ANSWER = 1_024;
/** The smallest budget that the API accepts. */
const LEAST_BUDGET = 1_024;

/** `traits`: undefined for models of other makers, which are asked with a budget. */
export function thinkingFields(
  effort: Effort,
  traits: ClaudeTraits | undefined,
  maxTokens: number,
  quirks: ReadonlySet<Quirk>,
): ThinkingFields {
  switch (formOf(traits, quirks)) {
    case undefined:
      return {};
    case "budget":
      return budgetFields(effort, traits, maxTokens);
    case "adaptive":
      return adaptiveFields(effort, traits, quirks);
  }
}

function budgetFields(effort: Effort, traits: ClaudeTraits | undefined, maxTokens: number): ThinkingFields {
  if (effort === "default") return {};
  // Claude models of this form think only if they are asked to; others may think by themselves.
  if (effort === "none") return traits ? {} : { thinking: { type: "disabled" } };
  const budget = Math.min(BUDGETS[effort], maxTokens - LEAST_ANSWER);
  return budget < LEAST_BUDGET ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}

function adaptiveFields(
  effort: Effort,
  traits: ClaudeTraits | undefined,
  quirks: ReadonlySet<Quirk>,
): ThinkingFields {
  const hidden = traits?.hidesThinking === true && !quirks.has(NO_DISPLAY);
  const thinking = { type: "adaptive" as const, ...(hidden ? { display: "summarized" as const } : {}) };
  if (effort === "default") return traits?.thinksByDefault ? { thinking } : {};
  if (effort !== "none") return { thinking, output_config: { effort } };
  if (!traits?.thinksByDefault) return {};
  return traits.alwaysThinks || quirks.has(ALWAYS_THINKS)
    ? { thinking, output_config: { effort: "low" } }
    : { thinking: { type: "disabled" } };
}

function formOf(traits: ClaudeTraits | undefined, quirks: ReadonlySet<Quirk>): ClaudeTraits["thinking"] {
  if (quirks.has(NO_THINKING)) return undefined;
  const refusesBudget = quirks.has(ADAPTIVE_THINKING);
  const refusesAdaptive = quirks.has(BUDGET_THINKING);
  if (refusesBudget && refusesAdaptive) return undefined;
  if (refusesBudget) return "adaptive";
  if (refusesAdaptive) return "budget";
  return traits ? traits.thinking : "budget";
}

/**
 * Whether a turn may contain thinking. A Claude model that does not think now refuses it; one of another maker may think
 * without being asked, and then needs it.
 */
export function acceptsThinking({ thinking }: ThinkingFields, traits: ClaudeTraits | undefined): boolean {
  if (thinking) return thinking.type !== "disabled";
  return traits === undefined || traits.thinksByDefault;
}

const thinkingBlock = z.object({
  type: z.literal("thinking"),
  /** May be empty: the endpoint hides it, and the signature contains it. */
  thinking: z.string(),
  signature: z.string().check(z.minLength(1)),
});
const redactedBlock = z.object({
  type: z.literal("redacted_thinking"),
  data: z.string().check(z.minLength(1)),
});
const signedThinking = z.discriminatedUnion("type", [thinkingBlock, redactedBlock]);
export type SignedThinking = z.infer<typeof signedThinking>;

/** Returns the thinking as it is sent back; undefined: it is not signed, not by this API, or cannot be sent. */
export function thinkingBack(block: Block): SignedThinking | undefined {
  const data = block.type === "reasoning" ? signedThinking.safeParse(block.signed).data : undefined;
  if (data?.type !== "thinking") return data;
  return wellFormed(data.thinking) === data.thinking ? data : undefined;
}
