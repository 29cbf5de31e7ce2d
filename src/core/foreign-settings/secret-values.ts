/**
 * Which values of an MCP server's configuration may be secrets. Such a value is never copied: the user enters it when the server first
 * starts. What cannot be told from a secret counts as one, because entering a harmless value again costs little.
 */
import { withoutKnownSecrets } from "../secrets.ts";

/** Names of variables, headers, options and parameters that suggest a secret. */
const SECRET_NAME =
  /key|token|secret|passw|pwd|passphrase|credential|auth|bearer|cookie|session|signature|dsn|conn(?:ection)?[-_]?str|private|(?:^|[-_])(?:pat|sas|jwt|sig|pin)(?:$|[-_])/i;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Words, numbers and short lists of them: nobody's password has to be assumed where the name suggests none. */
const PLAIN_WORD = /^[A-Za-z]{1,20}(?:[-_., ][A-Za-z]{1,20}){0,5}$/;
const NUMBER = /^[+-]?\d{1,10}(?:\.\d{1,6}){0,3}$/;
const REFERENCE = /^(?:Bearer |Basic |token )?\$\{[^{}]+\}$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][^\0]*$/;

/** Whether the value only refers to a variable or an input, without a value for when there is none. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value) && !value.includes(":-");
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
  return username === "" && password === "" && search === "" && hash === "";
}

/** Letters, digits and signs that keys consist of, without what separates words, folders and versions. */
const RUN = /[A-Za-z0-9+_=-]{16,}/g;

/** Whether the text has the form of a well-known secret, or contains a run of signs that looks random. */
export function looksSecret(text: string): boolean {
  if (withoutKnownSecrets(text) !== text) return true;
  return (text.match(RUN) ?? []).some(looksRandom);
}

/** The text for the user, without what looks like a secret. */
export function withoutSecretRuns(text: string): string {
  return text.replace(RUN, (run) => (looksRandom(run) ? "…" : run));
}

function looksRandom(run: string): boolean {
  if (/^(?:[0-9a-f]{24,}|[0-9A-F]{24,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(run)) return true;
  // In random text, letters, digits and cases alternate more often than in names such as `server-filesystem-2025`.
  const changes = run.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g)?.length ?? 0;
  return changes >= 3 && changes / run.length >= (/\d/.test(run) ? 0.22 : 0.3);
}
