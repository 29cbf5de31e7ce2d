/** Parts of a streamed answer, which providers yield and the readers of answers process. */

export type TextDelta = { type: "text"; delta: string } | { type: "reasoning"; delta: string };

/** One piece of a tool call that an endpoint streams; any field may be missing. */
export interface ToolCallDelta {
  index?: number | undefined;
  id?: string | undefined;
  name?: string | undefined;
  /** A part of the JSON text. */
  arguments?: string | undefined;
  /** Opaque data that the endpoint requires back with the call. */
  extra?: Record<string, unknown> | undefined;
}
