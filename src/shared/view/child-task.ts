/**
 * What the row of a call shows about the subtask that the call started. The subtask is a session of its own, of which the row
 * shows only the steps.
 */
import * as z from "../zod.ts";

/** The states of a call, from its first character to its result. */
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

/** A call that the task made. */
export const childStepSchema = z.object({
  id: z.string(),
  tool: z.string(),
  subject: z.string(),
  state: callStateSchema,
});
export type ChildStep = z.infer<typeof childStepSchema>;

export const childTaskSchema = z.object({
  /** The id of its session. */
  id: z.string(),
  title: z.string(),
  kind: z.enum(["explore", "work"]),
  /**
   * queued: it waits until another task is done. held: it was restored after a restart, and sends nothing before the user
   * decides. approval: one of its calls waits for the user.
   */
  state: z.enum([
    "queued",
    "working",
    "approval",
    "held",
    "done",
    "stopped",
    "limit",
    "failed",
    "interrupted",
  ]),
  requests: z.number(),
  /** USD; absent: not known. */
  cost: z.optional(z.number()),
  /** The newest calls, the last one last. */
  steps: z.readonly(z.array(childStepSchema)),
  /** The number of calls before these. */
  more: z.number(),
  /** The branch with its changes, if they were not applied. */
  branch: z.optional(z.string()),
});
export type ChildTask = z.infer<typeof childTaskSchema>;

/** The number of calls that a row lists. */
const MOST_STEPS = 30;

/** Adds a call, or replaces it where it is. */
export function withStep(task: ChildTask, step: ChildStep): ChildTask {
  const index = task.steps.findIndex(({ id }) => id === step.id);
  if (index >= 0) return { ...task, steps: task.steps.map((each, at) => (at === index ? step : each)) };
  const all = [...task.steps, step];
  const steps = all.slice(-MOST_STEPS);
  return { ...task, steps, more: task.more + all.length - steps.length };
}

/** Whether the task continues by itself, or once the user has decided. */
export function isUnderWay({ state }: Pick<ChildTask, "state">): boolean {
  return state === "queued" || state === "working" || waitsForUser({ state });
}

/** Whether the task waits for a decision of the user. */
export function waitsForUser({ state }: Pick<ChildTask, "state">): boolean {
  return state === "approval" || state === "held";
}
