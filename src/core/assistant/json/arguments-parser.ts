import { isSpace } from "../chars.ts";
import { isRecord } from "../record.ts";
import { JsonString } from "./json-string.ts";

/**
 * An update of one value. `path` contains the keys and indexes that lead to it, joined by dots (`content`,
 * `items.0.name`); a dot or backslash within a key is escaped with a backslash. For a string, `text` is the decoded
 * addition; for a number, true, false or null it is the JSON text, in one piece. `done` is true when the value is
 * complete.
 */
export interface ArgumentUpdate {
  path: string;
  text: string;
  done: boolean;
}

/** Parses the JSON arguments of one native tool call as they stream. */
export interface ArgumentsParser {
  /**
   * Returns what this delta added, in order. A string's text never ends between the halves of a surrogate pair. A
   * top-level number has no update: only `end` reports that it is complete.
   */
  push(delta: string): ArgumentUpdate[];
  /**
   * Returns the parsed value; `{}` if the input is only white space; `undefined` if the JSON is invalid or incomplete,
   * and then `error` says why. Never throws.
   */
  end(): unknown;
  /** What is wrong, with the 0-based character position; null if nothing is. */
  readonly error: string | null;
  /** True when the outermost value is complete. */
  readonly complete: boolean;
}

/**
 * Called with what was added to a property of the outermost object: decoded text for a string, JSON text for any other
 * value. An empty text means that an empty string ended.
 */
export type PropertyListener = (key: string, text: string) => void;

/**
 * Creates an incremental JSON parser whose work per delta is proportional to the delta. It differs from `JSON.parse` in
 * three ways: strings may contain unescaped line breaks and other control characters, because models write them; an
 * empty object before the actual object is skipped, because some endpoints send `{}` first; and a duplicate key in one
 * object is an error, because what was shown would differ from what runs.
 */
export function createArgumentsParser(onProperty?: PropertyListener): ArgumentsParser {
  return new JsonReader(onProperty);
}

type Frame = { path: string; key: string } & (
  | { kind: "object"; value: Record<string, unknown> }
  | { kind: "array"; value: unknown[] }
);

type Expect = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "nothing";

const MAX_DEPTH = 256;
const MAX_TOKEN = 1024;
class JsonReader implements ArgumentsParser {
  error: string | null = null;
  complete = false;

  #root: unknown;
  #started = false;
  #expect: Expect = "value";
  readonly #stack: Frame[] = [];
  /** Number of characters in earlier deltas. */
  #offset = 0;
  #updates: ArgumentUpdate[] = [];

  /** The open string, and its path if it is a value. */
  #string: JsonString | undefined;
  #stringPath: string | undefined;
  /** The open number or word. */
  #token = "";
  #inToken = false;
  #failedAt = -1;
  /** Where in this delta the JSON text of a property begins; -1 if none is open. */
  #rawFrom = -1;
  readonly #onProperty: PropertyListener | undefined;

  constructor(onProperty: PropertyListener | undefined) {
    this.#onProperty = onProperty;
  }

