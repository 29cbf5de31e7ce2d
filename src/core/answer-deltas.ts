/** Parts of a streamed answer, as providers hand them on and as the readers of answers take them. */

export type TextDelta = { type: "text"; delta: string } | { type: "reasoning"; delta: string };

/** One item of what endpoints send of tool calls; any field may be missing. */
export interface ToolCallDelta {
  index?: number | undefined;
  id?: string | undefined;
  name?: string | undefined;
  /** A part of the JSON text. */
  arguments?: string | undefined;
  /** Opaque data that the endpoint requires back with the call. */
  extra?: Record<string, unknown> | undefined;
}
