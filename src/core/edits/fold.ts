/** What counts as the same text under the tolerant tiers. Nothing here is ever written to a file. */

/**
 * Folds Unicode look-alikes: converts typographic quotes, dashes and spaces and full-width forms to ASCII, removes
 * zero-width characters, and composes letters (NFC).
 */
export function foldLookAlikes(text: string): string {
  if (isAscii(text)) return text;
  return (
    text
      .normalize("NFC")
      .replace(/[\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bc\uff07]/g, "'")
      .replace(/[\u201c\u201d\u201e\u201f\u2033\u2036\uff02]/g, '"')
      .replace(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, "-")
      .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, " ")
      .replace(/[\u200b\u2060\ufeff\u00ad]/g, "")
      .replace(/\u2026/g, "...")
      .replace(/\u301c/g, "~")
      // Full-width letters and digits are no look-alikes: they differ in what a program reads.
      .replace(/[\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e]/g, (form) =>
        String.fromCharCode(form.charCodeAt(0) - 0xfee0),
      )
  );
}

/** Whether every character is below U+0080. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) > 0x7f) return false;
  }
  return true;
}

/** Returns the key under which two lines are equal except for surrounding white space. */
export function looseKey(line: string): string {
  const trimmed = line.trim();
  return isAscii(trimmed) ? trimmed : foldLookAlikes(trimmed).trim();
}

/** Returns the white space at the start of a line. */
export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&apos;": "'",
  "&#39;": "'",
  "&#34;": '"',
  "&#60;": "<",
  "&#62;": ">",
  "&#38;": "&",
  "&#x27;": "'",
  "&#x22;": '"',
  "&#x3c;": "<",
  "&#x3e;": ">",
  "&#x26;": "&",
  "&#x2f;": "/",
};

/**
 * Whether lines are escaped, so that no sign in them is bare: "yes", "no", or "unclear" if they have both escaped and bare
 * signs.
 */
export function escapingOf(lines: readonly string[]): "yes" | "no" | "unclear" {
  if (!lines.some((line) => unescapeEntities(line) !== line)) return "no";
  const bare = /[<>]|&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-f]+);)/i;
  return lines.some((line) => bare.test(line)) ? "unclear" : "yes";
}

/** Removes one level of escaping: the five XML entities, named or numeric. */
export function unescapeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:lt|gt|amp|quot|apos|#39|#34|#60|#62|#38|#x(?:27|22|3c|3e|26|2f));/gi,
    (found) => ENTITIES[found.toLowerCase()] ?? found,
  );
}