  push(delta: string): ArgumentUpdate[] {
    this.#updates = [];
    if (this.error !== null) return [];
    if (this.#rawFrom >= 0) this.#rawFrom = 0;
    let i = 0;
    while (i < delta.length && this.error === null) {
      if (this.#string !== undefined) i = this.#readString(this.#string, delta, i);
      else if (this.#inToken) i = this.#readToken(delta, i);
      else i = this.#readStructure(delta, i);
    }
    this.#flushString();
    this.#flushRaw(delta, this.#failedAt < 0 ? delta.length : this.#failedAt);
    if (this.error !== null) this.#forget();
    this.#offset += delta.length;
    return this.#updates;
  }

  end(): unknown {
    if (this.error === null && this.#inToken && this.#stack.length === 0) this.#closeToken(0);
    if (this.error !== null) return undefined;
    if (!this.#started) return {};
    if (!this.complete) {
      this.#fail(`the JSON ends too early, ${this.#missing()}`, 0);
      return undefined;
    }
    return this.#root;
  }

  #missing(): string {
    if (this.#string !== undefined) {
      return this.#stringPath === undefined ? "within a key" : `within the string ${this.#stringPath}`;
    }
    const frame = this.#stack.at(-1);
    return frame === undefined
      ? "within a value"
      : `${frame.kind === "object" ? "an object" : "an array"} is open`;
  }

  #fail(reason: string, at: number): void {
    this.error = `${reason} (position ${this.#offset + at})`;
    this.#failedAt = at;
    this.complete = false;
  }

  #forget(): void {
    this.#root = undefined;
    this.#stack.length = 0;
    this.#string = undefined;
    this.#rawFrom = -1;
  }

  get #inProperty(): boolean {
    return this.#stack.length === 1 && this.#stack[0]?.kind === "object";
  }

  // Structure

  #readStructure(delta: string, at: number): number {
    const c = delta.charCodeAt(at);
    if (isSpace(c)) return at + 1;
    const char = String.fromCharCode(c);
    switch (this.#expect) {
      case "value":
      case "value-or-end":
        if (char === "]" && this.#expect === "value-or-end") this.#close("array", delta, at);
        else return this.#openValue(char, at);
        break;
      case "key":
      case "key-or-end":
        if (char === "}" && this.#expect === "key-or-end") this.#close("object", delta, at);
        else if (char === '"') this.#openString(undefined);
        else
          this.#fail(
            `expected a key in double quotes${this.#expect === "key" ? "" : " or }"}, got ${show(char)}`,
            at,
          );
        break;
      case "colon":
        if (char === ":") this.#expect = "value";
        else this.#fail(`expected : after the key, got ${show(char)}`, at);
        break;
      case "comma-or-end": {
        const kind = this.#stack.at(-1)?.kind ?? "array";
        const end = kind === "object" ? "}" : "]";
        if (char === ",") this.#expect = kind === "object" ? "key" : "value";
        else if (char === end) this.#close(kind, delta, at);
        else this.#fail(`expected , or ${end}, got ${show(char)}`, at);
        break;
      }
      case "nothing":
        if (char === "{" && this.#isEmptyObject()) return this.#reopen(at);
        this.#fail(`expected nothing after the end of the JSON, got ${show(char)}`, at);
    }
    return at + 1;
  }

  #openValue(char: string, at: number): number {
    this.#started = true;
    if (char === '"') {
      this.#openString(this.#path());
      return at + 1;
    }
    if (this.#inProperty) this.#rawFrom = at;
    if (char === "{" || char === "[") {
      if (this.#stack.length >= MAX_DEPTH) {
        this.#fail(`nested more than ${MAX_DEPTH} levels deep`, at);
        return at;
      }
      const path = this.#path();
      if (char === "{") this.#stack.push({ kind: "object", value: {}, path, key: "" });
      else this.#stack.push({ kind: "array", value: [], path, key: "" });
      this.#expect = char === "{" ? "key-or-end" : "value-or-end";
      return at + 1;
    }
    if (!isTokenChar(char.charCodeAt(0))) {
      this.#fail(`expected a value, got ${show(char)}`, at);
      return at;
    }
    this.#token = "";
    this.#inToken = true;
    return at;
  }

  #close(kind: Frame["kind"], delta: string, at: number): void {
    const frame = this.#stack.pop();
    if (frame === undefined || frame.kind !== kind) return;
    this.#put(frame.value);
    if (this.#stack.length === 1) this.#endRaw(delta, at + 1);
  }

  /** Stores a finished value in its parent. */
  #put(value: unknown): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) {
      this.#root = value;
      this.complete = true;
      this.#expect = "nothing";
      return;
    }
    this.#expect = "comma-or-end";
    if (frame.kind === "array") frame.value.push(value);
    else if (frame.key !== "__proto__") frame.value[frame.key] = value;
    else
      Object.defineProperty(frame.value, frame.key, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }

  #isEmptyObject(): boolean {
    return isRecord(this.#root) && Object.keys(this.#root).length === 0;
  }

  #reopen(at: number): number {
    this.complete = false;
    return this.#openValue("{", at);
  }

