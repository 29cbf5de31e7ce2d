/** What the screen "Performance and checks" shows: the parts that a task needs, and what was measured in this window. */
import * as z from "./zod.ts";

const healthCheckSchema = z.object({
  id: z.enum(["model", "connection", "sandbox", "git", "terminal", "servers"]),
  /** problem: something does not work. missing: it works without. */
  state: z.enum(["good", "problem", "missing"]),
  title: z.string(),
  text: z.string(),
});
export type HealthCheck = z.infer<typeof healthCheckSchema>;

export const healthReportSchema = z.object({
  checks: z.array(healthCheckSchema),
  /** Since the agent started. */
  minutes: z.number(),
  measurements: z.array(
    z.object({
      name: z.string(),
      now: z.string(),
      /** What the benchmarks hold it to; "": there is no budget. */
      budget: z.string(),
    }),
  ),
});
export type HealthReport = z.infer<typeof healthReportSchema>;
