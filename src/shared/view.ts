/**
 * What the panel shows, and the one reducer that makes it from events. The host and the webview fold with this same
 * function, so a snapshot of one is the state of the other.
 *
 * Rows of earlier steps are `settled`; those of the step in progress are `live`. A delta touches one live row only, so
 * its cost does not grow with the transcript.
 */
import * as z from "zod";
import {
  approvalViewSchema,
  type CheckpointView,
  checkpointViewSchema,
  errorViewSchema,
  noticeCodeSchema,
  queueItemSchema,
  statusSchema,
  type TaskEvent,
  totalsSchema,
} from "./event.ts";
import {
  type CallOutcome,
  type Message,
  modeSchema,
  shownResultSchema,
  type WindowBlock,
} from "./message.ts";

export const callStateSchema = z.enum([
  "streaming",
  "approval",
  "running",
  "done",
  "failed",
  "rejected",
  "interrupted",
  "not-run",
]);
export type CallState = z.infer<typeof callStateSchema>;

export const rowSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("user"), id: z.string(), text: z.string(), images: z.number().optional() }),
  z.object({ kind: z.literal("text"), id: z.string(), text: z.string(), streaming: z.boolean() }),
  z.object({ kind: z.literal("reasoning"), id: z.string(), text: z.string(), streaming: z.boolean() }),
  /** Any tool call. Its id is the call's. The webview shows it as `approval`, `command`, `result` or `tool`. */
  z.object({
    kind: z.literal("call"),
    id: z.string(),
    tool: z.string(),
    subject: z.string(),
    state: callStateSchema,
    /** Text that the call shows: a result, a plan, a question. */
    text: z.string(),
    options: z.array(z.string()).optional(),
    /** A command proposed with a completion; a proposal only. */
    proposal: z.string().optional(),
    approval: approvalViewSchema.optional(),
    /** Output so far, its tail. */
    output: z.string().optional(),
    shown: shownResultSchema.optional(),
    /** The files that it changed, to be looked at and taken back. */
    checkpoint: checkpointViewSchema.optional(),
  }),
  /** At a message of the person's, or a restore: a moment to go back to. */
  z.object({ kind: z.literal("checkpoint"), id: z.string(), checkpoint: checkpointViewSchema }),
  z.object({ kind: z.literal("error"), id: z.string(), error: errorViewSchema }),
  z.object({
    kind: z.literal("notice"),
    id: z.string(),
    code: noticeCodeSchema,
    values: z.array(z.string()).optional(),
    /** Markdown that can be shown under it: the summary of what was condensed. */
    detail: z.string().optional(),
  }),
]);
export type Row = z.infer<typeof rowSchema>;
export type CallRow = Extract<Row, { kind: "call" }>;

export const chatViewSchema = z.object({
  session: z.object({ id: z.string(), title: z.string() }).nullable(),
  settled: z.array(rowSchema).readonly(),
  live: z.array(rowSchema).readonly(),
  status: statusSchema,
  retryAt: z.string().optional(),
  mode: modeSchema,
  todo: z.string(),
  totals: totalsSchema,
  queue: z.array(queueItemSchema).readonly(),
});
export type ChatView = z.infer<typeof chatViewSchema>;

/** Characters of a command's output that a row keeps; the whole is in the session. */
export const outputTail = 20_000;

export const emptyView: ChatView = {
  session: null,
  settled: [],
  live: [],
  status: "idle",
  mode: "act",
  todo: "",
  totals: {
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    contextTokens: 0,
    contextWindow: 0,
  },
  queue: [],
};

/** Parameter of each talk tool that is shown as the row's own text. */
export const shownParam: Readonly<Record<string, string>> = {
  attempt_completion: "result",
  plan_mode_respond: "response",
  ask_followup_question: "question",
  new_task: "context",
  condense: "context",
};

export function rowsOf(view: ChatView): readonly Row[] {
  return view.live.length === 0 ? view.settled : [...view.settled, ...view.live];
}

