/**
 * Reads the JSON that a README shows for adding an MCP server: a whole configuration file of any agent, a map of entries, one entry,
 * or any of these without the outer braces or inside a Markdown code block.
 */
import { getNodeValue, type Node } from "jsonc-parser";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import * as z from "../../../shared/zod.ts";
import { ToolError } from "../../errors.ts";
import type { Json } from "./config-edit.ts";
import { propertiesOf, propertyOf, readConfigText } from "./config-text.ts";
import { parseServerFile, SERVER_KEYS } from "./configuration.ts";

const jsonSchema: z.ZodMiniType<Json> = z.json();
const objectSchema = z.record(z.string(), jsonSchema);
type JsonObject = z.infer<typeof objectSchema>;

export interface PastedServer {
  /** undefined: the text has no name for it. */
  name: string | undefined;
  entry: JsonObject;
  /** The inputs of the text, for the file that the entry is added to. */
  inputs: JsonObject[];
}

/** Throws ToolError if the text has no server. */
export function readPastedServers(text: string): PastedServer[] {
  const plain = withoutFence(text).trim().replace(/,$/, "");
  for (const candidate of [plain, `{${plain}}`]) {
    const { root, errorAt } = readConfigText(candidate);
    const found = errorAt === undefined && root?.type === "object" ? serversIn(root) : [];
    if (found.length > 0) return found;
  }
  throw new ToolError("The text has no configuration of an MCP server.", reasonOf("no-server-in-text"));
}

/** Why the entry cannot be used as it is; the reasons of `notes` do not prevent its use. */
export function checkServer({ name, entry, inputs }: PastedServer): { problems: Reason[]; notes: Reason[] } {
  const text = JSON.stringify({ mcpServers: { [name ?? "server"]: entry }, inputs });
  const { servers, problems } = parseServerFile({ source: "user", file: "", text });
  const reasons = problems.map(({ reason }) => reason);
  return servers.length > 0 ? { problems: [], notes: reasons } : { problems: reasons, notes: [] };
}

function withoutFence(text: string): string {
  return /^\s*```[^\n]*\n(.*?)\n\s*```\s*$/s.exec(text)?.[1] ?? text;
}

function serversIn(root: Node): PastedServer[] {
  // VS Code's settings.json had the same content under this key.
  const outer = propertyOf(root, "mcp")?.value ?? root;
  const inputs = elementsOf(propertyOf(outer, "inputs")?.value);
  const named = SERVER_KEYS.flatMap((key) => propertyOf(outer, key)?.value ?? []);
  if (named.length > 0) return named.flatMap((node) => entriesOf(node, inputs));
  if (isEntry(root)) return [{ name: undefined, entry: objectOf(root), inputs: [] }];
  return entriesOf(root, []);
}

function entriesOf(node: Node, inputs: JsonObject[]): PastedServer[] {
  const entries = node.type === "object" ? propertiesOf(node) : [];
  return entries.flatMap(({ key, value }) =>
    isEntry(value) ? [{ name: key, entry: objectOf(value), inputs }] : [],
  );
}

function isEntry(node: Node): boolean {
  return ["command", "url", "serverUrl", "httpUrl"].some(
    (key) => node.type === "object" && propertyOf(node, key)?.value.type === "string",
  );
}

function elementsOf(node: Node | undefined): JsonObject[] {
  return node?.type === "array"
    ? (node.children ?? []).filter(({ type }) => type === "object").map(objectOf)
    : [];
}

function objectOf(node: Node): JsonObject {
  const value: unknown = getNodeValue(node);
  // A plain object: the parser's has no prototype.
  return objectSchema.parse(JSON.parse(JSON.stringify(value)));
}
