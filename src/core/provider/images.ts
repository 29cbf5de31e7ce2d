/**
 * Finds images, and removes them from a request. A conversation with an image may continue with a model that accepts none; an image
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

/** An image of a message, and its place: the number among the images of its message, or of the result of a call. */
export interface PlacedImage {
  /** Id of the message or the call. */
  owner: string;
  index: number;
  mimeType: string;
}

/** Returns the images of a message: its own, then those of its results. */
export function imagesOf({ id, blocks }: Message): PlacedImage[] {
  const own = blocks.filter((block) => block.type === "image");
  const results = blocks.flatMap((block) =>
    block.type === "tool-result"
      ? block.parts
          .filter((part) => part.type === "image")
          .map(({ mimeType }, index) => ({ owner: block.callId, index, mimeType }))
      : [],
  );
  return [...own.map(({ mimeType }, index) => ({ owner: id, index, mimeType })), ...results];
}

/** Every request asks this of every message. */
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
    hasImage(message) ? replaceImages(message, IMAGE_PLACEHOLDER, () => true) : message,
  );
}

/** Returns the message with a text in place of each image that `isReplaced`. */
export function replaceImages(
  message: Message,
  text: string,
  isReplaced: (image: PlacedImage) => boolean,
): Message {
  const note = { type: "text" as const, text };
  let count = 0;
  const blocks = message.blocks.map((block): Block => {
    if (block.type === "image") {
      const image = { owner: message.id, index: count++, mimeType: block.mimeType };
      return isReplaced(image) ? note : block;
    }
    if (block.type !== "tool-result") return block;
    let index = 0;
    const parts = block.parts.map((part) => {
      if (part.type !== "image") return part;
      return isReplaced({ owner: block.callId, index: index++, mimeType: part.mimeType }) ? note : part;
    });
    return { ...block, parts };
  });
  return { ...message, blocks };
}
