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

/** Words of a refusal about the number of images, and words that only look like that. */
const COUNT_WORDS =
  /(?:too many|number of|maximum of|max(?:imum)?|at most|up to|no more than|limit(?:ed)?|only|exceed)/i;
const SIZE_WORDS = /pixel|dimension|resolution|\b(?:[kmg]i?b|bytes?)\b|megabyte|image size|\bsize\b/i;
const COUNTS = [
  />=? ?(\d+)/,
  /(?:maximum|max|limit|at most|up to|no more than|only)(?! images? (?:and|or))[^\d]{0,60}?(\d+)/i,
  /(\d+)[^\d]{0,30}(?:maximum|max|limit|allowed|or fewer)/i,
];
const MOST_COUNTED = 10_000;

/** Returns the number of images that a request may contain, if the refusal states it. */
export function statedImageLimit(error: ProviderError): number | undefined {
  const { detail = "" } = error.view;
  if (!/image/i.test(detail) || !COUNT_WORDS.test(detail) || SIZE_WORDS.test(detail)) return undefined;
  for (const pattern of COUNTS) {
    const count = Number(pattern.exec(detail)?.[1] ?? Number.NaN);
    if (count <= MOST_COUNTED) return count;
  }
  return undefined;
}

/**
 * Whether the endpoint refused images: those of this request, all images, or their number (`many`). A number of none
 * means all.
 */
export function saysNoImages(error: ProviderError): "these" | "all" | "many" | undefined {
  const { detail = "" } = error.view;
  if (!IMAGE_WORDS.test(detail)) return undefined;
  const limit = statedImageLimit(error);
  if (limit !== undefined) return limit === 0 ? "all" : "many";
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
export function imagesOf(message: Message): PlacedImage[] {
  if (!hasImage(message)) return [];
  const { id, blocks } = message;
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

export function imageCount(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + imagesOf(message).length, 0);
}

/**
 * Returns how many of the images are left out of a request that may contain `most`. Some more than necessary, so that
 * not every new image changes the beginning of the request.
 */
export function leftOutImages(count: number, most: number): number {
  if (count <= most) return 0;
  const step = Math.max(1, Math.floor(most / 2));
  return Math.min(count, Math.ceil((count - most) / step) * step);
}

/** Returns the messages with text in place of their first images, so that at most `most` are left. */
export function withFewerImages(messages: readonly Message[], most: number): Message[] {
  let left = most === Number.POSITIVE_INFINITY ? 0 : leftOutImages(imageCount(messages), most);
  return messages.map((message) =>
    left > 0 && hasImage(message) ? replaceImages(message, IMAGE_PLACEHOLDER, () => left-- > 0) : message,
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
