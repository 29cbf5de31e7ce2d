/** Combines the answers of several models to one message into one row. */
import type { EventBody } from "../event.ts";
import type { Block } from "../message.ts";
import type { ChatView, ComparisonRow } from "./chat-view.ts";
import { pushLive, upsert } from "./row-updates.ts";

type ComparisonEvent = Extract<EventBody, { type: `comparison${string}` }>;

export function applyComparison(view: ChatView, event: ComparisonEvent): ChatView {
  if (event.type === "comparison") {
    const answers = event.names.map((name) => ({ name, text: "" }));
    return pushLive(view, { kind: "comparison", id: event.id, answers });
  }
  const { id, index } = event;
  return changeRow(view, id, (row) => {
    const before = row.answers[index];
    if (!before) return row;
    const answers = row.answers.slice();
    answers[index] = changed(before, event);
    return { ...row, answers };
  });
}

function changed(
  answer: ComparisonRow["answers"][number],
  event: Exclude<ComparisonEvent, { type: "comparison" }>,
): ComparisonRow["answers"][number] {
  switch (event.type) {
    case "comparison-delta": {
      const { call: _, ...rest } = answer;
      return { ...rest, text: answer.text + event.delta };
    }
    case "comparison-call":
      return { ...answer, call: { tool: event.tool, subject: event.subject } };
    case "comparison-done":
      return event.answer;
  }
}

/** The row of stored answers; the same as that of their events. */
export function comparisonRow(id: string, { answers }: Extract<Block, { type: "answers" }>): ComparisonRow {
  return {
    kind: "comparison",
    id,
    answers: answers.map(({ messages: _, ...answer }) => answer),
  };
}

/** Marks the answer that the conversation continues with. */
export function applyChosen(
  view: ChatView,
  { comparison, index }: Extract<Block, { type: "chosen" }>,
): ChatView {
  return changeRow(view, comparison, (row) => ({ ...row, chosen: index }));
}

function changeRow(view: ChatView, id: string, change: (row: ComparisonRow) => ComparisonRow): ChatView {
  const row = view.live.find((each) => each.id === id) ?? view.settled.findLast((each) => each.id === id);
  return row?.kind === "comparison" ? upsert(view, change(row)) : view;
}
