/**
 * Images in a request. A conversation with an image stays with a model that takes none as well: an image that an endpoint
 * refused would else make it refuse every later request, too.
 */
import type { Block, Message } from "../../shared/message.ts";
import type { ProviderError } from "../errors.ts";

const imageWords = /image|vision|multi-?modal|mmproj|content must be a string/i;
const unsupportedWords =
  /not support|unsupported|not.{0,20}(?:multi-?modal|vision)|no endpoints found|mmproj|unknown variant|must be a string/i;

const standIn = "[An image was here. It cannot be shown to you.]";

/** Whether the endpoint refused images: those of the request, or all that there ever may be. */
export function saysNoImages(error: ProviderError): "these" | "all" | undefined {
  const { detail = "" } = error.view;
  if (!imageWords.test(detail)) return undefined;
  return unsupportedWords.test(detail) ? "all" : "these";
}

export function hasImage({ blocks }: Message): boolean {
  return blocks.some(
    (block) =>
      block.type === "image" ||
      (block.type === "tool-result" && block.parts.some((part) => part.type === "image")),
  );
}

/** The messages with words in place of their images. */
export function withoutImages(messages: readonly Message[]): Message[] {
  return messages.map((message) =>
    hasImage(message) ? { ...message, blocks: message.blocks.map(bareBlock) } : message,
  );
}

function bareBlock(block: Block): Block {
  if (block.type === "image") return { type: "text", text: standIn };
  if (block.type !== "tool-result") return block;
  const parts = block.parts.map((part) =>
    part.type === "image" ? { type: "text" as const, text: standIn } : part,
  );
  return { ...block, parts };
}
