/**
 * What is written down of each change: the state of every file before it and after it. A session's records are lines of
 * JSON in a file that only grows; a line that cannot be read is passed over.
 */
import * as z from "zod";
import { keptViewSchema } from "../../shared/event.ts";

/**
 * What stood at a path. null: nothing. large, other: something that is not kept (see the `FileStates` port). `hash` is the
 * SHA-256 of the content, under which it is kept; of a folder, that of nothing.
 */
export const fileStateSchema = z.union([
  z.null(),
  z.enum(["large", "other"]),
  z.object({
    kind: z.enum(["file", "executable", "link", "directory"]),
    hash: z.string(),
    size: z.number(),
    /** Permission bits, where they were looked at. */
    mode: z.number().optional(),
  }),
]);
export type FileState = z.infer<typeof fileStateSchema>;

/** Of a change under way, `after` is what is intended, where that is known. */
const fileChangeSchema = z.object({
  /** Absolute, links of its folder resolved. */
  path: z.string(),
  before: fileStateSchema,
  after: fileStateSchema.optional(),
  /** The outermost folder that was not there before either. */
  made: z.string().optional(),
  /** `after` holds what somebody else wrote, too. */
  mixed: z.boolean().optional(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

export const uncoveredSchema = z.enum(["no-repository", "no-git", "too-many", "failed", "some-folders"]);
export type Uncovered = z.infer<typeof uncoveredSchema>;

/** Where the states of all that a command may destroy are kept until it is known what it did. */
const manifestSchema = z.object({ hash: z.string(), size: z.number() });

const keptSchema = keptViewSchema.extend({ manifest: manifestSchema });
export type Kept = z.infer<typeof keptSchema>;

const changeKindSchema = z.enum(["edit", "command", "background", "restore", "undo"]);
const stamp = { id: z.string(), at: z.string() };

export const recordSchema = z.discriminatedUnion("t", [
  /** A message of the person's: its id. */
  z.object({ t: z.literal("mark"), ...stamp }),
  /**
   * On disk before anything changes. The id of an edit or a command is its call's. background: what changed while a
   * command went on in the background, by it or by the person; its files have no `after`.
   */
  z.object({
    t: z.literal("begin"),
    ...stamp,
    kind: changeKindSchema,
    /** The row under which it is shown: of an edit or a command its call's. */
    place: z.string(),
    files: z.array(fileChangeSchema),
    /** Of an undo: the call that is taken back. */
    undoes: z.string().optional(),
    /** Of a restore: the message or the change before which everything is again. */
    to: z.string().optional(),
    /** Of a command that is known to destroy: what was kept before it ran. */
    kept: keptSchema.optional(),
  }),
  z.object({
    t: z.literal("end"),
    ...stamp,
    files: z.array(fileChangeSchema),
    /** Files that changed, or may have, and are not kept. */
    left: z.number().optional(),
    /** Why changes of a command are not known. */
    uncovered: uncoveredSchema.optional(),
  }),
]);
export type CheckpointRecord = z.infer<typeof recordSchema>;

export function encodeRecord(record: CheckpointRecord): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(record)}\n`);
}

export function decodeRecords(bytes: Uint8Array): CheckpointRecord[] {
  const records: CheckpointRecord[] = [];
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    if (line === "") continue;
    try {
      records.push(recordSchema.parse(JSON.parse(line)));
    } catch {
      // Torn by a crash, or of a later version.
    }
  }
  return records;
}

export function sameState(a: FileState | undefined, b: FileState | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) {
    // Of two large files nobody knows whether they are the same.
    return a === null && b === null;
  }
  const sameMode = a.mode === undefined || b.mode === undefined || a.mode === b.mode;
  return a.hash === b.hash && a.kind === b.kind && sameMode;
}

export function isFolder(state: FileState | undefined): boolean {
  return typeof state === "object" && state?.kind === "directory";
}

/** Hashes of the contents that a record refers to. */
export function* contentsOf(record: CheckpointRecord): Generator<{ hash: string; size: number }> {
  if (record.t === "mark") return;
  for (const { before, after } of record.files) {
    for (const state of [before, after]) {
      if (typeof state === "object" && state !== null) yield state;
    }
  }
}
