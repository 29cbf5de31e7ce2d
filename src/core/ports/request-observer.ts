/** What telemetry sees of the requests to models. Observers see what is sent and received, and change nothing. */
import type { TaskEvent } from "../../shared/event.ts";
import type { Usage } from "../../shared/message.ts";
import type { Connection } from "../../shared/models/connection.ts";
import type { TextDelta, ToolCallDelta } from "../answer-deltas.ts";

export interface RequestObserver {
  /** An event of a task: of a session, or of one that belongs to none, such as a review's. */
  event(event: TaskEvent): void;
  /** Called before a request is sent. The result observes its answer. Never throws. */
  sent(request: SentRequest): AnswerObserver;
}

/** What a request is for. `turn`: the next answer of a task. */
export type RequestPurpose =
  | "turn"
  | "summary"
  | "title"
  | "commit-message"
  | "edit"
  | "other-extension"
  | "check";

export interface SentRequest {
  connection: Connection;
  model: string;
  purpose: RequestPurpose;
  /** The task that the request belongs to; undefined: none. */
  session: string | undefined;
  /** undefined: the endpoint's own. */
  maxTokens: number | undefined;
  temperature: number | undefined;
}

export type ObservedPart =
  | TextDelta
  | { type: "tool-calls"; deltas: readonly ToolCallDelta[] }
  | { type: "usage"; usage: Usage }
  | { type: "finish"; reason: string }
  | { type: "reasoning-details" | "signed-reasoning" };

export interface AnswerObserver {
  part(part: ObservedPart): void;
  /** Called once. `error`: why it failed, as a code; undefined: it did not. */
  ended(error: string | undefined): void;
}
