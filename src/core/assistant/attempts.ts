/**
 * Finds text in a finished message that looks like a call but was not parsed as one, so that the model can be told.
 * Prose that mentions a tool, an example in a fence with text after it, and HTML or XML are not reported.
 */
import { type AssistantBlock, foldEvents, type ToolSyntax } from "./events.ts";
import { formIn } from "./forms/text-calls.ts";
import { CodeTracker } from "./markdown.ts";
import { isWorded, normalize } from "./spelling.ts";
import { nearestNames, resolveToolName } from "./tool-names.ts";
import { callsOfJson } from "./xml/foreign-calls.ts";
import { type TagTable, tagTableOf } from "./xml/tags.ts";
import { parseJson } from "./xml/whole-call.ts";
import { createAssistantParser } from "./xml/xml-protocol.ts";

/** Why it was not run. */
export type AttemptKind = "unknown" | "malformed" | "in-code" | "in-reasoning" | "other-form";

export interface CallAttempt {
  kind: AttemptKind;
  /** The name as the model wrote it. */
  name: string;
  /** The tool that the name refers to, if any. */
  tool: string | undefined;
  /** The most similar names, if the name refers to no tool. */
  suggestions: string[];
}

/** A block of a finished message; `other`: a call that was parsed. */
export type AnswerPart = { type: "text" | "reasoning"; text: string } | { type: "other" };

const MAX_FOUND = 10;
/** Characters at the end of a text that are searched for a call. */
const TAIL_LENGTH = 100_000;
/** Maximum number of tags that are examined, and of characters of a last line. */
const MAX_TAGS = 400;
const MAX_POSITIONS = 5_000;
const MAX_LINE_LENGTH = 4_000;

/** Returns the attempts in a message, in order, at most ten. */
export function findAttempts(blocks: readonly AnswerPart[], tools: readonly ToolSyntax[]): CallAttempt[] {
  const search = new Search(
    tools,
    blocks.some((block) => block.type === "other"),
  );
  blocks.forEach((block, index) => {
    const isLast = index === blocks.length - 1;
    if (block.type === "text") search.text(block.text, isLast);
    // Reasoning that is followed by something ended where the model intended.
    else if (block.type === "reasoning" && isLast) search.reasoning(block.text);
  });
  return search.found;
}

const TAG = /<([A-Za-z_][\w.:/=-]{0,79}?)((?:\s[^<>]{0,1000})?)(\/?)>/y;
/** What may precede a call on its line: list and quote markers. */
const LEAD = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*$/;
const FOREIGN =
  /^(?:\w+:)?(?:tool_calls?|tool_uses?|function_calls?|functions?_call|use_tool|tool_request|invoke|function)$/;
/** An attribute that names the tool, in a tag such as `<tool name="read_file" …>`. */
const NAMED = /^(?:\w+:)?(?:tool|function|invoke|tool_call|function_call|call)$/;
const NAME_ATTRIBUTE = /\bname\s*=\s*["']?([\w./:-]{3,80})/;
/** The name in a call of another family of models, in JSON or in front of its arguments. */
const WRITTEN_NAME =
  /"(?:name|tool_name)"\s*:\s*"([\w./:-]{2,80})"|(?:>|\]|to=|call:|Action:|functools)[ \t]*(?:\w+[.:])*([A-Za-z_]\w{2,80})/;

/** First words of tool names. */
const VERB =
  /^(?:access|add|apply|ask|attempt|browser?|build|call|check|click|close|compile|copy|create|delete|describe|do|edit|execute|fetch|find|finish|get|glob|go|grep|insert|inspect|invoke|list|load|look|lookup|make|modify|move|navigate|new|open|query|read|remove|rename|replace|request|run|save|scan|search|send|set|show|start|stop|submit|switch|take|think|todo|undo|update|use|view|visit|wait|web|write)_/;

interface Element {
  name: string;
  /** The positions after its opening tag, and after its closing tag; -1 if there is none. */
  after: number;
  close: number;
  /** Nothing but list and quote markers precede it on its line. */
  leads: boolean;
  /** Its opening tag has no attributes and does not close itself. */
  isPlain: boolean;
}

