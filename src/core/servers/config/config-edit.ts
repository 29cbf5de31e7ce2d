/**
 * Changes a configuration file of MCP servers as its author would: all other text stays as it is, including comments, indentation
 * and line endings. The edits are made here, because those of jsonc-parser remove comments next to a removed entry, and leave a
 * comma if the only entry had one.
 */
import { createScanner, type Node } from "jsonc-parser";
import { reasonOf } from "../../../shared/reason.ts";
import { ToolError } from "../../errors.ts";
import { serverName } from "../server-name.ts";
import { type Property, propertiesOf, propertyOf, readConfigText } from "./config-text.ts";
import { SERVER_KEYS } from "./configuration.ts";

/** A value as JSON has them. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const DEFAULT_INDENT = "  ";
/** What may follow an entry on its line. */
const REST_OF_LINE = /[ \t]*(?:\/\/[^\r\n]*|\/\*(?:[^*\r\n]|\*(?!\/))*\*\/[ \t]*)?(?=\r?\n|$)/y;

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** Adds an entry, or replaces the one with this name. Throws ToolError if the text is not valid. */
export function withServer(text: string, name: string, entry: Json): string {
  const root = rootOf(text);
  const style = styleOf(text);
  if (!root) {
    const before = text === "" || /\n$/.test(text) ? text : `${text}${style.eol}`;
    return `${before}${json({ mcpServers: { [name]: entry } }, style, "")}${style.eol}`;
  }
  const existing = entriesNamed(root, name).at(-1);
  if (existing) return replaced(text, existing.value, entry);
  const container = SERVER_KEYS.map((key) => propertyOf(root, key)).findLast(
    (each) => each?.value.type === "object",
  );
  if (container) return withProperty(text, container.value, name, entry);
  const present = propertyOf(root, "mcpServers");
  if (present) return replaced(text, present.value, { [name]: entry });
  return withProperty(text, root, "mcpServers", { [name]: entry });
}

/** Removes the entries with this name. undefined: there are none. Throws ToolError if the text is not valid. */
export function withoutServer(text: string, name: string): string | undefined {
  let changed: string | undefined;
  for (;;) {
    const current = changed ?? text;
    const root = rootOf(current);
    const entry = root && entriesNamed(root, name)[0];
    if (!entry) return changed;
    changed = withoutProperty(current, entry);
  }
}

/** Sets a key of an entry, such as `disabled`. undefined: there is no such entry. Throws ToolError as above. */
export function withServerValue(text: string, name: string, key: string, value: Json): string | undefined {
  const root = rootOf(text);
  const entry = root && entriesNamed(root, name).findLast((each) => each.value.type === "object");
  if (!entry) return undefined;
  const existing = propertyOf(entry.value, key);
  return existing ? replaced(text, existing.value, value) : withProperty(text, entry.value, key, value);
}

/** Adds inputs whose ids the file does not have yet. Throws ToolError as above. */
export function withInputs(text: string, inputs: readonly { readonly [key: string]: Json }[]): string {
  let changed = text;
  for (const input of inputs) {
    const root = rootOf(changed);
    const list = propertyOf(root, "inputs");
    if (list?.value.children?.some((each) => propertyOf(each, "id")?.value.value === input.id)) continue;
    if (!root) throw new Error("inputs belong to a server, which is added first");
    if (!list) changed = withProperty(changed, root, "inputs", [input]);
    else if (list.value.type === "array") changed = withElement(changed, list.value, input);
    else changed = replaced(changed, list.value, [input]);
  }
  return changed;
}

/** Whether the file has an entry that is used under this name. Throws ToolError as above. */
export function hasServer(text: string, name: string): boolean {
  const root = rootOf(text);
  return root !== undefined && entriesNamed(root, name).length > 0;
}

function rootOf(text: string): Node | undefined {
  const { root, errorAt, lineAt } = readConfigText(text);
  if (errorAt === undefined && (!root || root.type === "object")) return root;
  const line = lineAt(errorAt ?? 0);
  throw new ToolError(
    `The configuration file is not valid JSON (line ${line}). Nothing was changed.`,
    reasonOf("config-not-json", String(line)),
  );
}

