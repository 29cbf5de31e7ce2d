import { breakAfter, breakBefore, isHighSurrogate } from "../chars.ts";
import type { AssistantEvent } from "../events.ts";
import { CodeTracker } from "../markdown.ts";
import { isAtomicParam } from "./entities.ts";
import { EventSink } from "./event-sink.ts";
import { type ForeignEnd, ForeignReader } from "./foreign-calls.ts";
import { LONGEST_RUN, ProseText } from "./held-call.ts";
import { ParamValue } from "./param-value.ts";
import { startAt } from "./prose-start.ts";
import { type FollowTag, NONE, SpaceSkipper, type TagTable, type ToolTags, WAIT } from "./tags.ts";
import { afterSection, CDATA_OPEN, holdBackFrom, toolClose } from "./value-end.ts";

const CDATA_CLOSE = "]]>";

/** The parser's state: in prose, or at the start or in the middle of a value or of reasoning. */
type Mode =
  | "prose"
  | "foreign"
  | "reasoning-start"
  | "reasoning"
  | "value-start"
  | "value"
  | "cdata-start"
  | "cdata";

/** The parser behind `createAssistantParser`, which documents the syntax. */
export class XmlParser implements AssistantParser {
  readonly #sink = new EventSink();
  readonly #prose: ProseText;
  readonly #spaces = new SpaceSkipper();
  #mode: Mode = "prose";
  #ended = false;

  /** The held-back text and the new chunk. Everything before `at` has been processed. */
  #s = "";
  #at = 0;

  /** How far the prose after `at` has been searched for tags. */
  #scanned = 0;
  #code = new CodeTracker();

  /** The closing tag of the open value or reasoning. */
  #closeTag = "";
  #foreign: ForeignReader | undefined;
  #tool: ToolTags | undefined;
  #given = new Set<string>();
  /** The parameter whose value is open: a call in progress always has one. */
  #value: ParamValue | undefined;
  readonly #tags: TagTable;

  constructor(tags: TagTable) {
    this.#tags = tags;
    this.#prose = new ProseText(this.#sink, tags);
  }

  push(chunk: string): AssistantEvent[] {
    if (this.#ended || chunk === "") return [];
    this.#s = this.#s === "" ? chunk : this.#s + chunk;
    this.#run(false);
    if (this.#at > 0) {
      this.#s = this.#s.slice(this.#at);
      this.#scanned -= this.#at;
      this.#spaces.shift(this.#at);
      this.#at = 0;
    }
    return this.#sink.take();
  }

  end(mentions = false): AssistantEvent[] {
    if (this.#ended) return [];
    this.#ended = true;
    this.#run(true);
    this.#prose.end(mentions);
    if (this.#foreign !== undefined) this.#endForeign(this.#foreign.end());
    if (this.#tool !== undefined) {
      this.#endValue();
      this.#sink.toolEnd(true);
    }
    this.#s = "";
    return this.#sink.take();
  }

  mentions(): AssistantEvent[] {
    this.#prose.mentions();
    return this.#sink.take();
  }

  #run(atEnd: boolean): void {
    while (this.#step(atEnd)) {
      // Each step emits something or changes the mode, or returns false if it needs the next chunk.
    }
  }

  #step(atEnd: boolean): boolean {
    switch (this.#mode) {
      case "prose":
        return this.#readProse(atEnd);
      case "foreign":
        return this.#readForeign();
      case "value-start":
        return this.#readValueStart(atEnd);
      case "reasoning-start":
        return this.#skipBreak("reasoning", atEnd);
      case "cdata-start":
        return this.#skipBreak("cdata", atEnd);
      case "cdata":
        return this.#readUntil(CDATA_CLOSE, atEnd);
      case "value":
      case "reasoning":
        return this.#readUntil(this.#closeTag, atEnd);
    }
  }

  // Prose

  #readProse(atEnd: boolean): boolean {
    const s = this.#s;
    const code = this.#code;
    const tags = this.#tags;
    const spaces = this.#spaces;
    for (;;) {
      const tagAt = code.scan(s, this.#scanned, true);
      this.#scanned = tagAt;
      if (code.stop === "end") {
        this.#emitProse(atEnd);
        return false;
      }
      if (code.stop !== "tag") {
        this.#atFence(tagAt);
        continue;
      }
      const start = startAt(s, tagAt, { tags, spaces, code, atEnd });
      if (start.kind === "none") {
        code.passTag();
        this.#scanned = tagAt + 1;
        continue;
      }
      this.#emitText(tagAt);
      if (start.kind === "wait") return false;
      this.#prose.release();
      this.#sink.endText();
      if (start.kind === "reasoning") {
        this.#at = start.end;
        this.#closeTag = `</${start.name}>`;
        this.#mode = "reasoning-start";
      } else if (start.kind === "whole") {
        this.#sink.whole(start.call);
        this.#at = start.end;
        this.#enterProse();
      } else if (start.kind === "foreign") {
        this.#foreign = new ForeignReader(start.close, tags);
        this.#mode = "foreign";
      } else {
        this.#startCall(start.tool);
        for (const [name, value] of start.params) {
          this.#given.add(name);
          this.#sink.param(name, value);
        }
        this.#continueWith(start.follow);
      }
      return true;
    }
  }

  /** Emits the text of the chunk, except for what the next chunk may make a character or a fence. */
  #emitProse(atEnd: boolean): void {
    const { length } = this.#s;
    const split = length > this.#at && isHighSurrogate(this.#s.charCodeAt(length - 1)) ? 1 : 0;
    const { openRun } = this.#code;
    this.#emitText(atEnd ? length : length - (openRun > LONGEST_RUN ? 0 : openRun || split));
  }

