/**
 * Makes what a server returns readable where the SDK would reject all of it for one part: an unknown kind of content, a
 * part without what its kind needs, `null` in place of something optional. Such a part becomes a note; the others remain.
 */
import * as z from "../../shared/zod.ts";
import { boundedText } from "./server-text.ts";

/** Characters of an unreadable part in its note. */
const QUOTED = 2_000;

const optional = z.catch(z.optional(z.string()), undefined);
/** The format of an image is that of its bytes. */
const format = z.catch(z.string(), "application/octet-stream");
const contents = z.union([
  z.object({ uri: z.string(), mimeType: optional, text: z.string() }),
  z.object({ uri: z.string(), mimeType: optional, blob: z.string() }),
]);
const partSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: format }),
  z.object({ type: z.literal("resource"), resource: contents }),
  z.pipe(
    z.object({
      type: z.literal("resource_link"),
      uri: z.string(),
      name: optional,
      title: optional,
      description: optional,
      mimeType: optional,
    }),
    z.transform((link) => ({ ...link, name: link.name ?? link.title ?? link.uri })),
  ),
]);
const kindSchema = z.object({ type: z.string() });
const messageSchema = z.looseObject({ content: z.unknown() });

/** Returns the result of a call, a prompt or a resource without what cannot be read. */
export function readableResult<T extends Record<string, unknown>>(result: T): T {
  // The entries of lists are checked one by one where they are read.
  const { content, messages, contents: resources } = result;
  const fields: Record<string, unknown> = {};
  if (content !== undefined) fields.content = partsOf(content).map(readablePart);
  if (Array.isArray(messages)) fields.messages = messages.map(readableMessage);
  if (Array.isArray(resources)) fields.contents = resources.map(readableContents);
  if (Object.keys(fields).length === 0) return result;
  const readable = { ...result, ...fields };
  if (typeof result.isError === "string") Object.assign(readable, { isError: result.isError === "true" });
  for (const [key, value] of Object.entries(result))
    if (value === null && !(key in fields)) delete readable[key];
  return readable;
}

/** Some servers return one part, or its text, instead of a list. */
function partsOf(content: unknown): unknown[] {
  if (content === null) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [content];
}

function readablePart(part: unknown): unknown {
  if (typeof part === "string") return { type: "text", text: part };
  return partSchema.safeParse(part).data ?? note(part);
}

function readableMessage(message: unknown): unknown {
  const { data } = messageSchema.safeParse(message);
  return data ? { ...data, content: readablePart(data.content) } : message;
}

function readableContents(resource: unknown): unknown {
  const { data } = contents.safeParse(resource);
  if (data) return data;
  const uri = z.object({ uri: z.string() }).safeParse(resource).data?.uri ?? "unknown:";
  return { uri, text: note(resource).text };
}

function note(part: unknown): { type: "text"; text: string } {
  const kind = kindSchema.safeParse(part).data?.type;
  const about = kind === undefined ? "without a kind" : `of the kind "${boundedText(kind, 100)}"`;
  return { type: "text", text: `[A part ${about} that cannot be read: ${quoted(part)}]` };
}

function quoted(part: unknown): string {
  try {
    return boundedText(JSON.stringify(part) ?? "", QUOTED);
  } catch {
    return "it is nested too deeply";
  }
}
