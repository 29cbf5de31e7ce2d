/** What the user has prepared in the card of a pending call. It is part of the answer, wherever the user answers. */
import * as z from "../zod.ts";

export const preparedAnswerSchema = z.object({
  comment: z.string(),
  /** Indexes of the hunks, or files of a patch of several, that are not to be written. */
  left: z.readonly(z.array(z.int().check(z.nonnegative()))),
});

export type PreparedAnswer = z.infer<typeof preparedAnswerSchema>;

/** The answer so far, as the host stores it and every card of the call shows it. */
export const answerDraftSchema = z.extend(preparedAnswerSchema, {
  /** The display paths of the files whose proposal the user edited in its diff. They are saved as the diff shows them. */
  edited: z.readonly(z.array(z.string())),
});

export type AnswerDraft = z.infer<typeof answerDraftSchema>;

export const UNPREPARED: AnswerDraft = { comment: "", left: [], edited: [] };
