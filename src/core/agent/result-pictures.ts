/** The images in the results of calls, for rows that show them. */
import type { Message } from "../../shared/message.ts";
import type { Attachment } from "../../shared/protocol.ts";

/** The image at this index among the images of the call's result. */
export function pictureOf(
  messages: readonly Message[],
  callId: string,
  index: number,
): Attachment | undefined {
  // From the end, because the rows on screen are usually the newest ones.
  for (let at = messages.length - 1; at >= 0; at--) {
    for (const block of messages[at]?.blocks ?? []) {
      if (block.type !== "tool-result" || block.callId !== callId) continue;
      const images = block.parts.filter((part) => part.type === "image");
      const image = [...images, ...(block.pictures ?? [])][index];
      return image && { mimeType: image.mimeType, data: image.data };
    }
  }
  return undefined;
}

/** The user's own image at this index of a message: one that they attached, not one that a mention brought. */
export function sentImageOf(
  messages: readonly Message[],
  messageId: string,
  index: number,
): Attachment | undefined {
  const message = messages.findLast(({ id }) => id === messageId);
  const images = message?.blocks.flatMap((block) =>
    block.type === "image" && !block.supplied ? [block] : [],
  );
  const image = images?.[index];
  return image && { mimeType: image.mimeType, data: image.data };
}
