/** The moments of a task at which the user's hooks run, and what each verdict means there. */
import type { EventBody } from "../../shared/event.ts";
import type { HookEvent } from "../../shared/hook-list.ts";
import type { SessionSettings } from "../../shared/permission/session-permission.ts";
import { reasonOf } from "../../shared/reason.ts";
import { PromptFailure } from "../context/server-prompts.ts";
import { Interrupt, messageOf } from "../errors.ts";
import { type ClaudeCall, claudeCalls } from "../hooks/claude-calls.ts";
import type { HookVerdict } from "../hooks/hook-answer.ts";
import type { ProjectHooks } from "../hooks/project-hooks.ts";
import { SessionHooks } from "../hooks/session-hooks.ts";
import type { Host } from "../ports/host.ts";
import * as replies from "../prompts/replies.ts";
import type { ToolOutput } from "../tools/tool.ts";
import type { CallRuling, LoopHooks, Refusal, RequestedCall } from "./loop.ts";
import type { Transcript } from "./transcript.ts";

/** How often in a row hooks may keep a task from ending. */
const MOST_STOP_BLOCKS = 8;

export interface TaskHooksDeps {
  hooks: ProjectHooks;
  host: Host;
  conversation: Transcript;
  settings(): SessionSettings;
  /** The task was started by another one. */
  isSubtask: boolean;
  /** Ends the turn. */
  stop(): void;
}

export class TaskHooks implements LoopHooks {
  readonly #deps: TaskHooksDeps;
  readonly #hooks: SessionHooks;
  #hasBegun = false;
  /** What hooks said at the beginning, for the next message. */
  #opening: string[] = [];
  #stopBlocks = 0;
  /** What the model has to read with the result of a call, by the call. */
  readonly #notes = new Map<string, string[]>();

