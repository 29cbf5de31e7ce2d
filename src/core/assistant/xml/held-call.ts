/**
 * Reads calls that are only certain at the end of the message: JSON with a tool's name and arguments that is alone in a
 * code fence, or that is the whole answer. An example in an explanation looks the same, but something follows it.
 */
import { TextBuilder } from "../events.ts";
import type { EventSink } from "./event-sink.ts";
import { callsOfJson, JSON_ARGUMENTS, JSON_NAMES, JSON_WRAPPERS } from "./foreign-calls.ts";
import { type TagTable, toolNamed } from "./tags.ts";
import { parseJson, type WholeCall } from "./whole-call.ts";

/** Characters at the beginning that decide whether it can be a call. */
const HEAD_LENGTH = 400;
const MAX_CALL_LENGTH = 1_000_000;
/** Longer runs are decoration. */
export const LONGEST_RUN = 32;
const INFO = /^(?:`{3,}|~{3,})[ \t]*[\w.+-]{0,30}[ \t]*\r?$/;
const NOT_SPACE = /[^ \t\r\n]/;

type Verdict = "yes" | "no" | "open";

/** The text of prose on its way to the sink. Holds back what may be such a call. */
export class ProseText {
  readonly #sink: EventSink;
  readonly #tags: TagTable;
  #held: HeldCall | undefined;
  /** Nothing but white space was read since the prose began. */
  #fresh = true;
  #onlyMentions = false;

  constructor(sink: EventSink, tags: TagTable) {
    this.#sink = sink;
    this.#tags = tags;
  }

  /** Prose begins. */
  begin(): void {
    this.#fresh = true;
  }

  text(text: string): void {
    if (text === "") return;
    const first = this.#fresh ? text.search(NOT_SPACE) : -1;
    if (first < 0) {
      this.#push(text);
      return;
    }
    this.#fresh = false;
    this.#push(text.slice(0, first));
    if (text.charAt(first) === "{" || text.charAt(first) === "[") this.#hold(false);
    this.#push(text.slice(first));
  }

  /** The next text begins with the run that opens a fence. */
  fence(): void {
    this.release();
    this.#fresh = false;
    this.#hold(true);
  }

  #hold(fenced: boolean): void {
    if (!this.#onlyMentions) this.#held = new HeldCall(this.#tags, fenced);
  }

  fenceEnd(): void {
    this.#held?.close();
  }

  /** What is held back is text, because something follows it. */
  release(): void {
    const text = this.#held?.text;
    this.#held = undefined;
    if (text !== undefined) this.#sink.text(text);
  }

  /** From here on, nothing is such a call. */
  mentions(): void {
    this.release();
    this.#onlyMentions = true;
  }

  /** Ends the message. `mentions`: what is held back is text. */
  end(mentions: boolean): void {
    const calls = mentions ? undefined : this.#held?.calls;
    if (calls === undefined) this.release();
    else for (const call of calls) this.#sink.whole(call);
  }

  #push(text: string): void {
    if (text === "") return;
    if (this.#held === undefined) this.#sink.text(text);
    else if (!this.#held.push(text)) this.release();
  }
}

class HeldCall {
  readonly #text = new TextBuilder();
  readonly #tags: TagTable;
  readonly #fenced: boolean;
  #head = "";
  #length = 0;
  #verdict: Verdict = "open";
  #closed = false;

  /** `fenced`: the text begins with the run that opens a fence. */
  constructor(tags: TagTable, fenced: boolean) {
    this.#tags = tags;
    this.#fenced = fenced;
  }

  get text(): string {
    return this.#text.toString();
  }

  /** Reads more text. Returns false once it is certain that the text is no such call. */
  push(text: string): boolean {
    this.#text.append(text);
    this.#length += text.length;
    if (this.#closed) return !NOT_SPACE.test(text);
    if (this.#verdict === "open") {
      this.#head += text.slice(0, HEAD_LENGTH - this.#head.length);
      this.#verdict = verdictOf(this.#head, this.#fenced, this.#tags);
    }
    return this.#verdict !== "no" && this.#length <= MAX_CALL_LENGTH;
  }

  /** The fence ended: only white space may follow. */
  close(): void {
    this.#closed = true;
  }

  get calls(): WholeCall[] | undefined {
    return readHeld(this.text, this.#fenced, this.#tags);
  }
}

/** Returns the calls that such a text consists of, at the end of the message; undefined if it is text. */
export function readHeld(text: string, fenced: boolean, tags: TagTable): WholeCall[] | undefined {
  if (verdictOf(text.slice(0, HEAD_LENGTH), fenced, tags) !== "yes" || text.length > MAX_CALL_LENGTH)
    return undefined;
  const body = fenced ? bodyOf(text) : text.trim();
  const calls = callsOfJson(parseJson(body), tags);
  const fit = calls?.every(({ name, params }) => tags.find(name)?.fits(Object.fromEntries(params)));
  return fit ? calls : undefined;
}

/** Returns what is in a fence, which the message's end may have left open. */
function bodyOf(text: string): string {
  const [run = ""] = /^(?:`+|~+)/.exec(text) ?? [];
  const body = text.slice(text.indexOf("\n") + 1).trimEnd();
  const last = body.slice(body.lastIndexOf("\n") + 1).trim();
  const closes = last.startsWith(run) && [...last].every((char) => char === run.charAt(0));
  return (closes ? body.slice(0, body.lastIndexOf("\n") + 1) : body).trim();
}

