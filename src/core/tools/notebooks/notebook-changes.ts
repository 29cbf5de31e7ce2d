/**
 * Changes of one cell of a notebook that leave every other byte of the file as it is. See `late-parts.ts` for what this file must not
 * import.
 */
import { lineEndings, splitLines } from "../../text.ts";
import { type JsonSpan, jsonItems, jsonMember, jsonValue } from "./json-spans.ts";

export type CellType = "code" | "markdown" | "raw";

/** One change; `index` is a position among the cells. */
export type CellChange =
  | { kind: "replace"; index: number; source: string }
  /** After the cell at the index; -1: at the beginning. */
  | { kind: "insert"; index: number; type: CellType; source: string; id?: string }
  | { kind: "delete"; index: number };

/** The text of the notebook with the change. The text must be one that `notebookCells` reads, and the index one of its cells. */
export function withCellChange(json: string, change: CellChange): string {
  const root = jsonValue(json);
  const list = jsonMember(json, root, "cells")?.value ?? root;
  const items = jsonItems(json, list);
  const style = styleOf(json, root);
  switch (change.kind) {
    case "replace": {
      const item = items[change.index];
      const source = item && jsonMember(json, item, "source");
      if (!source) return json;
      const asArray = json[source.value.start] === "[";
      const indent = style.isCompact ? "" : indentAt(json, source.name.start);
      const text = asArray ? linesJson(change.source, style, indent) : style.string(change.source);
      return spliced(json, source.value, text);
    }
    case "insert":
      return withInserted(json, { list, items, style, change });
    case "delete":
      return withoutItem(json, list, items, change.index);
  }
}

function spliced(text: string, { start, end }: JsonSpan, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function withoutItem(json: string, list: JsonSpan, items: readonly JsonSpan[], index: number): string {
  const item = items[index];
  if (!item) return json;
  if (items.length === 1) return spliced(json, list, "[]");
  const next = items[index + 1];
  const before = items[index - 1];
  const gone = next
    ? { start: item.start, end: next.start }
    : { start: before?.end ?? item.start, end: item.end };
  return spliced(json, gone, "");
}

interface Insertion {
  list: JsonSpan;
  items: readonly JsonSpan[];
  style: JsonStyle;
  change: Extract<CellChange, { kind: "insert" }>;
}

function withInserted(json: string, { list, items, style, change }: Insertion): string {
  const { isCompact, unit, eol } = style;
  const [first] = items;
  const outer = isCompact ? "" : unit;
  const indent = isCompact ? "" : first ? indentAt(json, first.start) : outer + unit;
  const cell = cellJson(change, style, indent);
  const gap = isCompact ? style.comma : `,${eol}${indent}`;
  if (!first) return spliced(json, list, isCompact ? `[${cell}]` : `[${eol}${indent}${cell}${eol}${outer}]`);
  const before = items[change.index];
  return before
    ? spliced(json, { start: before.end, end: before.end }, gap + cell)
    : spliced(json, { start: first.start, end: first.start }, cell + gap);
}

/** The members in the order in which Jupyter writes them. */
function cellJson({ type, source, id }: Insertion["change"], style: JsonStyle, indent: string): string {
  const inner = style.isCompact ? "" : indent + style.unit;
  const isCode = type === "code";
  const members: [key: string, value: string][] = [
    ["cell_type", style.string(type)],
    ...(isCode ? [["execution_count", "null"] satisfies [string, string]] : []),
    ...(id === undefined ? [] : [["id", style.string(id)] satisfies [string, string]]),
    ["metadata", "{}"],
    ...(isCode ? [["outputs", "[]"] satisfies [string, string]] : []),
    ["source", linesJson(source, style, inner)],
  ];
  const written = members.map(([key, value]) => `${style.string(key)}${style.colon}${value}`);
  if (style.isCompact) return `{${written.join(style.comma)}}`;
  const { eol } = style;
  return `{${eol}${written.map((member) => inner + member).join(`,${eol}`)}${eol}${indent}}`;
}

/** How a notebook is written. */
interface JsonStyle {
  /** All on one line. */
  isCompact: boolean;
  /** One step of indentation. */
  unit: string;
  eol: string;
  colon: string;
  /** Between what stands on one line. */
  comma: string;
  string(text: string): string;
}

function styleOf(json: string, root: JsonSpan): JsonStyle {
  const first = /^\{(\s*)"/.exec(json.slice(root.start, root.start + 100))?.[1] ?? "";
  const isCompact = !first.includes("\n");
  const colon =
    /^\{\s*"(?:[^"\\]|\\.)*"(\s*:\s*)/.exec(json.slice(root.start, root.start + 1_000))?.[1] ?? ": ";
  const isAscii = !/[^\0-\x7f]/.test(json) && /\\u[0-9a-fA-F]{4}/.test(json);
  return {
    isCompact,
    unit: first.slice(first.lastIndexOf("\n") + 1),
    eol: lineEndings(json).dominant ?? "\n",
    colon,
    comma: colon.endsWith(" ") ? ", " : ",",
    string(text) {
      const written = JSON.stringify(text);
      if (!isAscii) return written;
      return written.replace(
        /[\u0080-\uffff]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    },
  };
}

/** The white space before this place, on its line. */
function indentAt(text: string, at: number): string {
  return /[ \t]*$/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";
}

/** Jupyter writes the source as its lines, each with its line break. */
function linesJson(source: string, style: JsonStyle, indent: string): string {
  const lines = source === "" ? [] : splitLines(source).filter((line) => line !== "");
  if (lines.length === 0) return "[]";
  const { eol, unit } = style;
  const written = lines.map((line) => style.string(line));
  if (style.isCompact) return `[${written.join(style.comma)}]`;
  return `[${eol}${written.map((line) => indent + unit + line).join(`,${eol}`)}${eol}${indent}]`;
}
