/**
 * Changes JSON with comments without changing any other text, including comments, indentation and line endings. The edits are
 * made here, because those of jsonc-parser remove comments next to a removed entry, and leave a comma if the only entry had
 * one.
 */
import { createScanner, type Node } from "jsonc-parser";
import type { Property } from "./config-text.ts";

/** A value as JSON has them. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A property or an element, and the object or list that it is in. */
export type JsonChild = Pick<Property, "offset" | "value"> & { parent: Node };

const DEFAULT_INDENT = "  ";
/** What may follow an entry on its line. */
const REST_OF_LINE = /[ \t]*(?:\/\/[^\r\n]*|\/\*(?:[^*\r\n]|\*(?!\/))*\*\/[ \t]*)?(?=\r?\n|$)/y;

interface Edit {
  from: number;
  to: number;
  text: string;
}

interface Style {
  eol: string;
  indent: string;
}

export function styleOf(text: string): Style {
  const indent = /^(?:\t| +)(?=\S)/m.exec(text)?.[0] ?? DEFAULT_INDENT;
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", indent };
}

/** `indent`: that of the line on which the value begins. */
export function json(value: Json, style: Style, indent: string): string {
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

export function replaced(text: string, node: Node, value: Json): string {
  const put = json(value, styleOf(text), indentAt(text, node.offset));
  return applied(text, [{ from: node.offset, to: endOf(node), text: put }]);
}

export function withProperty(text: string, parent: Node, key: string, value: Json): string {
  return withChild(text, parent, (indent) => `${JSON.stringify(key)}: ${json(value, styleOf(text), indent)}`);
}

export function withElement(text: string, parent: Node, value: Json): string {
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

/** Removes a property, or an element of a list, whose `offset` is that of its value. */
export function withoutChild(text: string, { offset, value, parent }: JsonChild): string {
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
