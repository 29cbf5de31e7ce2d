/**
 * What an endpoint refuses in a conversation, and the requests without it. The conversation records what was refused, so
 * that no later request contains it, even after a restart.
 */
import type { Block, Message, RefusedBlock } from "../../shared/message.ts";
import { imagesOf, type PlacedImage, replaceImages } from "../provider/images.ts";
import { isRecipientsOwn, type Recipient } from "../provider/ownership.ts";
import { isCommonImage } from "../provider/wire-history.ts";

/** A part that can be left out of a request: an image, or the content of a message. */
export interface OmittableUnit {
  kind: RefusedBlock["kind"];
  key: string;
}

const IMAGE_NOTE = "[An image was here. The endpoint refused it, so it cannot be shown to you.]";
const CONTENT_NOTE =
  "[The content of this message was refused by the endpoint, so it cannot be shown to you.]";

/** The images and messages of a request, in order. */
export function unitsOf(messages: readonly Message[], kind: OmittableUnit["kind"]): OmittableUnit[] {
  const keys = messages.flatMap((message) => (kind === "message" ? [message.id] : imageKeys(message)));
  return keys.map((key) => ({ kind, key }));
}

function imageKeys(message: Message): string[] {
  return imagesOf(message).map(imageKey);
}

const imageKey = ({ owner, index }: PlacedImage) => `${owner}/${index}`;

/** Returns the types of images that no endpoint takes, so that requests contain a note in their place. */
export function unusualImages(messages: readonly Message[]): string[] {
  const types = messages.flatMap(imagesOf).map(({ mimeType }) => mimeType);
  return types.filter((type) => !isCommonImage(type));
}

/** Returns the keys of what this model's endpoint refused before. */
export function refusedBy(messages: readonly Message[], recipient: Recipient): Set<string> {
  const keys = new Set<string>();
  for (const { blocks } of messages) {
    for (const block of blocks)
      if (block.type === "refused" && isRecipientsOwn(block, recipient)) keys.add(block.key);
  }
  return keys;
}

/** Returns the messages with a note in place of each unit with one of these keys. */
export function withoutUnits(messages: readonly Message[], keys: ReadonlySet<string>): Message[] {
  if (keys.size === 0) return [...messages];
  return messages.map((message) => {
    if (keys.has(message.id)) return withoutContent(message);
    const isRefused = (image: PlacedImage) => keys.has(imageKey(image));
    return imagesOf(message).some(isRefused) ? replaceImages(message, IMAGE_NOTE, isRefused) : message;
  });
}

/** Calls and results stay, because endpoints require them in pairs. */
function withoutContent(message: Message): Message {
  const note = { type: "text" as const, text: CONTENT_NOTE };
  const blocks = message.blocks.flatMap((block): Block[] => {
    if (block.type === "tool-result") return [{ ...block, parts: [note] }];
    if (block.type !== "tool-call") return [];
    const { extra: _extra, ...call } = block;
    return [{ ...call, params: {} }];
  });
  return { ...message, blocks: message.role === "tool" ? blocks : [note, ...blocks] };
}
