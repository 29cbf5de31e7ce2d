import type { AssistantBlock, ToolSyntax } from "../../../../src/core/assistant/events.ts";

/**
 * The XML protocol read from a whole message, slowly and in another way than the parser does: by lines and patterns.
 * The tests compare the two.
 */
export function referenceParse(text: string, tools: readonly ToolSyntax[]): AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  let rest = text;
  while (rest !== "") {
    const start = findStart(rest, tools);
    const prose = rest.slice(0, start?.at ?? rest.length);
    const last = blocks.at(-1);
    const kept = /[^ \t\r\n]/.test(prose) || prose.length > 1024;
    if (kept && last?.type === "text") last.text += prose;
    else if (kept) blocks.push({ type: "text", text: prose });
    if (start === undefined) break;
    if (start.tool === undefined) rest = readReasoning(rest.slice(start.end), start.tag, blocks);
    else rest = readCall(rest.slice(start.end), start.tool, start.whole, blocks);
  }
  return blocks;
}

interface Start {
  at: number;
  end: number;
  tag: string;
  tool?: ToolSyntax;
  whole: boolean;
}

const params = (tool: ToolSyntax): string[] => [...new Set([...tool.params, "task_progress"])];

function findStart(text: string, tools: readonly ToolSyntax[]): Start | undefined {
  const code = codeMask(text);
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    if (code[at]) continue;
    const here = text.slice(at);
    const tag = /^<(thinking|think)>/.exec(here)?.[1];
    if (tag !== undefined) return { at, end: at + tag.length + 2, tag, whole: false };
    for (const tool of tools) {
      const open = `<${tool.name}>`;
      if (here.startsWith(open) && follow(here.slice(open.length), tool, []) !== undefined) {
        return { at, end: at + open.length, tag: tool.name, tool, whole: false };
      }
      if (params(tool).length > 1) continue;
      for (const self of [`<${tool.name}/>`, `<${tool.name} />`]) {
        const before = text.slice(text.lastIndexOf("\n", at) + 1, at);
        const alone =
          /^[ \t\r]*$/.test(before) &&
          /^(?:[ \t\r]{0,1023}\n|[ \t\r]{0,1024}$)/.test(here.slice(self.length));
        if (here.startsWith(self) && alone)
          return { at, end: at + self.length, tag: tool.name, tool, whole: true };
      }
    }
  }
  return undefined;
}

function follow(
  text: string,
  tool: ToolSyntax,
  given: string[],
): { length: number; param?: string } | undefined {
  const space = /^[ \t\r\n]{0,1024}/.exec(text)?.[0].length ?? 0;
  const rest = text.slice(space);
  const close = `</${tool.name}>`;
  if (rest.startsWith(close)) return { length: space + close.length };
  const param = params(tool).find((name) => !given.includes(name) && rest.startsWith(`<${name}>`));
  return param === undefined ? undefined : { length: space + param.length + 2, param };
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

function readCall(text: string, tool: ToolSyntax, whole: boolean, blocks: AssistantBlock[]): string {
  const block: AssistantBlock = { type: "tool", name: tool.name, params: {}, partial: false };
  blocks.push(block);
  if (whole) return text;
  let rest = text;
  const given: string[] = [];
  for (;;) {
    const next = follow(rest, tool, given);
    if (next === undefined) throw new Error("a value ended where nothing may follow");
    rest = rest.slice(next.length);
    if (next.param === undefined) return rest;
    given.push(next.param);
    const read = readValue(rest, next.param, tool, given);
    block.params[next.param] = read.value;
    if (read.rest === undefined) {
      block.partial = true;
      return "";
    }
    rest = read.rest;
  }
}

function readValue(
  text: string,
  param: string,
  tool: ToolSyntax,
  given: string[],
): { value: string; rest?: string } {
  const close = `</${param}>`;
  const tags = [
    `</${tool.name}>`,
    ...params(tool)
      .filter((name) => !given.includes(name))
      .map((name) => `<${name}>`),
  ];
  const mayEnd = (tail: string): boolean => {
    if (close.startsWith(tail)) return true;
    const after = /^([ \t\r\n]*)([\s\S]*)$/.exec(tail.slice(close.length));
    if (!tail.startsWith(close) || after === null) return false;
    return (after[1] ?? "").length <= 1024 && tags.some((tag) => tag.startsWith(after[2] ?? ""));
  };
  const section = /^[ \t\r\n]{0,1024}<!\[CDATA\[/.exec(text)?.[0];
  if (section !== undefined) {
    let body = text.slice(section.length).replace(/^\r?\n/, "");
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
      const rest = after.slice(space + close.length);
      if (after.startsWith(close, space) && follow(rest, tool, given) !== undefined) {
        return { value: value + body.slice(0, at).replace(/\r?\n$/, ""), rest };
      }
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
  const body = text.replace(/^\r?\n/, "");
  for (let at = body.indexOf(close); at >= 0; at = body.indexOf(close, at + 1)) {
    const rest = body.slice(at + close.length);
    if (follow(rest, tool, given) === undefined) continue;
    return { value: decode(body.slice(0, at).replace(/\r?\n$/, ""), param), rest };
  }
  return { value: decode(dropTail(body, mayEnd), param) };
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

const DECODED = ["path", "command"];

function decode(value: string, param: string): string {
  if (!DECODED.includes(param)) return value;
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

/** For each code unit, whether a tag there stands in a fence or in inline code. */
function codeMask(text: string): boolean[] {
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
      if (closes && width(indent, 0) <= fence.column + 3) fence = undefined;
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
