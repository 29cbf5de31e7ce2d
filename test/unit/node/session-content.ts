/** What the writing process writes and the test expects, both from the same numbers. */
import type { Message } from "../../../src/shared/message.ts";

/** A small generator of its own (mulberry32), so that a seed gives the same run everywhere. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

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