  /** Returns the path of the value that begins now. */
  #path(): string {
    const frame = this.#stack.at(-1);
    if (frame === undefined) return "";
    const step = frame.kind === "array" ? String(frame.value.length) : frame.key.replace(/[\\.]/g, "\\$&");
    return this.#stack.length === 1 ? step : `${frame.path}.${step}`;
  }

  // Strings

  #openString(path: string | undefined): void {
    this.#string = new JsonString();
    this.#stringPath = path;
  }

  #readString(string: JsonString, delta: string, at: number): number {
    const to = string.read(delta, at);
    if (string.error !== null) this.#fail(string.error, to);
    else if (string.closed) this.#closeString(string, to - 1);
    return to;
  }

  #closeString(string: JsonString, at: number): void {
    this.#flushString();
    this.#string = undefined;
    const text = string.toString();
    if (this.#stringPath !== undefined) {
      this.#put(text);
      return;
    }
    const frame = this.#stack.at(-1);
    if (frame?.kind !== "object") return;
    if (Object.hasOwn(frame.value, text)) {
      this.#fail(`the key ${JSON.stringify(text.slice(0, 64))} stands twice`, at);
      return;
    }
    frame.key = text;
    this.#expect = "colon";
  }

  #flushString(): void {
    const string = this.#string;
    const path = this.#stringPath;
    if (string === undefined) return;
    const text = string.flush();
    if (path === undefined || (!string.closed && text === "")) return;
    this.#updates.push({ path, text, done: string.closed });
    if (this.#inProperty) this.#onProperty?.(this.#stack[0]?.key ?? "", text);
  }

  // Numbers and words

  #readToken(delta: string, at: number): number {
    let i = at;
    while (i < delta.length && isTokenChar(delta.charCodeAt(i))) i++;
    this.#token += delta.slice(at, i);
    if (this.#token.length > MAX_TOKEN) {
      this.#fail(`${show(this.#token)} is not a JSON value`, i - (this.#token.length - MAX_TOKEN));
    } else if (i < delta.length) {
      this.#closeToken(i);
      if (this.#stack.length === 1) this.#endRaw(delta, i);
    }
    return i;
  }

  #closeToken(at: number): void {
    const token = this.#token;
    const value = tokenValue(token);
    this.#inToken = false;
    if (value === undefined) {
      this.#fail(`${show(token)} is not a JSON value`, at);
      return;
    }
    this.#updates.push({ path: this.#path(), text: token, done: true });
    this.#put(value);
  }

  // The JSON text of properties that are not strings

  #flushRaw(delta: string, to: number): void {
    if (this.#rawFrom < 0 || to <= this.#rawFrom) return;
    this.#onProperty?.(this.#stack[0]?.key ?? "", delta.slice(this.#rawFrom, to));
    this.#rawFrom = to;
  }

  #endRaw(delta: string, to: number): void {
    if (this.error !== null) return;
    this.#flushRaw(delta, to);
    this.#rawFrom = -1;
  }
}

function show(text: string): string {
  return JSON.stringify(text.length > 24 ? `${text.slice(0, 24)}...` : text);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** True for characters of JSON numbers and words, and for those that models write in their place. */
function isTokenChar(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === 45 ||
    code === 43 ||
    code === 46 ||
    code === 95
  );
}

/** Returns the value of a JSON number or word; undefined if the token is neither. */
function tokenValue(token: string): number | boolean | null | undefined {
  const word = WORDS.get(token);
  if (word !== undefined) return word;
  return NUMBER.test(token) ? Number(token) : undefined;
}
