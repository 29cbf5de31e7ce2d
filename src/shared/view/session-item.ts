/** What a list of the project's tasks shows about one task. */
import { toolPresentationSchema } from "../tool-presentation.ts";
import * as z from "../zod.ts";

/**
 * In the order of urgency. approval, question: the task waits for the user. failed: it cannot continue without the user.
 * interrupted: it ended in the middle of a turn, because it was stopped or the program ended. done: its turn is over. queued: it
 * waits until another task is done. working: none of these.
 */
const sessionStateSchema = z.enum([
  "approval",
  "question",
  "failed",
  "interrupted",
  "done",
  "working",
  "queued",
]);
export type SessionState = z.infer<typeof sessionStateSchema>;

export const sessionItemSchema = z.object({
  id: z.string(),
  title: z.string(),
  state: sessionStateSchema,
  /** The call that waits for approval, unless a question of an MCP server waits. */
  call: z.optional(
    z.object({ tool: z.string(), subject: z.string(), face: z.optional(toolPresentationSchema) }),
  ),
});
export type SessionItem = z.infer<typeof sessionItemSchema>;

export const sessionProtocol = {
  /** Stops a task that works in the background. */
  "sessions/stop": { params: z.object({ id: z.string() }), result: z.object({}) },
  /**
   * Shows a session in an editor tab of its own. `elsewhere`: it was not opened, because another window is working on it, and the
   * user was informed.
   */
  "sessions/open-in-tab": {
    params: z.object({ id: z.string() }),
    result: z.object({ elsewhere: z.optional(z.boolean()) }),
  },
  /** Removes a task that is not working from the list. Messages that were left in its queue return to the composer. */
  "sessions/dismiss": { params: z.object({ id: z.string() }), result: z.object({}) },
} as const;

/** Sorts tasks by the order of the states, so that those that wait for the user come first. */
export function byState(some: Pick<SessionItem, "state">, other: Pick<SessionItem, "state">): number {
  const { options } = sessionStateSchema;
  return options.indexOf(some.state) - options.indexOf(other.state);
}

/** Whether a turn of the task is under way. */
export function isWorking({ state }: Pick<SessionItem, "state">): boolean {
  return state === "working" || state === "queued" || state === "approval";
}

/** Whether the task continues only when the user acts. */
export function needsUser({ state }: Pick<SessionItem, "state">): boolean {
  return state === "approval" || state === "question" || state === "failed" || state === "interrupted";
}
