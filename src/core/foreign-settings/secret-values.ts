/**
 * Which values of an MCP server's configuration may be secrets. Such a value is never copied: the user enters it when the server first
 * starts. What cannot be told from a secret counts as one, because entering a harmless value again costs little.
 */
import { withoutKnownSecrets } from "../secrets.ts";

/** Names of variables, headers, options and parameters that suggest a secret. */
const SECRET_NAME =
  /key|token|secret|pass(?:w|phrase|code|$|[-_=:.\d])|pwd|cred|auth(?!ors?(?![a-z]))|bearer|cookie|session|signature|dsn|conn(?:ection)?[-_]?str|private|mnemonic|(?:^|[-_])(?:pat|pw|otp|sas|jwt|sig|pin|seed)(?:$|[-_=:])/i;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Words, numbers and short lists of them: nobody's password has to be assumed where the name suggests none. */
const PLAIN_WORD = /^[A-Za-z]{1,20}(?:[-_., ][A-Za-z]{1,20}){0,5}$/;
const NUMBER = /^[+-]?\d{1,10}(?:\.\d{1,6}){0,3}$/;
const REFERENCE = /^(?:Bearer |Basic |token )?\$\{[^{}\s]+\}$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][^\0]*$/;

/**
 * Whether the value only refers to a variable or an input, without a value for when there is none. Some users write the secret itself
 * where its variable should be named.
 */
export function isReference(value: string): boolean {
  return REFERENCE.test(value) && !value.includes(":-") && !looksSecret(value);
}

/** Whether the value of a variable or header can be copied. */
export function isPlainValue(name: string, value: string): boolean {
  if (isReference(value)) return true;
  if (value === "") return true;
  if (isSecretName(name) || looksSecret(value)) return false;
  if (PLAIN_WORD.test(value) || NUMBER.test(value)) return true;
  return isPlainUrl(value) || PATH.test(value);
}

/** Whether an address contains neither a password nor anything after its path that may be one. */
function isPlainUrl(value: string): boolean {
  if (!/^(?:https?|wss?):\/\//i.test(value) || !URL.canParse(value)) return false;
  const { username, password, search, hash } = new URL(value);
  // A password with a slash in it ends the host too early, so that its end is in the path.
  return username === "" && password === "" && search === "" && hash === "" && !/[^/]@/.test(value);
}

/** Letters, digits and signs that keys consist of, without what separates words, folders and versions. */
const RUN = /[A-Za-z0-9+_=-]{16,}/g;

/** A name, and what may stand between it and its value: `TOKEN=x`, `Authorization: x`, `"apiKey":"x"`, `--token x`. */
const NAME = /(?<![\w.-])([\w.-]+)(=|["']\s*:|[:\s])/g;
/** It ends at a quotation mark, because a header's value has spaces. */
const VALUE = /\s*(?:"[^"]*"?|'[^']*'?|[^"']+)/y;
/** The user and the password of a program such as curl. */
const USER = /(?<!\S)(?:-u|--user)[\s=]+(?!\d+:\d+(?!\S))["']?[^\s:]+:\S+/g;

/**
 * Whether the text has the form of a well-known secret, contains a run of signs that looks random, or a value whose name suggests a
 * secret.
 */
export function looksSecret(text: string): boolean {
  return withoutKnownSecrets(text) !== text || withoutSecretValues(text) !== text;
}

/** The text for the user, without what looks like a secret. */
export function withoutSecretValues(text: string): string {
  return withoutNamedValues(text.replace(RUN, (run) => (looksRandom(run) ? "…" : run)).replace(USER, "…"));
}

function withoutNamedValues(text: string): string {
  let [shown, from] = ["", 0];
  for (const {
    0: { length },
    1: name = "",
    2: sign = "",
    index,
  } of text.matchAll(NAME)) {
    const at = index + length;
    if (index < from || !isSecretName(name) || !precedesValue(name, sign, text[at])) continue;
    VALUE.lastIndex = at;
    if (!VALUE.test(text)) continue;
    shown += `${text.slice(from, at)}…`;
    from = VALUE.lastIndex;
  }
  return shown + text.slice(from);
}

/** A colon is also in names such as `test:auth`, and a space follows every word. */
function precedesValue(name: string, sign: string, next = ""): boolean {
  if (sign === ":") return /^[A-Z]/.test(name) || /^["'\s]/.test(next);
  return /\S/.test(sign) || (name.startsWith("-") && next !== "-");
}

function looksRandom(run: string): boolean {
  if (/^(?:[0-9a-f]{24,}|[0-9A-F]{24,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(run)) return true;
  // In random text, letters, digits and cases alternate more often than in names such as `server-filesystem-2025`.
  const changes = run.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g)?.length ?? 0;
  return changes >= 3 && changes / run.length >= (/\d/.test(run) ? 0.22 : 0.3);
}
