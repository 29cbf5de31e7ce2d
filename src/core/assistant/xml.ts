import { breakAfter, breakBefore, CR, isHighSurrogate, isSpace, LF, WHITE_SPACE_LIMIT } from "./chars.ts";
import { EntityText, isShortParam } from "./entities.ts";
import { EventSink } from "./event-sink.ts";
import { type AssistantBlock, type AssistantEvent, foldEvents, type ToolSyntax } from "./events.ts";
import { CodeTracker } from "./markdown.ts";
import { type FollowTag, NONE, SpaceSkipper, TagTable, type ToolTags, WAIT } from "./tags.ts";

const CDATA_OPEN = "<![CDATA[";
const CDATA_CLOSE = "]]>";

/** Where the parser stands: in prose, or at the start or in the middle of a value or of reasoning. */
type Mode = "prose" | "reasoning-start" | "reasoning" | "value-start" | "value" | "cdata-start" | "cdata";

/** Reads one assistant message under the XML protocol, chunk by chunk. */
export interface AssistantParser {
  /** The events that this chunk completed or extended. */
  push(chunk: string): AssistantEvent[];
  /** Closes what is open, marked partial. The parser takes nothing more after it. */
  end(): AssistantEvent[];
}

/**
 * An incremental parser of the XML protocol. What it holds back between chunks is bounded by the longest tag and
 * `WHITE_SPACE_LIMIT`, and work for a chunk is proportional to the chunk and that tail.
 *
 * - A tool's opening tag starts a call outside code (see `CodeTracker`) when one of the tool's parameters or its
 *   closing tag follows, after white space. `<tool/>` alone on its line is a call of a tool without parameters.
 * - A value ends at its closing tag when a parameter that the call does not have yet follows, or the tool's closing
 *   tag. One line break (LF or CRLF) at either end is the protocol's; the rest is the value's.
 * - A CDATA section around a value hides every tag in it until `]]>` and such an ending; one line break at either
 *   end inside it is the protocol's too, and `]]><![CDATA[` joins two sections.
 * - `<thinking>` and `<think>` outside code are reasoning up to the first closing tag of the same name, or to the
 *   message's end. One line break at either end is left out; neighbouring blocks are parted by a blank line.
 * - Text keeps its white space; text that is white space only (up to `WHITE_SPACE_LIMIT`) is left out.
 * - A call that the message does not finish is closed as partial, without what may be the start of its value's
 *   ending tags.
 */
export function createAssistantParser(tools: readonly ToolSyntax[]): AssistantParser {
  return new XmlParser(new TagTable(tools));
}

/** The blocks of a whole message under the XML protocol. */
export function parseAssistantMessage(text: string, tools: readonly ToolSyntax[]): AssistantBlock[] {
  const parser = createAssistantParser(tools);
  return foldEvents([...parser.push(text), ...parser.end()]);
}

class XmlParser implements AssistantParser {
  private readonly sink = new EventSink();
  private readonly spaces = new SpaceSkipper();
  private mode: Mode = "prose";
  private ended = false;

  /** The held-back tail and the new chunk; what stands before `at` is done with. */
  private s = "";
  private at = 0;

  /** How far the prose after `at` was searched for tags already. */
  private scanned = 0;
  private code = new CodeTracker();

  /** The closing tag of the value or reasoning that is open. */
  private closeTag = "";
  private tool: ToolTags | undefined;
  private given = new Set<string>();
  private param = "";
  private entities: EntityText | undefined;
  private valueIsEmpty = true;

  constructor(private readonly tags: TagTable) {}

  push(chunk: string): AssistantEvent[] {
    if (this.ended || chunk === "") return [];
    this.s = this.s === "" ? chunk : this.s + chunk;
    this.run(false);
    if (this.at > 0) {
      this.s = this.s.slice(this.at);
      this.scanned -= this.at;
      this.spaces.shift(this.at);
      this.at = 0;
    }
    return this.sink.take();
  }

