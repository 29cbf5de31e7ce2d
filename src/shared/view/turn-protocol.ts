/** Requests about what a turn changed; `id` is that of the user message that began it. */
import * as z from "../zod.ts";

const turnFileSchema = z.object({
  /** As the user knows it: relative to its root folder. */
  path: z.string(),
  kind: z.enum(["add", "update", "delete"]),
  /** Numbers of lines; absent if the content is not text or was not stored. */
  added: z.optional(z.number()),
  removed: z.optional(z.number()),
  /** The file is back in its state from before the turn. */
  undone: z.boolean(),
});
export type TurnFile = z.infer<typeof turnFileSchema>;

const nothing = z.object({});

export const turnProtocol = {
  /** The files that the turn changed, sorted by path; `more`: the number of further ones. */
  "turn/files": {
    params: z.object({ id: z.string() }),
    result: z.object({ files: z.array(turnFileSchema), more: z.number() }),
  },
  /** Opens what the turn changed in the editor, in all files or in one. */
  "turn/review": { params: z.object({ id: z.string(), path: z.optional(z.string()) }), result: nothing },
  /**
   * Asks the model for a commit message in a request that is not part of the conversation, and passes the answer to VS Code's
   * Git extension.
   */
  "turn/commit-message": { params: z.object({ id: z.string() }), result: nothing },
  /** Keeps what the turn changed, so that its list stays closed; a later undo is still possible. */
  "turn/keep": { params: z.object({ id: z.string() }), result: nothing },
  /** Undoes what the turn changed, in all files or in one, and leaves what changed since. */
  "turn/undo": { params: z.object({ id: z.string(), path: z.optional(z.string()) }), result: nothing },
} as const;
