/** Where the parts of a JSON text are, so that one of them can be replaced and every other byte stays. The text must be valid JSON. */

/** Offsets in the text. */
export interface JsonSpan {
  start: number;
  end: number;
}

export interface JsonMember {
  key: string;
  name: JsonSpan;
  value: JsonSpan;
}

const WHITE_SPACE = /[ \t\r\n]*/y;

function afterSpace(text: string, at: number): number {
  WHITE_SPACE.lastIndex = at;
  return at + (WHITE_SPACE.exec(text)?.[0].length ?? 0);
}

/** The value that begins at or after the offset, without the white space around it. */
export function jsonValue(text: string, at = 0): JsonSpan {
  const start = afterSpace(text, at);
  const first = text[start];
  if (first === '"') return { start, end: endOfString(text, start) };
  if (first !== "{" && first !== "[") {
    const rest = /[^,\]}\s]+/y;
    rest.lastIndex = start;
    return { start, end: start + (rest.exec(text)?.[0].length ?? 0) };
  }
  let depth = 0;
  let end = start;
  do {
    const sign = text[end];
    if (sign === "{" || sign === "[") depth++;
    if (sign === "}" || sign === "]") depth--;
    end = sign === '"' ? endOfString(text, end) : end + 1;
  } while (depth > 0 && end < text.length);
  return { start, end };
}

function endOfString(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}

/** The items of an array. */
export function jsonItems(text: string, { start, end }: JsonSpan): JsonSpan[] {
  const items: JsonSpan[] = [];
  for (let at = afterSpace(text, start + 1); at < end - 1; ) {
    const item = jsonValue(text, at);
    items.push(item);
    at = afterSpace(text, item.end);
    if (text[at] === ",") at = afterSpace(text, at + 1);
  }
  return items;
}

/** The members of an object, in order. */
export function jsonMembers(text: string, { start, end }: JsonSpan): JsonMember[] {
  const members: JsonMember[] = [];
  for (let at = afterSpace(text, start + 1); at < end - 1; ) {
    const name = jsonValue(text, at);
    const key: unknown = JSON.parse(text.slice(name.start, name.end));
    const value = jsonValue(text, afterSpace(text, name.end) + 1);
    members.push({ key: String(key), name, value });
    at = afterSpace(text, value.end);
    if (text[at] === ",") at = afterSpace(text, at + 1);
  }
  return members;
}

/** Of several members with one name, the last one counts. */
export function jsonMember(text: string, object: JsonSpan, key: string): JsonMember | undefined {
  return jsonMembers(text, object).findLast((member) => member.key === key);
}
