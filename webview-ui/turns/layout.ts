/**
 * How a conversation's rows form turns. A turn is a user message and all that follows from it. When it is finished, its
 * work, which is everything between the message and the answer, folds into one line; within the work, successive calls of
 * one kind form a group, which folds into a line as well. Indices are those of `rowsOf`.
 */

import type { CheckpointView } from "../../src/shared/event.ts";
import { speaksToUser } from "../../src/shared/speaks-to-user.ts";
import {
  presentationOf,
  presentedTitle,
  type ToolPresentations,
  type WorkKind,
} from "../../src/shared/tool-presentation.ts";
import type { CallRow, ChatView, Row } from "../../src/shared/view/reducer.ts";

/**
 * The number of successful calls of each kind; for `read`, `edit` and `web`, the number of different files or pages. `failed`
 * also counts commands that ended with an error, `blocked` those that the sandbox blocked. `unchanged` counts edits whose file already had the new content.
 */
export type WorkCounts = Readonly<
  Partial<Record<WorkKind | "failed" | "blocked" | "rejected" | "unchanged" | "not-run", number>>
>;

/** The rows from `from` to before `to`, which one line can replace. */
export interface WorkFold {
  id: string;
  from: number;
  to: number;
  counts: WorkCounts;
  /** One of its calls is running. */
  isBusy?: boolean;
  /** From the user's message to the answer, without waiting for the user; only for the work of a turn. */
  seconds?: number;
}

export interface Turn {
  /** The id of its first row. */
  id: string;
  from: number;
  to: number;
  /** Absent while the turn runs, if it has no answer, or if there is too little to fold. */
  work?: WorkFold;
  groups: readonly WorkFold[];
  /** What the turn changed, shown after its end; absent while the turn runs. */
  changed?: CheckpointView;
  /** The user undid all of it. */
  isUndone?: true;
}

export interface Layout {
  turns: readonly Turn[];
}

/** Fewer rows are not folded, because the line would take as much space and contain less. */
const MIN_GROUP = 3;
const MIN_WORK = 2;

/**
 * How the layout treats a row. A call that is still running is `open` and keeps its own row, unless it only looks at the
 * project: then it is `busy` and may be grouped.
 */
type Part = "work" | "busy" | "open" | "thought" | "answer" | "other";

function partOf(row: Row, faces: ToolPresentations): Part {
  if (row.kind === "reasoning") return "thought";
  if (row.kind === "text") return "answer";
  // Of all other rows, only calls fold.
  if (row.kind !== "call") return "other";
  if (speaksToUser(faces, row.tool)) return "answer";
  if (row.state === "approval") return "open";
  if (row.state !== "streaming" && row.state !== "running") return "work";
  return groupKindOf(row, faces) === "search" && !row.form ? "busy" : "open";
}

/** The kind of a group that the call can be in: reading and searching are one kind, because they alternate. */
function groupKindOf(row: CallRow, faces: ToolPresentations): WorkKind {
  const kind = kindOf(row, faces);
  return kind === "read" ? "search" : kind;
}

const isGrouped = (part: Part | undefined) => part === "work" || part === "busy";

/** Rows with pictures are not grouped, because the user watches pictures while the agent works. */
const hasPictures = (row: CallRow) => row.shown?.pictures !== undefined;

function kindOf(row: CallRow, faces: ToolPresentations): WorkKind {
  const presentation = presentationOf(faces, row.tool);
  return presentation?.work ?? (presentation?.row === "command" ? "command" : "other");
}

interface CachedLayout {
  faces: ToolPresentations;
  turns: readonly Turn[];
  /** Where the last turn begins. */
  last: number;
  /**
   * The groups of the last turn that no further row can join, and the index at which the rows that may still be grouped
   * begin.
   */
  groups: readonly WorkFold[];
  open: number;
}

/** Cached by the array of settled rows. A delta does not replace that array, so it costs only the rows that it can affect. */
const settledParts = new WeakMap<readonly Row[], CachedLayout>();
let latest: { key: readonly unknown[]; layout: Layout } | undefined;

/** The same object while nothing changes that it depends on. */
export function layoutOf({ settled, live, faces, status }: ChatView): Layout {
  const key = [settled, live, faces, status === "idle"];
  if (latest?.key.every((part, index) => part === key[index])) return latest.layout;
  const { turns, last, groups, open } = settledPart(settled, faces);
  const layout = { turns: [...turns] };
  if (status !== "idle" && live.every(({ kind }) => kind !== "user")) {
    const rest = [...settled.slice(open), ...live];
    const id = (settled[last] ?? live[0])?.id;
    const to = settled.length + live.length;
    const added = groupsOf(rest, partsOf(rest, faces), faces).map((group) => moved(group, open));
    if (id !== undefined) layout.turns.push({ id, from: last, to, groups: [...groups, ...added] });
  } else {
    const rest = [...settled.slice(last), ...live];
    const later = splitTurns(rest).map(([from, to], index, all) => {
      const isRunning = index === all.length - 1 && status !== "idle";
      return turnOf(rest.slice(from, to), last + from, faces, isRunning);
    });
    layout.turns.push(...later);
  }
  latest = { key, layout };
  return layout;
}

