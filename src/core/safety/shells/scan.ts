/**
 * A strict reader of the small subset of POSIX-like shells that may run without approval: words, quotes, pipes, `&&`,
 * `||`, `;`, and redirections to /dev/null or between descriptors. Everything else is "not understood". It is a
 * second opinion to the grammar: both must produce the same words (bash.ts).
 */
import { reasonOf } from "../../../shared/reason.ts";
import { readWord, type ScanOptions } from "./scan-word.ts";
import { NotUnderstood, type Scan, type SimpleCommand, type Word } from "./shell-words.ts";

const RESERVED = new Set(
  "if then elif else fi for select while until do done case esac function coproc time [[ ]] { } ! in repeat foreach end always nocorrect noglob - begin and or not".split(
    " ",
  ),
);
const ASSIGNMENT = /^[A-Za-z_0-9]+(\[.*\])?\+?=/s;

class Scanner {
  #at = 0;
  /** How the next command is linked to the previous one. */
  #link: SimpleCommand["link"];
  readonly commands: SimpleCommand[] = [];
  readonly cuts: number[] = [];
  readonly #posix: boolean;
  readonly #text: string;
  readonly #options: ScanOptions;

  constructor(text: string, options: ScanOptions) {
    this.#text = text;
    this.#options = options;
    this.#posix = options.shell === "bash" || options.shell === "sh";
  }

  /** Reads a list up to the end. */
  list(): void {
    this.#blank(true);
    for (;;) {
      this.#pipeline();
      this.#blank(false);
      const two = this.#text.slice(this.#at, this.#at + 2);
      const c = two.charAt(0);
      if (two === "&&" || two === "||") {
        this.#at += 2;
        this.#blank(true);
        this.#link = two === "&&" ? "and" : undefined;
        continue;
      }
      this.#link = undefined;
      if (c === ";" || c === "\n") {
        if (c === "\n") this.cuts.push(this.#at);
        this.#at++;
        this.#blank(true);
        if (this.#at >= this.#text.length) return;
        continue;
      }
      if (this.#at >= this.#text.length) return;
      throw new NotUnderstood(c === "&" ? reasonOf("background") : reasonOf("unexpected-sign", c));
    }
  }

  #pipeline(): void {
    for (;;) {
      this.#simple();
      this.#blank(false);
      if (this.#text.charAt(this.#at) !== "|" || this.#text.charAt(this.#at + 1) === "|") return;
      this.#at++;
      if (this.#text.charAt(this.#at) === "&") {
        if (this.#options.shell !== "bash" && this.#options.shell !== "zsh")
          throw new NotUnderstood(reasonOf("pipe-of-errors"));
        this.#at++;
      }
      this.#blank(true);
      this.#link = "pipe";
    }
  }

  #simple(): void {
    const words: Word[] = [];
    for (;;) {
      this.#blank(false);
      if (words.length > 0 && this.#redirection()) continue;
      const c = this.#text.charAt(this.#at);
      if (c === "" || ";|&\n)".includes(c)) break;
      if ("<>(".includes(c)) throw new NotUnderstood(reasonOf(c === "(" ? "parenthesis" : "redirection"));
      const from = this.#at;
      const read = readWord(this.#text, from, this.#options);
      this.#at = read.end;
      if (/[<>]/.test(this.#text.charAt(read.end)) && /\}$/.test(this.#text.slice(from, read.end))) {
        throw new NotUnderstood(reasonOf("descriptor-variable"));
      }
      const raw = this.#text.slice(from, read.end);
      if (this.#options.shell === "zsh" && raw === "{") throw new NotUnderstood(reasonOf("brace-expansion"));
      if (words.length === 0) this.#commandWord(raw, read.words);
      words.push(...read.words);
    }
    if (words.length === 0) throw new NotUnderstood(reasonOf("empty"));
    this.commands.push({ words, ...(this.#link ? { link: this.#link } : {}) });
    this.#link = undefined;
  }

  #commandWord(raw: string, words: Word[]): void {
    if (ASSIGNMENT.test(raw)) throw new NotUnderstood(reasonOf("assignment"));
    if (RESERVED.has(raw)) throw new NotUnderstood(reasonOf("changes-shell", raw));
    const [word] = words;
    if (words.length !== 1 || !word?.literal) throw new NotUnderstood(reasonOf("computed-name"));
  }

  /** Reads `> /dev/null`, `2>&1` and similar; false if there is no redirection here. */
  #redirection(): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 60);
    const operator = /^(\d*)(&>>|&>|>>|>&|<&|>|<)/.exec(rest);
    if (!operator) return false;
    const [whole, descriptor = "", sign = ""] = operator;
    if (descriptor.length > 1) throw new NotUnderstood(reasonOf("redirection"));
    this.#at += whole.length;
    if (sign === ">&" || sign === "<&") {
      const copy = /^([0-9]|-)(?=$|[ \t\n;|&)])/.exec(this.#text.slice(this.#at, this.#at + 2));
      if (!copy || (sign === "<&" && copy[1] !== "-")) throw new NotUnderstood(reasonOf("redirection"));
      this.#at++;
      return true;
    }
    if (sign.startsWith("&") && this.#options.shell !== "bash" && this.#options.shell !== "zsh") {
      throw new NotUnderstood(reasonOf("redirection"));
    }
    this.#blank(false);
    const target = /^\/dev\/null(?=$|[ \t\n;|&)<>])/.exec(this.#text.slice(this.#at, this.#at + 10));
    if (!target) throw new NotUnderstood(reasonOf("redirection"));
    this.#at += target[0].length;
    return true;
  }

  /** Skips spaces, continued lines, comments and, with `lines`, line ends. */
  #blank(lines: boolean): void {
    for (;;) {
      const c = this.#text.charAt(this.#at);
      const before = this.#text.charAt(this.#at - 1);
      if (c === " " || c === "\t" || (lines && c === "\n")) this.#at++;
      else if (c === "\\" && this.#text.charAt(this.#at + 1) === "\n" && this.#options.shell !== "fish")
        this.#at += 2;
      else if (c === "#" && (this.#at === 0 || /[\s;|&()]/.test(before))) {
        if (!this.#posix) throw new NotUnderstood(reasonOf("comment"));
        while (this.#at < this.#text.length && this.#text.charAt(this.#at) !== "\n") this.#at++;
      } else return;
    }
  }
}

/** Returns the simple commands of a text for bash, sh, zsh or fish, in order, or why they were not understood. */
export function scanCommand(text: string, options: ScanOptions): Scan {
  const scanner = new Scanner(text, options);
  try {
    scanner.list();
  } catch (error) {
    if (error instanceof NotUnderstood) return { ok: false, reason: error.reason };
    throw error;
  }
  return { ok: true, commands: scanner.commands, cuts: scanner.cuts };
}
