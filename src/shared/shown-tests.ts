/** What the row of a run of tests shows beside its failures, which are among the hits. */
import * as z from "./zod.ts";

export const shownTestsSchema = z.union([
  /** The editor ran those in this file or folder. `notRun`: tests without a result. */
  z.object({
    path: z.string(),
    ...{ passed: z.number(), failed: z.number(), skipped: z.number(), notRun: z.number() },
  }),
  /** This command ran them. */
  z.object({ command: z.string() }),
]);
export type ShownTests = z.infer<typeof shownTestsSchema>;