function settledPart(settled: readonly Row[], faces: ToolPresentations): CachedLayout {
  const known = settledParts.get(settled);
  if (known?.faces === faces) return known;
  const starts = splitTurns(settled);
  const last = starts.at(-1)?.[0] ?? 0;
  const turns = starts.slice(0, -1).map(([from, to]) => turnOf(settled.slice(from, to), from, faces, false));
  const rows = settled.slice(last);
  const parts = partsOf(rows, faces);
  const open = last + runAtEnd(rows, parts, faces);
  const groups = groupsOf(rows, parts, faces)
    .map((group) => moved(group, last))
    .filter(({ from }) => from < open);
  const cached = { faces, turns, last, groups, open };
  settledParts.set(settled, cached);
  return cached;
}

/** Index of the first row of the run that the next row may join. */
function runAtEnd(rows: readonly Row[], parts: readonly Part[], faces: ToolPresentations): number {
  let first = rows.length;
  let kind: WorkKind | undefined;
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index];
    if (parts[index] === "thought") continue;
    if (row?.kind !== "call" || !isGrouped(parts[index]) || hasPictures(row)) break;
    const own = groupKindOf(row, faces);
    if (kind !== undefined && own !== kind) break;
    kind = own;
    first = index;
  }
  return first;
}

const partsOf = (rows: readonly Row[], faces: ToolPresentations) => rows.map((row) => partOf(row, faces));

/** Each turn's first index, and the index after its last. */
function splitTurns(rows: readonly Row[]): [from: number, to: number][] {
  const starts = rows.flatMap((row, index) => (row.kind === "user" && index > 0 ? [index] : []));
  if (rows.length > 0) starts.unshift(0);
  return starts.map((from, index) => [from, starts[index + 1] ?? rows.length]);
}

function turnOf(rows: readonly Row[], offset: number, faces: ToolPresentations, isRunning: boolean): Turn {
  const parts = partsOf(rows, faces);
  const turn = { id: rows[0]?.id ?? "", from: offset, to: offset + rows.length };
  const groups = groupsOf(rows, parts, faces).map((group) => moved(group, offset));
  if (isRunning) return { ...turn, groups };
  const work = workOf(rows, parts, faces);
  const mark = rows.find((row) => row.kind === "checkpoint" && row.checkpoint.kind === "message");
  return {
    ...turn,
    groups,
    ...(work ? { work: moved(work, offset) } : {}),
    ...(mark?.kind === "checkpoint" && mark.checkpoint.files > 0 ? { changed: mark.checkpoint } : {}),
    ...(mark?.kind === "checkpoint" && mark.checkpoint.undone ? { isUndone: true } : {}),
  };
}

const moved = (fold: WorkFold, by: number): WorkFold => ({ ...fold, from: fold.from + by, to: fold.to + by });

/** Everything from the first step to the last, if an answer follows. */
function workOf(
  rows: readonly Row[],
  parts: readonly Part[],
  faces: ToolPresentations,
): WorkFold | undefined {
  const first = parts.findIndex((part) => part !== "other");
  const last = parts.findLastIndex((part) => part === "work" || part === "thought");
  const to = last + 1;
  const isAnswered = parts.indexOf("answer", to) >= 0;
  if (
    last < 0 ||
    !isAnswered ||
    to - first < MIN_WORK ||
    parts.some((part) => part === "open" || part === "busy")
  )
    return undefined;
  const id = `turn:${rows[0]?.id ?? ""}`;
  const seconds = secondsOf(rows);
  const counts = countsOf(rows.slice(first, to), faces);
  return { id, from: first, to, counts, ...(seconds === undefined ? {} : { seconds }) };
}

function secondsOf(rows: readonly Row[]): number | undefined {
  const start = rows[0] && "at" in rows[0] ? rows[0].at : undefined;
  const end = rows.findLast((row) => "at" in row && row.at !== undefined);
  if (start === undefined || !end || !("at" in end) || end.at === undefined) return undefined;
  const waitedMs = rows.reduce((sum, row) => sum + ((row.kind === "call" && row.shown?.waitedMs) || 0), 0);
  const seconds = (Date.parse(end.at) - Date.parse(start) - waitedMs) / 1_000;
  return Number.isFinite(seconds) && seconds >= 1 ? seconds : undefined;
}

