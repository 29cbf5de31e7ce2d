/** Where an open value may end: pure scans of the text that the parser holds. */
import { breakBefore, CR, isHighSurrogate } from "../chars.ts";
import type { ToolTags } from "./tags.ts";
import { restOfLine } from "./whole-call.ts";

/** Where the end of the text begins that may belong to one of `marks` or is the line break before it. */
export function heldFrom(s: string, at: number, marks: readonly string[], atEnd: boolean): number {
  const { length } = s;
  let from = length;
  for (const mark of marks) {
    for (let i = Math.max(at, length - mark.length + 1); i < from; i++) {
      if (s.charCodeAt(i) === mark.charCodeAt(0) && mark.startsWith(s.slice(i))) {
        from = i;
        break;
      }
    }
  }
  if (from > at) {
    const last = s.charCodeAt(from - 1);
    if (from === length && (last === CR || (!atEnd && isHighSurrogate(last)))) return from - 1;
    return breakBefore(s, from, at);
  }
  return from;
}

/**
 * The tool's closing tag in a value before `upTo`, where it ends its line: the value's own closing tag was forgotten
 * then. `end` is the place after it; undefined where only the next chunk can tell whether the line ends there.
 */
export function toolClose(
  s: string,
  at: number,
  upTo: number,
  tool: ToolTags,
  atEnd: boolean,
): { at: number; end: number | undefined } | undefined {
  const text = upTo < s.length ? s.slice(0, upTo) : s;
  const { closer } = tool;
  closer.lastIndex = at;
  for (let match = closer.exec(text); match !== null; match = closer.exec(text)) {
    const end = match.index + match[0].length;
    const line = restOfLine(s, end, atEnd);
    if (line === "blank") return { at: match.index, end };
    if (line === "wait") return { at: match.index, end: undefined };
  }
  return undefined;
}
