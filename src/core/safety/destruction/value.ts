/** Converts one word of a POSIX-like shell to the values that it may have. */
import { ANSI_ESCAPES } from "../shells/scan-word.ts";

/** One word of a command as the program may receive it. `pattern` is set if the shell expands the word. */
export interface Value {
  text: string;
  pattern?: string;
}

/** The values that a word may have; undefined: they are known only when the command runs. */
export type Values = readonly Value[] | undefined;

/** Maximum number of values of one word; more count as unknown. */
const MAX_VALUES = 64;

export type Variables = ReadonlyMap<string, Values>;

/** What the first characters of a word may become, and how many characters these are. */
interface Piece {
  size: number;
  values: readonly Required<Value>[];
}

/** `raw` is the word as written, including quotes. undefined: only the shell knows. */
export function readValues(raw: string, variables: Variables): Values {
  let values: Required<Value>[] = [{ text: "", pattern: "" }];
  let quoted = false;
  for (let at = 0; at < raw.length; ) {
    if (raw.charAt(at) === '"') {
      quoted = !quoted;
      at++;
      continue;
    }
    const piece = quoted ? sharedPiece(raw.slice(at), true, variables) : barePiece(raw.slice(at), variables);
    if (!piece || piece.values.length * values.length > MAX_VALUES) return undefined;
    const longer: typeof values = [];
    for (const { text, pattern } of values) {
      for (const each of piece.values)
        longer.push({ text: text + each.text, pattern: pattern + each.pattern });
    }
    values = longer;
    at += piece.size;
  }
  if (quoted) return undefined;
  return values.map(({ text, pattern }) => (pattern === quoteGlob(text) ? { text } : { text, pattern }));
}

function known(size: number, text: string, pattern = quoteGlob(text)): Piece {
  return { size, values: [{ text, pattern }] };
}

/** Reads the forms that have a meaning only outside double quotes. */
function barePiece(rest: string, variables: Variables): Piece | undefined {
  if (rest.startsWith("'")) {
    const end = rest.indexOf("'", 1);
    return end < 0 ? undefined : known(end + 1, rest.slice(1, end));
  }
  if (rest.startsWith("$'")) {
    const [whole = "", inner] = /^\$'((?:[^'\\]|\\[\s\S])*)'/.exec(rest) ?? [];
    const text = inner === undefined ? undefined : unescapeAnsi(inner);
    return text === undefined ? undefined : known(whole.length, text);
  }
  if (/^\{[^\s'"]*(?:,|\.\.)[^\s'"]*\}/.test(rest)) {
    // Matches any name, including those that the braces list. The text after them may contain further braces.
    const list = rest.slice(0, rest.lastIndexOf("}") + 1);
    return known(list.length, list, list.includes("/") ? "**" : "*");
  }
  return sharedPiece(rest, false, variables);
}

/** Reads the forms that have the same meaning inside double quotes. */
function sharedPiece(rest: string, quoted: boolean, variables: Variables): Piece | undefined {
  const c = rest.charAt(0);
  const next = rest.charAt(1);
  if (c === "`") return undefined;
  if (c === "$") return variablePiece(rest, quoted, variables);
  if (c !== "\\") {
    const text = /^[^'"\\$`{]+/.exec(rest)?.[0] ?? c;
    return known(text.length, text, quoted ? undefined : text);
  }
  if (next === "\n") return known(2, "");
  return known(2, quoted && !'$`"\\'.includes(next) ? `\\${next}` : next);
}

function variablePiece(rest: string, quoted: boolean, variables: Variables): Piece | undefined {
  const found = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/.exec(rest);
  if (!found) return /^\$[("'{@*#?$!0-9-]/.test(rest) ? undefined : known(1, "$");
  const values = variables.get(found[1] ?? found[2] ?? "");
  return (
    values && {
      size: found[0].length,
      values: values.map(({ text, pattern = quoted ? quoteGlob(text) : text }) => ({ text, pattern })),
    }
  );
}

/** Extended patterns such as `!(a)` match anything here. */
export function quoteGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, "\\$&");
}

function unescapeAnsi(text: string): string | undefined {
  let isKnown = true;
  const plain = text.replace(
    /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|[0-7]{1,3}|[\s\S])/g,
    (_, code: string) => {
      const number = /^[xu]./.test(code)
        ? Number.parseInt(code.slice(1), 16)
        : /^\d/.test(code)
          ? Number.parseInt(code, 8)
          : undefined;
      // A larger byte may be part of a character.
      if (number !== undefined && (number < 0x80 || code.startsWith("u")))
        return String.fromCodePoint(number);
      const known = ANSI_ESCAPES[code];
      if (known === undefined) isKnown = false;
      return known ?? "";
    },
  );
  return isKnown ? plain : undefined;
}
