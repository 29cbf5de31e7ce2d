/** Converts a paragraph of Markdown to plain text, without the characters of emphasis, code spans, links and escapes. */

/** The repetitions are bounded, because a text that consists only of brackets would otherwise take quadratic time. */
const LABEL = /!?\[((?:[^[\]\\]|\\.|\[[^[\]]{0,100}\]){0,400})\]\(/suy;
const TARGET =
  /[ \t]*(<[^<>\n]{0,1000}>|[^\s<>()]{0,1000}(?:\([^\s<>()]{0,100}\)[^\s<>()]{0,100}){0,3})(?:\s+(?:"[^"]{0,300}"|'[^']{0,300}'))?[ \t]*\)/uy;
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,1000}|[^\s<>@]{1,100}@[^\s<>@]{1,100})>/iuy;
const ENTITY = /&(amp|lt|gt|quot|nbsp|#39|#x27);/y;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: "\u00a0",
  "#39": "'",
  "#x27": "'",
};
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const punctuation = () => /[\p{P}\p{S}]/u;
/** Maximum number of open marks that are compared with one that closes. */
const MOST_OPEN = 50;

/** A run of `*`, `_` or `~` that may begin or end emphasis. */
interface Mark {
  sign: string;
  /** The number of signs that no pair uses; they are text. */
  remaining: number;
  length: number;
  opens: boolean;
  closes: boolean;
}

export function plainInline(text: string): string {
  const pieces: (string | Mark)[] = [];
  const missing = new Set<number>();
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at, missing);
    pieces.push(piece.shown);
    at = piece.end;
  }
  pairUp(pieces.filter((piece) => typeof piece !== "string"));
  return pieces
    .map((piece) => (typeof piece === "string" ? piece : piece.sign.repeat(piece.remaining)))
    .join("");
}

interface Piece {
  shown: string | Mark;
  end: number;
}

/** `missing`: lengths of backtick runs that have no closing run in the rest of the text. */
function pieceAt(text: string, at: number, missing: Set<number>): Piece {
  const sign = text.charAt(at);
  const plain = { shown: sign, end: at + 1 };
  switch (sign) {
    case "\\":
      return escaped(text, at);
    case "`":
      return codeSpan(text, at, missing);
    case "!":
    case "[":
      return linkAt(text, at) ?? plain;
    case "<": {
      const link = matchAt(AUTOLINK, text, at);
      return link ? { shown: link[1] ?? "", end: at + link[0].length } : plain;
    }
    case "&": {
      const entity = matchAt(ENTITY, text, at);
      return entity ? { shown: ENTITIES[entity[1] ?? ""] ?? "", end: at + entity[0].length } : plain;
    }
    case "*":
    case "_":
    case "~":
      return markAt(text, at, sign);
    default: {
      let end = at + 1;
      while (end < text.length && !"\\`![<&*_~".includes(text.charAt(end))) end++;
      return { shown: text.slice(at, end), end };
    }
  }
}

/** A link is shown as its text, and an image as its alternative text and its address. */
function linkAt(text: string, at: number): Piece | undefined {
  const label = matchAt(LABEL, text, at);
  const target = label && matchAt(TARGET, text, at + label[0].length);
  if (!target) return undefined;
  const words = plainInline(label[1] ?? "");
  const isImage = text.charAt(at) === "!";
  const shown = isImage ? `${words} (${(target[1] ?? "").replace(/^<|>$/g, "")})` : words;
  return { shown, end: at + label[0].length + target[0].length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function escaped(text: string, at: number): Piece {
  const next = text.charAt(at + 1);
  if (next === "\n") return { shown: "\n", end: at + 2 };
  return ESCAPABLE.test(next) ? { shown: next, end: at + 2 } : { shown: "\\", end: at + 1 };
}

function runLength(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === text.charAt(at) && end < text.length) end++;
  return end - at;
}

function codeSpan(text: string, at: number, missing: Set<number>): Piece {
  const length = runLength(text, at);
  const begin = at + length;
  for (let from = begin; !missing.has(length); ) {
    const close = text.indexOf("`", from);
    if (close < 0) {
      missing.add(length);
      break;
    }
    const other = runLength(text, close);
    if (other === length) {
      const code = text.slice(begin, close).replaceAll("\n", " ");
      const isPadded = /^ .*[^ ].* $/s.test(code) || /^ [^ ] $/.test(code);
      return { shown: isPadded ? code.slice(1, -1) : code, end: close + other };
    }
    from = close + other;
  }
  return { shown: "`".repeat(length), end: begin };
}

function markAt(text: string, at: number, sign: string): Piece {
  const length = runLength(text, at);
  const end = at + length;
  const before = at === 0 ? " " : text.charAt(at - 1);
  const after = end === text.length ? " " : text.charAt(end);
  const spaceBefore = /\s/.test(before);
  const spaceAfter = /\s/.test(after);
  const leads = !spaceAfter && (!punctuation().test(after) || spaceBefore || punctuation().test(before));
  const trails = !spaceBefore && (!punctuation().test(before) || spaceAfter || punctuation().test(after));
  const isUnderscore = sign === "_";
  const shown: Mark = {
    sign,
    length,
    remaining: length,
    opens: leads && (!isUnderscore || !trails || punctuation().test(before)),
    closes: trails && (!isUnderscore || !leads || punctuation().test(after)),
  };
  return { shown, end };
}

/** Pairs delimiters as CommonMark does; the characters of a pair are not shown. */
function pairUp(marks: readonly Mark[]): void {
  const open: Mark[] = [];
  for (const mark of marks) {
    if (mark.closes) pairWithOpeners(open, mark);
    if (mark.opens && mark.remaining > 0) open.push(mark);
  }
}

/** Pairs a mark that closes with open ones, the nearest first, until its signs or the openers are used up. */
function pairWithOpeners(open: Mark[], mark: Mark): void {
  while (mark.remaining > 0) {
    const at = openerOf(open, mark);
    const opener = open[at];
    if (!opener) return;
    const used = mark.sign === "~" || (opener.remaining >= 2 && mark.remaining >= 2) ? 2 : 1;
    opener.remaining -= used;
    mark.remaining -= used;
    open.length = opener.remaining > 0 ? at + 1 : at;
  }
}

/** The index of the nearest open mark that pairs with the one that closes; -1: there is none. */
function openerOf(open: readonly Mark[], closer: Mark): number {
  const end = Math.max(0, open.length - MOST_OPEN);
  for (let at = open.length - 1; at >= end; at--) if (pairs(open[at], closer)) return at;
  return -1;
}

function pairs(opener: Mark | undefined, closer: Mark): boolean {
  if (opener?.sign !== closer.sign) return false;
  if (closer.sign === "~") return opener.remaining >= 2 && closer.remaining >= 2;
  const isOdd = (opener.closes || closer.opens) && (opener.length + closer.length) % 3 === 0;
  return !isOdd || (opener.length % 3 === 0 && closer.length % 3 === 0);
}
