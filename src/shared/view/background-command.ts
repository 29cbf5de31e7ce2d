/** A command that a call moved to the background. */
import * as z from "../zod.ts";

export const backgroundCommandSchema = z.object({
  /** The id that the model's tools use for it. */
  id: z.string(),
  callId: z.string(),
  /** The session of the call. */
  session: z.string(),
  command: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  /** It waits for what the user types; `hidden`: for a secret, or for what its terminal hides. */
  waits: z.optional(z.boolean()),
  hidden: z.optional(z.boolean()),
  /** Absent while it runs. */
  ended: z.optional(
    z.object({
      exitCode: z.nullable(z.number()),
      durationMs: z.number(),
      stoppedByUser: z.optional(z.boolean()),
    }),
  ),
});
export type BackgroundCommand = z.infer<typeof backgroundCommandSchema>;
