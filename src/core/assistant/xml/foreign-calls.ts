/**
 * Parses calls in formats that models learned elsewhere: JSON in `<tool_call>`, `<function=name>` with
 * `<parameter=name>`, and `<invoke name="name">` with `<parameter name="name">`, alone or inside a tag that contains
 * several calls.
 */
import { isSpace, LT } from "../chars.ts";
import { TextBuilder } from "../events.ts";
import { jsonValues } from "../forms/json-values.ts";
import { parallelCalls } from "../forms/parallel-calls.ts";
import { isRecord } from "../record.ts";
import { endsInArgs, readArgs } from "./args-calls.ts";
import { lastName, NONE, type TagTable, type ToolTags, toolNamed, WAIT } from "./tags.ts";
import { paramsOfArguments, parseJson, type WholeCall } from "./whole-call.ts";

/** Maximum length of an opening tag and of the text of one such call, in characters. */
const MAX_TAG_LENGTH = 160;
const MAX_CALL_LENGTH = 1_000_000;
/** Number of closing tags that are tried as the end of the call. */
const MAX_TRIES = 16;

const PREFIX = "(?:[A-Za-z]\\w{0,20}:)?";
const WRAPPER = new RegExp(
  `^<(${PREFIX}(?:tool_calls?|tool_uses?|function_calls?|functions?_call|use_tool|tool_request))>`,
);
const SINGLE = new RegExp(
  `^<(${PREFIX}(?:function|invoke|tool|function_call|tool_call))(?:=|\\s+name\\s*=\\s*)["']?([\\w./:-]{1,80})["']?\\s*>`,
);
/** Tags that the end of the chunk may have cut off. */
const PARTIAL_TAG =
  /^<(?:$|[A-Za-z]\w*:?\w*$|(?:\w+:)?(?:function|invoke|tool|function_call|tool_call)(?:=["']?[\w./:-]*["']?|\s+(?:n|na|nam|name\s*(?:=\s*["']?[\w./:-]*["']?)?)?)\s*$)/;

export type ForeignTag = typeof NONE | typeof WAIT | { kind: "foreign"; close: string; end: number };

/**
 * Checks whether such a call begins at `at`: a tag that contains calls, followed by JSON or another such tag, or a call
 * of a known tool. `end` is the position after the text that was checked.
 */
export function foreignTag(s: string, at: number, tags: TagTable, atEnd: boolean): ForeignTag {
  const text = s.slice(at, at + MAX_TAG_LENGTH);
  const wrapper = WRAPPER.exec(text);
  if (wrapper !== null) {
    if (tags.find(wrapper[1] ?? "") !== undefined) return NONE;
    return holdsCall(s, at + wrapper[0].length, atEnd, `</${wrapper[1]}>`);
  }
  const single = SINGLE.exec(text);
  if (single !== null) {
    if (tags.find(lastName(single[2] ?? "")) === undefined) return NONE;
    return { kind: "foreign", close: `</${single[1]}>`, end: at + single[0].length };
  }
  return !atEnd && text.length < MAX_TAG_LENGTH && at + text.length === s.length && PARTIAL_TAG.test(text)
    ? WAIT
    : NONE;
}

function holdsCall(s: string, from: number, atEnd: boolean, close: string): ForeignTag {
  const limit = Math.min(s.length, from + MAX_TAG_LENGTH);
  let i = from;
  while (i < limit && isSpace(s.charCodeAt(i))) i++;
  if (i === s.length) return atEnd ? NONE : WAIT;
  const c = s.charCodeAt(i);
  return c === 0x7b || c === 0x5b || c === LT ? { kind: "foreign", close, end: i } : NONE;
}

/** The result of collecting: the calls, if any, and the text. */
export interface ForeignEnd {
  calls: WholeCall[] | undefined;
  /** All collected text. */
  text: string;
}

/**
 * Collects the text of such a call up to the closing tag at which it can be parsed. The total work is proportional to
 * the text.
 */
export class ForeignReader {
  readonly #text = new TextBuilder();
  #length = 0;
  #tail = "";
  #tries = 0;
  readonly #close: string;
  readonly #tags: TagTable;

  constructor(close: string, tags: TagTable) {
    this.#close = close;
    this.#tags = tags;
  }

  /** Reads `s` from `at`. Returns the result and the position after it; undefined if the call is not complete yet. */
  push(s: string, at: number): { end: number; result: ForeignEnd } | undefined {
    const close = this.#close;
    const limit = Math.min(s.length, at + MAX_CALL_LENGTH - this.#length);
    const window = this.#tail + s.slice(at, limit);
    const offset = at - this.#tail.length;
    let from = at;
    let search = 0;
    for (;;) {
      const found = window.indexOf(close, search);
      if (found < 0) break;
      const end = offset + found + close.length;
      this.#append(s.slice(from, end));
      from = end;
      const text = this.#text.toString();
      const calls = readForeign(text, this.#tags);
      if (calls !== undefined || ++this.#tries >= MAX_TRIES || !endsInValue(text, close)) {
        return { end, result: { calls, text } };
      }
      search = found + close.length;
    }
    this.#append(s.slice(from, limit));
    this.#tail = window.slice(Math.max(search, window.length - close.length + 1));
    if (this.#length < MAX_CALL_LENGTH) return undefined;
    return { end: limit, result: { calls: undefined, text: this.#text.toString() } };
  }

  /** Ends the message. Arguments in JSON can be complete even if the closing tag is missing. */
  end(): ForeignEnd {
    const text = this.#text.toString();
    const json = /^<[^<>]+>\s*[{[]/.test(text);
    return { calls: json ? readForeign(`${text}${this.#close}`, this.#tags) : undefined, text };
  }

  #append(text: string): void {
    this.#length += text.length;
    this.#text.append(text);
  }
}

/** Whether the closing tag at the end of the text may be part of a value: inside a JSON string or a parameter. */
function endsInValue(text: string, close: string): boolean {
  const before = text.slice(0, text.length - close.length);
  if (/^<[^<>]+>\s*[{[]/.test(text)) {
    let inString = false;
    for (let i = before.indexOf(">") + 1; i < before.length; i++) {
      const c = before.charCodeAt(i);
      if (inString && c === 92) i++;
      else if (c === 34) inString = !inString;
    }
    return inString;
  }
  if (endsInArgs(text, close)) return true;
  return before.lastIndexOf("<parameter") > before.lastIndexOf("</parameter>");
}

/** Parses all calls of such a text; undefined if it is damaged. */
function readForeign(text: string, tags: TagTable): WholeCall[] | undefined {
  const wrapper = WRAPPER.exec(text);
  if (wrapper === null) return readElements(text, tags) ?? readArgs(text, tags);
  const close = `</${wrapper[1]}>`;
  if (!text.endsWith(close)) return undefined;
  const body = text.slice(wrapper[0].length, text.length - close.length).trim();
  if (!body.startsWith("<")) return callsOfJson(valueIn(body), tags);
  if (WRAPPER.test(body)) return readForeign(body, tags);
  return readElements(body, tags);
}

/** Returns the value of a text; the list of them if there are several. */
function valueIn(text: string): unknown {
  const { values, end } = jsonValues(text, 0);
  return end === text.length && values.length > 1 ? values : parseJson(text);
}

export const JSON_NAMES = [
  "name",
  "tool",
  "tool_name",
  "function",
  "function_name",
  "recipient_name",
  "action",
];
export const JSON_ARGUMENTS = [
  "arguments",
  "parameters",
  "params",
  "input",
  "args",
  "tool_input",
  "action_input",
];
/** Keys of an object or a list of them that hold the calls. */
export const JSON_WRAPPERS = ["tool_calls", "tool_uses", "function_call", "tool_call"];

/** Returns the calls that a JSON value describes, in the formats that models use; undefined if there are none. */
export function callsOfJson(value: unknown, tags: TagTable): WholeCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map((item) => callsOfJson(item, tags));
    return value.length > 0 && calls.every((call) => call !== undefined) ? calls.flat() : undefined;
  }
  if (!isRecord(value)) return undefined;
  const wrapper = JSON_WRAPPERS.find((name) => typeof value[name] === "object");
  if (wrapper !== undefined) return callsOfJson(value[wrapper], tags);
  if (isRecord(value.function)) return callsOfJson(value.function, tags);
  const key = JSON_NAMES.find((name) => typeof value[name] === "string");
  const given = key === undefined ? undefined : value[key];
  if (typeof given !== "string" || given === "") return undefined;
  const args = JSON_ARGUMENTS.map((name) => value[name]).find((found) => found !== undefined);
  const tool = toolNamed(given, tags);
  const values = typeof args === "string" ? parseJson(args) : (args ?? {});
  if (tool === undefined && parallelCalls(given, values) !== undefined) return callsOfJson(values, tags);
  const params = paramsOfArguments(values, tool);
  return params === undefined ? undefined : [{ name: tool?.name ?? given, params }];
}

const PARAM = new RegExp(
  `\\s*<(${PREFIX}(?:parameter|param|arg|argument))(?:=|\\s+name\\s*=\\s*)["']?([\\w.-]{1,80})["']?[^<>]{0,40}>`,
  "y",
);

const CHILD = /\s*<([A-Za-z_][\w.-]{0,80})>/y;

/** Parses one or more consecutive calls with nothing else around them. */
export function readElements(text: string, tags: TagTable): WholeCall[] | undefined {
  const calls: WholeCall[] = [];
  let at = 0;
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at++;
    if (at >= text.length) return calls.length === 0 ? undefined : calls;
    const found = readElement(text, at, tags);
    if (found === undefined) return undefined;
    calls.push(found.call);
    at = found.end;
  }
}

/** Parses the call at `start`. */
function readElement(
  text: string,
  start: number,
  tags: TagTable,
): { call: WholeCall; end: number } | undefined {
  const open = SINGLE.exec(text.slice(start, start + MAX_TAG_LENGTH));
  if (open === null) return undefined;
  const name = open[2] ?? "";
  const close = `</${open[1]}>`;
  const tool = tags.find(lastName(name));
  const params: WholeCall["params"] = [];
  let at = start + open[0].length;
  const json = jsonUpTo(text, at, close);
  if (json !== undefined) {
    const given = paramsOfArguments(json.value, tool);
    if (given === undefined) return undefined;
    params.push(...given);
    at = json.end;
  }
  for (;;) {
    const param = paramAt(text, at, tool);
    if (param === undefined) break;
    const { element, key, from } = param;
    const end = valueEnd(text, from, `</${element}>`, close, tool);
    // The parameter occurs twice: it is ambiguous which value applies.
    if (end === undefined || params.some(([name]) => name === key)) return undefined;
    const value = text
      .slice(from, end.at)
      .replace(/^\r?\n/, "")
      .replace(/\r?\n$/, "");
    params.push(...(paramsOfArguments({ [key]: value }, tool) ?? []));
    at = end.after;
  }
  at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
  if (!text.startsWith(close, at)) return undefined;
  return { call: { name: tool?.name ?? name, params }, end: at + close.length };
}

/** Reads the tag of a parameter at `at`: `<parameter name="path">`, or `<path>` of a tool that has it. */
function paramAt(
  text: string,
  at: number,
  tool: ToolTags | undefined,
): { element: string; key: string; from: number } | undefined {
  PARAM.lastIndex = at;
  const [tag, element = "", key = ""] = PARAM.exec(text) ?? [];
  if (tag !== undefined) return { element, key, from: at + tag.length };
  CHILD.lastIndex = at;
  const [child, name = ""] = CHILD.exec(text) ?? [];
  return child !== undefined && tool?.params.includes(name)
    ? { element: name, key: name, from: at + child.length }
    : undefined;
}

/** Parses the JSON between `at` and the last closing tag; undefined if there is none. */
function jsonUpTo(text: string, at: number, close: string): { value: unknown; end: number } | undefined {
  if (!/^\s*\{/.test(text.slice(at, at + MAX_TAG_LENGTH))) return undefined;
  const end = text.lastIndexOf(close);
  return end < at ? undefined : { value: parseJson(text.slice(at, end)), end };
}

/**
 * Returns where a parameter's value ends: at the first closing tag followed by another parameter or the end of the
 * call.
 */
function valueEnd(
  text: string,
  from: number,
  close: string,
  callClose: string,
  tool: ToolTags | undefined,
): { at: number; after: number } | undefined {
  for (let at = text.indexOf(close, from); at >= 0; at = text.indexOf(close, at + 1)) {
    const after = at + close.length;
    if (paramAt(text, after, tool) !== undefined) return { at, after };
    const space = /^\s*/.exec(text.slice(after, after + MAX_TAG_LENGTH))?.[0].length ?? 0;
    if (text.startsWith(callClose, after + space)) return { at, after };
  }
  return undefined;
}