/** Runs of calls of one kind, completed or, if they only look at the project, running. Reasoning between two of them belongs to the run. */
function groupsOf(rows: readonly Row[], parts: readonly Part[], faces: ToolPresentations): WorkFold[] {
  const groups: WorkFold[] = [];
  let from = -1;
  let to = -1;
  let calls = 0;
  let kind: WorkKind | undefined;
  const close = () => {
    const first = rows[from];
    if (first && calls >= MIN_GROUP) {
      const counts = countsOf(rows.slice(from, to), faces);
      const isBusy = parts.slice(from, to).includes("busy");
      groups.push({ id: `group:${first.id}`, from, to, counts, ...(isBusy ? { isBusy } : {}) });
    }
    calls = 0;
    kind = undefined;
  };
  rows.forEach((row, index) => {
    if (parts[index] === "thought" && kind !== undefined) return;
    if (row.kind !== "call" || !isGrouped(parts[index]) || hasPictures(row)) {
      close();
      return;
    }
    const own = groupKindOf(row, faces);
    if (own !== kind) {
      close();
      kind = own;
      from = index;
    }
    calls += 1;
    to = index + 1;
  });
  close();
  return groups;
}

function countsOf(rows: readonly Row[], faces: ToolPresentations): WorkCounts {
  const counts: { -readonly [Kind in keyof WorkCounts]: number } = blockedIn(rows);
  const count = (kind: keyof WorkCounts) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  const known = new Set<string>();
  const failedEdits = new Set<string>();
  let uncounted = 0;
  for (const row of rows) {
    if (row.kind !== "call") continue;
    const { kind, name, isCounted } = workNamed(row, faces);
    const problem = problemOf(row);
    if (problem === "failed" && kind === "edit") failedEdits.add(name);
    else if (problem !== undefined) count(problem);
    if (row.state !== "done" && !(kind === "command" && wasStarted(row))) continue;
    if (row.shown?.note === "unchanged") count("unchanged");
    else if (!isCounted) uncounted += 1;
    else if (!OF_PLACES.has(kind) || !known.has(name)) {
      known.add(name);
      count(kind);
    }
  }
  // An edit that matched at a later attempt did not fail.
  for (const name of failedEdits) if (!known.has(name)) count("failed");
  return uncounted > 0 && Object.keys(counts).length === 0 ? { other: uncounted } : counts;
}

function blockedIn(rows: readonly Row[]): Pick<WorkCounts, "blocked"> {
  const blocked = rows.filter((row) => row.kind === "call" && row.shown?.sandbox?.block).length;
  return blocked === 0 ? {} : { blocked };
}

function workNamed(
  row: CallRow,
  faces: ToolPresentations,
): { kind: WorkKind; name: string; isCounted: boolean } {
  const kind = kindOf(row, faces);
  const presentation = presentationOf(faces, row.tool);
  if (!presentation) return { kind, name: `${kind} ${row.subject}`, isCounted: true };
  const [action = ""] = row.subject.split(" ", 1);
  const { subject } = presentedTitle(presentation, row.subject);
  return { kind, name: `${kind} ${subject}`, isCounted: presentation.counted?.includes(action) ?? true };
}

function problemOf({ state, shown }: CallRow): "failed" | "rejected" | "not-run" | undefined {
  const { exitCode = 0 } = shown ?? {};
  if (state === "rejected" || state === "not-run") return state;
  return state === "failed" || state === "interrupted" || (exitCode !== null && exitCode !== 0)
    ? "failed"
    : undefined;
}

/** Kinds of which the same file or page counts once. */
const OF_PLACES: ReadonlySet<WorkKind> = new Set(["read", "edit", "web"]);

/** Whether the command ran and ended with an error or was stopped. */
function wasStarted({ state, shown }: CallRow): boolean {
  if (state === "interrupted") return true;
  return state === "failed" && shown?.reason === undefined && shown?.note === undefined;
}

/** The folds that a row is in, outermost first. */
export function foldsAround(layout: Layout, index: number): WorkFold[] {
  const turn = turnAt(layout, index);
  if (!turn) return [];
  const { work, groups } = turn;
  return [...(work ? [work] : []), ...groups].filter(({ from, to }) => from <= index && index < to);
}

export function turnAt({ turns }: Layout, index: number): Turn | undefined {
  let low = 0;
  let high = turns.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((turns[middle]?.from ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  const turn = turns[low];
  return turn && turn.from <= index && index < turn.to ? turn : undefined;
}
