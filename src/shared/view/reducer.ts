/**
 * The one reducer that turns events into the state that a panel shows. The host and the webview use this same function,
 * so a snapshot from one equals the state of the other. A delta changes only one live row, so its cost does not grow
 * with the transcript.
 */

import type { CheckpointView, EventBody } from "../event.ts";
import { type ToolPresentation, type ToolPresentations, withPresentation } from "../tool-presentation.ts";
import { type CallRow, type ChatView, emptyView, OUTPUT_TAIL, type Row, rowsOf } from "./chat-view.ts";
import { withStep } from "./child-task.ts";
import { applyComparison } from "./comparison-rows.ts";
import { applyMessage } from "./message-rows.ts";
import {
  findCall,
  finishCall,
  pushLive,
  replaceAt,
  settle,
  upsert,
  upsertCall,
  withoutRow,
} from "./row-updates.ts";

export {
  type CallRow,
  type CallState,
  type ChatView,
  type ComparisonRow,
  chatViewSchema,
  emptyView,
  OUTPUT_TAIL,
  type Row,
  rowsOf,
} from "./chat-view.ts";
export { blockNotice, shownPart } from "./message-rows.ts";

export function applyEvent(view: ChatView, event: EventBody): ChatView {
  switch (event.type) {
    case "session":
      return {
        ...emptyView,
        mode: view.mode,
        agent: view.agent,
        chosen: view.chosen,
        permission: view.permission,
        faces: view.faces,
        background: view.background,
        session: event.id === "" ? null : sessionOf(event),
      };
    case "begins-in-worktree":
      return { ...view, beginsInWorktree: event.on };
    case "plan":
      return { ...view, plan: event.plan };
    case "title":
      return view.session ? { ...view, session: { ...view.session, title: event.title } } : view;
    case "permission":
      return { ...view, permission: event.permission };
    case "request":
      return settle(view);
    case "earlier":
      return applyEarlier(withFaces(view, event.faces ?? {}), event);
    case "message":
      return applyMessage(view, event.message, event.subjects ?? {});
    case "delta":
      return appendText(view, `${event.messageId}:${event.block}`, event.kind, event.delta);
    case "call":
      return upsertCall(withFaces(view, named(event)), event.callId, (row) => ({
        ...row,
        tool: event.tool,
        subject: event.subject,
      }));
    case "call-text":
      return upsertCall(view, event.callId, (row) => ({ ...row, text: row.text + event.delta }));
    case "approval":
      return upsertCall(view, event.callId, ({ prepared: _, ...row }) => ({
        ...row,
        state: "approval",
        approval: event.approval,
      }));
    case "prepared":
      return upsertCall(view, event.callId, (row) => ({ ...row, prepared: event.prepared }));
    case "call-running":
      return upsertCall(view, event.callId, ({ waits: _, hidden: __, ...row }) => ({
        ...row,
        state: "running",
        ...(event.waits ? { waits: true } : {}),
        ...(event.hidden ? { hidden: true } : {}),
        ...(event.outside ? { outside: true } : {}),
        ...(event.sandbox ? { sandbox: event.sandbox } : {}),
      }));
    case "form":
      return upsertCall(view, event.callId, ({ form: _, ...row }) =>
        event.form ? { ...row, form: event.form } : row,
      );
    case "output":
      return upsertCall(view, event.callId, (row) => ({
        ...row,
        output: ((row.output ?? row.shown?.output ?? "") + event.delta).slice(-OUTPUT_TAIL),
      }));
    case "child":
      return applyChild(withFaces(view, event.step ? named({ ...event, ...event.step }) : {}), event);
    case "call-done":
      // A call of another task is shown here only while it waits for the user.
      if (findCall(view, event.callId)?.approval?.task) return withoutRow(view, event.callId);
      return upsertCall(view, event.callId, (row) => finishCall(row, event.outcome, event.shown));
    case "status": {
      const { retry: _, ...rest } = view;
      return event.retry === undefined
        ? { ...rest, status: event.status }
        : { ...rest, status: event.status, retry: event.retry };
    }
    case "totals":
      return { ...view, totals: event.totals };
    case "todo":
      return { ...view, todo: event.markdown };
    case "mode":
      return { ...view, mode: event.mode, agent: event.agent };
    case "model":
      return { ...view, chosen: event.chosen };
    case "background":
      return { ...view, background: event.commands };
    case "queue":
      return { ...view, queue: event.items };
    case "checkpoint":
      return applyCheckpoint(view, event.checkpoint);
    case "comparison":
    case "comparison-delta":
    case "comparison-done":
      return applyComparison(view, event);
    case "comparison-call":
      return applyComparison(withFaces(view, named(event)), event);
    case "error":
      return pushLive(withoutUnrun(view), { kind: "error", id: event.id, error: event.error });
    case "notice":
      return upsert(view, {
        kind: "notice",
        id: event.id,
        code: event.code,
        ...(event.values ? { values: event.values } : {}),
      });
  }
}

