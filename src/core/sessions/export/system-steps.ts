/** What Nekode itself did to a conversation, as ATIF's system steps. */

import type { Block, Message, WindowBlock } from "../../../shared/message.ts";
import { unreachable } from "../../../shared/unreachable.ts";
import type { AtifStep } from "./atif-types.ts";

type SystemStep = Omit<AtifStep, "step_id" | "timestamp">;

/** `stepOf`: the last step up to a message. */
export function systemSteps(
  { blocks }: Message,
  stepOf: (messageId: string) => number | undefined,
): SystemStep[] {
  return blocks.flatMap((block) => {
    const step = systemStep(block, stepOf);
    return step ? [{ source: "system", ...step }] : [];
  });
}

function systemStep(
  block: Block,
  stepOf: (messageId: string) => number | undefined,
): Omit<SystemStep, "source"> | undefined {
  switch (block.type) {
    case "window":
      return windowStep(block, stepOf);
    case "rules":
      return {
        message: block.changed ? `Rules changed: ${block.changed.join(", ")}` : "Rules that apply",
        observation: {
          results: block.rules.map(({ name, source, paths, text }) => ({
            content: text,
            extra: { name, source, ...(paths.length > 0 ? { paths } : {}) },
          })),
        },
        extra: { context_management: { type: "injection", boundary: "append" } },
      };
    case "refused":
      return {
        message: `The endpoint refuses a part of the conversation (${block.kind}); requests contain a note instead.`,
        extra: { model: block.model, ...(block.detail === undefined ? {} : { detail: block.detail }) },
      };
    case "answers":
      return {
        message: "Several models answered side by side",
        observation: {
          results: block.answers.map(({ name, text, outcome, usage, durationMs }) => ({
            content: text,
            extra: {
              model: name,
              outcome,
              duration_ms: durationMs,
              prompt_tokens: usage.inputTokens,
              completion_tokens: usage.outputTokens,
              ...(usage.cost === undefined ? {} : { cost_usd: usage.cost }),
            },
          })),
        },
      };
    case "chosen":
      return { message: `The user continues with answer ${block.index + 1}` };
    // The steps of the user and of the agent contain these.
    case "text":
    case "reasoning":
    case "tool-call":
    case "tool-result":
    case "image":
      return undefined;
    default:
      return unreachable(block);
  }
}

/**
 * The boundary is never `replace`: the task's first message and the last steps stay in the context, so a reader who kept only the
 * summary would lose them.
 */
function windowStep(
  { shortened, leftOut, detailsUpTo, before, after }: WindowBlock,
  stepOf: (messageId: string) => number | undefined,
): Omit<SystemStep, "source"> {
  const { summary } = leftOut ?? {};
  const upTo = leftOut && stepOf(leftOut.upTo);
  return {
    message: summary === undefined ? "Context was shortened" : "Context was condensed to a summary",
    ...(summary === undefined ? {} : { observation: { results: [{ content: summary }] } }),
    extra: {
      context_management: {
        type: summary === undefined ? "pruning" : "compaction",
        boundary: "truncate",
        // The first step stays.
        ...(upTo === undefined ? {} : { left_out_steps: { from: 2, to: upTo } }),
        ...(shortened.length > 0 ? { shortened_results: shortened } : {}),
        ...(detailsUpTo === undefined ? {} : { details_left_out_up_to: stepOf(detailsUpTo) ?? 0 }),
        tokens_before: before,
        tokens_after: after,
      },
    },
  };
}
