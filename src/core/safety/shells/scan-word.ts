/** Reads one word of a POSIX-like shell. Refuses every form whose meaning depends on more than the text. */
import { reasonOf } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import { isOddSpace } from "./hidden-characters.ts";
import { NotUnderstood, type Word } from "./shell-words.ts";

/** Variables whose plain value is accepted in an argument: set by the system, not secret, and never an option. */
const KNOWN_VARIABLES = new Set("HOME PWD USER LOGNAME SHELL PATH LANG TERM TMPDIR HOSTNAME ? $".split(" "));

/** What a backslash and one letter mean in `$'...'`. */
const ANSI_ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

const ENDS_WORD = " \t\n;|&<>()";

export interface ScanOptions {
  shell: ShellKind;
  /** The command is typed into an interactive shell, which expands history in double quotes. */
  interactive: boolean;
}

interface Piece {
  character: string;
  quoted: boolean;
}

/** The state of one word while it is read. `at` advances; `pieces` is what the shell will see. */
class WordReader {
  readonly pieces: Piece[] = [];
  literal = true;
  unknown: Word["unknown"];
  readonly #text: string;
  readonly #options: ScanOptions;

  constructor(
    text: string,
    public at: number,
    options: ScanOptions,
  ) {
    this.#text = text;
    this.#options = options;
  }

