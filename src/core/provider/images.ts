/**
 * Removes images from a request. A conversation with an image may continue with a model that accepts none; an image
 * that the endpoint refused would otherwise make it refuse every later request too.
 */
import type { Block, Message } from "../../shared/message.ts";
import type { ProviderError } from "../errors.ts";

const IMAGE_WORDS = /image|vision|multi-?modal|mmproj|content must be a string/i;
const UNSUPPORTED_WORDS =
  /not support|unsupported|not.{0,20}(?:multi-?modal|vision)|no endpoints found|mmproj|unknown variant|must be a string/i;

const IMAGE_PLACEHOLDER = "[An image was here. It cannot be shown to you.]";

/** Whether the endpoint refused images: those of this request, or all images. */
export function saysNoImages(error: ProviderError): "these" | "all" | undefined {
  const { detail = "" } = error.view;
  if (!IMAGE_WORDS.test(detail)) return undefined;
  return UNSUPPORTED_WORDS.test(detail) ? "all" : "these";
}

export function hasImage({ blocks }: Message): boolean {
  return blocks.some(
    (block) =>
      block.type === "image" ||
      (block.type === "tool-result" && block.parts.some((part) => part.type === "image")),
  );
}

/** Returns the messages with text in place of their images. */
export function withoutImages(messages: readonly Message[]): Message[] {
  return messages.map((message) =>
    hasImage(message) ? { ...message, blocks: message.blocks.map(withoutImage) } : message,
  );
}

function withoutImage(block: Block): Block {
  if (block.type === "image") return { type: "text", text: IMAGE_PLACEHOLDER };
  if (block.type !== "tool-result") return block;
  const parts = block.parts.map((part) =>
    part.type === "image" ? { type: "text" as const, text: IMAGE_PLACEHOLDER } : part,
  );
  return { ...block, parts };
}
