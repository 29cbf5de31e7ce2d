/** JSON with comments and trailing commas, as editors write configuration, with the line of everything in it. */
import { createScanner, type Node, type ParseError, parseTree } from "jsonc-parser";
import { lineTable } from "../../text.ts";

/** Deeper nesting is refused, because the parser is recursive. */
const DEEPEST = 50;

export interface ConfigText {
  /** undefined: the text is empty, apart from comments. */
  root: Node | undefined;
  /** Offset of the first syntax error; undefined: none. */
  errorAt: number | undefined;
  /** The line, from 1, of an offset in the text. */
  lineAt(offset: number): number;
}

export function readConfigText(text: string): ConfigText {
  const lineAt = lineFinder(text);
  const deep = tooDeepAt(text);
  if (deep !== undefined) return { root: undefined, errorAt: deep, lineAt };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  return { root: first ? undefined : root, errorAt: first?.offset, lineAt };
}

function lineFinder(text: string): (offset: number) => number {
  const { starts, count } = lineTable(text);
  return (offset) => {
    let low = 0;
    let high = Math.max(0, count - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** Offset of the first bracket that is nested too deep. */
function tooDeepAt(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (offset >= text.length) return undefined;
    const first = text.charAt(offset);
    if (first === "{" || first === "[") depth++;
    else if (first === "}" || first === "]") depth--;
    if (depth > DEEPEST) return offset;
  }
}

export interface Property {
  key: string;
  /** Offset of the key. */
  offset: number;
  value: Node;
}

/** The properties of an object, in the order of the text; a key may occur several times. */
export function propertiesOf(node: Node): Property[] {
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key && value && typeof key.value === "string" ? [{ key: key.value, offset: key.offset, value }] : [],
  );
}

/** The value of a key. If the key occurs several times, the last one applies. */
export function propertyOf(node: Node | undefined, key: string): Property | undefined {
  return node && propertiesOf(node).findLast((property) => property.key === key);
}
