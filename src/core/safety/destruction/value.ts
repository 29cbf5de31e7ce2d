/** Reads one word of a POSIX-like shell into the values that it may have. */
import type { Value, Values } from "./destruction-types.ts";

/** Values of one word; more than that are taken for unknown. */
const mostValues = 64;

export type Variables = ReadonlyMap<string, Values>;

/** `raw` is the word as written, quotes included. undefined: only the shell knows. */
export function readValues(raw: string, variables: Variables): Values {
  let values: Required<Value>[] = [{ text: "", pattern: "" }];
  const put = (text: string, pattern = quoteGlob(text)): void => {
    values = values.map((value) => ({ text: value.text + text, pattern: value.pattern + pattern }));
  };
  let at = 0;
  let quoted = false;
  while (at < raw.length) {
    const rest = raw.slice(at);
    const c = rest.charAt(0);
    if (c === "'" && !quoted) {
      const end = raw.indexOf("'", at + 1);
      if (end < 0) return undefined;
      put(raw.slice(at + 1, end));
      at = end + 1;
    } else if (rest.startsWith("$'") && !quoted) {
      const found = /^\$'((?:[^'\\]|\\[\s\S])*)'/.exec(rest);
      const text = found && unescapeAnsi(found[1] ?? "");
      if (!found || text === undefined || text === null) return undefined;
      put(text);
      at += found[0].length;
    } else if (c === '"') {
      quoted = !quoted;
      at++;
    } else if (c === "\\") {
      const next = rest.charAt(1);
      if (next !== "\n") put(quoted && !'$`"\\'.includes(next) ? `\\${next}` : next);
      at += 2;
    } else if (c === "`") return undefined;
    else if (c === "$") {
      const found = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/.exec(rest);
      if (!found) {
        if (/^\$(?:[("'{@*#?$!0-9-])/.test(rest)) return undefined;
        put("$");
        at++;
        continue;
      }
      const known = variables.get(found[1] ?? found[2] ?? "");
      if (known === undefined || known.length * values.length > mostValues) return undefined;
      values = values.flatMap((value) =>
        known.map((each) => ({
          text: value.text + each.text,
          pattern: value.pattern + (each.pattern ?? (quoted ? quoteGlob(each.text) : each.text)),
        })),
      );
      at += found[0].length;
    } else if (c === "{" && !quoted && /^\{[^\s'"]*(?:,|\.\.)[^\s'"]*\}/.test(rest)) {
      // Taken for any name: what the braces list is among those. What stands behind them may hold further braces.
      const close = raw.lastIndexOf("}");
      put(raw.slice(at, close + 1), raw.slice(at, close + 1).includes("/") ? "**" : "*");
      at = close + 1;
    } else {
      put(c, quoted ? undefined : c);
      at++;
    }
  }
  if (quoted) return undefined;
  return values.map(({ text, pattern }) => (pattern === quoteGlob(text) ? { text } : { text, pattern }));
}

/** Extended patterns such as `!(a)` match anything here. */
export function quoteGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, "\\$&");
}

const escapes: Record<string, string> = {
  ...{ n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", v: "\v" },
  ...{ "\\": "\\", "'": "'", '"': '"', "?": "?" },
};

function unescapeAnsi(text: string): string | undefined {
  let isKnown = true;
  const plain = text.replace(
    /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|[0-7]{1,3}|[\s\S])/g,
    (_, code: string) => {
      const number = /^[xu]/.test(code)
        ? Number.parseInt(code.slice(1), 16)
        : /^\d/.test(code)
          ? Number.parseInt(code, 8)
          : undefined;
      // A byte above that may be part of a character.
      if (number !== undefined && (number < 0x80 || code.startsWith("u")))
        return String.fromCodePoint(number);
      const known = escapes[code];
      if (known === undefined) isKnown = false;
      return known ?? "";
    },
  );
  return isKnown ? plain : undefined;
}
