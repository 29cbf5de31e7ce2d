/**
 * The records of changes: the state of every file before and after each change. A session's records are lines of JSON
 * in an append-only file. Unreadable lines are skipped.
 */
import { keptViewSchema } from "../../shared/event.ts";
import * as z from "../../shared/zod.ts";
import { isInlineLine } from "./inline-contents.ts";

/**
 * The state of a path. null: it does not exist. large, other: its content is not stored (see the `FileStates` port).
 * `hash` is the SHA-256 of the content, under which it is stored; for a folder, that of empty content.
 */
export const fileStateSchema = z.union([
  z.null(),
  z.enum(["large", "other"]),
  z.object({
    kind: z.enum(["file", "executable", "link", "directory"]),
    hash: z.string(),
    size: z.number(),
    /** Permission bits, if they were read. */
    mode: z.optional(z.number()),
  }),
]);
export type FileState = z.infer<typeof fileStateSchema>;

/** For a change in progress, `after` is the intended state, if known. */
const fileChangeSchema = z.object({
  /** Absolute, with the links in its folder resolved. */
  path: z.string(),
  before: fileStateSchema,
  after: z.optional(fileStateSchema),
  /** The outermost folder that did not exist before. */
  made: z.optional(z.string()),
  /** `after` also contains changes by someone else. */
  mixed: z.optional(z.boolean()),
  /** For the undo of a part of a turn's change: what the turn would have left without the parts that were undone. */
  rest: z.optional(fileStateSchema),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

const uncoveredSchema = z.enum(["no-repository", "no-git", "too-many", "failed", "some-folders"]);
export type Uncovered = z.infer<typeof uncoveredSchema>;

/** The file with the states of everything that a command may destroy, stored until the command's changes are known. */
const manifestSchema = z.object({ hash: z.string(), size: z.number() });

const keptSchema = z.extend(keptViewSchema, { manifest: manifestSchema });
export type BackupRecord = z.infer<typeof keptSchema>;

const changeKindSchema = z.enum(["edit", "command", "background", "restore", "undo"]);
const stamp = { id: z.string(), at: z.string() };

const recordSchema = z.discriminatedUnion("t", [
  /** A user message: its id. */
  z.object({ t: z.literal("mark"), ...stamp }),
  /** The user keeps what the turn of a user message changed: its id. */
  z.object({ t: z.literal("keep"), ...stamp }),
  /**
   * On disk before anything changes. For an edit or a command, the id is that of its call. background: changes made
   * while a command ran in the background, by the command or by the user; these files have no `after`.
   */
  z.object({
    t: z.literal("begin"),
    ...stamp,
    kind: changeKindSchema,
    /** The row that shows the change: for an edit or a command, that of its call. */
    place: z.string(),
    files: z.array(fileChangeSchema),
    /** For an undo: the call that is reverted, or the turn (`turnUndo`, `partUndo`). */
    undoes: z.optional(z.string()),
    /** For a restore: the message or change whose previous state is restored. */
    to: z.optional(z.string()),
    /** For a command that is known to destroy files: what was backed up before it ran. */
    kept: z.optional(keptSchema),
  }),
  z.object({
    t: z.literal("end"),
    ...stamp,
    files: z.array(fileChangeSchema),
    /** Number of files that changed, or may have changed, and are not stored. */
    left: z.optional(z.number()),
    /** Why the changes of a command are unknown. */
    uncovered: z.optional(uncoveredSchema),
  }),
]);
export type CheckpointRecord = z.infer<typeof recordSchema>;

export function encodeRecord(record: CheckpointRecord): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(record)}\n`);
}

export function decodeRecords(bytes: Uint8Array): CheckpointRecord[] {
  const records: CheckpointRecord[] = [];
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    const record = decodeLine(line);
    if (record) records.push(record);
  }
  return records;
}

/** undefined: the line is a content, torn by a crash, or from a later version. */
function decodeLine(line: string): CheckpointRecord | undefined {
  if (line === "" || isInlineLine(line)) return undefined;
  try {
    return recordSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Returns the readable lines before the mark of that user message; all of them if there is no such mark. */
export function linesBefore(bytes: Uint8Array, mark: string): string {
  let lines = "";
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    const record = decodeLine(line);
    if (record?.t === "mark" && record.id === mark) break;
    if (record || isInlineLine(line)) lines += `${line}\n`;
  }
  return lines;
}

export function sameState(a: FileState | undefined, b: FileState | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) {
    // Two large files cannot be compared.
    return a === null && b === null;
  }
  const sameMode = a.mode === undefined || b.mode === undefined || a.mode === b.mode;
  return a.hash === b.hash && a.kind === b.kind && sameMode;
}

export function isFolderState(state: FileState | undefined): boolean {
  return typeof state === "object" && state?.kind === "directory";
}

/** Yields the contents that a record refers to. */
export function* recordedContents(record: CheckpointRecord): Generator<{ hash: string; size: number }> {
  if (record.t === "mark" || record.t === "keep") return;
  for (const { before, after, rest } of record.files) {
    for (const state of [before, after, rest]) {
      if (typeof state === "object" && state !== null) yield state;
    }
  }
}
