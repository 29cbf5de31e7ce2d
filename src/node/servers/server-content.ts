/**
 * Converts what a server sends as content into the port's shapes. The format of an image is that of its bytes, whatever the server
 * says: an endpoint that refuses an image refuses every later request with it.
 */
import type { CallToolResult, GetPromptResult, ReadResourceResult } from "@modelcontextprotocol/client";
import { imageFacts } from "../../core/image-facts.ts";
import type { ServerCallResult, ServerContent, ServerPromptMessage } from "../../core/ports/servers.ts";
import { boundedText } from "../../core/servers/server-text.ts";

type Block = CallToolResult["content"][number];
type ResourceContents = ReadResourceResult["contents"][number];

/** Characters of a name, an address and a description. */
const NAME = 200;
const ADDRESS = 4_000;
const DESCRIPTION = 1_000;
/** Characters in Base64 that contain the signature of an image. */
const HEADER = 64;

const NOT_SHOWN = "[An image that is not PNG, JPEG, GIF or WebP. It cannot be shown.]";

/** Images of one result or prompt; endpoints accept a limited number in a whole request. */
const MOST_IMAGES = 20;

/** Levels of structured content. */
const MOST_LEVELS = 64;

export function callResult({ content, structuredContent, isError }: CallToolResult): ServerCallResult {
  const parts = withFewImages(content.map(contentOf));
  const isFlat = hasLevels(structuredContent, MOST_LEVELS);
  return {
    content: isFlat ? parts : [...parts, { type: "text", text: "[structured content, nested too deeply]" }],
    ...(structuredContent === undefined || !isFlat ? {} : { structured: structuredContent }),
    isError: isError === true,
  };
}

/** Whether the value is nested in at most this many levels. */
function hasLevels(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => hasLevels(each, levels - 1));
}

export function resourceContents(result: ReadResourceResult): ServerContent[] {
  return withFewImages(result.contents.map(resourceOf));
}

export function promptMessages(result: GetPromptResult): ServerPromptMessage[] {
  const contents = withFewImages(result.messages.map(({ content }) => contentOf(content)));
  return result.messages.flatMap(({ role }, index) => {
    const content = contents[index];
    return content ? [{ role, content }] : [];
  });
}

/** The same number of parts, with a note in place of each image beyond the limit. */
function withFewImages(parts: readonly ServerContent[]): ServerContent[] {
  let images = 0;
  return parts.map((part) => {
    const isImage =
      part.type === "image" || (part.type === "resource" && /^image\//.test(part.mimeType ?? ""));
    return isImage && ++images > MOST_IMAGES ? { type: "text", text: "[another image, left out]" } : part;
  });
}

function contentOf(block: Block): ServerContent {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image": {
      const image = imageOf(block.data);
      return image ? { type: "image", ...image } : { type: "text", text: NOT_SHOWN };
    }
    case "audio":
      return isBase64(block.data)
        ? { type: "audio", mimeType: mimeType(block.mimeType), data: block.data }
        : { type: "text", text: "[audio with invalid Base64 data]" };
    case "resource":
      return resourceOf(block.resource);
    case "resource_link":
      return {
        type: "link",
        uri: boundedText(block.uri, ADDRESS),
        name: boundedText(block.title ?? block.name, NAME),
        ...(block.description === undefined
          ? {}
          : { description: boundedText(block.description, DESCRIPTION) }),
        ...(block.mimeType === undefined ? {} : { mimeType: mimeType(block.mimeType) }),
      };
  }
}

function resourceOf(contents: ResourceContents): ServerContent {
  const about = {
    type: "resource" as const,
    uri: boundedText(contents.uri, ADDRESS),
    ...(contents.mimeType === undefined ? {} : { mimeType: mimeType(contents.mimeType) }),
  };
  if ("text" in contents) return { ...about, text: contents.text };
  if (!isBase64(contents.blob)) return { ...about, text: "[invalid Base64 data]" };
  const { mimeType: named = "" } = about;
  if (!named.startsWith("image/")) return { ...about, blob: contents.blob };
  const image = imageOf(contents.blob);
  return image ? { ...about, mimeType: image.mimeType, blob: image.data } : { ...about, text: NOT_SHOWN };
}

/** undefined: not an image that models and the panel show. */
function imageOf(data: string): { mimeType: string; data: string } | undefined {
  const facts = isBase64(data) ? imageFacts(Buffer.from(data.slice(0, HEADER), "base64")) : undefined;
  return facts && { mimeType: facts.mimeType, data };
}

function mimeType(named: string): string {
  const bare = named.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^[\w.+-]+\/[\w.+-]+$/.test(bare) ? bare : "application/octet-stream";
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
