import type { AssistantBlock, ToolSyntax } from "../../../../src/core/assistant/events.ts";
import { argsTag } from "../../../../src/core/assistant/xml/args-calls.ts";
import { ForeignReader, foreignTag } from "../../../../src/core/assistant/xml/foreign-calls.ts";
import { readHeld } from "../../../../src/core/assistant/xml/held-call.ts";
import { type TagTable, tagTableOf } from "../../../../src/core/assistant/xml/tags.ts";
import { readAttributes, readBare, type WholeCall } from "../../../../src/core/assistant/xml/whole-call.ts";

/**
 * The XML protocol read from a whole message, slowly and in another way than the parser does: by lines and patterns.
 * The tests compare the two. What the parser collects and reads as a whole (attributes, bare text, other protocols'
 * forms) is read by the same functions here: the comparison is about where it begins and ends.
 */
export function referenceParse(text: string, tools: readonly ToolSyntax[]): AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  let rest = text;
  let collected = false;
  while (rest !== "") {
    const start = findStart(rest, tools) ?? heldStart(rest, tools);
    const prose = rest.slice(0, start?.at ?? rest.length);
    const last = blocks.at(-1);
    const kept = /[^ \t\r\n]/.test(prose) || prose.length > 1024 || collected;
    collected = false;
    if (kept && last?.type === "text") last.text += prose;
    else if (kept) blocks.push({ type: "text", text: prose });
    if (start === undefined) break;
    if (start.whole === "text") {
      const text = rest.slice(start.at, start.end);
      const before = blocks.at(-1);
      // What was collected ends the text before it, which may be white space alone.
      if (before?.type === "text") before.text += text;
      else blocks.push({ type: "text", text });
      rest = rest.slice(start.end);
      // White space after it goes on with the same text.
      collected = true;
    } else if (start.whole !== undefined) {
      for (const { name, params } of start.whole)
        blocks.push({ type: "tool", name, params: Object.fromEntries(params), partial: false });
      rest = rest.slice(start.end);
    } else if (start.tool === undefined) {
      rest = readReasoning(rest.slice(start.end), start.tag, blocks);
    } else rest = readCall(rest.slice(start.end), start.tool, start, tools, blocks);
  }
  return blocks;
}

interface Start {
  at: number;
  end: number;
  tag: string;
  tool?: ToolSyntax;
  given?: [name: string, value: string][];
  /** Read whole: calls, or text that is none. */
  whole?: WholeCall[] | "text";
}

const params = (tool: ToolSyntax): string[] => [...new Set([...tool.params, "task_progress"])];
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const worded = (name: string): boolean => /[a-z0-9][_-][a-z0-9]/i.test(name) || /[a-z][A-Z]/.test(name);

/** The tool that a tag's name means, by its name or in another spelling. */
function meant(name: string, tools: readonly ToolSyntax[]): ToolSyntax | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact || !/^[A-Za-z_][\w.:-]*$/.test(name)) return exact;
  return tools.find((tool) => plain(tool.name) === plain(name));
}

function findStart(text: string, tools: readonly ToolSyntax[]): Start | undefined {
  const code = codeMask(text);
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    if (code[at]) continue;
    const start = startAt(text, at, tools);
    if (start !== undefined) return start;
  }
  return undefined;
}