function entriesNamed(root: Node, name: string): (Property & { parent: Node })[] {
  return SERVER_KEYS.flatMap((key) => propertyOf(root, key)?.value ?? []).flatMap((parent) =>
    propertiesOf(parent)
      .filter(({ key }) => key === name || serverName(key) === name)
      .map((property) => ({ ...property, parent })),
  );
}

interface Style {
  eol: string;
  indent: string;
}

function styleOf(text: string): Style {
  const indent = /^(?:\t| +)(?=\S)/m.exec(text)?.[0] ?? DEFAULT_INDENT;
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", indent };
}

/** `indent`: that of the line on which the value begins. */
function json(value: Json, style: Style, indent: string): string {
  return JSON.stringify(value, null, style.indent).replaceAll("\n", `${style.eol}${indent}`);
}

function applied(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((changed, { from, to, text: put }) => changed.slice(0, from) + put + changed.slice(to), text);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function indentAt(text: string, offset: number): string {
  return /[ \t]*/y.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function replaced(text: string, node: Node, value: Json): string {
  const put = json(value, styleOf(text), indentAt(text, node.offset));
  return applied(text, [{ from: node.offset, to: endOf(node), text: put }]);
}

function withProperty(text: string, parent: Node, key: string, value: Json): string {
  return withChild(text, parent, (indent) => `${JSON.stringify(key)}: ${json(value, styleOf(text), indent)}`);
}

function withElement(text: string, parent: Node, value: Json): string {
  return withChild(text, parent, (indent) => json(value, styleOf(text), indent));
}

/** Adds a last child to an object or a list, on a line of its own unless the others share one. */
function withChild(text: string, parent: Node, child: (indent: string) => string): string {
  const { eol, indent: unit } = styleOf(text);
  const last = parent.children?.at(-1);
  const close = endOf(parent) - 1;
  if (!last) {
    const outer = indentAt(text, parent.offset);
    const inner = outer + unit;
    const from = parent.offset + 1 + text.slice(parent.offset + 1, close).trimEnd().length;
    return applied(text, [{ from, to: close, text: `${eol}${inner}${child(inner)}${eol}${outer}` }]);
  }
  const end = endOf(last);
  const comma = commaAfter(text, end);
  const afterComma = comma === undefined ? end : comma + 1;
  const indent = indentAt(text, last.offset);
  const ownLine = text.slice(lineStart(text, last.offset), last.offset) === indent;
  const at = ownLine ? endOfLine(text, afterComma) : afterComma;
  const put = `${ownLine ? eol + indent : " "}${child(indent)}${comma === undefined ? "" : ","}`;
  if (comma !== undefined) return applied(text, [{ from: at, to: at, text: put }]);
  return `${text.slice(0, end)},${text.slice(end, at)}${put}${text.slice(at)}`;
}

function withoutProperty(text: string, { offset, value, parent }: Property & { parent: Node }): string {
  const siblings = parent.children ?? [];
  const index = siblings.findIndex((each) => each.offset === offset);
  const end = endOf(value);
  const comma = commaAfter(text, end);
  const edits: Edit[] = [];
  const previous = siblings[index - 1];
  if (comma === undefined && previous) {
    const before = commaAfter(text, endOf(previous));
    if (before !== undefined) edits.push({ from: before, to: before + 1, text: "" });
  }
  let from = offset;
  let to = comma === undefined ? end : comma + 1;
  const start = lineStart(text, offset);
  const rest = endOfLine(text, to);
  if (text.slice(start, offset).trim() === "" && /^(?:\r?\n|$)/.test(text.slice(rest, rest + 2))) {
    from = start;
    to = rest + (/^\r?\n/.exec(text.slice(rest, rest + 2))?.[0].length ?? 0);
  } else if (comma !== undefined) {
    to += /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0;
  }
  return applied(text, [...edits, { from, to, text: "" }]);
}

/** Offset of the comma that follows, after white space and comments. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset()) === "," ? scanner.getTokenOffset() : undefined;
}

/** The end of the line if only a comment follows on it; otherwise `offset`. */
function endOfLine(text: string, offset: number): number {
  REST_OF_LINE.lastIndex = offset;
  return offset + (REST_OF_LINE.exec(text)?.[0].length ?? 0);
}
