import { isSpace } from "../chars.ts";
import { isRecord } from "../record.ts";
import { JsonString } from "./json-string.ts";
import { isTokenChar, tokenValue } from "./json-token.ts";

/**
 * News of one value. `path` is the keys and indexes that lead to it, joined by dots (`content`, `items.0.name`);
 * a dot or back-slash within a key has a back-slash before it. For a string, `text` is what it grew by, decoded;
 * for a number, true, false or null it is the JSON text, all at once. `done` is true once the value is whole.
 */
export interface ArgumentUpdate {
  path: string;
  text: string;
  done: boolean;
}

/** Reads the JSON of one native tool call's arguments as it streams. */
export interface ArgumentsParser {
  /**
   * What this delta added, in order. A string's text never ends between the halves of a surrogate pair. A number that
   * is all there is has no update: only `end` tells that it ended.
   */
  push(delta: string): ArgumentUpdate[];
  /**
   * The parsed value; `{}` where nothing but white space came; `undefined` where the JSON is invalid or incomplete,
   * and then `error` says why. Never throws.
   */
  end(): unknown;
  /** What is wrong, with the position as a count of characters from 0; null while nothing is. */
  readonly error: string | null;
  /** True once the outermost value is whole. */
  readonly complete: boolean;
}

/**
 * Called with what a property of the outermost object grew by: decoded text for a string, JSON text for any other.
 * An empty text says that an empty string ended.
 */
export type PropertyListener = (key: string, text: string) => void;

