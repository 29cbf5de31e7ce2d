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

const REMOVED_SECRET = "[secret removed by Nekode]";

const FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  // Keys of model providers: sk-..., sk-ant-..., sk-or-v1-...
  /\bsk-[\w-]{20,}/g,
  // GitHub, GitLab, Slack, npm, Hugging Face.
  /\b(?:gh[pousr]_\w{30,}|github_pat_\w{40,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|npm_\w{36}|hf_\w{30,})/g,
  // AWS, Google, Groq, xAI.
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\b(?:gsk|xai)[-_]\w{40,}/g,
  // JSON Web Tokens.
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  // The password of an address.
  /(?<=\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]{0,100}:)[^\s/:@]{1,200}(?=@)/gi,
];

/**
 * Masks what has the form of a well-known secret. This is a second safeguard for text that leaves the machine: the user's own keys
 * are masked wherever they occur (`key-mask.ts`), and a secret without such a form cannot be distinguished from other text.
 */
export function withoutKnownSecrets(text: string): string {
  return FORMS.reduce((masked, form) => masked.replace(form, REMOVED_SECRET), text);
}

/** A value of JSON with every text in it, names of fields included, as `mask` returns it. */
export function maskedJson(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((each) => maskedJson(each, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [mask(name), maskedJson(each, mask)]),
  );
}