function sessionOf({
  id,
  title,
  worktree,
  isSubtask,
}: Extract<EventBody, { type: "session" }>): ChatView["session"] {
  return { id, title, ...(worktree ? { worktree } : {}), ...(isSubtask ? { isSubtask } : {}) };
}

const named = ({
  tool,
  face: presentation,
}: {
  tool: string;
  face?: ToolPresentation | undefined;
}): ToolPresentations => (presentation ? { [tool]: presentation } : {});

/** The answer failed, so its calls have not run. If the user retries, those that are complete run. */
function withoutUnrun(view: ChatView): ChatView {
  const isUnrun = (row: Row): row is CallRow => row.kind === "call" && row.state === "streaming";
  if (!view.live.some(isUnrun)) return view;
  const live = view.live.map((row): Row => (isUnrun(row) ? { ...row, state: "not-run" } : row));
  return { ...view, live };
}

function withFaces(view: ChatView, faces: ToolPresentations): ChatView {
  let known = view.faces;
  for (const [tool, presentation] of Object.entries(faces))
    known = withPresentation(known, tool, presentation);
  return known === view.faces ? view : { ...view, faces: known };
}

/** Adds messages that precede everything in the view, in order, with the tool presentations that are known now. */
function applyEarlier(
  view: ChatView,
  { messages, subjects, left }: Extract<EventBody, { type: "earlier" }>,
): ChatView {
  let folded: ChatView = { ...emptyView, faces: view.faces };
  for (const message of messages) {
    // Each answer was a step of its own.
    folded = applyMessage(message.role === "assistant" ? settle(folded) : folded, message, subjects);
  }
  if (view.settled.length + view.live.length === 0) {
    return { ...view, earlier: left, settled: folded.settled, live: folded.live };
  }
  const rows = rowsOf(folded);
  const prepended = view.prepended + rows.length;
  return { ...view, earlier: left, prepended, settled: [...rows, ...view.settled] };
}

function applyChild(view: ChatView, { callId, task, step }: Extract<EventBody, { type: "child" }>): ChatView {
  return upsertCall(view, callId, (row) => {
    const { steps = [], more = 0 } = row.task ?? row.shown?.task ?? {};
    const whole = { ...task, steps, more };
    return { ...row, task: step ? withStep(whole, step) : whole };
  });
}

function applyCheckpoint(view: ChatView, checkpoint: CheckpointView): ChatView {
  if (checkpoint.kind === "call") {
    const row = findCall(view, checkpoint.at);
    return row ? upsert(view, { ...row, checkpoint }) : view;
  }
  const row: Row = { kind: "checkpoint", id: `checkpoint:${checkpoint.id}`, checkpoint };
  if (rowsOf(view).some(({ id }) => id === row.id)) return upsert(view, row);
  // The checkpoint belongs to that row, however many rows follow it.
  const at = view.settled.findLastIndex(({ id }) => id === checkpoint.at);
  if (at < 0) {
    // Its row arrives with earlier messages, and the event is sent again then.
    const isHidden = view.earlier > 0 && !view.live.some(({ id }) => id === checkpoint.at);
    return isHidden ? view : upsert(view, row);
  }
  // A row inserted among the prepended rows counts as prepended, so that the rows after them keep their places.
  const prepended = at < view.prepended ? view.prepended + 1 : view.prepended;
  const settled = [...view.settled.slice(0, at + 1), row, ...view.settled.slice(at + 1)];
  return { ...view, prepended, settled };
}

function appendText(view: ChatView, id: string, kind: "text" | "reasoning", delta: string): ChatView {
  const index = view.live.findIndex((row) => row.id === id);
  const row = view.live[index];
  if (row && row.kind === kind) {
    return { ...view, live: replaceAt(view.live, index, { ...row, text: row.text + delta }) };
  }
  return pushLive(view, { kind, id, text: delta, streaming: true });
}
