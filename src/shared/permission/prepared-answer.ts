/** What the user has prepared in the card of a call that waits: the decision takes it, wherever it is made. */
import * as z from "zod";

export const preparedAnswerSchema = z.object({
  comment: z.string(),
  /** Indexes of the hunks, or files of a patch of several, that are not to be written. */
  left: z.array(z.number().int().nonnegative()).readonly(),
});

export type PreparedAnswer = z.infer<typeof preparedAnswerSchema>;

/** What the host keeps of it, which every card of the call shows. */
export const keptAnswerSchema = preparedAnswerSchema.extend({
  /** The display paths of the files whose proposal the user edited in its diff. They are saved as the diff shows them. */
  edited: z.array(z.string()).readonly(),
});

export type KeptAnswer = z.infer<typeof keptAnswerSchema>;

export const UNPREPARED: KeptAnswer = { comment: "", left: [], edited: [] };
