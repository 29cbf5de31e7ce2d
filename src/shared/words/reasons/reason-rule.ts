/** The shape of the table of reasons. */
import * as z from "zod";
import type { Translate } from "../task-words.ts";

/** Why something runs, asks or is refused. `code` is stable, in kebab case; what `values` are is up to the code. */
export const reasonSchema = z.object({ code: z.string(), values: z.array(z.string()) });
export type Reason = z.infer<typeof reasonSchema>;

/** One row of the table. */
export interface ReasonRule {
  code: string;
  /** The judges' phrases that mean it; their groups are the values. */
  phrases: readonly RegExp[];
  /** A clause without a final full stop, in the user's language. */
  words(t: Translate, first: string, second: string): string;
}
