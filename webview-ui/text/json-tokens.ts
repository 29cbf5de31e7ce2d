/** JSON in pieces by kind, for coloring. */

export interface JsonToken {
  kind: "key" | "string" | "number" | "literal" | "plain";
  text: string;
}

const TOKEN =
  /(?<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d[\d.eE+-]*)|(?<literal>\b(?:true|false|null)\b)/g;

/** The pieces together are exactly the text, whether it is JSON or not. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ kind: "plain", text: text.slice(end, match.index) });
    const { key, string, number } = match.groups ?? {};
    const kind =
      key !== undefined
        ? "key"
        : string !== undefined
          ? "string"
          : number !== undefined
            ? "number"
            : "literal";
    tokens.push({ kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push({ kind: "plain", text: text.slice(end) });
  return tokens;
}
