/** Finds JSON values in a text that contains more than them. */
import { parseJson } from "../xml/whole-call.ts";

const BETWEEN = /[\s;,]*/y;

/** Returns the values that follow each other from `at` on, and the position after the last one. */
export function jsonValues(text: string, at: number): { values: unknown[]; end: number } {
  const values: unknown[] = [];
  let end = at;
  for (;;) {
    BETWEEN.lastIndex = end;
    BETWEEN.test(text);
    const from = Math.max(end, BETWEEN.lastIndex);
    const to = jsonEnd(text, from);
    if (to === undefined) return { values, end };
    values.push(parseJson(text.slice(from, to)));
    end = to;
  }
}

/** Returns the position after the object or list at `at`; undefined if none begins there, or it does not end. */
export function jsonEnd(text: string, at: number): number | undefined {
  const first = text.charAt(at);
  if (first !== "{" && first !== "[") return undefined;
  let depth = 0;
  let inString = false;
  for (let i = at; i < text.length; i++) {
    const char = text.charAt(i);
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return i + 1;
  }
  return undefined;
}
