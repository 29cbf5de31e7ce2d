/** Content of a prompt of version 1 as a message of the user: its text with mentions, and its images. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock, EmbeddedResourceResource } from "@agentclientprotocol/sdk";
import { imageFacts } from "../../core/image-facts.ts";
import { isInside } from "../../core/roots.ts";
import type { Attachment } from "../../shared/protocol.ts";

export interface PromptInput {
  text: string;
  images: Attachment[];
}

/** A request that cannot be carried out as it is, with a sentence that states why. */
export class InvalidRequest extends Error {
  override name = "InvalidRequest";
}

/** `read`: the text of a file of the project; undefined: there is none. Throws InvalidRequest. */
export async function promptInput(
  blocks: readonly ContentBlock[],
  { root, read }: { root: string; read(file: string): Promise<string | undefined> },
): Promise<PromptInput> {
  const texts: string[] = [];
  const contents: string[] = [];
  const images: Attachment[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        texts.push(block.text);
        break;
      case "image":
        images.push(imageOf(block.data));
        break;
      case "resource_link":
        texts.push(linked(block.uri, root));
        break;
      case "resource": {
        const { resource } = block;
        if ("blob" in resource) {
          if (resource.mimeType?.startsWith("image/")) images.push(imageOf(resource.blob));
          else texts.push(linked(resource.uri, root));
          break;
        }
        const named = await embedded(resource, root, read);
        texts.push(named.text);
        if (named.content !== undefined) contents.push(named.content);
        break;
      }
      case "audio":
        throw new InvalidRequest("audio is not supported; send text, images or files");
      default:
        throw new InvalidRequest(
          "a part of the prompt is of a kind that is not supported; send text, images or files",
        );
    }
  }
  const text = joined(texts);
  return { text: [text, ...contents].filter((each) => each !== "").join("\n\n"), images };
}

/** Joins texts so that mentions are words of their own. */
function joined(texts: readonly string[]): string {
  return texts.reduce((before, next) => {
    const isApart = before === "" || next === "" || /\s$/.test(before) || /^\s/.test(next);
    return `${before}${isApart ? "" : " "}${next}`;
  }, "");
}

/** The bytes decide what an image is, because editors name types carelessly. */
function imageOf(data: string): Attachment {
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data))
    throw new InvalidRequest("the data of an image must be Base64");
  const facts = imageFacts(Buffer.from(data, "base64"));
  if (!facts) throw new InvalidRequest("an image must be a PNG, JPEG, GIF or WebP");
  return { mimeType: facts.mimeType, data };
}

/** A mention, which the product expands; otherwise the address as it is. */
function linked(uri: string, root: string): string {
  const file = fileOf(uri);
  if (file !== undefined) return mentionOf(file, root) ?? file.path;
  return /^https?:/i.test(uri) ? `@${uri}` : uri;
}

/** Mentions a file whose text is the same as on disk. Any other text follows the message, like the content of a mentioned file. */
async function embedded(
  { uri, text }: Extract<EmbeddedResourceResource, { text: string }>,
  root: string,
  read: (file: string) => Promise<string | undefined>,
): Promise<{ text: string; content?: string }> {
  const file = fileOf(uri);
  const mention = file && mentionOf(file, root);
  if (file && mention !== undefined && file.lines === undefined && (await read(file.path)) === text)
    return { text: mention };
  const name = file ? shownPath(file.path, root) : uri;
  const lines = file?.lines === undefined ? "" : ` lines="${file.lines}"`;
  const label = name.replaceAll('"', "&quot;");
  return {
    text: `'${name}' (see below for file content)`,
    content: `<file_content path="${label}"${lines}>\n${text}\n</file_content>`,
  };
}

interface LinkedFile {
  /** Absolute. */
  path: string;
  /** Such as 10-20. */
  lines?: string;
}

function fileOf(uri: string): LinkedFile | undefined {
  if (!/^file:/i.test(uri) || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  const lines = /^#L(\d+)(?:[-:]L?(\d+))?$/.exec(url.hash);
  url.hash = "";
  url.search = "";
  try {
    const range = lines ? { lines: [lines[1], lines[2] ?? lines[1]].join("-") } : {};
    return { path: fileURLToPath(url), ...range };
  } catch {
    // The file is on another machine.
    return undefined;
  }
}

/** undefined: the file is not in the project. */
function mentionOf({ path: file, lines }: LinkedFile, root: string): string | undefined {
  const shown = shownPath(file, root);
  if (shown === file) return undefined;
  const value = `/${shown}${lines === undefined ? "" : `:${lines}`}`;
  return /[\s"'`<>|、。，「」『』]/.test(value) ? `@"${value}"` : `@${value}`;
}

function shownPath(file: string, root: string): string {
  const inside = isInside(root, file) ? path.relative(root, file) : "";
  return inside === "" ? file : inside.split(path.sep).join("/");
}
