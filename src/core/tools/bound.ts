/** The last net under every result: whatever a tool answers, so much of it reaches the model and no more. */
import type { ResultPart } from "../../shared/message.ts";
import { truncateMiddle } from "../text.ts";

/** Room beside the limit for what a tool says about its result. */
const margin = 4_000;

/** The parts with their texts cut in the middle where together they exceed `limit` characters by more than a note. */
export function boundParts(parts: readonly ResultPart[], limit: number): ResultPart[] {
  let room = limit + margin;
  return parts.map((part) => {
    if (part.type !== "text") return part;
    const text =
      part.text.length <= room
        ? part.text
        : truncateMiddle(part.text, { max: Math.max(0, room), next: "ask for a smaller part" });
    room -= Math.min(room, part.text.length);
    return { ...part, text };
  });
}
