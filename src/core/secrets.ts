/** Removes secrets from third-party text: an endpoint that rejects a key may repeat it in its error. */

/** Shorter values occur in ordinary text by accident, as does "ollama", which local endpoints accept as a key. */
const SHORTEST = 8;

const ENTITIES: Readonly<Record<string, string>> = {
  '"': "quot",
  "&": "amp",
  "'": "apos",
  "<": "lt",
  ">": "gt",
};

/**
 * Returns the text with each secret (a key or a header's value) replaced by `placeholder`, including escaped forms:
 * nested JSON, URLs and HTML.
 */
export function withoutSecrets(text: string, secrets: Iterable<string>, placeholder = "***"): string {
  // Longest first, because one secret may contain another.
  return [...secrets]
    .map((secret) => secret.trim().replace(/^(?:Bearer|Basic)\s+/i, ""))
    .sort((a, b) => b.length - a.length)
    .filter((secret) => secret.length >= SHORTEST)
    .reduce((safe, secret) => safe.replace(anyFormOf(secret), placeholder), text);
}

function anyFormOf(secret: string): RegExp {
  return new RegExp((secret.match(/\\+|[^\\]/g) ?? []).map(anyForm).join(""), "g");
}

/** Returns a pattern for one character, or for a run of backslashes, in any escaped form. */
function anyForm(character: string): string {
  if (/[\w-]/.test(character)) return character;
  // One pattern per backslash would try every way to divide a long run among them.
  const { length } = character;
  if (character.startsWith("\\"))
    return `(?:\\\\{1,8}u005[cC]|\\\\|%5[cC]|&#(?:92|[xX]5[cC]);){${length},${length * 8}}`;
  const code = character.charCodeAt(0);
  const hex = code
    .toString(16)
    .padStart(2, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const entity = ENTITIES[character];
  const forms = [
    `\\\\{0,8}\\${character}`,
    `\\\\{1,8}u00${hex}`,
    `%${hex}`,
    `&#(?:0*${code}|[xX]0*${hex});`,
    ...(entity === undefined ? [] : [`&${entity};`]),
  ];
  return `(?:${forms.join("|")})`;
}