  /** A fence began before `at`, or ended there. */
  #atFence(at: number): void {
    const { stop, fenceLength } = this.#code;
    if (stop === "fence-end") {
      this.#emitText(at);
      this.#prose.fenceEnd();
    } else if (fenceLength <= LONGEST_RUN) {
      this.#emitText(at - fenceLength);
      this.#prose.fence();
    }
  }

  /** Collects a call in another format; what cannot be parsed becomes text. */
  #readForeign(): boolean {
    const read = this.#foreign?.push(this.#s, this.#at);
    this.#at = read?.end ?? this.#s.length;
    if (read === undefined) return false;
    this.#endForeign(read.result);
    return true;
  }

  #endForeign({ calls, text }: ForeignEnd): void {
    this.#foreign = undefined;
    this.#enterProse();
    if (calls === undefined) this.#sink.text(text);
    else for (const call of calls) this.#sink.whole(call);
  }

  #emitText(to: number): void {
    this.#prose.text(this.#s.slice(this.#at, to));
    this.#at = to;
  }

  #enterProse(): void {
    this.#mode = "prose";
    this.#prose.begin();
    this.#code = new CodeTracker();
    this.#scanned = this.#at;
  }

  // Calls

  #startCall(tool: ToolTags): void {
    this.#sink.endText();
    this.#sink.toolStart(tool.name);
    this.#tool = tool;
    this.#given = new Set();
  }

  /** Continues after the tag that ended the last value, with the next value or the end of the call. */
  #continueWith(follow: Extract<FollowTag, { kind: "param" | "close" }>): void {
    this.#at = follow.end;
    if (follow.kind === "close") {
      this.#sink.toolEnd(false);
      this.#tool = undefined;
      this.#enterProse();
      return;
    }
    this.#given.add(follow.name);
    // A parameter that the tool does not have is atomic too, because its call is answered with an error.
    const isAtomic = isAtomicParam(follow.name) || !this.#tool?.params.includes(follow.name);
    this.#value = new ParamValue(this.#sink, follow.name, isAtomic);
    this.#closeTag = `</${follow.tag}>`;
    this.#mode = "value-start";
  }

  #readValueStart(atEnd: boolean): boolean {
    const s = this.#s;
    const from = this.#spaces.skip(s, this.#at);
    if (from >= 0) {
      if (s.startsWith(CDATA_OPEN, from)) {
        this.#at = from + CDATA_OPEN.length;
        this.#value?.takeLiterally();
        this.#mode = "cdata-start";
        return true;
      }
      const rest = s.length - from;
      if (!atEnd && rest < CDATA_OPEN.length && CDATA_OPEN.startsWith(s.slice(from))) return false;
    }
    return this.#skipBreak("value", atEnd);
  }

  /** Skips the line break that the protocol puts before a value. */
  #skipBreak(next: Mode, atEnd: boolean): boolean {
    const from = breakAfter(this.#s, this.#at, atEnd);
    if (from < 0) return false;
    this.#at = from;
    this.#mode = next;
    return true;
  }

  #emitValue(to: number): void {
    const delta = this.#s.slice(this.#at, to);
    this.#at = to;
    if (this.#mode === "reasoning") this.#sink.reasoning(delta);
    else this.#value?.push(delta);
  }

  #endValue(): void {
    this.#value?.end();
    this.#value = undefined;
  }

  /** Reads to the next possible end of the open value, and ends the value if it ends there. */
  #readUntil(mark: string, atEnd: boolean): boolean {
    const s = this.#s;
    const tool = this.#tool;
    const markAt = s.indexOf(mark, this.#at);
    const short = this.#mode === "value" && this.#value?.isShort === true;
    if (tool !== undefined && short) {
      const close = toolClose(s, this.#at, markAt < 0 ? s.length : markAt, tool, atEnd);
      if (close !== undefined) return this.#endWithin(close.at, close.end);
    }
    if (markAt < 0) {
      const marks = tool !== undefined && short ? [mark, ...tool.closes] : [mark];
      this.#emitValue(holdBackFrom(s, this.#at, marks, atEnd));
      return false;
    }
    const afterMark = markAt + mark.length;
    const endAt = breakBefore(s, markAt, this.#at);
    if (this.#mode === "reasoning") {
      this.#emitValue(endAt);
      this.#sink.endReasoning();
      this.#at = afterMark;
      this.#enterProse();
      return true;
    }
    if (this.#mode === "cdata" && s.startsWith(CDATA_OPEN, afterMark)) {
      this.#emitValue(markAt);
      this.#at = afterMark + CDATA_OPEN.length;
      return true;
    }
    const follow = this.#mode === "cdata" ? this.#followSection(afterMark) : this.#followValue(afterMark);
    if (follow.kind === "wait") {
      this.#emitValue(endAt);
      return false;
    }
    if (follow.kind === "none") {
      this.#emitValue(markAt + 1);
      return true;
    }
    this.#emitValue(endAt);
    this.#endValue();
    if (follow.kind === "wrong-close") {
      this.#endBroken(`it ends with </${follow.tag}> instead of </${tool?.name}>`, follow.end);
    } else if (follow.kind === "broken") {
      this.#endBroken(`its closing tag </${tool?.name}> is missing`, follow.end);
    } else this.#continueWith(follow);
    return true;
  }

  /** Ends a value that lacks its closing tag at the tool's. Only an atomic value is certain to be complete then. */
  #endWithin(at: number, end: number | undefined): boolean {
    const value = this.#value;
    this.#emitValue(breakBefore(this.#s, at, this.#at));
    if (end === undefined) return false;
    const isCertain = value?.isCertain;
    this.#endValue();
    if (isCertain) this.#continueWith({ kind: "close", end });
    else this.#endBroken(`the closing tag </${value?.name}> is missing`, end);
    return true;
  }

  /** Ends a call that must not run. */
  #endBroken(fault: string, end: number): void {
    this.#sink.toolEnd(true, fault);
    this.#tool = undefined;
    this.#at = end;
    this.#enterProse();
  }

  #followValue(from: number): FollowTag {
    if (this.#tool === undefined) return NONE;
    const tags = this.#value?.isAtomic ? this.#tags : undefined;
    return this.#spaces.follow(this.#s, from, this.#tool, this.#given, tags);
  }

  /** Reads what follows the end of a CDATA section: the value's closing tag and what may follow that. */
  #followSection(from: number): FollowTag {
    const after = afterSection(this.#s, from, this.#closeTag, this.#spaces);
    if (after === "wait") return WAIT;
    return after === "none" ? NONE : this.#followValue(after);
  }
}

/** Parses one assistant message in the XML protocol, chunk by chunk. */
export interface AssistantParser {
  /** Returns the events that this chunk completed or extended. */
  push(chunk: string): AssistantEvent[];
  /**
   * Closes what is open, as partial. The parser accepts nothing afterwards. `mentions`: a call that only the message's
   * end makes certain is text, because the message did not end by itself.
   */
  end(mentions?: boolean): AssistantEvent[];
  /** From here on such a call is text, because the message makes its calls in another way. */
  mentions(): AssistantEvent[];
}