  get #fish(): boolean {
    return this.#options.shell === "fish";
  }

  read(): void {
    const start = this.at;
    while (this.at < this.#text.length) {
      const c = this.#text.charAt(this.at);
      if (ENDS_WORD.includes(c)) {
        if (c === "(") throw new NotUnderstood(reasonOf("parenthesis"));
        return;
      }
      if (c === "'") this.#singleQuotes();
      else if (c === '"') this.#doubleQuotes();
      else if (c === "\\") this.#backslash();
      else if (c === "$") this.#dollar(false);
      else if (c === "`") throw new NotUnderstood(reasonOf("command-substitution"));
      else this.#bare(c, this.at === start);
    }
  }

  #put(character: string, quoted: boolean): void {
    this.pieces.push({ character, quoted });
  }

  #bare(c: string, first: boolean): void {
    const next = this.#text.charAt(this.at + 1);
    if (isOddSpace(c)) throw new NotUnderstood(reasonOf("word-boundary"));
    if (first && c === "=" && this.#options.shell === "zsh")
      throw new NotUnderstood(reasonOf("zsh-expansion"));
    if (first && c === "%" && this.#fish) throw new NotUnderstood(reasonOf("fish-expansion"));
    if (first && c === "~") {
      if (next !== "" && next !== "/" && !ENDS_WORD.includes(next))
        throw new NotUnderstood(reasonOf("named-home"));
      this.literal = false;
    }
    if (c === "!" && next !== "" && next !== "=" && !ENDS_WORD.includes(next)) {
      if (this.#options.interactive || this.#text.charAt(this.at - 1) !== "[")
        throw new NotUnderstood(reasonOf("history-expansion"));
    }
    if (this.#options.shell === "zsh" && c === "}" && !this.#opens())
      throw new NotUnderstood(reasonOf("unquoted-sign", "}"));
    if (this.#fish && "{}#^?".includes(c)) throw new NotUnderstood(reasonOf("unquoted-sign", c));
    this.#put(c, false);
    this.at++;
  }

  /** zsh ends a block at a } whose { is not in the same word. */
  #opens(): boolean {
    const count = (character: string) =>
      this.pieces.filter((piece) => !piece.quoted && piece.character === character).length;
    return count("{") > count("}");
  }

  #singleQuotes(): void {
    const close = this.#text.indexOf("'", this.at + 1);
    if (close < 0) throw new NotUnderstood(reasonOf("unclosed"));
    const inside = this.#text.slice(this.at + 1, close);
    if (this.#fish && /\\(?:$|\\)/.test(inside)) throw new NotUnderstood(reasonOf("fish-escape"));
    for (const c of inside) this.#put(c, true);
    this.at = close + 1;
    this.#markQuoted();
  }

  /** Adds an empty quoted piece, so that a word with only empty quotes counts as a word. */
  #markQuoted(): void {
    this.#put("", true);
  }

  #doubleQuotes(): void {
    this.at++;
    for (;;) {
      const c = this.#text.charAt(this.at);
      if (c === "") throw new NotUnderstood(reasonOf("unclosed"));
      if (c === '"') break;
      if (c === "`") throw new NotUnderstood(reasonOf("command-substitution"));
      if (c === "\\") this.#quotedBackslash();
      else if (c === "$") this.#dollar(true);
      else {
        if (c === "!" && this.#options.interactive && !/[\s="]/.test(this.#text.charAt(this.at + 1)))
          throw new NotUnderstood(reasonOf("history-expansion"));
        this.#put(c, true);
        this.at++;
      }
    }
    this.at++;
    this.#markQuoted();
  }

  #quotedBackslash(): void {
    const next = this.#text.charAt(this.at + 1);
    if (this.#fish && '"$\\\n'.includes(next)) throw new NotUnderstood(reasonOf("fish-escape"));
    if (next === "") throw new NotUnderstood(reasonOf("unclosed"));
    if (!'$`"\\\n'.includes(next)) this.#put("\\", true);
    if (next !== "\n") this.#put(next, true);
    this.at += 2;
  }

  #backslash(): void {
    const next = this.#text.charAt(this.at + 1);
    if (this.#fish) throw new NotUnderstood(reasonOf("fish-escape"));
    if (next === "") throw new NotUnderstood(reasonOf("unclosed"));
    if (next !== "\n") this.#put(next, true);
    this.at += 2;
  }

  #dollar(quoted: boolean): void {
    if (this.#fish) throw new NotUnderstood(reasonOf("expansion"));
    const rest = this.#text.slice(this.at + 1, this.at + 80);
    const next = rest.charAt(0);
    if (next === "(" || next === "[") throw new NotUnderstood(reasonOf("command-substitution"));
    if (!quoted && next === '"') throw new NotUnderstood(reasonOf("translated-string"));
    if (!quoted && next === "'") {
      if (this.#options.shell === "sh") throw new NotUnderstood(reasonOf("coded-characters"));
      this.#ansiQuotes();
      return;
    }
    const found = /^(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)|([?$]))/.exec(rest);
    if (found) {
      this.#variable(found, quoted);
      return;
    }
    const opens = quoted ? /^[\w{@*#!\-=~^+:]/ : /^[\w{@*#!\-=~^+:<>&;|'"`]/;
    if (opens.test(rest)) throw new NotUnderstood(reasonOf("expansion"));
    this.#put("$", true);
    this.at++;
  }

  #variable([written, braced, bare, special]: RegExpExecArray, quoted: boolean): void {
    const name = braced ?? bare ?? special ?? "";
    if (!KNOWN_VARIABLES.has(name)) throw new NotUnderstood(reasonOf("variable", `$${name}`));
    this.at += 1 + written.length;
    if (this.#options.shell === "zsh" && /[[:]/.test(this.#text.charAt(this.at)))
      throw new NotUnderstood(reasonOf("zsh-expansion"));
    this.literal = false;
    if (quoted && name === "PWD" && this.#isWholeFolder()) {
      this.#put(".", true);
      return;
    }
    for (const c of `$${name}`) this.#put(c, true);
    const staysOne = quoted || /^[?$]$/.test(name);
    if (this.unknown !== "any") this.unknown = staysOne ? "one" : "any";
  }

  /** Reads `"$PWD"` or `"$PWD/x"`, up to the end of the name: another spelling of the current folder. */
  #isWholeFolder(): boolean {
    return (
      this.pieces.every((piece) => piece.character === "") &&
      /^(?:\/|"(?:$|[/ \t\n;|&<>)]))/.test(this.#text.slice(this.at))
    );
  }

  /** `$'...'`: resolves the escapes, so that the resulting text is judged. */
  #ansiQuotes(): void {
    let at = this.at + 2;
    for (;;) {
      const c = this.#text.charAt(at);
      if (c === "") throw new NotUnderstood(reasonOf("unclosed"));
      if (c === "'") break;
      if (c !== "\\") {
        this.#put(c, true);
        at++;
        continue;
      }
      const rest = this.#text.slice(at + 1, at + 10);
      const coded = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|([0-3][0-7]{2}))/.exec(rest);
      if (coded) {
        const code =
          coded[3] !== undefined
            ? Number.parseInt(coded[3], 8)
            : Number.parseInt(coded[1] ?? coded[2] ?? "", 16);
        if (code === 0 || (code > 0x7e && coded[2] === undefined))
          throw new NotUnderstood(reasonOf("coded-characters"));
        this.#put(String.fromCodePoint(code), true);
        at += 1 + coded[0].length;
      } else {
        const plain = ANSI_ESCAPES[rest.charAt(0)];
        if (plain === undefined) throw new NotUnderstood(reasonOf("coded-characters"));
        this.#put(plain, true);
        at += 2;
      }
    }
    this.at = at + 1;
    this.#markQuoted();
  }
}

/**
 * Reads the words that the text at `start` becomes (several after brace expansion), and where they end. Throws
 * NotUnderstood.
 */
export function readWord(
  text: string,
  start: number,
  options: ScanOptions,
): { words: Word[]; end: number; quoted: boolean } {
  const reader = new WordReader(text, start, options);
  reader.read();
  const quoted = reader.pieces.some((piece) => piece.quoted);
  const spelled = expandBraces(reader.pieces, options.shell);
  const literal = reader.literal && spelled.length === 1;
  const words = spelled.map((pieces) => ({
    ...toWord(pieces, start, reader.at, literal, options),
    ...(reader.unknown ? { unknown: reader.unknown } : {}),
  }));
  return { words, end: reader.at, quoted };
}

/**
 * In zsh, `#`, `^` and a `~` inside the word may also be wildcards (extendedglob): from that point on, the word may
 * match anything.
 */
function toWord(pieces: Piece[], start: number, end: number, literal: boolean, { shell }: ScanOptions): Word {
  const text = pieces.map((piece) => piece.character).join("");
  const bare = pieces.map((piece) => (piece.quoted ? "" : piece.character)).join("");
  if (shell === "zsh" && (/[#^]/.test(bare) || /^.+~/s.test(bare))) {
    const glob = text.replace(/(?:.?[#^]|(?<!^)~).*$/s, "*");
    return { text, start, end, literal: false, glob };
  }
  if (!/[*?]/.test(bare) && !(bare.includes("[") && text.includes("]"))) return { text, start, end, literal };
  const glob = pieces
    .map((p) => (p.quoted && /[*?[\]\\]/.test(p.character) ? `\\${p.character}` : p.character))
    .join("");
  return { text, start, end, literal: false, glob };
}

/** `a.{x,y}` becomes two words; everything beyond one plain list after literal text is refused. */
function expandBraces(pieces: Piece[], shell: ShellKind): Piece[][] {
  const at = (character: string, from = 0) =>
    pieces.findIndex((p, i) => i >= from && !p.quoted && p.character === character);
  const open = at("{");
  const close = open < 0 ? -1 : at("}", open);
  if (close < 0) return [pieces];
  const inside = pieces.slice(open + 1, close);
  const isList = inside.some((p) => !p.quoted && p.character === ",");
  const isRange = /\.\./.test(inside.map((p) => p.character).join(""));
  const several = at("{", open + 1) >= 0 || at("}", close + 1) >= 0;
  if (!isList && !isRange && !several) return [pieces];
  const before = pieces.slice(0, open);
  const lead = before.map((p) => p.character).join("");
  // What begins with a dash may be an option.
  const mayBeOption =
    lead.startsWith("-") ||
    (lead === "" && inside.some((p, i) => p.character === "-" && !/\w/.test(inside[i - 1]?.character ?? "")));
  if (shell === "sh" || several || !isList || isRange || mayBeOption)
    throw new NotUnderstood(reasonOf("brace-expansion"));
  const after = pieces.slice(close + 1);
  const parts: Piece[][] = [[]];
  for (const piece of inside) {
    if (!piece.quoted && piece.character === ",") parts.push([]);
    else parts[parts.length - 1]?.push(piece);
  }
  return parts.map((part) => [...before, ...part, ...after]);
}
