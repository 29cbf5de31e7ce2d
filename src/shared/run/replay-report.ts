/** What `nekode replay --json` writes: how a replay of a session differs from the session. */
import * as z from "../zod.ts";

/** Incremented when programs that read the report must change. New fields do not increment it. */
export const REPLAY_VERSION = 1;

const callPlaceSchema = z.object({
  /** The answer, counted from 1 over the whole session, and the call in it, from 1. */
  answer: z.number(),
  call: z.number(),
  tool: z.string(),
  /** What the call was about, such as `replace_in_file for 'neko.txt'`. */
  label: z.string(),
});

/** Why a call was not run. permission: the permission of the replay does not cover it. not-available: a replay has no such tool. */
const notRunReasonSchema = z.enum(["permission", "not-available", "after-not-run"]);
export type NotRunReason = z.infer<typeof notRunReasonSchema>;

export const replayReportSchema = z.object({
  type: z.literal("replay"),
  version: z.literal(REPLAY_VERSION),
  session: z.string(),
  /** The files that the replay began with. revision null: the project's files as they are. commit null: there is no commit. */
  against: z.object({ revision: z.nullable(z.string()), commit: z.nullable(z.string()) }),
  permission: z.enum(["edits", "safe", "all"]),
  /** Nothing differs. Calls that were not run are not compared. */
  same: z.boolean(),
  /** Of the recorded answers. */
  answers: z.object({ recorded: z.number(), played: z.number() }),
  calls: z.object({ same: z.number(), different: z.number(), notRun: z.number() }),
  differences: z.array(
    z.extend(callPlaceSchema, {
      /** How the call ended; null: it has no result. */
      recorded: z.nullable(z.string()),
      replayed: z.nullable(z.string()),
      /** From the recorded result to that of the replay, as a unified diff; "": only the outcome differs. */
      diff: z.string(),
    }),
  ),
  notRun: z.array(z.extend(callPlaceSchema, { why: notRunReasonSchema })),
  /** The parts of the session that are not part of a replay. */
  skipped: z.array(
    z.object({
      what: z.enum(["cut-off-answer", "empty-answer", "condense", "comparison", "message"]),
      text: z.string(),
    }),
  ),
  /** The files that the session or the replay changed, relative to the project folder, by path. */
  files: z.array(
    z.object({
      path: z.string(),
      /** What the replay did to it. */
      kind: z.enum(["added", "changed", "deleted", "unchanged"]),
      /** Of its bytes after the replay, in hexadecimal; null: there is no such file. */
      sha256: z.nullable(z.string()),
      /** Whether the session left the same bytes. unknown: they are not kept. */
      recorded: z.enum(["same", "different", "unknown"]),
    }),
  ),
});
export type ReplayReport = z.infer<typeof replayReportSchema>;
