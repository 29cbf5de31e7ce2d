/** The parts of a server's results, prompts and resources as text for the model. */
import type { ServerContent } from "../ports/servers.ts";

/** What a model reads of one part; "" for an image, which it sees. */
export function textOf(part: ServerContent): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
      return "";
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
