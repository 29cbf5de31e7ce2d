/** What a panel asks the host to do with a plan: the request `plans/ask`. */
import * as z from "./zod.ts";

export const planActionSchema = z.discriminatedUnion("action", [
  /** Opens the plan in an editor. */
  z.object({ action: z.literal("open"), callId: z.string() }),
  /** Sends the user's comments on the newest plan. */
  z.object({ action: z.literal("send-comments") }),
]);
export type PlanAction = z.infer<typeof planActionSchema>;
