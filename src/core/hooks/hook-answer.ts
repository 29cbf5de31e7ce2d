/** What a hook says by its exit code and its output, and what several hooks say together. */
import type { HookEvent } from "../../shared/hook-list.ts";
import * as z from "../../shared/zod.ts";

/** What hooks decide. Each part is absent if no hook says anything about it. */
export interface HookVerdict {
  /** deny: what was about to happen does not. It is stronger than ask, and ask is stronger than allow. */
  decision?: "deny" | "ask" | "allow";
  /** Why, from the hook with the strongest decision. */
  reason?: string;
  /** The task ends: why, for the user. */
  stop?: string;
  /** In place of the input of the call. */
  input?: Record<string, unknown>;
  /** For the model. */
  context: string[];
  /** In place of the result of the call. */
  output?: string;
  /** For the user. */
  message?: string;
}

const text = z.catch(z.exactOptional(z.string()), "");
const inputSchema = z.catch(z.exactOptional(z.record(z.string(), z.unknown())), {});

/** Everything is optional, and what has another type counts as absent: hooks answer other agents too, in newer forms. */
const answerSchema = z.object({
  continue: z.catch(z.exactOptional(z.boolean()), true),
  stopReason: text,
  systemMessage: text,
  decision: text,
  reason: text,
  /** The Copilot CLI has these beside each other, the others in `hookSpecificOutput`. */
  permissionDecision: text,
  permissionDecisionReason: text,
  additionalContext: text,
  hookSpecificOutput: z.catch(
    z.optional(
      z.object({
        permissionDecision: text,
        permissionDecisionReason: text,
        updatedInput: inputSchema,
        additionalContext: text,
        updatedToolOutput: z.optional(z.unknown()),
        decision: z.catch(
          z.optional(z.object({ behavior: text, message: text, updatedInput: inputSchema })),
          undefined,
        ),
      }),
    ),
    undefined,
  ),
});

/** `defer` leaves the question to the user, as `ask` does. */
const DECISIONS: Readonly<Record<string, NonNullable<HookVerdict["decision"]>>> = {
  deny: "deny",
  block: "deny",
  ask: "ask",
  defer: "ask",
  allow: "allow",
  approve: "allow",
};

/** Events of which plain output is for the model. */
const CONTEXT_EVENTS: ReadonlySet<HookEvent> = new Set<HookEvent>([
  "SessionStart",
  "SubagentStart",
  "UserPromptSubmit",
]);

/** Events of which an exit code of 2 decides nothing: its text is for the user alone. */
const CANNOT_BLOCK: ReadonlySet<HookEvent> = new Set<HookEvent>([
  "SessionStart",
  "SubagentStart",
  "PermissionRequest",
  "PostCompact",
  "Notification",
  "SessionEnd",
]);

/** The verdict of a hook that ran to its end with the exit code 0 or 2. */
export function verdictOf(event: HookEvent, exitCode: 0 | 2, stdout: string, stderr: string): HookVerdict {
  // An exit code of 2 is stronger than what the output says.
  if (exitCode === 2) {
    const reason = stderr.trim() === "" ? stdout.trim() : stderr.trim();
    return CANNOT_BLOCK.has(event)
      ? { context: [], message: reason }
      : { decision: "deny", reason, context: [] };
  }
  const printed = stdout.trim();
  const answer = printed.startsWith("{") ? answerSchema.safeParse(parsedJson(printed)).data : undefined;
  if (answer) return verdictOfAnswer(event, answer);
  return { context: CONTEXT_EVENTS.has(event) && printed !== "" ? [printed] : [] };
}

function verdictOfAnswer(event: HookEvent, answer: z.infer<typeof answerSchema>): HookVerdict {
  const { hookSpecificOutput: own } = answer;
  const asked = own?.decision;
  const word =
    own?.permissionDecision || answer.permissionDecision || asked?.behavior || answer.decision || "";
  const decision = Object.hasOwn(DECISIONS, word) ? DECISIONS[word] : undefined;
  const reason =
    own?.permissionDecisionReason || answer.permissionDecisionReason || asked?.message || answer.reason || "";
  const context = own?.additionalContext || answer.additionalContext || "";
  const input = own?.updatedInput ?? asked?.updatedInput ?? {};
  const output = own?.updatedToolOutput;
  return {
    ...(decision === undefined ||
    (decision === "deny" && CANNOT_BLOCK.has(event) && event !== "PermissionRequest")
      ? {}
      : { decision, reason }),
    ...(answer.continue === false ? { stop: answer.stopReason ?? "" } : {}),
    ...(Object.keys(input).length === 0 ? {} : { input }),
    ...(output === undefined || output === null
      ? {}
      : { output: typeof output === "string" ? output : JSON.stringify(output) }),
    ...(answer.systemMessage ? { message: answer.systemMessage } : {}),
    context: context === "" ? [] : [context],
  };
}

const STRENGTH = { deny: 3, ask: 2, allow: 1 } as const;

/** The strongest decision counts; of changed inputs and outputs, the last one. */
export function combinedVerdict(verdicts: readonly HookVerdict[]): HookVerdict {
  const all: HookVerdict = { context: [] };
  for (const { context, decision, reason, ...rest } of verdicts) {
    Object.assign(all, rest);
    all.context.push(...context);
    if (decision === undefined || STRENGTH[decision] <= (all.decision ? STRENGTH[all.decision] : 0)) continue;
    all.decision = decision;
    all.reason = reason ?? "";
  }
  return all;
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
