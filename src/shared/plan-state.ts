/** What a panel shows of a session's newest plan besides its text. */
import * as z from "./zod.ts";

export const planStateSchema = z.object({
  /** The call that presented it. */
  callId: z.string(),
  /** The user changed its text. */
  isEdited: z.boolean(),
  /** How many comments of the user's wait to be sent. */
  comments: z.number(),
});
export type PlanState = z.infer<typeof planStateSchema>;