  constructor(deps: TaskHooksDeps) {
    this.#deps = deps;
    const { conversation, hooks, host, settings, stop } = deps;
    this.#hooks = new SessionHooks({
      hooks,
      host,
      session: {
        get id() {
          return conversation.id;
        },
        get mode() {
          return conversation.mode;
        },
        emit: (event) => this.#emit(event),
      },
      permissionMode: () => permissionMode(settings()),
      stop,
    });
  }

  /** The event with which a session begins resets its rows, so rows that belong to the first message follow it. */
  #emit(event: EventBody): void {
    const { conversation } = this.#deps;
    if (conversation.messages.length > 0) conversation.emit(event);
    else {
      const listening = conversation.onAppended(() => {
        listening.dispose();
        conversation.emit(event);
      });
    }
  }

  /** Reads the configuration once for each session that is opened. */
  async begin(signal: AbortSignal): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { conversation, isSubtask } = this.#deps;
    await this.#hooks.load(!isSubtask);
    const source = conversation.messages.length > 0 ? "resume" : "startup";
    const moment = isSubtask
      ? { event: "SubagentStart" as const, subject: "subtask", fields: this.#agent() }
      : { event: "SessionStart" as const, subject: source, fields: { source } };
    this.#opening = (await this.#hooks.run(moment, signal)).context;
  }

  /**
   * Before a message of the user. Returns what the model has to read before it. Rejects with PromptFailure if a hook blocks the
   * message, and with Interrupt.
   */
  async admit(text: string, signal: AbortSignal): Promise<string[]> {
    await this.begin(signal);
    this.#stopBlocks = 0;
    const verdict = await this.#hooks.run({ event: "UserPromptSubmit", fields: { prompt: text } }, signal);
    if (verdict.decision === "deny" || verdict.stop !== undefined) {
      const reason = verdict.reason ?? verdict.stop ?? "";
      throw new PromptFailure(`a hook blocked the message: ${reason}`, "", "hook-blocked", reason);
    }
    const texts = [...this.#opening, ...verdict.context].map(replies.hookContext);
    this.#opening = [];
    return texts;
  }

  /** Before a call is prepared. A call of several parts, such as a patch of several files, is one moment for each. */
  async beforeCall(requested: RequestedCall, signal: AbortSignal): Promise<Refusal | CallRuling | undefined> {
    const { call, tool } = requested;
    if (tool.turnEnd === "completed") return this.#beforeEnd(textOfCall(requested), signal);
    if (tool.access === "talk" || !this.#hooks.concerns("PreToolUse")) return undefined;
    const ruling: CallRuling = {};
    const calls = this.#callsOf(requested);
    let allowed = 0;
    for (const each of calls) {
      const verdict = await this.#hooks.run(this.#momentOf("PreToolUse", call.id, each), signal);
      const { decision, reason = "", input } = verdict;
      if (decision === "deny")
        return {
          text: replies.hookDenied(reason),
          outcome: "not-run",
          reason: reasonOf("hook-denied", reason),
        };
      if (decision === "ask") ruling.asks ??= reasonOf("hook-asks", reason);
      if (decision === "allow") allowed++;
      if (verdict.context.length > 0) this.#note(call.id, ...verdict.context.map(replies.hookContext));
      if (!input) continue;
      if (!each.restore || calls.length > 1)
        return { text: replies.hookChangedInput(each.tool), outcome: "not-run" };
      ruling.params = { ...requested.params, ...each.restore(input) };
      this.#note(call.id, replies.hookChanged(JSON.stringify(ruling.params)));
    }
    if (allowed === calls.length && !ruling.asks) ruling.isAllowed = true;
    return ruling;
  }

  async permission(requested: RequestedCall, signal: AbortSignal): Promise<Refusal | "allow" | undefined> {
    if (!this.#hooks.concerns("PermissionRequest")) return undefined;
    const calls = this.#callsOf(requested);
    let allowed = 0;
    for (const each of calls) {
      const moment = this.#momentOf("PermissionRequest", requested.call.id, each);
      const { decision, reason = "" } = await this.#hooks.run(moment, signal);
      if (decision === "deny")
        return {
          text: replies.hookDenied(reason),
          outcome: "not-run",
          reason: reasonOf("hook-denied", reason),
        };
      if (decision === "allow") allowed++;
    }
    return allowed === calls.length ? "allow" : undefined;
  }

  /** The user is about to be asked. Nothing waits for these hooks. */
  asks(tool: string, signal: AbortSignal): void {
    if (!this.#hooks.concerns("Notification")) return;
    const type = "permission_prompt";
    const fields = { message: `Nekode needs your permission to use ${tool}`, notification_type: type };
    this.#hooks.run({ event: "Notification", subject: type, fields }, signal).catch((error: unknown) => {
      if (!(error instanceof Interrupt)) this.#deps.host.log.error("a hook failed", error);
    });
  }

  /** After a call that ran. Adds to its result. */
  async afterCall(requested: RequestedCall, output: ToolOutput, signal: AbortSignal): Promise<void> {
    const event = output.failed ? "PostToolUseFailure" : "PostToolUse";
    const response = output.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    const fields = output.failed ? { error: response } : { tool_response: responseOf(output, response) };
    const verdict = await this.#after(event, requested, fields, signal);
    if (verdict.output !== undefined) {
      const images = output.parts.filter((part) => part.type !== "text");
      output.parts = [{ type: "text", text: verdict.output }, ...images];
    }
    const text = this.#takeNotes(requested.call.id, verdict);
    if (text !== "") output.parts.push({ type: "text", text });
  }

  /** After a call that ended with an error. Returns what the model has to read with it; "" for nothing. */
  async afterFailure(requested: RequestedCall, error: unknown, signal: AbortSignal): Promise<string> {
    const verdict = await this.#after("PostToolUseFailure", requested, { error: messageOf(error) }, signal);
    return this.#takeNotes(requested.call.id, verdict);
  }

  async #after(
    event: HookEvent,
    requested: RequestedCall,
    fields: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<HookVerdict> {
    const all: HookVerdict = { context: [] };
    if (requested.tool.access === "talk" || !this.#hooks.concerns(event)) return all;
    for (const each of this.#callsOf(requested)) {
      const moment = this.#momentOf(event, requested.call.id, each);
      const verdict = await this.#hooks.run({ ...moment, fields: { ...moment.fields, ...fields } }, signal);
      if (verdict.decision === "deny" && verdict.reason) all.context.push(verdict.reason);
      all.context.push(...verdict.context);
      if (verdict.output !== undefined) all.output = verdict.output;
    }
    return all;
  }

  /** The turn is about to end with this answer. A reason to continue, for the model; undefined: it ends. */
  async keepsWorking(answer: string, signal: AbortSignal): Promise<string | undefined> {
    return (await this.#beforeEnd(answer, signal))?.text;
  }

  async #beforeEnd(answer: string, signal: AbortSignal): Promise<Refusal | undefined> {
    const { isSubtask } = this.#deps;
    const event = isSubtask ? "SubagentStop" : "Stop";
    if (!this.#hooks.concerns(event) || this.#stopBlocks >= MOST_STOP_BLOCKS) return undefined;
    const fields = {
      stop_hook_active: this.#stopBlocks > 0,
      last_assistant_message: answer,
      background_tasks: [],
      session_crons: [],
      ...(isSubtask ? this.#agent() : {}),
    };
    const moment = { event, fields, ...(isSubtask ? { subject: "subtask" } : {}) } as const;
    const { decision, reason, stop } = await this.#hooks.run(moment, signal);
    if (decision !== "deny" || stop !== undefined) {
      this.#stopBlocks = 0;
      return undefined;
    }
    this.#stopBlocks++;
    return { text: replies.hookContinues(reason ?? ""), outcome: "not-run" };
  }

  /** False: a hook does not want the conversation to be condensed. */
  async beforeCondensing(trigger: "manual" | "auto", focus: string, signal: AbortSignal): Promise<boolean> {
    const fields = { trigger, custom_instructions: focus };
    const verdict = await this.#hooks.run({ event: "PreCompact", subject: trigger, fields }, signal);
    return verdict.decision !== "deny";
  }

  async afterCondensing(trigger: "manual" | "auto", summary: string, signal: AbortSignal): Promise<void> {
    const fields = { trigger, compact_summary: summary };
    await this.#hooks.run({ event: "PostCompact", subject: trigger, fields }, signal);
  }

  /** The session closes. Never rejects. */
  async end(reason: "other" | "clear"): Promise<void> {
    if (!this.#hasBegun || this.#deps.isSubtask || !this.#hooks.concerns("SessionEnd")) return;
    const moment = { event: "SessionEnd" as const, subject: reason, fields: { reason } };
    await this.#hooks
      .run(moment, new AbortController().signal)
      .catch((error: unknown) => this.#deps.host.log.error("a hook failed", error));
  }

  #agent(): Record<string, string> {
    return { agent_id: this.#deps.conversation.id, agent_type: "subtask" };
  }

  #callsOf({ tool, params, prepared }: RequestedCall): ClaudeCall[] {
    const { workspace, shell } = this.#deps.host;
    const [server = "", ...rest] = tool.origin === "server" ? tool.subject(params).split(": ") : [];
    const facts = {
      name: tool.name,
      params,
      ...prepared,
      ...(tool.origin === "server" ? { server: { name: server, tool: rest.join(": ") } } : {}),
    };
    return claudeCalls(facts, { workspace, shell: shell.kind });
  }

  #momentOf(event: HookEvent, callId: string, { tool, input }: ClaudeCall) {
    return { event, subject: tool, fields: { tool_name: tool, tool_input: input, tool_use_id: callId } };
  }

  #note(callId: string, ...texts: string[]): void {
    this.#notes.set(callId, [...(this.#notes.get(callId) ?? []), ...texts]);
  }

  #takeNotes(callId: string, { context }: HookVerdict): string {
    const notes = this.#notes.get(callId) ?? [];
    this.#notes.delete(callId);
    return [...notes, ...context.map(replies.hookContext)].join("\n\n");
  }
}

function permissionMode({ approval }: SessionSettings): "default" | "acceptEdits" | "bypassPermissions" {
  if (approval.commandAll && approval.edit) return "bypassPermissions";
  return approval.edit ? "acceptEdits" : "default";
}

/** In the form of Claude Code's Bash for a command. */
function responseOf({ shown }: ToolOutput, text: string): unknown {
  if (shown?.exitCode === undefined) return text;
  return { stdout: text, stderr: "", interrupted: shown.stoppedByUser ?? false, exit_code: shown.exitCode };
}

function textOfCall({ tool, params }: RequestedCall): string {
  const { result } = params;
  return typeof result === "string" ? result : tool.name;
}
