/** What is sent to a model and what comes back, whichever API is used. */
import type { Message, Usage } from "../../shared/message.ts";
import type { TextDelta, ToolCallDelta } from "../answer-deltas.ts";

export type Protocol = "native" | "xml";

/** A function offered with native tool calling. `parameters` is a JSON Schema (draft 2020-12) of type object. */
export interface NativeTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  system: string;
  messages: readonly Message[];
  protocol: Protocol;
  tools: readonly NativeTool[];
  /** The answer is JSON of this schema, where the API and the endpoint can constrain it. */
  format?: { name: string; schema: Record<string, unknown> };
}

export type StreamPart =
  | TextDelta
  /** Opaque data that the endpoint requires back with the message: reasoning with signatures. */
  | { type: "reasoning-details"; items: Record<string, unknown>[] }
  /**
   * The reasoning since the last such part is complete; this is its signed or encrypted form, see `Block`. `late`: other parts of the
   * answer came since.
   */
  | { type: "signed-reasoning"; signed: Record<string, unknown>; late?: true }
  | { type: "tool-calls"; deltas: ToolCallDelta[] }
  | { type: "usage"; usage: Usage }
  /** `length`: cut off at the output limit. */
  | { type: "finish"; reason: string };