  end(): AssistantEvent[] {
    if (this.ended) return [];
    this.ended = true;
    this.run(true);
    if (this.tool !== undefined) {
      this.endValue();
      this.sink.toolEnd(true);
    }
    this.s = "";
    return this.sink.take();
  }

  private run(atEnd: boolean): void {
    while (this.step(atEnd)) {
      // Each step emits something or changes the mode; it returns false when only the next chunk can tell.
    }
  }

  private step(atEnd: boolean): boolean {
    switch (this.mode) {
      case "prose":
        return this.readProse(atEnd);
      case "value-start":
        return this.readValueStart(atEnd);
      case "reasoning-start":
        return this.skipBreak("reasoning", atEnd);
      case "cdata-start":
        return this.skipBreak("cdata", atEnd);
      case "cdata":
        return this.readUntil(CDATA_CLOSE, atEnd);
      default:
        return this.readUntil(this.closeTag, atEnd);
    }
  }

  // Prose

  private readProse(atEnd: boolean): boolean {
    const { s } = this;
    for (;;) {
      const tagAt = this.code.scan(s, this.scanned);
      this.scanned = tagAt;
      if (tagAt === s.length) {
        const split = !atEnd && tagAt > this.at && isHighSurrogate(s.charCodeAt(tagAt - 1));
        this.emitText(split ? tagAt - 1 : tagAt);
        return false;
      }
      const tag = this.tags.openTag(s, tagAt, atEnd);
      if (tag.kind === "reasoning") {
        this.emitText(tagAt);
        this.sink.endText();
        this.at = tag.end;
        this.closeTag = `</${tag.name}>`;
        this.mode = "reasoning-start";
        return true;
      }
      let follow: FollowTag = NONE;
      if (tag.kind === "wait") follow = WAIT;
      else if (tag.kind === "tool") follow = this.spaces.follow(s, tag.end, tag.tool, new Set());
      else if (tag.kind === "self-closing") follow = this.endOfLine(tag.end, atEnd);

      if (follow.kind === "wait" && !atEnd) {
        this.emitText(tagAt);
        return false;
      }
      if ((follow.kind === "param" || follow.kind === "close") && "tool" in tag) {
        this.emitText(tagAt);
        this.startCall(tag.tool);
        this.take(follow);
        return true;
      }
      this.code.passTag();
      this.scanned = tagAt + 1;
    }
  }

  /** A self-closing call stands alone on its line. */
  private endOfLine(from: number, atEnd: boolean): FollowTag {
    if (!this.code.atLineStart) return NONE;
    const { s } = this;
    const limit = Math.min(s.length, from + WHITE_SPACE_LIMIT);
    for (let i = from; i < limit; i++) {
      const c = s.charCodeAt(i);
      if (c === LF) return { kind: "close", end: from };
      if (!isSpace(c)) return NONE;
    }
    if (limit < s.length) return NONE;
    return atEnd ? { kind: "close", end: from } : WAIT;
  }

  private emitText(to: number): void {
    this.sink.text(this.s.slice(this.at, to));
    this.at = to;
  }

  private enterProse(): void {
    this.mode = "prose";
    this.code = new CodeTracker();
    this.scanned = this.at;
  }

  // Calls

  private startCall(tool: ToolTags): void {
    this.sink.endText();
    this.sink.toolStart(tool.name);
    this.tool = tool;
    this.given = new Set();
  }

  /** Goes on with the tag that ended the last value: the next value, or the end of the call. */
  private take(follow: Extract<FollowTag, { kind: "param" | "close" }>): void {
    this.at = follow.end;
    if (follow.kind === "close") {
      this.sink.toolEnd(false);
      this.tool = undefined;
      this.enterProse();
      return;
    }
    this.given.add(follow.name);
    this.param = follow.name;
    this.closeTag = `</${follow.name}>`;
    this.entities = isShortParam(follow.name) ? new EntityText() : undefined;
    this.valueIsEmpty = true;
    this.mode = "value-start";
  }

