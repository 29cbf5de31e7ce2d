/**
 * What looks like a call in a finished message and was not read as one, so that the model can be told. Prose that
 * mentions a tool, an example in a fence with text after it, and HTML or XML are not taken for calls.
 */
import { type AssistantBlock, foldEvents, type ToolSyntax } from "./events.ts";
import { CodeTracker } from "./markdown.ts";
import { isWorded, normalise } from "./spelling.ts";
import { nearestNames, resolveToolName } from "./tool-names.ts";
import { callsOfJson } from "./xml/foreign-calls.ts";
import { TagTable } from "./xml/tags.ts";
import { parseJson } from "./xml/whole-call.ts";
import { createAssistantParser } from "./xml/xml-protocol.ts";

/** Why it was not run. */
export type AttemptKind = "unknown" | "malformed" | "in-code" | "in-reasoning" | "other-form";

export interface Attempt {
  kind: AttemptKind;
  /** The name as the model wrote it. */
  name: string;
  /** The tool that the name means, if it means one. */
  tool: string | undefined;
  /** The nearest names where it means none. */
  suggestions: string[];
}

/** A block of a finished message; `other`: a call that was read. */
export type Said = { type: "text" | "reasoning"; text: string } | { type: "other" };

const mostFound = 10;
/** How much of a text's end is searched for a call that ends it, in characters. */
const tailLength = 100_000;
/** Tags that are looked into, and characters of a last line that is. */
const mostTags = 400;
const mostPlaces = 5_000;
const longestLine = 4_000;

/** The attempts in a message, in order, at most ten. */
export function findAttempts(said: readonly Said[], tools: readonly ToolSyntax[]): Attempt[] {
  const search = new Search(
    tools,
    said.some((block) => block.type === "other"),
  );
  said.forEach((block, index) => {
    const isLast = index === said.length - 1;
    if (block.type === "text") search.text(block.text, isLast);
    // Reasoning that something follows ended where the model meant it to end.
    else if (block.type === "reasoning" && isLast) search.reasoning(block.text);
  });
  return search.found;
}

const TAG = /<([A-Za-z_][\w.:/=-]{0,79}?)((?:\s[^<>]{0,1000})?)(\/?)>/y;
/** What may stand before a call on its line: marks of lists and quotes. */
const LEAD = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*$/;
const FOREIGN =
  /^(?:\w+:)?(?:tool_calls?|tool_uses?|function_calls?|functions?_call|use_tool|tool_request|invoke|function)$/;
/** Marks that models of other families put around their calls. */
const MARKS =
  /\[TOOL_CALLS\]|<[|｜](?:tool|function|python_tag|plugin)[^<>\n]{0,40}>|^Action:[ \t]*\w+[ \t]*\nAction Input:/m;

/** First words that names of tools have. */
const VERB =
  /^(?:access|add|apply|ask|attempt|browser?|build|call|check|click|close|compile|copy|create|delete|describe|do|edit|execute|fetch|find|finish|get|glob|go|grep|insert|inspect|invoke|list|load|look|lookup|make|modify|move|navigate|new|open|query|read|remove|rename|replace|request|run|save|scan|search|send|set|show|start|stop|submit|switch|take|think|todo|undo|update|use|view|visit|wait|web|write)_/;

class Search {
  readonly found: Attempt[] = [];
  private readonly tags: TagTable;
  private readonly names: string[];

  private tagsSeen = 0;
  private lineStart = 0;
  /** Where a `<` stands outside code in the text at hand. */
  private outside: number[] = [];

  constructor(
    private readonly tools: readonly ToolSyntax[],
    private readonly besideCalls: boolean,
  ) {
    this.tags = new TagTable(tools);
    // Of two names in different spellings the first stands for both.
    const plain = tools.map(({ name }) => normalise(name));
    this.names = tools
      .map(({ name }) => name)
      .filter((_, index) => plain.indexOf(plain[index] ?? "") === index);
  }

  text(text: string, isLast: boolean): void {
    const code = new CodeTracker();
    this.outside = [];
    for (let at = code.scan(text, 0); at < text.length; at = code.scan(text, at + 1)) {
      if (this.outside.push(at) >= mostPlaces) break;
      code.passTag();
    }
    let skipTo = 0;
    let last = 0;
    this.lineStart = 0;
    for (const at of this.outside) {
      const breakAt = text.slice(last, at).lastIndexOf("\n");
      if (breakAt >= 0) this.lineStart = last + breakAt + 1;
      last = at;
      if (this.found.length >= mostFound || this.tagsSeen >= mostTags) break;
      if (at >= skipTo) skipTo = Math.max(at, this.tagAt(text, at, isLast));
    }
    if (!isLast || this.found.length > 0) return;
    const tail = text.slice(-tailLength).trimEnd();
    const marked = MARKS.exec(tail);
    if (marked === null) this.endOf(tail);
    else {
      const name = this.mentioned(tail.slice(marked.index));
      if (name !== undefined) this.add("other-form", name);
    }
  }

