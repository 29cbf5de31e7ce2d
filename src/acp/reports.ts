/**
 * What a session reports to an editor and asks it, independent of the version of the protocol. A folder for each version (`v1`)
 * converts these to messages; no other file depends on the protocol.
 */
import type { Level } from "../shared/permission/levels.ts";
import type { FormAnswer, ServerForm } from "../shared/server-form.ts";

/** The state of a call, complete: a report replaces the one before it. */
export interface CallReport {
  /** Nekode's id, which stays the same after a restart. */
  id: string;
  tool: string;
  /** One line in the user's language. */
  title: string;
  kind: "read" | "search" | "edit" | "delete" | "move" | "command" | "web" | "other";
  state: "pending" | "running" | "done" | "failed";
  files: { path: string; line?: number }[];
  parts: CallPart[];
  /** The call's input, as far as the user sees it. */
  input?: Record<string, unknown>;
}

export type CallPart =
  | { type: "text"; text: string }
  /** Absolute path; `before` null: the file is new. */
  | { type: "diff"; path: string; before: string | null; after: string };

export interface ChoiceReport {
  /** The agent; without one, the mode. */
  mode: string;
  /** The names of the agents, besides the modes plan and act. */
  agents: readonly { name: string; title: string; text: string }[];
  /** `connection/id`; "": none is configured. */
  model: string;
  models: readonly { name: string; title: string }[];
  permission: Level | "custom";
}

export type Report =
  /** A further part of a message. `message` is the same for all parts of one message, and stays the same after a restart. */
  | { type: "said"; by: "user" | "agent" | "thought"; message: string; text: string }
  | { type: "picture"; message: string; mimeType: string; data: string }
  | { type: "call"; call: CallReport }
  | { type: "plan"; steps: { text: string; state: "pending" | "current" | "done" }[] }
  | { type: "commands"; commands: { name: string; description: string; input?: string }[] }
  | { type: "choices"; choices: ChoiceReport }
  | { type: "title"; title: string; updatedAt: string }
  | { type: "usage"; used: number; size: number; cost?: number }
  | { type: "notice"; severity: "info" | "warning" | "error"; text: string };

/** How the user can decide on a call. */
export type PermissionAnswer =
  | "allow"
  | "allow-session"
  | "allow-workspace"
  | "allow-always"
  | "reject"
  /** Also rejects the same command or tool for the rest of the session. */
  | "reject-session";

export interface Question {
  message: string;
  /** Answers to choose from; another text is an answer too. */
  options: readonly string[];
}

/** The editor, as a session sees it. */
export interface EditorClient {
  /** Aborts when the editor has closed the connection: nothing that follows is the user's decision. */
  readonly gone: AbortSignal;
  /** Reports are sent in this order, before the answers to the requests that they belong to. */
  report(session: string, report: Report): void;
  /** undefined: the user canceled, or `signal` aborted. Rejects if the editor cannot ask. */
  permission(
    session: string,
    asked: { call: CallReport; decisions: readonly { decision: PermissionAnswer; title: string }[] },
    signal: AbortSignal,
  ): Promise<PermissionAnswer | undefined>;
  /** Whether the editor can show the agent's questions as forms. */
  readonly asks: boolean;
  /** undefined: the user did not answer. */
  question(session: string, question: Question, signal: AbortSignal): Promise<string | undefined>;
  /** undefined: the editor cannot show this form. */
  form(
    session: string,
    callId: string,
    form: ServerForm,
    signal: AbortSignal,
  ): Promise<FormAnswer | undefined>;
}

/** Why a prompt ended. */
export type PromptEnd =
  | { type: "done" }
  | { type: "cancelled" }
  | { type: "limit" }
  /** The last answer reached the model's output limit. */
  | { type: "cut" }
  /** `key`: the endpoint requires another key. */
  | { type: "failed"; text: string; key: boolean };
