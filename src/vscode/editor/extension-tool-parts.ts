/** Reads the results of other extensions' tools. */
import type { EditorToolPart } from "../../core/ports/editor-tools.ts";
import * as z from "../../shared/zod.ts";

/** Parts by their shape: not every version of the editor has a class for each. */
const textSchema = z.object({ value: z.string() });
const dataSchema = z.object({ mimeType: z.string(), data: z.instanceof(Uint8Array) });
const tsxSchema = z.object({ value: z.unknown() });

export function extensionToolPart(part: unknown): EditorToolPart {
  const text = textSchema.safeParse(part).data;
  if (text) return { type: "text", text: text.value };
  const data = dataSchema.safeParse(part).data;
  if (data) return { type: "data", ...data };
  return { type: "text", text: tsxText(tsxSchema.safeParse(part).data?.value) };
}

/** A node of a stored prompt-tsx element: a text, or one with further nodes. */
const nodeSchema = z.object({
  text: z.optional(z.string()),
  node: z.optional(z.unknown()),
  children: z.optional(z.array(z.unknown())),
});

/** The texts of a stored prompt-tsx element, in their order. */
function tsxText(value: unknown): string {
  const { text = "", node, children = [] } = nodeSchema.safeParse(value).data ?? {};
  const inner = node === undefined ? "" : tsxText(node);
  return text + inner + children.map(tsxText).join("");
}
