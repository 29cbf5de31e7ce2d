/** The notes in the memory of a project, as hosts list them. The model wrote most of them, so they are shown as plain text. */
import * as z from "./zod.ts";

export const memoryNoteSchema = z.object({
  /** Depends on the topic and the text alone. */
  id: z.string(),
  topic: z.exactOptional(z.string()),
  text: z.string(),
  /** When it was written (ISO 8601), in which session, and by which message. Absent: the user wrote it into the file. */
  date: z.exactOptional(z.string()),
  session: z.exactOptional(z.string()),
  message: z.exactOptional(z.string()),
});
export type MemoryNote = z.infer<typeof memoryNoteSchema>;

/** Why the model does not get a note. hidden: it contains characters that users cannot see. */
const noteProblemSchema = z.enum(["hidden", "too-long"]);
export type NoteProblem = z.infer<typeof noteProblemSchema>;

const listedNoteSchema = z.extend(memoryNoteSchema, {
  problem: z.exactOptional(noteProblemSchema),
  /** The title of its session; absent: this project has no such session. */
  title: z.exactOptional(z.string()),
});
export type ListedNote = z.infer<typeof listedNoteSchema>;

/** Why the file is not used. unreadable: it is not text in UTF-8, or cannot be opened. */
export const memoryProblemSchema = z.enum(["unreadable", "too-large"]);
export type MemoryProblem = z.infer<typeof memoryProblemSchema>;

export const memoryListSchema = z.object({
  notes: z.array(listedNoteSchema),
  /** Absolute path; "": there is no project, so nothing is remembered. */
  file: z.string(),
  problem: z.exactOptional(memoryProblemSchema),
  /** The setting. */
  on: z.boolean(),
});
export type MemoryList = z.infer<typeof memoryListSchema>;

/** What a write changed, so that it can be undone. */
export const memoryChangeSchema = z.object({
  /** The id of the note that was written; absent: the write only removed one. */
  id: z.exactOptional(z.string()),
  /** The note that was removed or replaced. */
  before: z.exactOptional(memoryNoteSchema),
});
export type MemoryChange = z.infer<typeof memoryChangeSchema>;

export const memoryActionSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("remove"), id: z.string() }),
  z.object({ action: z.literal("clear") }),
  z.object({ action: z.literal("undo"), change: memoryChangeSchema }),
  /** Opens the file in an editor. */
  z.object({ action: z.literal("open") }),
]);
export type MemoryAction = z.infer<typeof memoryActionSchema>;

/** Whether a change is in effect, as far as the notes show. */
export function isInEffect({ id, before }: MemoryChange, notes: readonly Pick<MemoryNote, "id">[]): boolean {
  const has = (wanted: string) => notes.some((note) => note.id === wanted);
  return id === undefined ? before !== undefined && !has(before.id) : has(id);
}
