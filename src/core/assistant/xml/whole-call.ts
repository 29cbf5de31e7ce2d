/**
 * Parses calls in unambiguous forms that are not part of the protocol: parameters as attributes of the tool's tag, and
 * bare text between the tool's tags.
 */

import { GT, isSpace, LF, LT, SLASH, SPACE } from "../chars.ts";
import { createArgumentsParser } from "../json/arguments-parser.ts";
import { isRecord } from "../record.ts";
import { normalize } from "../spelling.ts";
import { decodeEntities } from "./entities.ts";
import { NONE, type ToolTags, WAIT } from "./tags.ts";

/** A call with all its parameters, under the tool's own names where they match. */
export interface WholeCall {
  name: string;
  params: [name: string, value: string][];
}

/** Maximum length of such a call in characters; anything longer counts as text. */
const WHOLE_LIMIT = 1024;

export type Attributes =
  | typeof NONE
  | typeof WAIT
  | { kind: "attributes"; params: [name: string, value: string][]; closed: boolean; end: number };

const ATTRIBUTE = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const TAG_END = /\s*\/?>/y;

/** Reads the attributes from `at`, the position after the tag's name. Each must be a parameter of the tool. */
export function readAttributes(s: string, at: number, tool: ToolTags, atEnd: boolean): Attributes {
  const end = tagEnd(s, at);
  if (end === 0) return NONE;
  if (end < 0) return s.length - at >= WHOLE_LIMIT || atEnd ? NONE : WAIT;
  const params = new Map<string, string>();
  let i = at;
  for (;;) {
    ATTRIBUTE.lastIndex = i;
    const match = ATTRIBUTE.exec(s);
    if (match === null || ATTRIBUTE.lastIndex > end) break;
    i = ATTRIBUTE.lastIndex;
    const plain = normalize(match[1] ?? "");
    const name = tool.params.find((param) => normalize(param) === plain);
    if (name === undefined || params.has(name)) return NONE;
    params.set(name, decodeEntities(match[2] ?? match[3] ?? ""));
  }
  TAG_END.lastIndex = i;
  if (params.size === 0 || !TAG_END.test(s) || TAG_END.lastIndex !== end) return NONE;
  return { kind: "attributes", params: [...params], closed: s.charCodeAt(end - 2) === SLASH, end };
}

/**
 * Returns the position after the `>` that ends the tag, skipping quoted text; 0 if another tag begins first, -1 if
 * neither is found.
 */
function tagEnd(s: string, at: number): number {
  let quote = 0;
  const limit = Math.min(s.length, at + WHOLE_LIMIT);
  for (let i = at; i < limit; i++) {
    const c = s.charCodeAt(i);
    if (quote !== 0) {
      if (c === quote) quote = 0;
    } else if (c === 34 || c === 39) quote = c;
    else if (c === GT) return i + 1;
    else if (c === LT) return 0;
  }
  return -1;
}

/**
 * Reads a call of `tool` whose opening tag ends at `at` and which contains bare text: a JSON object of its parameters,
 * or the text of the tool's single text parameter. Its closing tag must end its line. Text separated from the tag by a
 * space is part of a sentence.
 */
export function readBare(
  s: string,
  at: number,
  tool: ToolTags,
  atEnd: boolean,
): typeof NONE | typeof WAIT | { kind: "whole"; call: WholeCall; end: number } {
  if (s.charCodeAt(at) === SPACE) return NONE;
  let first = at;
  while (first < at + WHOLE_LIMIT && isSpace(s.charCodeAt(first))) first++;
  if (s.charCodeAt(first) === LT) return NONE;
  let closeAt = -1;
  let end = -1;
  const reach = s.slice(at, at + WHOLE_LIMIT);
  for (const close of tool.closes) {
    const found = reach.indexOf(close);
    if (found < 0 || (closeAt >= 0 && at + found >= closeAt)) continue;
    closeAt = at + found;
    end = closeAt + close.length;
  }
  if (closeAt < 0) return atEnd || reach.length === WHOLE_LIMIT ? NONE : WAIT;
  const line = restOfLine(s, end, atEnd);
  if (line !== "blank") return line === "wait" ? WAIT : NONE;
  const params = bareParams(s.slice(at, closeAt).trim(), tool);
  return params === undefined ? NONE : { kind: "whole", call: { name: tool.name, params }, end };
}

function bareParams(text: string, tool: ToolTags): WholeCall["params"] | undefined {
  if (text === "" || /^[.…]+$/.test(text)) return undefined;
  if (text.startsWith("{")) {
    const params = paramsOfArguments(parseJson(text), tool);
    if (params !== undefined) return params;
  }
  // The text contains a parameter's tag: the call is damaged and its meaning is uncertain.
  if (
    tool.text === undefined ||
    tool.params.some((param) => text.includes(`<${param}>`) || text.includes(`</${param}>`))
  )
    return undefined;
  return [[tool.text, text]];
}

/** Converts an object of arguments to parameters of the XML protocol. */
export function paramsOfArguments(args: unknown, tool?: ToolTags): WholeCall["params"] | undefined {
  if (!isRecord(args)) return undefined;
  return Object.entries(args).map(([key, value]) => {
    const plain = normalize(key);
    const name = tool?.params.find((param) => param === key || normalize(param) === plain) ?? key;
    return [name, typeof value === "string" ? value : JSON.stringify(value)];
  });
}

/** Parses JSON whose strings may contain unescaped line breaks; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  const parser = createArgumentsParser();
  parser.push(text);
  return parser.end();
}

/** Classifies the text between `from` and the end of its line; `wait`: the next chunk decides. */
export function restOfLine(s: string, from: number, atEnd: boolean): "blank" | "text" | "wait" {
  const limit = Math.min(s.length, from + WHOLE_LIMIT);
  for (let i = from; i < limit; i++) {
    const c = s.charCodeAt(i);
    if (c === LF) return "blank";
    if (!isSpace(c)) return "text";
  }
  if (limit < s.length) return "text";
  return atEnd ? "blank" : "wait";
}