/**
 * An incremental JSON reader whose work for a delta is proportional to the delta. It reads JSON as `JSON.parse` does
 * with three differences: line breaks and other control characters may stand in strings as they are (models write
 * them); an empty object ahead of the object is passed over (some endpoints send `{}` first); and a key that stands
 * twice in one object is an error, since what was shown would not be what runs.
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

  private root: unknown;
  private started = false;
  private expect: Expect = "value";
  private readonly stack: Frame[] = [];
  /** Characters of earlier deltas. */
  private offset = 0;
  private updates: ArgumentUpdate[] = [];

  /** The string that is open, and its path where it is a value. */
  private string: JsonString | undefined;
  private stringPath: string | undefined;
  /** A number or word that is open. */
  private token = "";
  private inToken = false;
  private failedAt = -1;
  /** Where in this delta the JSON text of a property begins; -1 where none is open. */
  private rawFrom = -1;

  constructor(private readonly onProperty: PropertyListener | undefined) {}

  push(delta: string): ArgumentUpdate[] {
    this.updates = [];
    if (this.error !== null) return [];
    if (this.rawFrom >= 0) this.rawFrom = 0;
    let i = 0;
    while (i < delta.length && this.error === null) {
      if (this.string !== undefined) i = this.readString(this.string, delta, i);
      else if (this.inToken) i = this.readToken(delta, i);
      else i = this.readStructure(delta, i);
    }
    this.flushString();
    this.flushRaw(delta, this.failedAt < 0 ? delta.length : this.failedAt);
    if (this.error !== null) this.forget();
    this.offset += delta.length;
    return this.updates;
  }

  end(): unknown {
    if (this.error === null && this.inToken && this.stack.length === 0) this.closeToken(0);
    if (this.error !== null) return undefined;
    if (!this.started) return {};
    if (!this.complete) {
      this.fail(`the JSON ends too early, ${this.missing()}`, 0);
      return undefined;
    }
    return this.root;
  }

  private missing(): string {
    if (this.string !== undefined) {
      return this.stringPath === undefined ? "within a key" : `within the string ${this.stringPath}`;
    }
    const frame = this.stack.at(-1);
    return frame === undefined
      ? "within a value"
      : `${frame.kind === "object" ? "an object" : "an array"} is open`;
  }

  private fail(reason: string, at: number): void {
    this.error = `${reason} (position ${this.offset + at})`;
    this.failedAt = at;
    this.complete = false;
  }

  private forget(): void {
    this.root = undefined;
    this.stack.length = 0;
    this.string = undefined;
    this.rawFrom = -1;
  }

  private get inProperty(): boolean {
    return this.stack.length === 1 && this.stack[0]?.kind === "object";
  }

  // Structure

  private readStructure(delta: string, at: number): number {
    const c = delta.charCodeAt(at);
    if (isSpace(c)) return at + 1;
    const char = String.fromCharCode(c);
    switch (this.expect) {
      case "value":
      case "value-or-end":
        if (char === "]" && this.expect === "value-or-end") this.close("array", delta, at);
        else return this.openValue(char, at);
        break;
      case "key":
      case "key-or-end":
        if (char === "}" && this.expect === "key-or-end") this.close("object", delta, at);
        else if (char === '"') this.openString(undefined);
        else
          this.fail(
            `expected a key in double quotes${this.expect === "key" ? "" : " or }"}, got ${show(char)}`,
            at,
          );
        break;
      case "colon":
        if (char === ":") this.expect = "value";
        else this.fail(`expected : after the key, got ${show(char)}`, at);
        break;
      case "comma-or-end": {
        const kind = this.stack.at(-1)?.kind ?? "array";
        const end = kind === "object" ? "}" : "]";
        if (char === ",") this.expect = kind === "object" ? "key" : "value";
        else if (char === end) this.close(kind, delta, at);
        else this.fail(`expected , or ${end}, got ${show(char)}`, at);
        break;
      }
      case "nothing":
        if (char === "{" && this.isEmptyObject()) return this.reopen(at);
        this.fail(`expected nothing after the end of the JSON, got ${show(char)}`, at);
    }
    return at + 1;
  }

  private openValue(char: string, at: number): number {
    this.started = true;
    if (char === '"') {
      this.openString(this.path());
      return at + 1;
    }
    if (this.inProperty) this.rawFrom = at;
    if (char === "{" || char === "[") {
      if (this.stack.length >= MAX_DEPTH) {
        this.fail(`nested more than ${MAX_DEPTH} levels deep`, at);
        return at;
      }
      const path = this.path();
      if (char === "{") this.stack.push({ kind: "object", value: {}, path, key: "" });
      else this.stack.push({ kind: "array", value: [], path, key: "" });
      this.expect = char === "{" ? "key-or-end" : "value-or-end";
      return at + 1;
    }
    if (!isTokenChar(char.charCodeAt(0))) {
      this.fail(`expected a value, got ${show(char)}`, at);
      return at;
    }
    this.token = "";
    this.inToken = true;
    return at;
  }

  private close(kind: Frame["kind"], delta: string, at: number): void {
    const frame = this.stack.pop();
    if (frame === undefined || frame.kind !== kind) return;
    this.put(frame.value);
    if (this.stack.length === 1) this.endRaw(delta, at + 1);
  }

  /** Puts a finished value in its place. */
  private put(value: unknown): void {
    const frame = this.stack.at(-1);
    if (frame === undefined) {
      this.root = value;
      this.complete = true;
      this.expect = "nothing";
      return;
    }
    this.expect = "comma-or-end";
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

  private isEmptyObject(): boolean {
    return isRecord(this.root) && Object.keys(this.root).length === 0;
  }

  private reopen(at: number): number {
    this.complete = false;
    return this.openValue("{", at);
  }

  /** The path of the value that begins now. */
  private path(): string {
    const frame = this.stack.at(-1);
    if (frame === undefined) return "";
    const step = frame.kind === "array" ? String(frame.value.length) : frame.key.replace(/[\\.]/g, "\\$&");
    return this.stack.length === 1 ? step : `${frame.path}.${step}`;
  }

  // Strings

  private openString(path: string | undefined): void {
    this.string = new JsonString();
    this.stringPath = path;
  }

  private readString(string: JsonString, delta: string, at: number): number {
    const to = string.read(delta, at);
    if (string.error !== null) this.fail(string.error, to);
    else if (string.closed) this.closeString(string, to - 1);
    return to;
  }

  private closeString(string: JsonString, at: number): void {
    this.flushString();
    this.string = undefined;
    const text = string.toString();
    if (this.stringPath !== undefined) {
      this.put(text);
      return;
    }
    const frame = this.stack.at(-1);
    if (frame?.kind !== "object") return;
    if (Object.hasOwn(frame.value, text)) {
      this.fail(`the key ${JSON.stringify(text.slice(0, 64))} stands twice`, at);
      return;
    }
    frame.key = text;
    this.expect = "colon";
  }

  private flushString(): void {
    const { string, stringPath: path } = this;
    if (string === undefined) return;
    const text = string.flush();
    if (path === undefined || (!string.closed && text === "")) return;
    this.updates.push({ path, text, done: string.closed });
    if (this.inProperty) this.onProperty?.(this.stack[0]?.key ?? "", text);
  }

  // Numbers and words

  private readToken(delta: string, at: number): number {
    let i = at;
    while (i < delta.length && isTokenChar(delta.charCodeAt(i))) i++;
    this.token += delta.slice(at, i);
    if (this.token.length > MAX_TOKEN) {
      this.fail(`${show(this.token)} is not a JSON value`, i - (this.token.length - MAX_TOKEN));
    } else if (i < delta.length) {
      this.closeToken(i);
      if (this.stack.length === 1) this.endRaw(delta, i);
    }
    return i;
  }

  private closeToken(at: number): void {
    const { token } = this;
    const value = tokenValue(token);
    this.inToken = false;
    if (value === undefined) {
      this.fail(`${show(token)} is not a JSON value`, at);
      return;
    }
    this.updates.push({ path: this.path(), text: token, done: true });
    this.put(value);
  }

  // The JSON text of properties that are not strings

  private flushRaw(delta: string, to: number): void {
    if (this.rawFrom < 0 || to <= this.rawFrom) return;
    this.onProperty?.(this.stack[0]?.key ?? "", delta.slice(this.rawFrom, to));
    this.rawFrom = to;
  }

  private endRaw(delta: string, to: number): void {
    if (this.error !== null) return;
    this.flushRaw(delta, to);
    this.rawFrom = -1;
  }
}

function show(text: string): string {
  return JSON.stringify(text.length > 24 ? `${text.slice(0, 24)}...` : text);
}
