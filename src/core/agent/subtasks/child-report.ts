/** Reads the result and the state of a subtask from its transcript. */
import { type Message, toolCalls } from "../../../shared/message.ts";
import { type ChildTask, withStep } from "../../../shared/view/child-task.ts";
import type { RunEnd } from "../../loop/loop.ts";
import type { StoredSession } from "../../sessions/session-store.ts";
import type { ToolSet } from "../../tools/set/tool-set.ts";

/** The result that it delivered, or else the last text that it wrote. */
export function lastWords(messages: readonly Message[], registry: ToolSet): string {
  const last = messages.findLast(({ role }) => role === "assistant");
  for (const call of toolCalls(last)) {
    const tool = registry.find(call.name);
    const text = call.params[tool?.presentation.shows?.text ?? ""];
    if (tool?.turnEnd !== undefined && typeof text === "string") return text;
  }
  const texts = messages.flatMap(({ role, blocks }) =>
    role === "assistant" ? blocks.flatMap((block) => (block.type === "text" ? block.text.trim() : [])) : [],
  );
  return texts.findLast((text) => text !== "") ?? "";
}

export function stateAfter({ type }: RunEnd): ChildTask["state"] {
  switch (type) {
    case "stopped":
    case "limit":
    case "failed":
      return type;
    case "completed":
    case "asked":
    case "planned":
    case "replied":
    case "handed-over":
      return "done";
  }
}

/** A stored subtask that is not open, as rows show it. */
export function storedChild(
  { summary, messages, totals, worktree }: StoredSession,
  registry: ToolSet,
): ChildTask {
  const results = new Map(
    messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) =>
        block.type === "tool-result" ? [[block.callId, block.outcome] as const] : [],
      ),
    ),
  );
  const empty: ChildTask = {
    id: summary.id,
    title: summary.title,
    kind: worktree ? "work" : "explore",
    state: "interrupted",
    requests: totals.requests,
    ...(totals.cost === undefined ? {} : { cost: totals.cost }),
    steps: [],
    more: 0,
    ...(worktree && worktree !== "unreadable" ? { branch: worktree.branch } : {}),
  };
  return messages
    .flatMap(toolCalls)
    .filter((call) => registry.find(call.name)?.turnEnd === undefined)
    .reduce(
      (task, call) =>
        withStep(task, {
          id: call.id,
          tool: registry.find(call.name)?.name ?? call.name,
          subject: registry.subject(call),
          state: results.get(call.id) ?? "interrupted",
        }),
      empty,
    );
}
