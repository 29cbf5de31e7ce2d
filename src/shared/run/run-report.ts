/**
 * The lines that `nekode --json` writes beside a task's events: the first one, those of a long wait, and the last one, which reports
 * the run as a whole.
 * `docs/json-events.schema.json` is made from these schemas.
 */
import { taskEventSchema } from "../event.ts";
import * as z from "../zod.ts";

/** Incremented when programs that read the lines must change. New fields and new types of events do not increment it. */
export const JSON_VERSION = 1;

const startSchema = z.object({
  type: z.literal("start"),
  version: z.literal(JSON_VERSION),
  /** Version of the program. */
  nekode: z.string(),
  /** The project folder. */
  cwd: z.string(),
});

/** The model has not answered for this number of seconds. Written every minute. */
const waitSchema = z.object({
  type: z.literal("wait"),
  session: z.string(),
  seconds: z.number(),
});
export type WaitLine = z.infer<typeof waitSchema>;

/**
 * How the run ended. limit: of requests, cost or time. needs-approval: an approval or an answer was required, and nobody could be
 * asked. stopped: by a signal.
 */
const runStatusSchema = z.enum(["done", "failed", "limit", "needs-approval", "stopped"]);
export type RunStatus = z.infer<typeof runStatusSchema>;

export const runReportSchema = z.object({
  type: z.literal("result"),
  version: z.literal(JSON_VERSION),
  /** null: nothing was stored. */
  session: z.nullable(z.string()),
  status: runStatusSchema,
  /** The exit code of the process. */
  exit: z.number(),
  /** The last answer as the model wrote it, in Markdown; "": there is none. */
  answer: z.string(),
  /** The final answer that fits the schema of `--output-schema`; absent: there is none. */
  output: z.optional(z.unknown()),
  /** The files that the run changed, as far as checkpoints know, relative to the project folder. */
  files: z.array(z.object({ path: z.string(), kind: z.enum(["added", "changed", "deleted"]) })),
  /** Requests, tokens and cost (USD; null: not known) of this run alone. */
  requests: z.number(),
  tokens: z.object({ input: z.number(), output: z.number(), cached: z.number() }),
  cost: z.nullable(z.number()),
  /** The commands that ran, with their exit codes (null: not known); the first 100. */
  checks: z.array(z.object({ command: z.string(), exit: z.nullable(z.number()) })),
  /** The call that waited when nobody could be asked. */
  approval: z.optional(
    z.object({
      callId: z.string(),
      tool: z.string(),
      subject: z.string(),
      /** For `nekode answer SESSION yes --shown`: identifies exactly what would be approved. */
      shown: z.optional(z.string()),
    }),
  ),
  /** Why the run failed. `code`: as in the event `error`; "unexpected": an error of the program. */
  error: z.optional(z.object({ code: z.string(), text: z.string() })),
});
export type RunReport = z.infer<typeof runReportSchema>;

/** Any line. */
export const jsonLineSchema = z.union([startSchema, waitSchema, taskEventSchema, runReportSchema]);
