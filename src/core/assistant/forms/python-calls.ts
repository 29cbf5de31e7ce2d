/** Reads calls that are written as in Python: `name(parameter="value")`. Anything but literals makes them unreadable. */

interface PythonCall {
  name: string;
  arguments: Record<string, unknown>;
}

const SPACE = /(?:\s|#[^\n]*\n)*/y;
const WORD = /[A-Za-z_][\w.]{0,100}/y;
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const STRING = /(r?)("""|'''|"|')/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["False", false],
  ["None", null],
  ["true", true],
  ["false", false],
  ["null", null],
]);
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "0": "\0",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};
const MAX_DEPTH = 64;

/** Thrown if the text is not such a call. */
class NotPython extends Error {}

/** Returns the calls that begin at `at`, and the position after them; undefined if there are none. */
export function pythonCalls(text: string, at: number): { calls: PythonCall[]; end: number } | undefined {
  const reader = new PythonReader(text, at);
  try {
    return { calls: reader.calls(), end: reader.at };
  } catch (error) {
    if (error instanceof NotPython) return undefined;
    throw error;
  }
}

class PythonReader {
  at: number;
  #depth = 0;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  calls(): PythonCall[] {
    this.#space();
    if (this.#takes("[")) {
      const calls = this.#separated("]", () => this.#call());
      if (calls.length === 0) throw new NotPython();
      return calls;
    }
    const calls = [this.#call()];
    for (;;) {
      const end = this.at;
      this.#space();
      this.#takes(";");
      this.#space();
      WORD.lastIndex = this.at;
      if (!WORD.test(this.#text)) {
        this.at = end;
        return calls;
      }
      calls.push(this.#call());
    }
  }

  #call(): PythonCall {
    const name = this.#match(WORD);
    this.#space();
    this.#needs("(");
    if (name === "print") {
      this.#space();
      const inner = this.#call();
      this.#space();
      this.#needs(")");
      return inner;
    }
    const args: Record<string, unknown> = {};
    this.#separated(")", () => {
      const key = this.#match(WORD);
      this.#space();
      this.#needs("=");
      this.#space();
      if (Object.hasOwn(args, key)) throw new NotPython();
      args[key] = this.#value();
    });
    // The tools of Llama are methods: `search.call(query="…")`.
    return { name: name.replace(/\.call$/, ""), arguments: args };
  }

  #value(): unknown {
    if (++this.#depth > MAX_DEPTH) throw new NotPython();
    const value = this.#inner();
    this.#depth--;
    return value;
  }

  #inner(): unknown {
    if (this.#takes("[")) return this.#separated("]", () => this.#value());
    if (this.#takes("{")) {
      const entries = this.#separated("}", () => {
        const key = this.#value();
        if (typeof key !== "string") throw new NotPython();
        this.#space();
        this.#needs(":");
        this.#space();
        return [key, this.#value()] as const;
      });
      return Object.fromEntries(entries);
    }
    STRING.lastIndex = this.at;
    const opening = STRING.exec(this.#text);
    if (opening !== null) return this.#string(opening[1] === "r", opening[2] ?? '"', STRING.lastIndex);
    NUMBER.lastIndex = this.at;
    if (NUMBER.test(this.#text)) return Number(this.#match(NUMBER));
    const word = this.#match(WORD);
    if (!WORDS.has(word)) throw new NotPython();
    return WORDS.get(word);
  }

  #string(isRaw: boolean, quote: string, from: number): string {
    const text = this.#text;
    let value = "";
    for (let at = from; at < text.length; at++) {
      if (text.startsWith(quote, at)) {
        this.at = at + quote.length;
        return value;
      }
      const char = text.charAt(at);
      if (char !== "\\") value += char;
      else {
        at++;
        value += isRaw ? `\\${text.charAt(at)}` : this.#escape(at);
        if (!isRaw) at += this.#escapeLength;
      }
    }
    throw new NotPython();
  }

  #escapeLength = 0;

  #escape(at: number): string {
    const char = this.#text.charAt(at);
    const length = { x: 2, u: 4, U: 8 }[char];
    this.#escapeLength = length ?? 0;
    if (length === undefined) return ESCAPES[char] ?? `\\${char}`;
    const digits = this.#text.slice(at + 1, at + 1 + length);
    const code = /^[\da-fA-F]+$/.test(digits) && digits.length === length ? Number.parseInt(digits, 16) : -1;
    if (code < 0 || code > 0x10ffff) throw new NotPython();
    return String.fromCodePoint(code);
  }

  /** Reads items with `read`, separated by commas, up to `end`. */
  #separated<T>(end: string, read: () => T): T[] {
    const items: T[] = [];
    for (;;) {
      this.#space();
      if (this.#takes(end)) return items;
      items.push(read());
      this.#space();
      if (this.#takes(end)) return items;
      this.#needs(",");
    }
  }

  #space(): void {
    SPACE.lastIndex = this.at;
    SPACE.test(this.#text);
    this.at = Math.max(this.at, SPACE.lastIndex);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) throw new NotPython();
    this.at += found.length;
    return found;
  }

  #takes(char: string): boolean {
    if (this.#text.charAt(this.at) !== char) return false;
    this.at++;
    return true;
  }

  #needs(char: string): void {
    if (!this.#takes(char)) throw new NotPython();
  }
}
