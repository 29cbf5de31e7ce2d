/**
 * A conversation with an image stays with a model that takes none as well: an image that an endpoint refused would
 * else make it refuse every later request, too.
 */
import type { Block, Message } from "../../shared/message.ts";
import { ProviderError } from "../errors.ts";
import type { ModelRequest, Provider } from "./provider.ts";

/** Endpoints and models that take no images at all, for as long as the host lives. */
const withoutImages = new Set<string>();

const imageWords = /image|vision|multi-?modal|mmproj|content must be a string/i;
const unsupportedWords =
  /not support|unsupported|not.{0,20}(?:multi-?modal|vision)|no endpoints found|mmproj|unknown variant|must be a string/i;

const standIn = "[An image was here. It cannot be shown to you.]";

/** The provider, which sends a request once more without its images where they are why it was refused. */
export function withImagesWhereTaken(provider: Provider, key: string): Provider {
  return {
    async *stream(request, signal) {
      const has = request.messages.some(hasImage);
      if (!has || withoutImages.has(key)) {
        yield* provider.stream(has ? bare(request) : request, signal);
        return;
      }
      let begun = false;
      try {
        for await (const part of provider.stream(request, signal)) {
          begun = true;
          yield part;
        }
        return;
      } catch (error) {
        const why = error instanceof ProviderError ? (error.view.detail ?? "") : "";
        if (begun || !imageWords.test(why)) throw error;
        if (unsupportedWords.test(why)) withoutImages.add(key);
      }
      yield* provider.stream(bare(request), signal);
    },
  };
}

export function hasImage({ blocks }: Message): boolean {
  return blocks.some(
    (block) =>
      block.type === "image" ||
      (block.type === "tool-result" && block.parts.some((part) => part.type === "image")),
  );
}

function bare(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message) =>
    hasImage(message) ? { ...message, blocks: message.blocks.map(bareBlock) } : message,
  );
  return { ...request, messages };
}

function bareBlock(block: Block): Block {
  if (block.type === "image") return { type: "text", text: standIn };
  if (block.type !== "tool-result") return block;
  const parts = block.parts.map((part) =>
    part.type === "image" ? { type: "text" as const, text: standIn } : part,
  );
  return { ...block, parts };
}
