/**
 * A session as an ATIF trajectory: one step for each message of the user and each answer of a model, with the results of its
 * calls. Data that only Nekode has, such as how a call ended and what requests omitted, is in the format's `extra` fields.
 */

import type { SessionSummary } from "../../../shared/history/history-protocol.ts";
import { type Message, type ToolResultBlock, toolCalls, type Usage } from "../../../shared/message.ts";
import type { StoredSession } from "../session-store.ts";
import {
  ATIF_VERSION,
  type AtifMetrics,
  type AtifResult,
  type AtifStep,
  type AtifTrajectory,
  type Content,
  type ContentPart,
  type Extra,
} from "./atif-types.ts";
import { type ExportFile, ExportImages } from "./export-images.ts";
import { systemSteps } from "./system-steps.ts";

export interface AtifOptions {
  /** Nekode's version. */
  version: string;
  /** The sessions that this one's task started. */
  children?: readonly StoredSession[];
}

export interface Atif {
  trajectory: AtifTrajectory;
  /** The images, beside the trajectory's file. */
  files: ExportFile[];
}

const NOTES = [
  "The system prompt is derived for each request and is not part of a stored session.",
  "Text that Nekode added to a user's message, such as environment details, is in that step's extra.context.",
  "final_metrics counts every request of the session, including those that are no step, such as requests for a summary.",
].join(" ");

export function toAtif(session: StoredSession, { version, children = [] }: AtifOptions): Atif {
  const { id, title, startedAt, forkOf, parent, worktree } = session.summary;
  const images = new ExportImages(id);
  const steps = new StepList(session, images, new Set(children.map(({ summary }) => summary.id)));
  for (const message of session.messages) steps.add(message);
  const inside = children.map((child) => toAtif(child, { version }));
  for (const child of children) steps.started(child.summary);
  const { requests, inputTokens, outputTokens, cachedTokens, cacheWriteTokens, cost } = session.totals;
  const trajectory: AtifTrajectory = {
    schema_version: ATIF_VERSION,
    session_id: id,
    trajectory_id: id,
    agent: {
      name: "nekode",
      version,
      ...(session.model === "" ? {} : { model_name: session.model }),
    },
    steps: steps.all,
    notes: NOTES,
    final_metrics: {
      total_prompt_tokens: Math.round(inputTokens),
      total_completion_tokens: Math.round(outputTokens),
      total_cached_tokens: Math.round(cachedTokens),
      ...(cost === undefined ? {} : { total_cost_usd: cost }),
      total_steps: steps.all.length,
      extra: {
        requests,
        ...(cacheWriteTokens === undefined ? {} : { cache_creation_input_tokens: cacheWriteTokens }),
      },
    },
    extra: {
      title,
      started_at: startedAt,
      mode: session.mode,
      ...(session.todo === "" ? {} : { todo: session.todo }),
      ...(forkOf ? { branch_of: forkOf.id } : {}),
      ...(parent ? { parent: parent.id } : {}),
      ...(worktree ? { branch: worktree.branch } : {}),
    },
    ...(inside.length > 0 ? { subagent_trajectories: inside.map((each) => each.trajectory) } : {}),
  };
  return { trajectory, files: [...images.files, ...inside.flatMap(({ files }) => files)] };
}

class StepList {
  readonly all: AtifStep[] = [];
  readonly #images: ExportImages;
  /** The ids of the tasks that this one started, and of those that a result refers to. */
  readonly #children: ReadonlySet<string>;
  readonly #linked = new Set<string>();
  /** A branch was started after the messages that it shares with the session that it branched off from. */
  readonly #copiedBefore: number;
  /** The step of each call. */
  readonly #callers = new Map<string, AtifStep>();
  /** The step of each message, for what its window leaves out. */
  readonly #lastSteps = new Map<string, number>();

  constructor({ summary }: StoredSession, images: ExportImages, children: ReadonlySet<string>) {
    this.#images = images;
    this.#children = children;
    this.#copiedBefore = summary.forkOf ? Date.parse(summary.startedAt) : Number.NEGATIVE_INFINITY;
  }