function verdictOf(head: string, fenced: boolean, tags: TagTable): Verdict {
  const verdict = fenced ? verdictOfFence(head, tags) : verdictOfBody(head, tags);
  return verdict === "open" && head.length >= HEAD_LENGTH ? "no" : verdict;
}

function verdictOfFence(head: string, tags: TagTable): Verdict {
  const end = head.indexOf("\n");
  if (!INFO.test(end < 0 ? head : head.slice(0, end))) return "no";
  return end < 0 ? "open" : verdictOfBody(head.slice(end + 1), tags);
}

function verdictOfBody(head: string, tags: TagTable): Verdict {
  const body = head.trimStart();
  return body === "" ? "open" : verdictOfJson(body, tags);
}

/** The text before the first value of the first object. */
const FIRST_KEY = /^(?:\[\s*)?\{\s*"([\w-]{1,40})"\s*:\s*/;
const PARTIAL_KEY = /^(?:\[\s*)?(?:\{\s*(?:"[\w-]{0,40}(?:"\s*)?)?)?$/;

/** Other data in JSON begins with another key, or does not name a tool. */
function verdictOfJson(body: string, tags: TagTable): Verdict {
  const key = FIRST_KEY.exec(body);
  if (key === null) return PARTIAL_KEY.test(body) ? "open" : "no";
  const name = key[1] ?? "";
  const value = body.slice(key[0].length);
  if (value === "") return "open";
  const begins = value.charAt(0);
  if (JSON_WRAPPERS.includes(name)) return /[[{]/.test(begins) ? "yes" : "no";
  if (name === "function" && begins === "{") return "yes";
  if (JSON_ARGUMENTS.includes(name)) return begins === "{" ? "yes" : "no";
  if (begins !== '"' || !(JSON_NAMES.includes(name) || name === "type")) return "no";
  const text = /^"([^"\\]*)(")?/.exec(value);
  if (text?.[2] === undefined) return text?.[0] === value ? "open" : "no";
  const word = text[1] ?? "";
  if (name === "type") return /^(?:function|tool)/.test(word) ? "yes" : "no";
  return namesCall(word, tags) ? "yes" : "no";
}

function namesCall(name: string, tags: TagTable): boolean {
  return toolNamed(name, tags) !== undefined || name.endsWith("parallel");
}
