/** The states of a call, from its first character to its result. */
import * as z from "zod";

export const callStateSchema = z.enum([
  "streaming",
  "approval",
  "running",
  "done",
  "failed",
  "rejected",
  "interrupted",
  "not-run",
]);
export type CallState = z.infer<typeof callStateSchema>;
