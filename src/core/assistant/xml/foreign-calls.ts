/**
 * Calls in the forms that models were trained on elsewhere: JSON in `<tool_call>`, `<function=name>` with
 * `<parameter=name>`, `<invoke name="name">` with `<parameter name="name">`, alone or within a tag that holds several.
 */
import { isSpace, LT } from "../chars.ts";
import { TextBuilder } from "../events.ts";
import { isRecord } from "../record.ts";
import { NONE, type TagTable, WAIT } from "./tags.ts";
import { paramsOf, parseJson, type WholeCall } from "./whole-call.ts";

/** The longest opening tag, and the most text of one such call, in characters. */
const longestTag = 160;
const longestCall = 1_000_000;
/** So many closing tags are tried as the call's end. */
const mostTries = 16;

const PREFIX = "(?:[A-Za-z]\\w{0,20}:)?";
const WRAPPER = new RegExp(
  `^<(${PREFIX}(?:tool_calls?|tool_uses?|function_calls?|functions?_call|use_tool|tool_request))>`,
);
const SINGLE = new RegExp(
  `^<(${PREFIX}(?:function|invoke|tool))(?:=|\\s+name\\s*=\\s*)["']?([\\w./:-]{1,80})["']?\\s*>`,
);
/** What the chunk may have begun. */
const BEGUN =
  /^<(?:$|[A-Za-z]\w*:?\w*$|(?:\w+:)?(?:function|invoke|tool)(?:=["']?[\w./:-]*["']?|\s+(?:n|na|nam|name\s*(?:=\s*["']?[\w./:-]*["']?)?)?)\s*$)/;

export type ForeignTag = typeof NONE | typeof WAIT | { kind: "foreign"; close: string; end: number };

/**
 * Whether such a call begins at `at`: a tag that holds calls, with JSON or such a tag after it, or a call of a known
 * tool. `end` is the place after what was looked at.
 */
export function foreignTag(s: string, at: number, tags: TagTable, atEnd: boolean): ForeignTag {
  const text = s.slice(at, at + longestTag);
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
  return !atEnd && text.length < longestTag && at + text.length === s.length && BEGUN.test(text)
    ? WAIT
    : NONE;
}

function holdsCall(s: string, from: number, atEnd: boolean, close: string): ForeignTag {
  const limit = Math.min(s.length, from + longestTag);
  let i = from;
  while (i < limit && isSpace(s.charCodeAt(i))) i++;
  if (i === s.length) return atEnd ? NONE : WAIT;
  const c = s.charCodeAt(i);
  return c === 0x7b || c === 0x5b || c === LT ? { kind: "foreign", close, end: i } : NONE;
}

function lastName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf("/")) + 1);
}

/** What came of the text that was collected: calls, or none, and the text that is not part of it. */
export interface ForeignEnd {
  calls: WholeCall[] | undefined;
  /** All that was collected. */
  text: string;
}

/** Collects the text of such a call up to the closing tag at which it can be read. Its work is that of the text. */
export class ForeignReader {
  private readonly text = new TextBuilder();
  private length = 0;
  private tail = "";
  private tries = 0;

  constructor(
    private readonly close: string,
    private readonly tags: TagTable,
  ) {}

  /** Takes `s` from `at` on; gives what it came to and where that ends, undefined while it goes on. */
  push(s: string, at: number): { end: number; result: ForeignEnd } | undefined {
    const { close } = this;
    const limit = Math.min(s.length, at + longestCall - this.length);
    const window = this.tail + s.slice(at, limit);
    const offset = at - this.tail.length;
    let from = at;
    let search = 0;
    for (;;) {
      const found = window.indexOf(close, search);
      if (found < 0) break;
      const end = offset + found + close.length;
      this.append(s.slice(from, end));
      from = end;
      const text = this.text.toString();
      const calls = readForeign(text, this.tags);
      if (calls !== undefined || ++this.tries >= mostTries || !endsInValue(text, close)) {
        return { end, result: { calls, text } };
      }
      search = found + close.length;
    }
    this.append(s.slice(from, limit));
    this.tail = window.slice(Math.max(search, window.length - close.length + 1));
    if (this.length < longestCall) return undefined;
    return { end: limit, result: { calls: undefined, text: this.text.toString() } };
  }

