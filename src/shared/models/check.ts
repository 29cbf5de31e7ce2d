/** The results of a check of a model: what was tried, and what was found. `check-words.ts` has the words. */
import * as z from "../zod.ts";
import { errorViewSchema } from "./request-error.ts";

export const probeIdSchema = z.enum([
  "list",
  "answer",
  "first-token",
  "speed",
  "streaming",
  "stream-usage",
  "whole-usage",
  "usage-count",
  "finish",
  "stop",
  "output-limit",
  "system",
  "history",
  "unicode",
  "call",
  "call-ids",
  "call-json",
  "call-schema",
  "call-parallel",
  "call-result",
  "xml",
  "images",
  "json-schema",
  "cache",
  "window",
]);
export type ProbeId = z.infer<typeof probeIdSchema>;

/** Findings of a probe; each is a sentence in `check-words.ts`. */
export const findingCodeSchema = z.enum([
  "works",
  /** values: milliseconds. */
  "took",
  "slow",
  /** values: tokens a second. */
  "per-second",
  "unlisted",
  "no-list",
  "empty",
  "refused",
  "wrong-answer",
  "not-streamed",
  "buffered",
  "no-usage",
  /** values: the count, and about how many there were. */
  "miscounted",
  "no-finish",
  "ignored",
  "no-calls",
  "no-ids",
  "bad-json",
  "bad-schema",
  "one-call",
  "not-seen",
  "garbled",
  /** values: tokens. */
  "window-holds",
  /** values: tokens that fit, and the window that was expected. */
  "window-smaller",
  /** The endpoint drops the beginning of long prompts without an error; values as above. */
  "window-cut",
  "not-measured",
  "no-cache",
  /** The API has no such request, or an earlier finding rules it out. */
  "not-tried",
]);
export type FindingCode = z.infer<typeof findingCodeSchema>;

export const findingSchema = z.object({
  probe: probeIdSchema,
  /** fault: something is wrong. absent: a feature is missing that Nekode can work without. */
  state: z.enum(["good", "fault", "absent", "skipped"]),
  code: findingCodeSchema,
  values: z.array(z.number()),
  /** Why the endpoint refused. */
  error: z.optional(errorViewSchema),
});
export type Finding = z.infer<typeof findingSchema>;

/** How well Nekode works with the model: not at all, with limits, or well. */
export const verdictSchema = z.enum(["unusable", "limited", "good"]);
export type ModelVerdict = z.infer<typeof verdictSchema>;

export const checkReportSchema = z.object({
  /** `connection/id` */
  name: z.string(),
  verdict: verdictSchema,
  findings: z.array(findingSchema),
  /** Input and output tokens that the check used, as the endpoint or an estimate counts them. */
  tokens: z.number(),
});
export type CheckReport = z.infer<typeof checkReportSchema>;
