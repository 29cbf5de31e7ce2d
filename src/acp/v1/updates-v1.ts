/** Reports as updates of version 1 of the protocol. */
import type { SessionUpdate, ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";
import type { Translate } from "../../shared/words/task-words.ts";
import type { CallPart, CallReport, Report } from "../reports.ts";
import { configOptionsV1 } from "./options-v1.ts";

/** What the editor supports in addition to what every editor does. */
export interface UpdateAbilities {
  notices: boolean;
  t: Translate;
}

const KINDS: Readonly<Record<CallReport["kind"], ToolKind>> = {
  read: "read",
  search: "search",
  edit: "edit",
  delete: "delete",
  move: "move",
  command: "execute",
  web: "fetch",
  other: "other",
};

const STATES = {
  pending: "pending",
  running: "in_progress",
  done: "completed",
  failed: "failed",
} as const satisfies Record<CallReport["state"], string>;

const CHUNKS = {
  user: "user_message_chunk",
  agent: "agent_message_chunk",
  thought: "agent_thought_chunk",
} as const;

/** The updates of one session, which depend on what was sent before. */
export class SessionUpdatesV1 {
  readonly #abilities: UpdateAbilities;
  /** The fields of each call as they were sent last, as JSON. */
  readonly #calls = new Map<string, Record<string, string>>();
  #notices = 0;

  constructor(abilities: UpdateAbilities) {
    this.#abilities = abilities;
  }

  /** Call before the history is sent from its beginning: the editor no longer knows any call. */
  restart(): void {
    this.#calls.clear();
  }

  of(report: Report): SessionUpdate[] {
    switch (report.type) {
      case "said":
        return [
          {
            sessionUpdate: CHUNKS[report.by],
            messageId: report.message,
            content: { type: "text", text: report.text },
          },
        ];
      case "picture": {
        const { message: messageId, mimeType, data } = report;
        return [
          { sessionUpdate: "user_message_chunk", messageId, content: { type: "image", mimeType, data } },
        ];
      }
      case "call":
        return this.#call(report.call);
      case "plan":
        return [
          {
            sessionUpdate: "plan",
            entries: report.steps.map(({ text, state }) => ({
              content: text,
              priority: "medium",
              status: state === "done" ? "completed" : state === "current" ? "in_progress" : "pending",
            })),
          },
        ];
      case "commands":
        return [
          {
            sessionUpdate: "available_commands_update",
            availableCommands: report.commands.map(({ name, description, input }) => ({
              name,
              description,
              ...(input === undefined ? {} : { input: { hint: input } }),
            })),
          },
        ];
      case "choices":
        return [
          {
            sessionUpdate: "config_option_update",
            configOptions: configOptionsV1(report.choices, this.#abilities.t),
          },
          { sessionUpdate: "current_mode_update", currentModeId: report.choices.mode },
        ];
      case "title":
        return [{ sessionUpdate: "session_info_update", title: report.title, updatedAt: report.updatedAt }];
      case "usage": {
        const { used, size, cost } = report;
        const price = cost === undefined ? {} : { cost: { amount: cost, currency: "USD" } };
        return [{ sessionUpdate: "usage_update", used, size, ...price }];
      }
      case "notice":
        return this.#notice(report);
    }
  }

  /** Only what changed, except for a call that the editor does not know. */
  #call(call: CallReport): SessionUpdate[] {
    const all = callFieldsV1(call);
    const { toolCallId, ...fields } = all;
    const before = this.#calls.get(call.id);
    const now = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]),
    );
    this.#calls.set(call.id, now);
    if (!before) return [{ sessionUpdate: "tool_call", ...all }];
    const changed = Object.entries(fields).filter(([name]) => before[name] !== now[name]);
    if (changed.length === 0) return [];
    return [{ sessionUpdate: "tool_call_update", toolCallId, ...Object.fromEntries(changed) }];
  }

  /** Sends warnings and errors as messages to an editor that cannot show notices. */
  #notice({ severity, text }: Extract<Report, { type: "notice" }>): SessionUpdate[] {
    if (this.#abilities.notices) {
      const [title = "", ...rest] = text.split("\n");
      const description = rest.join("\n").trim();
      const more = description === "" ? {} : { description };
      return [{ sessionUpdate: "notice", severity, title, ...more }];
    }
    if (severity === "info") return [];
    const messageId = `notice-${++this.#notices}`;
    return [
      {
        sessionUpdate: "agent_message_chunk",
        messageId,
        content: { type: "text", text: `_${text.replaceAll("\n", " ")}_\n\n` },
      },
    ];
  }
}

/** A call with all its fields. */
export function callFieldsV1(call: CallReport) {
  return {
    toolCallId: call.id,
    title: call.title,
    name: call.tool,
    kind: KINDS[call.kind],
    status: STATES[call.state],
    content: call.parts.map(contentOf),
    locations: call.files,
    ...(call.input ? { rawInput: call.input } : {}),
  };
}

function contentOf(part: CallPart): ToolCallContent {
  return part.type === "diff"
    ? { type: "diff", path: part.path, oldText: part.before, newText: part.after }
    : { type: "content", content: { type: "text", text: part.text } };
}
