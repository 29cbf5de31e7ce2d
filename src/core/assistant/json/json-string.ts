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

/** One JSON string, after its opening quote, read as it streams. */
export class JsonString {
  closed = false;
  /** What is wrong with the string; null while nothing is. */
  error: string | null = null;

  private readonly text = new TextBuilder();
  /** What came since the last flush, after a high surrogate kept back then. */
  private grown = "";
  /** An escape that is open: "" right after the back-slash, then "u" and its hex digits. */
  private escape: string | undefined;

  /** Reads up to the closing quote, the end of `delta` or a fault, and returns the place after what it read. */
  read(delta: string, at: number): number {
    let i = at;
    while (i < delta.length) {
      if (this.escape !== undefined) {
        this.readEscape(this.escape, delta.charAt(i));
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
      if (i > from) this.grown += delta.slice(from, i);
      if (i === delta.length) break;
      i++;
      if (c === QUOTE) {
        this.closed = true;
        break;
      }
      this.escape = "";
    }
    return i;
  }

  /** What the string grew by, without a high surrogate at its end whose other half may follow. */
  flush(): string {
    let text = this.grown;
    this.grown = "";
    if (!this.closed && isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.grown = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text !== "") this.text.append(text);
    return text;
  }

  /** All that was flushed. */
  toString(): string {
    return this.text.toString();
  }

  private readEscape(begun: string, char: string): void {
    if (begun === "" && char === "u") {
      this.escape = "u";
      return;
    }
    if (begun === "") {
      const decoded = ESCAPES[char];
      if (decoded === undefined) this.error = `\\${char} is not an escape of JSON`;
      else this.grown += decoded;
    } else if (!/[0-9a-fA-F]/.test(char)) {
      this.error = `expected four hex digits after \\u, got ${JSON.stringify(char)}`;
    } else if (begun.length < 4) {
      this.escape = begun + char;
      return;
    } else {
      this.grown += String.fromCharCode(Number.parseInt(begun.slice(1) + char, 16));
    }
    this.escape = undefined;
  }
}