  add(message: Message): void {
    for (const block of message.blocks) if (block.type === "tool-result") this.#result(block);
    for (const step of systemSteps(message, (id) => this.#lastSteps.get(id))) this.#push(message, step);
    if (message.role === "assistant") this.#answer(message);
    else if (message.role === "user") this.#said(message);
    this.#lastSteps.set(message.id, this.all.length);
  }

  /** A child whose call has no result, because it still works, belongs to the step during which it began. */
  started({ id, startedAt }: Pick<SessionSummary, "id" | "startedAt">): void {
    if (this.#linked.has(id)) return;
    const before = this.all.filter(
      ({ source, timestamp }) => source === "agent" && Date.parse(timestamp) <= Date.parse(startedAt),
    );
    const step = before.at(-1) ?? this.all.at(-1);
    if (!step) return;
    this.#observe(step, { subagent_trajectory_ref: [{ trajectory_id: id, session_id: id }] });
  }

  #push(message: Message, step: Omit<AtifStep, "step_id" | "timestamp">): AtifStep {
    const isCopied = Date.parse(message.createdAt) < this.#copiedBefore;
    const whole: AtifStep = {
      step_id: this.all.length + 1,
      timestamp: message.createdAt,
      ...step,
      ...(isCopied ? { is_copied_context: true } : {}),
    };
    this.all.push(whole);
    return whole;
  }

  #said(message: Message): void {
    const parts = message.blocks.flatMap((block): ContentPart[] => {
      if (block.type === "text" && block.source !== "context") return [{ type: "text", text: block.text }];
      return block.type === "image" ? [this.#images.part(block)] : [];
    });
    const context = message.blocks.flatMap((block) =>
      block.type === "text" && block.source === "context" ? [block.text] : [],
    );
    if (parts.length === 0) {
      // Environment details that Nekode sends between two answers.
      if (context.length > 0) this.#push(message, { source: "system", message: context.join("\n\n") });
      return;
    }
    const extra: Extra = {
      ...(message.display === undefined ? {} : { typed: message.display }),
      ...(context.length > 0 ? { context } : {}),
    };
    this.#push(message, { source: "user", message: contentOf(parts), ...extraOf(extra) });
  }

  #answer(message: Message): void {
    const text = message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
    const reasoning = message.blocks.flatMap((block) =>
      block.type === "reasoning" && block.text !== "" ? [block.text] : [],
    );
    const calls = toolCalls(message);
    const extra: Extra = {
      ...(message.interrupted ? { interrupted: true } : {}),
      ...(message.connection === undefined ? {} : { connection: message.connection }),
    };
    const step = this.#push(message, {
      source: "agent",
      ...(message.model === undefined ? {} : { model_name: message.model }),
      message: text.join("\n\n"),
      ...(reasoning.length > 0 ? { reasoning_content: reasoning.join("\n\n") } : {}),
      ...(calls.length > 0
        ? {
            tool_calls: calls.map(({ id, name, params, partial, malformed }) => ({
              tool_call_id: id,
              function_name: name,
              arguments: params,
              ...extraOf({
                ...(partial ? { cut_off: true } : {}),
                ...(malformed === undefined ? {} : { unreadable: malformed }),
              }),
            })),
          }
        : {}),
      ...(message.usage ? { metrics: metricsOf(message.usage) } : {}),
      llm_call_count: 1,
      ...extraOf(extra),
    });
    for (const { id } of calls) this.#callers.set(id, step);
  }

  #result(block: ToolResultBlock): void {
    const step = this.#callers.get(block.callId);
    // A result whose call is in no step cannot be referred to; sessions of other programs may have such results.
    if (!step) return;
    const parts = block.parts.map(
      (part): ContentPart =>
        part.type === "text" ? { type: "text", text: part.text } : this.#images.part(part),
    );
    const { exitCode, durationMs, comment, task } = block.shown ?? {};
    const child = task && this.#children.has(task.id) ? task.id : undefined;
    if (child !== undefined) this.#linked.add(child);
    this.#observe(step, {
      source_call_id: block.callId,
      content: contentOf(parts),
      ...(child === undefined
        ? {}
        : { subagent_trajectory_ref: [{ trajectory_id: child, session_id: child }] }),
      extra: {
        outcome: block.outcome,
        ...(exitCode === undefined ? {} : { exit_code: exitCode }),
        ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
        ...(comment === undefined ? {} : { user_comment: comment }),
      },
    });
  }

  #observe(step: AtifStep, result: AtifResult): void {
    step.observation ??= { results: [] };
    step.observation.results.push(result);
  }
}

/** Text alone is a string. */
function contentOf(parts: readonly ContentPart[]): Content {
  if (parts.some(({ type }) => type === "image")) return [...parts];
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n\n");
}

function extraOf(extra: Extra): { extra?: Extra } {
  return Object.keys(extra).length > 0 ? { extra } : {};
}

function metricsOf({ inputTokens, outputTokens, cachedTokens, cacheWriteTokens, cost }: Usage): AtifMetrics {
  return {
    prompt_tokens: Math.round(inputTokens),
    completion_tokens: Math.round(outputTokens),
    ...(cachedTokens === undefined ? {} : { cached_tokens: Math.round(cachedTokens) }),
    ...(cost === undefined ? {} : { cost_usd: cost }),
    ...(cacheWriteTokens === undefined ? {} : { extra: { cache_creation_input_tokens: cacheWriteTokens } }),
  };
}
