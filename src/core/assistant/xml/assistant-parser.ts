import type { AssistantEvent } from "../events.ts";

/** Parses one assistant message in the XML protocol, chunk by chunk. */
export interface AssistantParser {
  /** Returns the events that this chunk completed or extended. */
  push(chunk: string): AssistantEvent[];
  /**
   * Closes what is open, as partial. The parser accepts nothing afterwards. `mentions`: a call that only the message's
   * end makes certain is text, because the message did not end by itself.
   */
  end(mentions?: boolean): AssistantEvent[];
  /** From here on such a call is text, because the message makes its calls in another way. */
  mentions(): AssistantEvent[];
}
