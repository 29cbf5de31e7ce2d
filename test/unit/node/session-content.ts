/** What the writing process writes and the test expects, both from the same numbers. */
import type { Message } from "../../../src/shared/message.ts";

/** Every seventh is long enough for a payload. */
export function messageOf(session: string, index: number): Message {
  const text = `${session} ${index} ${index % 7 === 0 ? "長い".repeat(3000) : "short"}`;
  return {
    id: `${session}-${index}`,
    role: index % 2 ? "assistant" : "user",
    blocks: [{ type: "text", text }],
    createdAt: "2025-01-01T00:00:00.000Z",
  };
}
