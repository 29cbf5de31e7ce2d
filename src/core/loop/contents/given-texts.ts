/** What the model was given in a conversation: everything that it did not write itself. */
import type { Message } from "../../../shared/message.ts";

export function wasGiven(messages: readonly Message[], text: string): boolean {
  return messages.some(
    ({ role, blocks }) =>
      role !== "assistant" &&
      blocks.some((block) => {
        if (block.type === "text") return block.text.includes(text);
        if (block.type !== "tool-result") return false;
        return block.parts.some((part) => part.type === "text" && part.text.includes(text));
      }),
  );
}
