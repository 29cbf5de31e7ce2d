/** A command that a call moved to the background. */
import * as z from "zod";

export const backgroundCommandSchema = z.object({
  /** The id that the model's tools use for it. */
  id: z.string(),
  callId: z.string(),
  /** The session of the call. */
  session: z.string(),
  command: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  /** Absent while it runs. */
  ended: z
    .object({
      exitCode: z.number().nullable(),
      durationMs: z.number(),
      stoppedByUser: z.boolean().optional(),
    })
    .optional(),
});
export type BackgroundCommand = z.infer<typeof backgroundCommandSchema>;
