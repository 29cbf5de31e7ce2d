/** Scans the parser's text for the possible end of an open value, without state. */
import { breakBefore, CR, isHighSurrogate } from "../chars.ts";
import type { SpaceSkipper, ToolTags } from "./tags.ts";
import { restOfLine } from "./whole-call.ts";

/**
 * Returns where the text to hold back begins: the start of one of `marks` at the end of the text, or the line break
 * before it.
 */
export function holdBackFrom(s: string, at: number, marks: readonly string[], atEnd: boolean): number {
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
 * Finds the tool's closing tag in a value before `upTo`, if the tag ends its line: the value's own closing tag is then
 * missing. `end` is the position after it; undefined if only the next chunk shows whether the line ends there.
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

export const CDATA_OPEN = "<![CDATA[";

/**
 * Returns the position after the closing tag that follows the end of a CDATA section, after white space; `none` if
 * something else follows, also another section.
 */
export function afterSection(
  s: string,
  from: number,
  closeTag: string,
  spaces: SpaceSkipper,
): number | "none" | "wait" {
  const rest = s.slice(from, from + CDATA_OPEN.length);
  if (from + rest.length === s.length && CDATA_OPEN.startsWith(rest)) return "wait";
  const to = spaces.skip(s, from);
  if (to < 0) return "none";
  if (s.startsWith(closeTag, to)) return to + closeTag.length;
  return s.length - to < closeTag.length && closeTag.startsWith(s.slice(to)) ? "wait" : "none";
}
