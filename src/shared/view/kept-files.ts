/** What checkpoints back up before a command that is known to delete or overwrite data, and what they do not. */
import * as z from "zod";

/** What a command affects and checkpoints do not back up. */
export const notKeptSchema = z.object({
  /**
   * size: over the limit of one snapshot or one file. outside: not in the project. unreadable: no permission. unknown: what the
   * command changes is not known, so installed packages and the like are not backed up; without names.
   */
  why: z.enum(["size", "outside", "unreadable", "unknown"]),
  /** Files, or folders with all their contents. */
  count: z.number(),
  /** The first few names, relative to the project folder if they are in it. */
  names: z.array(z.string()),
});
export type NotKept = z.infer<typeof notKeptSchema>;

/** What was backed up before a command that is known to delete or overwrite data ran. */
export const keptViewSchema = z.object({
  files: z.number(),
  bytes: z.number(),
  notKept: z.array(notKeptSchema),
  /** Undo does not restore Git's own state. `head`: the position of the repository, such as `main 1a2b3c4`. */
  git: z.object({ head: z.string().optional() }).optional(),
});
export type KeptView = z.infer<typeof keptViewSchema>;
