/** Converts what a server sends as content into the port's shapes. */
import type { CallToolResult, GetPromptResult, ReadResourceResult } from "@modelcontextprotocol/client";
import type { ServerCallResult, ServerContent, ServerPromptMessage } from "../../core/ports/servers.ts";
import { boundedText } from "../../core/servers/server-text.ts";

type Block = CallToolResult["content"][number];
type ResourceContents = ReadResourceResult["contents"][number];

/** Characters of a name, an address and a description. */
const NAME = 200;
const ADDRESS = 4_000;
const DESCRIPTION = 1_000;

export function callResult(result: CallToolResult): ServerCallResult {
  return {
    content: result.content.map(contentOf),
    ...(result.structuredContent === undefined ? {} : { structured: result.structuredContent }),
    isError: result.isError === true,
  };
}

export function resourceContents(result: ReadResourceResult): ServerContent[] {
  return result.contents.map(resourceOf);
}

export function promptMessages(result: GetPromptResult): ServerPromptMessage[] {
  return result.messages.map(({ role, content }) => ({ role, content: contentOf(content) }));
}

function contentOf(block: Block): ServerContent {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return isBase64(block.data)
        ? { type: block.type, mimeType: mimeType(block.mimeType), data: block.data }
        : { type: "text", text: `[${block.type} with invalid Base64 data]` };
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
  return isBase64(contents.blob)
    ? { ...about, blob: contents.blob }
    : { ...about, text: "[invalid Base64 data]" };
}

function mimeType(named: string): string {
  const bare = named.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^[\w.+-]+\/[\w.+-]+$/.test(bare) ? bare : "application/octet-stream";
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