export function applyEvent(view: ChatView, event: TaskEvent): ChatView {
  switch (event.type) {
    case "session":
      return {
        ...emptyView,
        mode: view.mode,
        session: event.id === "" ? null : { id: event.id, title: event.title },
      };
    case "request":
      return settle(view);
    case "message":
      return applyMessage(view, event.message, event.subjects ?? {});
    case "delta":
      return appendText(view, `${event.messageId}:${event.block}`, event.kind, event.delta);
    case "call":
      return upsertCall(view, event.callId, (row) => ({ ...row, tool: event.tool, subject: event.subject }));
    case "call-text":
      return upsertCall(view, event.callId, (row) => ({ ...row, text: row.text + event.delta }));
    case "approval":
      return upsertCall(view, event.callId, (row) => ({
        ...row,
        state: "approval",
        approval: event.approval,
      }));
    case "call-running":
      return upsertCall(view, event.callId, (row) => ({ ...row, state: "running" }));
    case "output":
      return upsertCall(view, event.callId, (row) => ({
        ...row,
        output: ((row.output ?? "") + event.delta).slice(-outputTail),
      }));
    case "call-done":
      return upsertCall(view, event.callId, (row) => finishCall(row, event.outcome, event.shown));
    case "status": {
      const { retryAt: _, ...rest } = view;
      return event.retryAt === undefined
        ? { ...rest, status: event.status }
        : { ...rest, status: event.status, retryAt: event.retryAt };
    }
    case "totals":
      return { ...view, totals: event.totals };
    case "todo":
      return { ...view, todo: event.markdown };
    case "mode":
      return { ...view, mode: event.mode };
    case "queue":
      return { ...view, queue: event.items };
    case "checkpoint":
      return applyCheckpoint(view, event.checkpoint);
    case "error":
      return pushLive(view, { kind: "error", id: event.id, error: event.error });
    case "notice":
      return pushLive(view, {
        kind: "notice",
        id: event.id,
        code: event.code,
        ...(event.values ? { values: event.values } : {}),
      });
  }
}

function settle(view: ChatView): ChatView {
  if (view.live.length === 0) return view;
  return { ...view, settled: [...view.settled, ...view.live], live: [] };
}

function pushLive(view: ChatView, row: Row): ChatView {
  return { ...view, live: [...view.live, row] };
}

function replaceAt(rows: readonly Row[], index: number, row: Row): readonly Row[] {
  const next = rows.slice();
  next[index] = row;
  return next;
}

/** Replaces the row of that id wherever it is, or appends it to the live ones. */
function upsert(view: ChatView, row: Row): ChatView {
  const live = view.live.findIndex((other) => other.id === row.id);
  if (live >= 0) return { ...view, live: replaceAt(view.live, live, row) };
  const settled = view.settled.findLastIndex((other) => other.id === row.id);
  if (settled >= 0) return { ...view, settled: replaceAt(view.settled, settled, row) };
  return pushLive(view, row);
}

function applyCheckpoint(view: ChatView, checkpoint: CheckpointView): ChatView {
  if (checkpoint.kind === "call") {
    const row = findCall(view, checkpoint.at);
    return row ? upsert(view, { ...row, checkpoint }) : view;
  }
  const row: Row = { kind: "checkpoint", id: `checkpoint:${checkpoint.id}`, checkpoint };
  if (rowsOf(view).some(({ id }) => id === row.id)) return upsert(view, row);
  // It belongs there, however much has been said since.
  const at = view.settled.findLastIndex(({ id }) => id === checkpoint.at);
  if (at < 0) return upsert(view, row);
  return { ...view, settled: [...view.settled.slice(0, at + 1), row, ...view.settled.slice(at + 1)] };
}

function appendText(view: ChatView, id: string, kind: "text" | "reasoning", delta: string): ChatView {
  const index = view.live.findIndex((row) => row.id === id);
  const row = view.live[index];
  if (row && row.kind === kind) {
    return { ...view, live: replaceAt(view.live, index, { ...row, text: row.text + delta }) };
  }
  return pushLive(view, { kind, id, text: delta, streaming: true });
}

function findCall(view: ChatView, callId: string): CallRow | undefined {
  const row =
    view.live.find((other) => other.id === callId) ?? view.settled.findLast((other) => other.id === callId);
  return row?.kind === "call" ? row : undefined;
}

