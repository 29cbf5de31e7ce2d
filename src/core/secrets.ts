/** Secrets in the texts of others: an endpoint that refuses a key may repeat it. */

/** Shorter ones stand in any text by accident, as "ollama" does, which local endpoints take for a key. */
const shortest = 8;

const entities: Readonly<Record<string, string>> = {
  '"': "quot",
  "&": "amp",
  "'": "apos",
  "<": "lt",
  ">": "gt",
};

/**
 * The text with `placeholder` for each secret (a key, or a header's value), also where it is escaped as in JSON within JSON, in an
 * address or in HTML.
 */
export function withoutSecrets(text: string, secrets: Iterable<string>, placeholder = "***"): string {
  // The longest first, as one may be a part of another.
  return [...secrets]
    .map((secret) => secret.trim().replace(/^(?:Bearer|Basic)\s+/i, ""))
    .sort((a, b) => b.length - a.length)
    .filter((secret) => secret.length >= shortest)
    .reduce((safe, secret) => safe.replace(anyFormOf(secret), placeholder), text);
}

function anyFormOf(secret: string): RegExp {
  return new RegExp((secret.match(/\\+|[^\\]/g) ?? []).map(anyForm).join(""), "g");
}

/** A pattern of one character, or of several backslashes, however it is escaped. */
function anyForm(character: string): string {
  if (/[\w-]/.test(character)) return character;
  // One pattern for each would try every way to share out a long run among them.
  const { length } = character;
  if (character.startsWith("\\"))
    return `(?:\\\\{1,8}u005[cC]|\\\\|%5[cC]|&#(?:92|[xX]5[cC]);){${length},${length * 8}}`;
  const code = character.charCodeAt(0);
  const hex = code
    .toString(16)
    .padStart(2, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const entity = entities[character];
  const forms = [
    `\\\\{0,8}\\${character}`,
    `\\\\{1,8}u00${hex}`,
    `%${hex}`,
    `&#(?:0*${code}|[xX]0*${hex});`,
    ...(entity === undefined ? [] : [`&${entity};`]),
  ];
  return `(?:${forms.join("|")})`;
}