  /** The message is over: arguments in JSON are whole or not, whether or not the closing tag came. */
  end(): ForeignEnd {
    const text = this.text.toString();
    const json = /^<[^<>]+>\s*[{[]/.test(text);
    return { calls: json ? readForeign(`${text}${this.close}`, this.tags) : undefined, text };
  }

  private append(text: string): void {
    this.length += text.length;
    this.text.append(text);
  }
}

/** Whether the closing tag at the text's end may be part of a value: within a string of JSON, or of a parameter. */
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
  return before.lastIndexOf("<parameter") > before.lastIndexOf("</parameter>");
}

/** The calls of such a text, all of it; undefined where it is damaged. */
export function readForeign(text: string, tags: TagTable): WholeCall[] | undefined {
  const wrapper = WRAPPER.exec(text);
  if (wrapper === null) return readElements(text, tags);
  const close = `</${wrapper[1]}>`;
  if (!text.endsWith(close)) return undefined;
  const body = text.slice(wrapper[0].length, text.length - close.length).trim();
  if (!body.startsWith("<")) return callsOfJson(parseJson(body), tags);
  if (WRAPPER.test(body)) return readForeign(body, tags);
  return readElements(body, tags);
}

const names = ["name", "tool", "tool_name", "function", "function_name"];
const argumentNames = ["arguments", "parameters", "params", "input", "args", "tool_input"];

/** The calls that a JSON value names, in the forms that models use; undefined where it names none. */
export function callsOfJson(value: unknown, tags: TagTable): WholeCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map((item) => callsOfJson(item, tags));
    return value.length > 0 && calls.every((call) => call !== undefined) ? calls.flat() : undefined;
  }
  if (!isRecord(value)) return undefined;
  if (Array.isArray(value.tool_calls)) return callsOfJson(value.tool_calls, tags);
  if (isRecord(value.function)) return callsOfJson(value.function, tags);
  const key = names.find((name) => typeof value[name] === "string");
  const given = key === undefined ? undefined : value[key];
  if (typeof given !== "string" || given === "") return undefined;
  const args = argumentNames.map((name) => value[name]).find((found) => found !== undefined);
  const tool = tags.find(lastName(given));
  const params = paramsOf(typeof args === "string" ? parseJson(args) : (args ?? {}), tool);
  return params === undefined ? undefined : [{ name: tool?.name ?? given, params }];
}

const PARAM = new RegExp(
  `\\s*<(${PREFIX}(?:parameter|param|arg|argument))(?:=|\\s+name\\s*=\\s*)["']?([\\w.-]{1,80})["']?[^<>]{0,40}>`,
  "y",
);

/** One call or several, one after the other, and nothing else. */
function readElements(text: string, tags: TagTable): WholeCall[] | undefined {
  const calls: WholeCall[] = [];
  let at = 0;
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at++;
    if (at >= text.length) return calls.length === 0 ? undefined : calls;
    const open = SINGLE.exec(text.slice(at, at + longestTag));
    if (open === null) return undefined;
    const close = `</${open[1]}>`;
    at += open[0].length;
    const name = open[2] ?? "";
    const tool = tags.find(lastName(name));
    const params: WholeCall["params"] = [];
    const json = jsonUpTo(text, at, close);
    if (json !== undefined) {
      const given = paramsOf(json.value, tool);
      if (given === undefined) return undefined;
      params.push(...given);
      at = json.end;
    }
    for (;;) {
      PARAM.lastIndex = at;
      const param = PARAM.exec(text);
      if (param === null) break;
      const from = PARAM.lastIndex;
      const end = valueEnd(text, from, `</${param[1]}>`, close);
      if (end === undefined) return undefined;
      const plain = param[2] ?? "";
      // Given twice: which of the two holds cannot be told.
      if (params.some(([name]) => name === plain)) return undefined;
      const given = paramsOf(
        {
          [plain]: text
            .slice(from, end.at)
            .replace(/^\r?\n/, "")
            .replace(/\r?\n$/, ""),
        },
        tool,
      );
      params.push(...(given ?? []));
      at = end.after;
    }
    const rest = /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    if (!text.startsWith(close, at + rest)) return undefined;
    at += rest + close.length;
    calls.push({ name: tool?.name ?? name, params });
  }
}

/** The JSON between `at` and the first closing tag after which it is whole; undefined where there is none. */
function jsonUpTo(text: string, at: number, close: string): { value: unknown; end: number } | undefined {
  if (!/^\s*\{/.test(text.slice(at, at + longestTag))) return undefined;
  const end = text.lastIndexOf(close);
  return end < at ? undefined : { value: parseJson(text.slice(at, end)), end };
}

/** Where a parameter's value ends: at the first closing tag that another parameter or the call's end follows. */
function valueEnd(
  text: string,
  from: number,
  close: string,
  callClose: string,
): { at: number; after: number } | undefined {
  for (let at = text.indexOf(close, from); at >= 0; at = text.indexOf(close, at + 1)) {
    const after = at + close.length;
    PARAM.lastIndex = after;
    if (PARAM.test(text)) return { at, after };
    const space = /^\s*/.exec(text.slice(after, after + longestTag))?.[0].length ?? 0;
    if (text.startsWith(callClose, after + space)) return { at, after };
  }
  return undefined;
}
