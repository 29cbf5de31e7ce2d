/** The size limit for every tool result that goes to the model. */
import type { ResultPart } from "../../shared/message.ts";
import { truncateMiddle } from "../text.ts";

/** Extra characters for the tool's notes about its result. */
const MARGIN = 4_000;

/** Cuts texts in the middle where all parts together exceed `limit` characters by more than the margin. */
export function boundParts(parts: readonly ResultPart[], limit: number): ResultPart[] {
  let room = limit + MARGIN;
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
