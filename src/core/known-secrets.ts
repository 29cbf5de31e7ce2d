/**
 * Masks what has the form of a well-known secret. It is a second net for what leaves the machine: the user's own keys are
 * masked wherever they occur (`key-mask.ts`), and a secret without such a form cannot be told from other text.
 */

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
