import { breakAfter, breakBefore, isHighSurrogate } from "../chars.ts";
import type { AssistantEvent } from "../events.ts";
import { CodeTracker } from "../markdown.ts";
import { EntityText, isAtomicParam, isShortParam } from "./entities.ts";
import { EventSink } from "./event-sink.ts";
import { type ForeignEnd, ForeignReader } from "./foreign-calls.ts";
import { startAt } from "./prose-start.ts";
import { type FollowTag, NONE, SpaceSkipper, type TagTable, type ToolTags, WAIT } from "./tags.ts";
import { heldFrom, toolClose } from "./value-end.ts";

const CDATA_OPEN = "<![CDATA[";
const CDATA_CLOSE = "]]>";

/** Where the parser stands: in prose, or at the start or in the middle of a value or of reasoning. */
type Mode =
  | "prose"
  | "foreign"
  | "reasoning-start"
  | "reasoning"
  | "value-start"
  | "value"
  | "cdata-start"
  | "cdata";

/** Reads one assistant message under the XML protocol, chunk by chunk. */
export interface AssistantParser {
  /** The events that this chunk completed or extended. */
  push(chunk: string): AssistantEvent[];
  /** Closes what is open, marked partial. The parser takes nothing more after it. */
  end(): AssistantEvent[];
}

/** The parser behind `createAssistantParser`, which says what it reads. */
export class XmlParser implements AssistantParser {
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
  private foreign: ForeignReader | undefined;
  private tool: ToolTags | undefined;
  private given = new Set<string>();
  private param = "";
  private atomic = false;
  private entities: EntityText | undefined;
  private valueIsEmpty = true;
  /** What a value of one word or path cannot hold is in it. */
  private valueHasTag = false;

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
    if (this.foreign !== undefined) this.endForeign(this.foreign.end());
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
      case "foreign":
        return this.readForeign();
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
    const { s, code, tags, spaces } = this;
    for (;;) {
      const tagAt = code.scan(s, this.scanned);
      this.scanned = tagAt;
      if (tagAt === s.length) {
        const split = !atEnd && tagAt > this.at && isHighSurrogate(s.charCodeAt(tagAt - 1));
        this.emitText(split ? tagAt - 1 : tagAt);
        return false;
      }
      const start = startAt(s, tagAt, { tags, spaces, code, atEnd });
      if (start.kind === "none") {
        code.passTag();
        this.scanned = tagAt + 1;
        continue;
      }
      this.emitText(tagAt);
      if (start.kind === "wait") return false;
      this.sink.endText();
      if (start.kind === "reasoning") {
        this.at = start.end;
        this.closeTag = `</${start.name}>`;
        this.mode = "reasoning-start";
      } else if (start.kind === "whole") {
        this.sink.whole(start.call);
        this.at = start.end;
        this.enterProse();
      } else if (start.kind === "foreign") {
        this.foreign = new ForeignReader(start.close, tags);
        this.mode = "foreign";
      } else {
        this.startCall(start.tool);
        for (const [name, value] of start.params) {
          this.given.add(name);
          this.sink.param(name, value);
        }
        this.take(start.follow);
      }
      return true;
    }
  }

  /** Collects a call in another form; what cannot be read is text. */
  private readForeign(): boolean {
    const read = this.foreign?.push(this.s, this.at);
    this.at = read?.end ?? this.s.length;
    if (read === undefined) return false;
    this.endForeign(read.result);
    return true;
  }

  private endForeign({ calls, text }: ForeignEnd): void {
    this.foreign = undefined;
    this.enterProse();
    if (calls === undefined) this.sink.text(text);
    else for (const call of calls) this.sink.whole(call);
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
    // A parameter that the tool does not have is not looked into: its call is answered.
    this.atomic = isAtomicParam(follow.name) || !this.tool?.params.includes(follow.name);
    this.param = follow.name;
    this.closeTag = `</${follow.tag}>`;
    this.entities = isShortParam(follow.name) ? new EntityText() : undefined;
    this.valueIsEmpty = true;
    this.valueHasTag = false;
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
    if (this.atomic && /[<\n]/.test(delta)) this.valueHasTag = true;
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
    const { s, tool } = this;
    const markAt = s.indexOf(mark, this.at);
    const short = this.mode === "value" && (this.atomic || isShortParam(this.param));
    if (tool !== undefined && short) {
      const close = toolClose(s, this.at, markAt < 0 ? s.length : markAt, tool, atEnd);
      if (close !== undefined) return this.endWithin(close.at, close.end);
    }
    if (markAt < 0) {
      const marks = tool !== undefined && short ? [mark, ...tool.closes] : [mark];
      this.emitValue(heldFrom(s, this.at, marks, atEnd));
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
    if (follow.kind === "wrong-close") {
      this.endBroken(`it ends with </${follow.tag}> instead of </${tool?.name}>`, follow.end);
    } else if (follow.kind === "broken") {
      this.endBroken(`its closing tag </${tool?.name}> is missing`, follow.end);
    } else this.take(follow);
    return true;
  }

  /** The tool's closing tag ends a value that has none of its own: a path is known by that, other values are not. */
  private endWithin(at: number, end: number | undefined): boolean {
    const { param } = this;
    this.emitValue(breakBefore(this.s, at, this.at));
    if (end === undefined) return false;
    const certain = this.atomic && !this.valueHasTag;
    this.endValue();
    if (certain) this.take({ kind: "close", end });
    else this.endBroken(`the closing tag </${param}> is missing`, end);
    return true;
  }

  /** Ends a call that never runs. */
  private endBroken(fault: string, end: number): void {
    this.sink.toolEnd(true, fault);
    this.tool = undefined;
    this.at = end;
    this.enterProse();
  }

  private followValue(from: number): FollowTag {
    const { s, tool, given, tags, atomic } = this;
    return tool === undefined ? NONE : this.spaces.follow(s, from, tool, given, atomic ? tags : undefined);
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
}