function upsertCall(view: ChatView, callId: string, change: (row: CallRow) => CallRow): ChatView {
  const row = findCall(view, callId);
  return upsert(
    view,
    change(row ?? { kind: "call", id: callId, tool: "", subject: "", state: "streaming", text: "" }),
  );
}

function finishCall(row: CallRow, outcome: CallOutcome, shown?: CallRow["shown"]): CallRow {
  const { approval: _, ...rest } = row;
  return { ...rest, state: outcome, ...(shown ? { shown } : {}) };
}

function applyMessage(view: ChatView, message: Message, subjects: Record<string, string>): ChatView {
  if (message.role === "user") {
    const next = settle(view);
    const rows: Row[] = [];
    const images = message.blocks.filter((block) => block.type === "image").length;
    if (message.display !== undefined) {
      rows.push({ kind: "user", id: message.id, text: message.display, ...(images > 0 ? { images } : {}) });
    }
    message.blocks.forEach((block, index) => {
      if (block.type === "window") rows.push({ id: `${message.id}:${index}`, ...windowNotice(block) });
    });
    return rows.length === 0 ? next : { ...next, settled: [...next.settled, ...rows] };
  }
  if (message.role === "assistant") return applyAssistant(view, message, subjects);
  let next = view;
  for (const block of message.blocks) {
    if (block.type !== "tool-result") continue;
    const { outcome, shown } = block;
    next = upsertCall(next, block.callId, (row) => ({
      ...finishCall(row, outcome, shown),
      ...(row.tool === "" ? { tool: block.name } : {}),
    }));
  }
  if (message.display !== undefined && message.display !== "") {
    next = upsert(next, { kind: "user", id: message.id, text: message.display });
  }
  return next;
}

/** What a step that made room did, in the form that every host shows. */
export function windowNotice(block: WindowBlock): Omit<Extract<Row, { kind: "notice" }>, "id"> {
  const { leftOut, shortened } = block;
  if (!leftOut) return { kind: "notice", code: "context-shortened", values: [String(shortened.length)] };
  const values = [String(leftOut.count)];
  return leftOut.summary === undefined
    ? { kind: "notice", code: "context-pruned", values }
    : { kind: "notice", code: "condensed", values, detail: leftOut.summary };
}

function applyAssistant(view: ChatView, message: Message, subjects: Record<string, string>): ChatView {
  let next = view;
  message.blocks.forEach((block, index) => {
    if (block.type === "text" || block.type === "reasoning") {
      if (block.text.trim() === "") return;
      const id = `${message.id}:${index}`;
      next = upsert(next, { kind: block.type, id, text: block.text, streaming: false });
    } else if (block.type === "tool-call") {
      next = upsertCall(next, block.id, (row) => ({
        ...row,
        tool: block.name,
        subject: subjects[block.id] ?? row.subject,
        state: block.partial ? "not-run" : row.state,
        text: textOf(block.params[shownParam[block.name] ?? ""]) ?? row.text,
        ...callExtras(block.params),
      }));
    }
  });
  return next;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Options of a question come as a JSON array, natively or as text; a completion may propose a command. */
function callExtras(params: Record<string, unknown>): Pick<CallRow, "options" | "proposal"> {
  const extras: Pick<CallRow, "options" | "proposal"> = {};
  const options = optionsOf(params.options);
  if (options.length > 0) extras.options = options;
  if (typeof params.result === "string" && typeof params.command === "string") {
    extras.proposal = params.command;
  }
  return extras;
}

/** Reads options as models write them: a JSON array of strings, or one a line. */
export function optionsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === "string");
  if (typeof value !== "string" || value.trim() === "") return [];
  try {
    return optionsOf(z.array(z.unknown()).parse(JSON.parse(value)));
  } catch {
    // Not JSON: one option a line is the other form that models use.
    return value
      .split("\n")
      .map((line) => line.replace(/^\s*(?:[-*]|\d+[.)])\s+/, "").trim())
      .filter((line) => line !== "");
  }
}