/** JSON that is certain to be a call because nothing follows it: alone in a fence, or in the whole text. */
function heldStart(text: string, tools: readonly ToolSyntax[]): Start | undefined {
  const fences: Fence[] = [];
  codeMask(text, fences);
  const fence = fences.filter(({ length }) => length <= 32).at(-1);
  if (fence !== undefined && fence.end < text.length && /[^ \t\r\n]/.test(text.slice(fence.end)))
    return undefined;
  const at = fence?.at ?? text.search(/[^ \t\r\n]/);
  if (at < 0 || (fence === undefined && !/[{[]/.test(text.charAt(at)))) return undefined;
  const whole = readHeld(text.slice(at), fence !== undefined, tagTableOf(tools));
  return whole === undefined ? undefined : { at, end: text.length, tag: "", whole };
}

function startAt(text: string, at: number, tools: readonly ToolSyntax[]): Start | undefined {
  const here = text.slice(at);
  const thinking = /^<(thinking|think)>/.exec(here)?.[1];
  if (thinking !== undefined) return { at, end: at + thinking.length + 2, tag: thinking };
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  const lineStart = /^[ \t\r]*$/.test(before);
  const blank = (rest: string) => /^(?:[ \t\r]{0,1023}\n|[ \t\r\n]{0,1024}$)/.test(rest);
  const name = /^<([^<>\s]+?)(?=\/?>|\s)/.exec(here)?.[1] ?? "";
  const tool = meant(name, tools);
  const table = tagTableOf(tools);
  if (tool === undefined) {
    if (!lineStart) return undefined;
    const foreign = foreignTag(text, at, table, true);
    if (foreign.kind !== "foreign") return undefined;
    return collected(text, at, foreign.close, table);
  }
  const open = `<${name}>`;
  const tag = name;
  const alone = lineStart && (worded(name) || worded(tool.name));
  if (here.startsWith(open)) {
    const rest = here.slice(open.length);
    const end = at + open.length;
    const next = follow(rest, tool, tag, []);
    const pair = next?.kind === "close" && !lineStart && params(tool).length > 1;
    if ((next?.kind === "param" || next?.kind === "close") && !pair) return { at, end, tag, tool };
    if (!alone) return undefined;
    const tags = table.find(name);
    if (tags !== undefined && argsTag(text, end, tags, true).kind === "args")
      return collected(text, at, `</${name}>`, table);
    const loose = follow(rest, tool, tag, [], tools);
    if (loose?.kind === "param") return { at, end, tag, tool };
    if (loose?.kind !== "broken" || tags === undefined) return undefined;
    const bare = readBare(text, end, tags, true);
    return bare.kind === "whole" ? { at, end: bare.end, tag, whole: [bare.call] } : undefined;
  }
  const self = [`<${name}/>`, `<${name} />`].find((candidate) => here.startsWith(candidate));
  if (params(tool).length === 1) {
    if (self === undefined || !lineStart || !blank(here.slice(self.length))) return undefined;
    return { at, end: at + self.length, tag, whole: [{ name: tool.name, params: [] }] };
  }
  const tags = table.find(name);
  if (!alone || tags === undefined || !/^\s/.test(here.slice(name.length + 1))) return undefined;
  const read = readAttributes(text, at + name.length + 1, tags, true);
  if (read.kind !== "attributes") return undefined;
  if (read.closed) {
    if (!blank(text.slice(read.end))) return undefined;
    return { at, end: read.end, tag, whole: [{ name: tool.name, params: read.params }] };
  }
  const given = read.params.map(([param]) => param);
  const next = follow(text.slice(read.end), tool, tag, given);
  if (next?.kind !== "param" && next?.kind !== "close") return undefined;
  return { at, end: read.end, tag, tool, given: read.params };
}

/** What is read whole, up to a closing tag. */
function collected(text: string, at: number, close: string, table: TagTable): Start {
  const reader = new ForeignReader(close, table);
  const read = reader.push(text, at) ?? { end: text.length, result: reader.end() };
  return { at, end: read.end, tag: "", whole: read.result.calls ?? "text" };
}

type Follow =
  | { kind: "param"; length: number; param: string; written: string }
  | { kind: "close" | "wrong"; length: number; written: string }
  | { kind: "broken" | "end" };

/** What follows; `loose`: the tools, where what the protocol does not know counts as well. */
function follow(
  text: string,
  tool: ToolSyntax,
  tag: string,
  given: string[],
  loose?: readonly ToolSyntax[],
): Follow | undefined {
  const space = /^[ \t\r\n]*/.exec(text)?.[0].length ?? 0;
  const none: Follow | undefined = loose === undefined ? undefined : { kind: "broken" };
  if (space > 1024) return none;
  const rest = text.slice(space);
  for (const close of [`</${tag}>`, `</${tool.name}>`])
    if (rest.startsWith(close)) return { kind: "close", length: space + close.length, written: "" };
  const closing = /^<\/([\w.:-]+)>/.exec(rest.slice(0, 67));
  if (closing !== null) {
    const written = closing[1] ?? "";
    const length = space + closing[0].length;
    if (plain(written) === plain(tool.name)) return { kind: "close", length, written };
    return loose === undefined ? undefined : { kind: "wrong", length, written };
  }
  const exact = params(tool).find((name) => rest.startsWith(`<${name}>`));
  if (exact !== undefined) {
    if (given.includes(exact)) return undefined;
    return { kind: "param", length: space + exact.length + 2, param: exact, written: exact };
  }
  if (loose === undefined) return undefined;
  const longest = Math.max(64, ...params(tool).map((name) => name.length + 8));
  const written = /^<([A-Za-z_][\w.:-]*)>/.exec(rest.slice(0, longest + 2))?.[1];
  if (written !== undefined) {
    const length = space + written.length + 2;
    const own = params(tool).find((name) => plain(name) === plain(written));
    if (own !== undefined)
      return given.includes(own) ? undefined : { kind: "param", length, param: own, written };
    const other = meant(written, loose);
    if (plain(written) === plain(tool.name)) return none;
    if ((other && (worded(written) || worded(other.name))) || /^think(ing)?$/.test(written)) return none;
    return given.includes(written) ? undefined : { kind: "param", length, param: written, written };
  }
  // What the message's end cut off may still become a tag.
  return isPending(rest, { tool, tag, given, tools: loose }, loose) ? { kind: "end" } : none;
}

function readReasoning(text: string, tag: string, blocks: AssistantBlock[]): string {
  const close = `</${tag}>`;
  const end = text.indexOf(close);
  const inner = text.slice(0, end < 0 ? text.length : end).replace(/^\r?\n/, "");
  const reasoning = end < 0 ? dropTail(inner, (tail) => close.startsWith(tail)) : inner.replace(/\r?\n$/, "");
  const last = blocks.at(-1);
  if (reasoning !== "" && last?.type === "reasoning") last.text += `\n\n${reasoning}`;
  else if (reasoning !== "") blocks.push({ type: "reasoning", text: reasoning });
  return end < 0 ? "" : text.slice(end + close.length);
}

function readCall(
  text: string,
  tool: ToolSyntax,
  { tag, given: attributes = [] }: Start,
  tools: readonly ToolSyntax[],
  blocks: AssistantBlock[],
): string {
  const block: Extract<AssistantBlock, { type: "tool" }> = {
    type: "tool",
    name: tool.name,
    params: Object.fromEntries(attributes),
    partial: false,
  };
  blocks.push(block);
  const given = attributes.map(([name]) => name);
  const call: Call = { tool, tag, given, tools };
  let rest = text;
  let next = follow(rest, tool, tag, given) ?? follow(rest, tool, tag, given, tools);
  for (;;) {
    if (next?.kind === "close") return rest.slice(next.length);
    if (next?.kind !== "param") throw new Error("a value ended where nothing may follow");
    given.push(next.param);
    const read: Value = readValue(rest.slice(next.length), next, call);
    block.params[next.param] = read.value;
    if (read.fault !== undefined) block.fault = read.fault;
    if (read.fault !== undefined || read.rest === undefined) block.partial = true;
    if (read.next === undefined || read.fault !== undefined) return read.rest ?? "";
    rest = read.rest ?? "";
    next = read.next;
  }
}

interface Call {
  tool: ToolSyntax;
  tag: string;
  given: string[];
  tools: readonly ToolSyntax[];
}

/** A value, what stands after its closing tag and how the call goes on there; without `rest` it never ended. */
interface Value {
  value: string;
  rest?: string;
  next?: Follow;
  fault?: string;
}

const ATOMIC = ["path", "start_line", "end_line", "requires_approval"];
const SHORT = ["path", "command"];

function readValue(text: string, { param, written }: Extract<Follow, { kind: "param" }>, call: Call): Value {
  const { tool, tag, given, tools } = call;
  const close = `</${written}>`;
  const atomic = ATOMIC.includes(param) || !params(tool).includes(param);
  const loose = atomic ? tools : undefined;
  const closes = [`</${tag}>`, `</${tool.name}>`];
  const short = atomic || SHORT.includes(param);
  const ended = (value: string, rest: string): Value | undefined => {
    const next = follow(rest, tool, tag, given, loose);
    if (next === undefined || next.kind === "end") return undefined;
    if (next.kind === "wrong") {
      const fault = `it ends with </${next.written}> instead of </${tool.name}>`;
      return { value, rest: rest.slice(next.length), fault };
    }
    if (next.kind === "broken") return { value, rest, fault: `its closing tag </${tool.name}> is missing` };
    return { value, rest, next };
  };
  const mayEnd = (tail: string): boolean => {
    if (close.startsWith(tail)) return true;
    return tail.startsWith(close) && isPending(tail.slice(close.length), call, loose);
  };
  const section = /^[ \t\r\n]{0,1024}<!\[CDATA\[/.exec(text)?.[0];
  if (section !== undefined) return readSection(text.slice(section.length), close, ended, mayEnd);
  const body = text.replace(/^\r?\n/, "");
  const own = decoded(param);
  for (let at = body.indexOf("</"); at >= 0; at = body.indexOf("</", at + 1)) {
    const value = body.slice(0, at).replace(/\r?\n$/, "");
    const toolClose = closes.find((candidate) => body.startsWith(candidate, at));
    if (short && toolClose !== undefined) {
      const rest = body.slice(at + toolClose.length);
      if (!/^(?:[ \t\r]{0,1023}\n|[ \t\r\n]{0,1024}$)/.test(rest)) continue;
      if (atomic && !/[<\n]/.test(own(value))) return { value: own(value), rest };
      return { value: own(value), rest, fault: `the closing tag </${param}> is missing` };
    }
    if (!body.startsWith(close, at)) continue;
    const found = ended(own(value), body.slice(at + close.length));
    if (found !== undefined) return found;
    // Only the message's end hides how it goes on.
    if (isPending(body.slice(at + close.length), call, loose)) break;
  }
  const marks = (tail: string) => short && closes.some((candidate) => candidate.startsWith(tail));
  return { value: own(dropTail(body, (tail) => mayEnd(tail) || marks(tail))) };
}

function readSection(
  text: string,
  close: string,
  ended: (value: string, rest: string) => Value | undefined,
  mayEnd: (tail: string) => boolean,
): Value {
  let body = text.replace(/^\r?\n/, "");
  let value = "";
  for (let at = body.indexOf("]]>"); at >= 0; at = body.indexOf("]]>", at + 1)) {
    const after = body.slice(at + 3);
    if (after.startsWith("<![CDATA[")) {
      value += body.slice(0, at);
      body = after.slice(9);
      at = -1;
      continue;
    }
    const space = /^[ \t\r\n]{0,1024}/.exec(after)?.[0].length ?? 0;
    if (!after.startsWith(close, space)) continue;
    const rest = after.slice(space + close.length);
    const found = ended(value + body.slice(0, at).replace(/\r?\n$/, ""), rest);
    if (found !== undefined) return found;
  }
  const tail = dropTail(body, (end) => {
    if ("]]>".startsWith(end)) return true;
    const after = end.slice(3);
    const space = /^[ \t\r\n]*/.exec(after)?.[0].length ?? 0;
    if (!end.startsWith("]]>") || space > 1024) return false;
    return "<![CDATA[".startsWith(after) || mayEnd(after.slice(space));
  });
  return { value: value + tail };
}

/** Whether what follows a value's closing tag is all that there is of what may end the value. */
function isPending(after: string, call: Call, loose: readonly ToolSyntax[] | undefined): boolean {
  const { tool, tag, given } = call;
  const space = /^[ \t\r\n]*/.exec(after)?.[0].length ?? 0;
  const rest = after.slice(space);
  if (space > 1024) return false;
  if (rest === "" || rest === "<") return true;
  const closes = [`</${tag}>`, `</${tool.name}>`];
  if (closes.some((candidate) => candidate.startsWith(rest))) return true;
  if (params(tool).some((name) => !given.includes(name) && `<${name}>`.startsWith(rest))) return true;
  const closing = /^<\/([\w.:-]*)$/.exec(rest)?.[1];
  if (closing !== undefined && rest.length <= 67)
    return loose !== undefined || plain(tool.name).startsWith(plain(closing));
  return loose !== undefined && rest.length <= 66 && /^<[A-Za-z_][\w.:-]*$/.test(rest);
}

/** The text without the longest end that, after a line break of its own, may begin what ends a value. */
function dropTail(text: string, mayEnd: (tail: string) => boolean): string {
  for (let at = 0; at < text.length; at++) {
    if (!"\r\n<]".includes(text.charAt(at))) continue;
    const tail = text.slice(at);
    if (tail === "\r" || mayEnd(tail.replace(/^\r?\n/, ""))) return text.slice(0, at);
  }
  return text;
}

function decoded(param: string): (value: string) => string {
  return SHORT.includes(param) ? decode : (value) => value;
}

function decode(value: string): string {
  const entity = /&(?:lt|gt|amp|quot|apos|#(?!0+;)\d{1,7}|#[xX](?!0+;)[0-9a-fA-F]{1,6});/g;
  const bare = value.replace(entity, "");
  const long = value.length - value.indexOf("&") > 4096;
  if (!value.includes("&") || /[<>&]/.test(bare) || long) return value;
  const names: Record<string, string> = {
    "&lt;": "<",
    "&gt;": ">",
    "&amp;": "&",
    "&quot;": '"',
    "&apos;": "'",
  };
  return value.replace(entity, (match) => {
    const code = /^&#[xX]/.test(match)
      ? Number.parseInt(match.slice(3), 16)
      : Number.parseInt(match.slice(2), 10);
    return names[match] ?? String.fromCodePoint(code);
  });
}

interface Fence {
  at: number;
  /** Of the run that opens it. */
  length: number;
  /** The position after the line break that ends it. */
  end: number;
}

/** For each code unit, whether a tag there stands in a fence or in inline code. `fences` receives the fences. */
function codeMask(text: string, fences: Fence[] = []): boolean[] {
  const mask: boolean[] = [];
  let fence: { mark: string; length: number; column: number } | undefined;
  let ticks = 0;
  let base = 0;
  for (const line of text.split("\n")) {
    const blank = /^[ \t\r]*$/.test(line);
    const indent = /^[ \t\r]*/.exec(line)?.[0] ?? "";
    if (fence !== undefined) {
      for (let i = 0; i <= line.length; i++) mask.push(true);
      const run = /^(`+|~+)[ \t\r]*$/.exec(line.slice(indent.length))?.[1] ?? "";
      const closes = run.startsWith(fence.mark) && run.length >= fence.length;
      if (closes && width(indent, 0) <= fence.column + 3) {
        fence = undefined;
        const open = fences.at(-1);
        if (open !== undefined) open.end = mask.length;
      }
      continue;
    }
    let at = indent.length;
    let column = width(indent, 0);
    if (!blank && column < base) base = column;
    while (ticks === 0) {
      const item = /^([-*+]|\d+[.)])([ \t\r]+)(?=[^ \t\r])/.exec(line.slice(at));
      if (item === null) break;
      at += item[0].length;
      column = width(item[2] ?? "", column + (item[1] ?? "").length);
      base = column;
    }
    const lead = column <= base + 3 ? (/^(`+|~+)/.exec(line.slice(at))?.[0] ?? "") : "";
    const marks = new Array<boolean>(at).fill(ticks > 0);
    let rest = line.slice(at);
    if (lead.length >= 3 && !(lead.startsWith("`") && ticks === lead.length)) {
      const info = rest.slice(lead.length);
      const next = lead.startsWith("`") ? /`+/.exec(info) : null;
      if (next === null) {
        fence = { mark: lead.charAt(0), length: lead.length, column };
        fences.push({ at: mask.length + at, length: lead.length, end: text.length });
        marks.push(...new Array<boolean>(rest.length).fill(true));
        rest = "";
        ticks = 0;
      } else {
        const used = lead.length + next.index + next[0].length;
        marks.push(...new Array<boolean>(used).fill(true));
        ticks = next[0].length === lead.length ? 0 : lead.length;
        rest = rest.slice(used);
      }
    }
    for (const part of rest.split(/(`+)/)) {
      for (let i = 0; i < part.length; i++) marks.push(ticks > 0);
      if (!part.startsWith("`")) continue;
      if (ticks === 0) ticks = part.length;
      else if (ticks === part.length) ticks = 0;
    }
    if (ticks < 3 || blank) ticks = 0;
    mask.push(...marks, false);
  }
  return mask;
}

function width(space: string, from: number): number {
  let column = from;
  for (const char of space) {
    if (char === "\t") column += 4 - (column % 4);
    else if (char === " ") column++;
  }
  return column;
}
