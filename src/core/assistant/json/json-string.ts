import { isHighSurrogate } from "../chars.ts";
import { TextBuilder } from "../events.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Parses one JSON string as it streams, starting after its opening quote. */
export class JsonString {
  closed = false;
  /** What is wrong with the string; null if nothing is. */
  error: string | null = null;

  readonly #text = new TextBuilder();
  /** Text since the last flush, after a high surrogate that was held back then. */
  #grown = "";
  /** The open escape: "" after the backslash, then "u" and its hex digits. */
  #escape: string | undefined;

  /** Reads up to the closing quote, the end of `delta` or an error, and returns the position after what it read. */
  read(delta: string, at: number): number {
    let i = at;
    while (i < delta.length) {
      if (this.#escape !== undefined) {
        this.#readEscape(this.#escape, delta.charAt(i));
        if (this.error !== null) return i;
        i++;
        continue;
      }
      const from = i;
      let c = 0;
      for (; i < delta.length; i++) {
        c = delta.charCodeAt(i);
        if (c === QUOTE || c === BACKSLASH) break;
      }
      if (i > from) this.#grown += delta.slice(from, i);
      if (i === delta.length) break;
      i++;
      if (c === QUOTE) {
        this.closed = true;
        break;
      }
      this.#escape = "";
    }
    return i;
  }

  /** Returns the text added since the last flush, without a trailing high surrogate whose other half may follow. */
  flush(): string {
    let text = this.#grown;
    this.#grown = "";
    if (!this.closed && isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.#grown = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text !== "") this.#text.append(text);
    return text;
  }

  /** Returns everything flushed so far. */
  toString(): string {
    return this.#text.toString();
  }

  #readEscape(begun: string, char: string): void {
    if (begun === "" && char === "u") {
      this.#escape = "u";
      return;
    }
    if (begun === "") {
      const decoded = ESCAPES[char];
      if (decoded === undefined) this.error = `\\${char} is not an escape of JSON`;
      else this.#grown += decoded;
    } else if (!/[0-9a-fA-F]/.test(char)) {
      this.error = `expected four hex digits after \\u, got ${JSON.stringify(char)}`;
    } else if (begun.length < 4) {
      this.#escape = begun + char;
      return;
    } else {
      this.#grown += String.fromCharCode(Number.parseInt(begun.slice(1) + char, 16));
    }
    this.#escape = undefined;
  }
}
