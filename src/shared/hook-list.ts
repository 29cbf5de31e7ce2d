/** The configured hooks as hosts list them. Texts that come from files of workspaces are shown as plain text. */
import { reasonSchema } from "./message.ts";
import * as z from "./zod.ts";

/** The moments at which hooks run, by the names that Claude Code gave them. */
export const hookEventSchema = z.enum([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "PreCompact",
  "PostCompact",
  "SubagentStart",
  "SubagentStop",
  "Stop",
  "Notification",
  "SessionEnd",
]);
export type HookEvent = z.infer<typeof hookEventSchema>;

/** The agent whose file configures a hook, and with it the defaults of that agent. */
export const hookReaderSchema = z.enum(["claude", "vscode", "copilot", "codex"]);
export type HookReader = z.infer<typeof hookReaderSchema>;

/** new: the user has never approved it. changed: it differs from what the user approved. Neither runs. */
export const hookStateSchema = z.enum(["approved", "new", "changed", "off"]);
export type HookState = z.infer<typeof hookStateSchema>;

const listedHookSchema = z.object({
  /** Names the hook in commands; the same as long as it runs the same command. */
  id: z.string(),
  reader: hookReaderSchema,
  source: z.enum(["user", "project", "plugin"]),
  /** The name of the plugin that it is from. */
  plugin: z.exactOptional(z.string()),
  /** Absolute path of the configuration file, and the entry's line in it. */
  file: z.string(),
  line: z.number(),
  command: z.string(),
  events: z.array(hookEventSchema),
  state: hookStateSchema,
  /** What exactly would run, one item a line; `before`: what the user approved earlier. */
  content: z.string(),
  before: z.optional(z.string()),
  /** If the hook fails, the call that it belongs to asks. */
  asksIfItFails: z.boolean(),
});
export type ListedHook = z.infer<typeof listedHookSchema>;

/** Something in a configuration file that cannot be used. The other entries of the file apply. */
export const hookProblemSchema = z.object({ file: z.string(), line: z.number(), reason: reasonSchema });
export type HookProblem = z.infer<typeof hookProblemSchema>;

export const hookListSchema = z.object({
  hooks: z.array(listedHookSchema),
  problems: z.array(hookProblemSchema),
  /** There are no hooks, because the workspace is not trusted. */
  untrustedWorkspace: z.boolean(),
});
export type HookList = z.infer<typeof hookListSchema>;

/** What the user can do with a hook from the list. `content`: what they saw when they approved it. */
export const hookActionSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("approve"), id: z.string(), content: z.string() }),
  z.object({ action: z.literal("switch"), id: z.string(), on: z.boolean() }),
  z.object({ action: z.literal("ask-if-it-fails"), id: z.string(), on: z.boolean() }),
  z.object({ action: z.literal("open"), file: z.string(), line: z.number() }),
]);
export type HookAction = z.infer<typeof hookActionSchema>;

/**
 * How a run of a hook ended. blocked: it refused what was about to happen. asked, allowed: it decided whether a call asks. failed: its
 * exit code is neither 0 nor 2, or it could not be started; timed-out: its time limit ended it. unapproved: it changed since the user
 * approved it, so it did not run.
 */
export const hookOutcomeSchema = z.enum([
  "running",
  "done",
  "blocked",
  "asked",
  "allowed",
  "failed",
  "timed-out",
  "stopped",
  "unapproved",
]);
export type HookRunOutcome = z.infer<typeof hookOutcomeSchema>;

/** The values of a notice `hook`, in this order. */
export interface HookNotice {
  event: HookEvent;
  /** The beginning of its command. */
  command: string;
  outcome: HookRunOutcome;
  /** Why, in the hook's words or in ours; "" if there is nothing to say. */
  why: string;
  /** What it printed; "" for nothing. */
  output: string;
}

export function hookNoticeValues({ event, command, outcome, why, output }: HookNotice): string[] {
  return [event, command, outcome, why, output];
}