  /** A call that the reasoning holds whole, and that nothing follows. */
  reasoning(text: string): void {
    const name = this.callIn(text.slice(-tailLength));
    if (name !== undefined) this.add("in-reasoning", name);
  }

  /** Reads the tag at `at`; gives the place up to which the text belongs to what was found. */
  private tagAt(text: string, at: number, isLast: boolean): number {
    TAG.lastIndex = at;
    const match = TAG.exec(text);
    const leads = at - this.lineStart < 200 && LEAD.test(text.slice(this.lineStart, at));
    if (match === null) return leads ? this.cut(text, at, isLast) : at;
    const [tag, name = "", attributes = "", closed] = match;
    const after = at + tag.length;
    const bare = name.split("=", 1)[0] ?? name;
    if (FOREIGN.test(bare)) {
      const body = /^\s*(?:[{[<]|$)/.test(text.slice(after, after + 1024));
      if (!leads || !body || this.tags.find(bare) !== undefined) return at;
      this.add("other-form", this.mentioned(text.slice(at, at + tailLength)) ?? bare);
      return text.length;
    }
    // The prompt's own placeholder, with the tool's name as its text.
    if (bare === "tool_name" || bare === "tool") {
      const named = this.mentioned(
        /^\s*[\w.-]{3,64}(?=\s*<)/.exec(text.slice(after, after + 100))?.[0] ?? "",
      );
      if (leads && named !== undefined) this.add("other-form", named);
      return at;
    }
    const tool = this.toolOf(name);
    if (tool === undefined && !(leads && attributes === "" && closed === "" && isWorded(name))) return at;
    this.tagsSeen++;
    const close = this.closeOf(text, after, name);
    const blankAfter = close >= 0 && isBlankLine(text, close);
    if (tool === undefined) {
      if (!blankAfter) return at;
      return this.unknown(text, { name, after, close }) ? close : at;
    }
    if (closed !== "" || attributes !== "") {
      if (!leads || !isBlankLine(text, close >= 0 ? close : after)) return at;
    } else if (close >= 0) {
      const inner = text.slice(after, close - name.length - 3).trim();
      const ends = isLast && text.slice(close).trim() === "";
      const spaced = text.charAt(after) === " ";
      if (!blankAfter || inner === "" || /^(?:[.…]+|and|or|to|\/|,)$/.test(inner)) return at;
      if (!leads && (!ends || spaced)) return at;
    } else if (!leads || !this.isUnfinished(text, after)) return at;
    this.add("malformed", name);
    return close >= 0 ? close : at;
  }

  /** The place after the closing tag, which stands outside code; -1 where there is none. */
  private closeOf(text: string, from: number, name: string): number {
    const close = `</${name}>`;
    const at = this.outside.find((place) => place >= from && text.startsWith(close, place));
    return at === undefined ? -1 : at + close.length;
  }

  /** A tag that the message's end cut off. */
  private cut(text: string, at: number, isLast: boolean): number {
    const rest = text.slice(at + 1, at + 1200).trimEnd();
    const name = /^[A-Za-z_][\w.-]{2,63}(?=\s|$)/.exec(rest)?.[0];
    if (!isLast || name === undefined || /[<>]/.test(rest) || text.length > at + 1200) return at;
    const tool = this.names.find((known) => isWorded(known) && known.startsWith(name));
    if (tool !== undefined && isWorded(name)) this.add("malformed", tool);
    return at;
  }

  /** An element of simple children that is named as tools are, with nothing but calls after it. */
  private unknown(
    text: string,
    { name, after, close }: { name: string; after: number; close: number },
  ): boolean {
    const near = nearestNames(name, this.names);
    const snake = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(name);
    if (!snake && (near.length === 0 || !/^[a-z]/.test(name))) return false;
    if (!isChildren(text.slice(after, close - name.length - 3))) return false;
    if (near.length === 0 && !this.besideCalls) {
      // In a message of prose it may be any XML: a call has nothing after it, and says what it does or stands alone.
      const alone = text.slice(0, after - name.length - 2).trim() === "";
      if (text.slice(close).trim() !== "" || !(alone || VERB.test(name))) return false;
    }
    this.add("unknown", name);
    return true;
  }

  /** True where the tag stands alone on its line, or a child follows it, and what comes after it is one piece. */
  private isUnfinished(text: string, after: number): boolean {
    const rest = text.slice(after, after + tailLength);
    const child = /^\s*(?:>\s*)?<([A-Za-z_][\w-]{0,63})>/.exec(rest)?.[1];
    if (child !== undefined) return !this.tags.find(child)?.worded;
    return isBlankLine(text, after) && !/\n[ \t\r]*\n\s*\S/.test(rest);
  }

  /** Looks for a call that ends the text in a fence, in back-ticks or as JSON. */
  private endOf(tail: string): void {
    const line = tail.slice(Math.max(tail.lastIndexOf("\n") + 1, tail.length - longestLine));
    const fence = lastFence(tail);
    const code = fence?.body ?? /^[ \t]*(`{1,4})([^`]+)\1$/.exec(line)?.[2];
    if (code !== undefined) {
      const meant = /tool|function/.test(fence?.info ?? "") ? this.mentioned(code) : undefined;
      const name = this.callIn(code, true) ?? this.inJson(code) ?? meant;
      if (name !== undefined) this.add("in-code", name);
      return;
    }
    const json = /[}\]]$/.test(tail) ? /(?:^|\n)[ \t]*([{[][\s\S]*)$/.exec(tail)?.[1] : undefined;
    const name = json === undefined ? this.written(line) : this.inJson(json);
    if (name !== undefined) this.add("other-form", name);
  }

  /** `read_file(path="a.txt")` alone on the last line. */
  private written(line: string): string | undefined {
    const match = /^[ \t]*(?:print\()?(?:\w{1,40}\.)?(\w{3,64})\((.*)\);?$/.exec(line);
    const tool = this.tools.find(({ name }) => name === match?.[1]);
    if (match === null || tool === undefined) return undefined;
    const param = /^\s*\{?\s*["']?(\w+)["']?\s*[=:]/.exec(match[2] ?? "")?.[1];
    return param !== undefined && tool.params.includes(param) ? tool.name : undefined;
  }

  private inJson(text: string): string | undefined {
    const json = text.trim();
    if (!/^[{[]/.test(json)) return undefined;
    const name = callsOfJson(parseJson(json), this.tags)?.[0]?.name;
    return name !== undefined && this.names.includes(name) ? name : undefined;
  }

  /** The first whole call that the protocol would find; `only`: with nothing else beside it. */
  private callIn(text: string, only = false): string | undefined {
    const parser = createAssistantParser(this.tools);
    const blocks: AssistantBlock[] = foldEvents([...parser.push(text), ...parser.end()]);
    const call = blocks.find((block) => block.type === "tool" && !block.partial);
    if (call?.type !== "tool" || (only && blocks.some((block) => block.type === "text"))) return undefined;
    return call.name;
  }

  /** The first name of a tool in the text. */
  private mentioned(text: string): string | undefined {
    for (const [word] of text.matchAll(/[A-Za-z_]\w{2,63}/g))
      if (this.toolOf(word) !== undefined) return word;
    return undefined;
  }

  /** The tool that a name of several words means, in any spelling, with or without a prefix. */
  private toolOf(name: string): string | undefined {
    if (!isWorded(name)) return undefined;
    return (this.tags.find(name) ?? this.tags.find(name.slice(name.search(/[^.:/]*$/))))?.name;
  }

  private add(kind: AttemptKind, name: string): void {
    const resolved = resolveToolName(name, this.names);
    const tool = "name" in resolved ? resolved.name : undefined;
    const suggestions = "suggestions" in resolved ? resolved.suggestions : [];
    this.found.push({ kind, name, tool, suggestions });
  }
}

function isBlankLine(text: string, from: number): boolean {
  return /^[ \t\r]*(?:\n|$)/.test(text.slice(from, from + 1024));
}

/** Elements without attributes one after the other, each with its closing tag and no element of its own in it. */
function isChildren(inner: string): boolean {
  const child = /\s*<([A-Za-z_][\w-]{0,63})>[^<]*<\/\1>\s*/y;
  let at = 0;
  while (at < inner.length) {
    child.lastIndex = at;
    if (!child.test(inner)) return false;
    at = child.lastIndex;
  }
  return inner.trim() !== "";
}

/** The fence with which the text ends, or that never closes. */
function lastFence(text: string): { info: string; body: string } | undefined {
  let open: { mark: string; info: string; from: number } | undefined;
  let closed: { info: string; body: string } | undefined;
  let at = 0;
  for (const line of text.split("\n")) {
    const [, mark, info = ""] = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (line.trim() !== "") closed = undefined;
      if (mark !== undefined) open = { mark, info, from: at + line.length + 1 };
    } else if (mark?.startsWith(open.mark) && info.trim() === "") {
      closed = { info: open.info, body: text.slice(open.from, at) };
      open = undefined;
    }
    at += line.length + 1;
  }
  return open === undefined ? closed : { info: open.info, body: text.slice(open.from) };
}
