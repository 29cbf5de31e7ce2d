/** What the user has prepared in the card of a call that waits: the decision takes it, wherever it is made. */
import * as z from "zod";

export const preparedAnswerSchema = z.object({
  comment: z.string(),
  /** Indexes of the hunks, or files of a patch of several, that are not to be written. */
  left: z.array(z.number().int().nonnegative()).readonly(),
});

export type PreparedAnswer = z.infer<typeof preparedAnswerSchema>;
