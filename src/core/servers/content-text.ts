/** The parts of a server's results, prompts and resources as text for the model. */
import type { ServerContent } from "../ports/servers.ts";

/** Formats of images that models accept. */
const SENT_FORMATS = /^image\/(?:png|jpeg|gif|webp)$/;
/** Base64 characters of the largest image that is sent, 5 MB; most endpoints reject larger ones. */
const MAX_IMAGE_LENGTH = (5 * 1024 * 1024 * 4) / 3;

/** The image that a model sees of one part; undefined: none. `data` is Base64. */
export function imageOf(part: ServerContent): { mimeType: string; data: string } | undefined {
  if (part.type === "image") return sent(part.mimeType, part.data);
  return part.type === "resource" && "blob" in part ? sent(part.mimeType ?? "", part.blob) : undefined;
}

function sent(mimeType: string, data: string): { mimeType: string; data: string } | undefined {
  return SENT_FORMATS.test(mimeType) && data.length <= MAX_IMAGE_LENGTH ? { mimeType, data } : undefined;
}

/** What a model reads of one part; "" for an image that it sees. */
export function textOf(part: ServerContent): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
      return imageOf(part)
        ? ""
        : `[Image, ${part.mimeType}, ${sizeOf(part.data)}. It is too large or of a format that cannot be sent.]`;
    case "audio":
      return `[Audio, ${part.mimeType}, ${sizeOf(part.data)}. It cannot be included as text.]`;
    case "resource":
      return "text" in part
        ? `Resource ${part.uri}:\n${part.text}`
        : `[Resource ${part.uri}, ${part.mimeType ?? "binary"}, ${sizeOf(part.blob)}. It is not text.]`;
    case "link": {
      const about = part.description === undefined ? "" : `: ${part.description}`;
      return `[Resource ${part.uri} (${part.name})${about}. access_mcp_resource reads it.]`;
    }
  }
}

function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
