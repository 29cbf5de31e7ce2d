/** A moment of an event as a task could have it, for users who try their hooks. */
import type { HookEvent } from "../../shared/hook-list.ts";
import type { HookMoment } from "./session-hooks.ts";

/** `tool`, `input`: for the events of calls, in Claude Code's names. */
export function sampleMoment(
  event: HookEvent,
  { tool, input }: { tool: string; input: Readonly<Record<string, unknown>> },
): HookMoment {
  const call = { tool_name: tool, tool_input: input, tool_use_id: "sample" };
  const agent = { agent_id: "sample", agent_type: "subtask" };
  switch (event) {
    case "PreToolUse":
    case "PermissionRequest":
      return { event, subject: tool, fields: call };
    case "PostToolUse":
      return { event, subject: tool, fields: { ...call, tool_response: "sample" } };
    case "PostToolUseFailure":
      return { event, subject: tool, fields: { ...call, error: "sample" } };
    case "SessionStart":
      return { event, subject: "startup", fields: { source: "startup" } };
    case "SessionEnd":
      return { event, subject: "other", fields: { reason: "other" } };
    case "UserPromptSubmit":
      return { event, fields: { prompt: "sample" } };
    case "PreCompact":
      return { event, subject: "manual", fields: { trigger: "manual", custom_instructions: "" } };
    case "PostCompact":
      return { event, subject: "manual", fields: { trigger: "manual", compact_summary: "sample" } };
    case "Notification":
      return {
        event,
        subject: "permission_prompt",
        fields: { message: "sample", notification_type: "permission_prompt" },
      };
    case "SubagentStart":
      return { event, subject: "subtask", fields: agent };
    case "SubagentStop":
      return { event, subject: "subtask", fields: { ...agent, ...END } };
    case "Stop":
      return { event, fields: END };
  }
}

const END = {
  stop_hook_active: false,
  last_assistant_message: "sample",
  background_tasks: [],
  session_crons: [],
};