class Search {
  readonly found: CallAttempt[] = [];
  readonly #names: string[];

  #tagsSeen = 0;
  #lineStart = 0;
  /** Positions of `<` outside code in the current text. */
  #outside: number[] = [];
  readonly #tools: readonly ToolSyntax[];
  readonly #hasCalls: boolean;

  constructor(tools: readonly ToolSyntax[], hasCalls: boolean) {
    this.#tools = tools;
    this.#hasCalls = hasCalls;
    // Of two names that differ only in spelling, the first represents both.
    const plain = tools.map(({ name }) => normalize(name));
    this.#names = tools
      .map(({ name }) => name)
      .filter((_, index) => plain.indexOf(plain[index] ?? "") === index);
  }

  /** Most answers have nothing to look up. */
  get #tags(): TagTable {
    return tagTableOf(this.#tools);
  }

  text(text: string, isLast: boolean): void {
    const code = new CodeTracker();
    this.#outside = [];
    for (let at = code.scan(text, 0); at < text.length; at = code.scan(text, at + 1)) {
      if (this.#outside.push(at) >= MAX_POSITIONS) break;
      code.passTag();
    }
    let skipTo = 0;
    let last = 0;
    this.#lineStart = 0;
    for (const at of this.#outside) {
      const breakAt = text.slice(last, at).lastIndexOf("\n");
      if (breakAt >= 0) this.#lineStart = last + breakAt + 1;
      last = at;
      if (this.found.length >= MAX_FOUND || this.#tagsSeen >= MAX_TAGS) break;
      if (at >= skipTo) skipTo = Math.max(at, this.#tagAt(text, at, isLast));
    }
    if (this.found.length > 0) return;
    const form = formIn(text);
    if (form >= 0) this.#inForm(text.slice(form, form + TAIL_LENGTH));
    else if (isLast) this.#endOf(text.slice(-TAIL_LENGTH).trimEnd());
  }

  /** A call in a form of another family, which could not be read or is not certain. */
  #inForm(text: string): void {
    const known = this.#mentioned(text);
    const written = WRITTEN_NAME.exec(text);
    const name = known ?? written?.[1] ?? written?.[2];
    if (name !== undefined) this.#add(known === undefined ? "unknown" : "other-form", name);
  }

  /** Finds a call in the reasoning: a complete one, or one that the reasoning's end cuts off. */
  reasoning(text: string): void {
    const tail = text.slice(-TAIL_LENGTH);
    const name = this.#callIn(tail) ?? this.#cutCallIn(tail);
    if (name !== undefined) this.#add("in-reasoning", name);
  }

  /** Reads the tag at `at`; returns the position up to which the text belongs to what was found. */
  #tagAt(text: string, at: number, isLast: boolean): number {
    TAG.lastIndex = at;
    const match = TAG.exec(text);
    const leads = at - this.#lineStart < 200 && LEAD.test(text.slice(this.#lineStart, at));
    if (match === null) {
      if (leads) this.#cut(text, at, isLast);
      return at;
    }
    const [tag, name = "", attributes = "", closed = ""] = match;
    const after = at + tag.length;
    const bare = name.split("=", 1)[0] ?? name;
    if (leads && this.#inAttribute(bare, attributes)) return text.length;
    if (FOREIGN.test(bare)) {
      const body = /^\s*(?:[{[<]|$)/.test(text.slice(after, after + 1024));
      if (!leads || !body || this.#tags.find(bare) !== undefined) return at;
      this.#add("other-form", this.#mentioned(text.slice(at, at + TAIL_LENGTH)) ?? bare);
      return text.length;
    }
    if (bare === "tool_name" || bare === "tool") {
      if (leads) this.#inPlaceholder(text.slice(after, after + 100));
      return at;
    }
    const isPlain = attributes === "" && closed === "";
    const tool = this.#toolOf(name);
    if (tool === undefined && !(leads && isPlain && isWorded(name))) return at;
    this.#tagsSeen++;
    const close = this.#closeOf(text, after, name);
    const element = { name, after, close, leads, isPlain };
    const isAttempt =
      tool === undefined ? this.#isUnknown(text, element) : this.#isCall(text, element, isLast);
    if (!isAttempt) return at;
    this.#add(tool === undefined ? "unknown" : "malformed", name);
    return close >= 0 ? close : at;
  }

  /** Finds a tool that an attribute of the tag names: `<tool name="read_file" …>`. */
  #inAttribute(tag: string, attributes: string): boolean {
    if (!NAMED.test(tag) || this.#tags.find(tag) !== undefined) return false;
    const [, name = ""] = NAME_ATTRIBUTE.exec(attributes) ?? [];
    if (this.#toolOf(name) === undefined) return false;
    this.#add("other-form", name);
    return true;
  }

  /** The prompt's own placeholder, with the tool's name as its text. */
  #inPlaceholder(text: string): void {
    const named = this.#mentioned(/^\s*[\w.-]{3,64}(?=\s*<)/.exec(text)?.[0] ?? "");
    if (named !== undefined) this.#add("other-form", named);
  }

  /** Checks for an element that is named like a tool and placed and written like a call. */
  #isCall(text: string, { name, after, close, leads, isPlain }: Element, isLast: boolean): boolean {
    if (!isPlain) return leads && isBlankLine(text, close >= 0 ? close : after);
    if (close < 0) return leads && this.#isUnfinished(text, after);
    const inner = text.slice(after, close - name.length - 3).trim();
    if (!isBlankLine(text, close) || inner === "" || /^(?:[.…]+|and|or|to|\/|,)$/.test(inner)) return false;
    return leads || (isLast && text.slice(close).trim() === "" && text.charAt(after) !== " ");
  }

  /** Returns the position after the closing tag outside code; -1 if there is none. */
  #closeOf(text: string, from: number, name: string): number {
    const close = `</${name}>`;
    const at = this.#outside.find((place) => place >= from && text.startsWith(close, place));
    return at === undefined ? -1 : at + close.length;
  }

  /** Checks for a tag that the message's end cut off. */
  #cut(text: string, at: number, isLast: boolean): void {
    const rest = text.slice(at + 1, at + 1200).trimEnd();
    const name = /^[A-Za-z_][\w.-]{2,63}(?=\s|$)/.exec(rest)?.[0];
    if (!isLast || name === undefined || /[<>]/.test(rest) || text.length > at + 1200) return;
    const tool = this.#names.find((known) => isWorded(known) && known.startsWith(name));
    if (tool !== undefined && isWorded(name)) this.#add("malformed", tool);
  }

  /** Checks for an element of simple children that is named like a tool, with nothing but calls after it. */
  #isUnknown(text: string, { name, after, close }: Element): boolean {
    if (close < 0 || !isBlankLine(text, close)) return false;
    const near = nearestNames(name, this.#names);
    const snake = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(name);
    if (!snake && (near.length === 0 || !/^[a-z]/.test(name))) return false;
    if (!isChildren(text.slice(after, close - name.length - 3))) return false;
    if (near.length === 0 && !this.#hasCalls) {
      // In a message of prose it may be any XML. A call has nothing after it, and either begins with a verb or is
      // alone.
      const alone = text.slice(0, after - name.length - 2).trim() === "";
      if (text.slice(close).trim() !== "" || !(alone || VERB.test(name))) return false;
    }
    return true;
  }

  /** True if the tag is alone on its line or a child follows it, and the text after it is a single paragraph. */
  #isUnfinished(text: string, after: number): boolean {
    const rest = text.slice(after, after + TAIL_LENGTH);
    const child = /^\s*(?:>\s*)?<([A-Za-z_][\w-]{0,63})>/.exec(rest)?.[1];
    if (child !== undefined) return !this.#tags.find(child)?.worded;
    return isBlankLine(text, after) && !/\n[ \t\r]*\n\s*\S/.test(rest);
  }

  /** Looks for a call at the end of the text: in a fence, in backticks or as JSON. */
  #endOf(tail: string): void {
    const line = tail.slice(Math.max(tail.lastIndexOf("\n") + 1, tail.length - MAX_LINE_LENGTH));
    const fence = lastFence(tail);
    const code = fence?.body ?? /^[ \t]*(`{1,4})([^`]+)\1$/.exec(line)?.[2];
    if (code !== undefined) {
      const meant = /tool|function/.test(fence?.info ?? "") ? this.#mentioned(code) : undefined;
      const name = this.#callIn(code, true) ?? this.#inJson(code) ?? meant;
      if (name !== undefined) this.#add("in-code", name);
      return;
    }
    const json = /[}\]]$/.test(tail) ? /(?:^|\n)[ \t]*([{[][\s\S]*)$/.exec(tail)?.[1] : undefined;
    const name = (json === undefined ? undefined : this.#inJson(json)) ?? this.#functionCallIn(line);
    if (name !== undefined) this.#add("other-form", name);
  }

  /** Matches `read_file(path="a.txt")` alone on the last line. */
  #functionCallIn(line: string): string | undefined {
    const match = /^[ \t]*\[?(?:print\()?(?:\w{1,40}\.)?(\w{3,64})\((.*)\)[\];]?$/.exec(line);
    const tool = this.#tools.find(({ name }) => name === match?.[1]);
    if (match === null || tool === undefined) return undefined;
    const param = /^\s*\{?\s*["']?(\w+)["']?\s*[=:]/.exec(match[2] ?? "")?.[1];
    return param !== undefined && tool.params.includes(param) ? tool.name : undefined;
  }

  #inJson(text: string): string | undefined {
    const json = text.trim();
    if (!/^[{[]/.test(json)) return undefined;
    const name = callsOfJson(parseJson(json), this.#tags)?.[0]?.name;
    return name !== undefined && this.#names.includes(name) ? name : undefined;
  }

  /** Returns the first complete call that the protocol would find; `only`: with nothing else around it. */
  #callIn(text: string, only = false): string | undefined {
    const parser = createAssistantParser(this.#tools);
    const blocks: AssistantBlock[] = foldEvents([...parser.push(text), ...parser.end()]);
    const call = blocks.find((block) => block.type === "tool" && !block.partial);
    if (call?.type !== "tool" || (only && blocks.some((block) => block.type === "text"))) return undefined;
    return call.name;
  }

  /** Returns the call that the text ends within. */
  #cutCallIn(text: string): string | undefined {
    const parser = createAssistantParser(this.#tools);
    const last = foldEvents([...parser.push(text), ...parser.end()]).at(-1);
    return last?.type === "tool" && last.partial ? last.name : undefined;
  }

  /** Returns the first tool name in the text. */
  #mentioned(text: string): string | undefined {
    for (const [word] of text.matchAll(/[A-Za-z_]\w{2,63}/g))
      if (this.#toolOf(word) !== undefined) return word;
    return undefined;
  }

  /** Returns the tool that a name of several words refers to, in any spelling, with or without a prefix. */
  #toolOf(name: string): string | undefined {
    if (!isWorded(name)) return undefined;
    return (this.#tags.find(name) ?? this.#tags.find(name.slice(name.search(/[^.:/]*$/))))?.name;
  }

  #add(kind: AttemptKind, name: string): void {
    const resolved = resolveToolName(name, this.#names);
    const tool = "name" in resolved ? resolved.name : undefined;
    const suggestions = "suggestions" in resolved ? resolved.suggestions : [];
    this.found.push({ kind, name, tool, suggestions });
  }
}

function isBlankLine(text: string, from: number): boolean {
  return /^[ \t\r]*(?:\n|$)/.test(text.slice(from, from + 1024));
}

/** True for consecutive elements without attributes, each with a closing tag and no nested elements. */
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

/** Returns the fence that ends the text, or that is never closed. */
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