  private readValueStart(atEnd: boolean): boolean {
    const { s } = this;
    const from = this.spaces.skip(s, this.at);
    if (from >= 0) {
      if (s.startsWith(CDATA_OPEN, from)) {
        this.at = from + CDATA_OPEN.length;
        this.entities = undefined;
        this.mode = "cdata-start";
        return true;
      }
      const rest = s.length - from;
      if (!atEnd && rest < CDATA_OPEN.length && CDATA_OPEN.startsWith(s.slice(from))) return false;
    }
    return this.skipBreak("value", atEnd);
  }

  /** Leaves out the line break that the protocol puts in front of a value. */
  private skipBreak(next: Mode, atEnd: boolean): boolean {
    const from = breakAfter(this.s, this.at, atEnd);
    if (from < 0) return false;
    this.at = from;
    this.mode = next;
    return true;
  }

  private emitValue(to: number): void {
    const delta = this.s.slice(this.at, to);
    this.at = to;
    if (this.mode === "reasoning") {
      this.sink.reasoning(delta);
      return;
    }
    this.emitParam(this.entities === undefined ? delta : this.entities.push(delta));
  }

  private emitParam(delta: string): void {
    if (delta === "") return;
    this.valueIsEmpty = false;
    this.sink.param(this.param, delta);
  }

  private endValue(): void {
    this.emitParam(this.entities?.end() ?? "");
    // A value without text is a value still.
    if (this.valueIsEmpty && this.param !== "") this.sink.param(this.param, "");
    this.param = "";
    this.entities = undefined;
  }

  /** Reads on to the next place where the open value may end, and ends it there if it does. */
  private readUntil(mark: string, atEnd: boolean): boolean {
    const { s } = this;
    const markAt = s.indexOf(mark, this.at);
    if (markAt < 0) {
      this.emitValue(this.held(mark, atEnd));
      return false;
    }
    const afterMark = markAt + mark.length;
    const endAt = breakBefore(s, markAt, this.at);
    if (this.mode === "reasoning") {
      this.emitValue(endAt);
      this.sink.endReasoning();
      this.at = afterMark;
      this.enterProse();
      return true;
    }
    if (this.mode === "cdata" && s.startsWith(CDATA_OPEN, afterMark)) {
      this.emitValue(markAt);
      this.at = afterMark + CDATA_OPEN.length;
      return true;
    }
    const follow = this.mode === "cdata" ? this.followSection(afterMark) : this.followValue(afterMark);
    if (follow.kind === "wait") {
      this.emitValue(endAt);
      return false;
    }
    if (follow.kind === "none") {
      this.emitValue(markAt + 1);
      return true;
    }
    this.emitValue(endAt);
    this.endValue();
    this.take(follow);
    return true;
  }

  private followValue(from: number): FollowTag {
    return this.tool === undefined ? NONE : this.spaces.follow(this.s, from, this.tool, this.given);
  }

  /** What follows the end of a CDATA section: the value's closing tag and what may follow that. */
  private followSection(from: number): FollowTag {
    const { s, closeTag } = this;
    const rest = s.slice(from, from + CDATA_OPEN.length);
    if (from + rest.length === s.length && CDATA_OPEN.startsWith(rest)) return WAIT;
    const to = this.spaces.skip(s, from);
    if (to < 0) return NONE;
    if (s.startsWith(closeTag, to)) return this.followValue(to + closeTag.length);
    return s.length - to < closeTag.length && closeTag.startsWith(s.slice(to)) ? WAIT : NONE;
  }

  /** Where the end of the text begins that may belong to `mark` or is the line break before it. */
  private held(mark: string, atEnd: boolean): number {
    const { s, at } = this;
    const { length } = s;
    let from = length;
    for (let i = Math.max(at, length - mark.length + 1); i < length; i++) {
      if (s.charCodeAt(i) === mark.charCodeAt(0) && mark.startsWith(s.slice(i))) {
        from = i;
        break;
      }
    }
    if (from > at) {
      const last = s.charCodeAt(from - 1);
      if (from === length && (last === CR || (!atEnd && isHighSurrogate(last)))) return from - 1;
      return breakBefore(s, from, at);
    }
    return from;
  }
}
