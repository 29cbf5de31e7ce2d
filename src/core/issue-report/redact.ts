/**
 * Removes what identifies a user, a machine or a company from a text of unknown origin, such as an error. It removes too much rather than
 * too little: what only looks like a host name is removed as well.
 */
import { withoutKnownSecrets, withoutSecrets } from "../secrets.ts";

/** What must not occur in a report, whatever text contains it. Absent: none is known. */
export interface PrivateTexts {
  /** API keys, passwords, and values of headers. */
  secrets: readonly string[];
  /** The folders of the workspace, absolute. */
  roots: readonly string[];
  /** The user's home folder, absolute; "" if there is none. */
  home: string;
  /** Names of users and computers, and addresses' hosts. */
  names: readonly string[];
  /** Names that the user gave to connections and servers. Removed as whole words only. */
  labels: readonly string[];
}

/** Maximum number of characters of a redacted text. */
const LONGEST = 300;
/** Characters of a text that are looked at. */
const LONGEST_INPUT = 2_000;
/** Quoted texts with at least this many characters may be part of a conversation. */
const LONGEST_QUOTE = 40;
/** Characters from which a name is removed even as a part of a word. */
const DISTINCT_NAME = 4;

/** Names that many machines have: they identify nobody, and occur in ordinary text. */
const COMMON_NAMES = new Set(
  "root user admin administrator guest home node runner ubuntu debian vscode codespace docker default local localhost vscode.".split(
    " ",
  ),
);

/** Folders whose files are the same on every machine. */
const SYSTEM_PATH = /^\/(?:usr|bin|sbin|lib\d*|dev|proc|sys)(?:\/|$)/;

/** The endings of files, by which `settings.json` is not taken for a host. */
const FILE_ENDINGS = new Set(
  "js cjs mjs ts cts mts jsx tsx json jsonc jsonl md txt py rb go rs c h cc cpp hpp cs java kt swift php sh bash zsh fish ps1 cmd bat exe dll so html css scss vue svelte xml yml yaml toml ini cfg conf lock log sql csv diff patch wasm node sqlite db tmp bak".split(
    " ",
  ),
);

/** Creates a function that returns a text without private parts, on one line, with at most 300 characters. */
export function createRedactor(texts: PrivateTexts): (text: string) => string {
  const roots = longestFirst(texts.roots);
  const names = longestFirst(texts.names).filter((name) => !COMMON_NAMES.has(name.toLowerCase()));
  const labels = longestFirst(texts.labels).filter((name) => !COMMON_NAMES.has(name.toLowerCase()));
  return (text) => {
    const masked = withoutSecrets(withoutUrls(text.slice(0, 2 * LONGEST_INPUT)), texts.secrets, "[secret]");
    // The second cut removes what the first one may have left of a secret.
    let safe = withoutKnownSecrets(masked).slice(0, LONGEST_INPUT);
    safe = safe.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ");
    for (const root of roots) safe = replaceFolder(safe, root, "[workspace]");
    if (texts.home.length > 1) safe = replaceFolder(safe, texts.home, "~");
    safe = withoutAddresses(safe);
    safe = withoutPaths(safe);
    for (const name of names) safe = safe.replace(namePattern(name, name.length < DISTINCT_NAME), "[name]");
    for (const label of labels) safe = safe.replace(namePattern(label, true), "[name]");
    safe = withoutLongTexts(withoutHosts(safe)).trim();
    return safe.length > LONGEST ? `${safe.slice(0, LONGEST - 1)}…` : safe;
  };
}

const longestFirst = (texts: readonly string[]): string[] =>
  [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))].sort(
    (a, b) => b.length - a.length,
  );

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

function namePattern(name: string, wholeWords: boolean): RegExp {
  return wholeWords
    ? new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(name)}(?![\\p{L}\\p{N}_])`, "giu")
    : new RegExp(escaped(name), "giu");
}

/** A folder with either kind of slash, at the beginning of a path. */
function replaceFolder(text: string, folder: string, by: string): string {
  const parts = folder.split(/[\\/]+/).map(escaped);
  if (parts.at(-1) === "") parts.pop();
  return text.replace(new RegExp(`(?<![\\w~\\]])${parts.join("[\\\\/]+")}(?![\\p{L}\\p{N}_-])`, "giu"), by);
}

/** URLs with everything in them. */
function withoutUrls(text: string): string {
  return text.replace(/\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s"'`<>]+/gi, "[address]");
}

/** E-mail addresses, and numeric addresses of other machines. */
function withoutAddresses(text: string): string {
  return text
    .replace(/[^\s@"'`<>(),;:]+@[^\s@"'`<>(),;:]+/g, "[address]")
    .replace(/(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])(?::\d+)?/g, (ip) =>
      /^(?:127|0\.0\.0\.0)\b/.test(ip) ? ip : "[address]",
    )
    .replace(/(?<![\w:.])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/gi, (ip) =>
      ip === "::1" || ip === "::" || !/[\da-f]/i.test(ip) ? ip : "[address]",
    );
}

/** Absolute paths, and those below the home folder, keep their last part only. */
function withoutPaths(text: string): string {
  return text
    .replace(/(?<![\w~\].…])(?:\\\\[^\s"'`]+|[A-Za-z]:[\\/][^\s"'`<>|:]*)/g, shortened)
    .replace(/(?<![\w\]…:/.~])(?:~[\\/]|\/(?=[^\s/]))[^\s"'`<>():,;]*/g, (path) =>
      SYSTEM_PATH.test(path) ? path : shortened(path),
    );
}

/** The last part of a path is kept if it is a file with a known ending. */
function shortened(path: string): string {
  const last = path.split(/[\\/]/).at(-1) ?? "";
  const start = path.startsWith("~") ? "~/" : "/";
  return hasFileEnding(last) ? `${start}…/${last}` : `${start}…`;
}

function hasFileEnding(name: string): boolean {
  return FILE_ENDINGS.has((/\.([\p{L}\d]+)$/u.exec(name)?.[1] ?? "").toLowerCase());
}

/** What has the form of a host's name, and the word after the system's code for a host that was not found or did not answer. */
function withoutHosts(text: string): string {
  return text
    .replace(
      /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\s+(?!\[)[^\s,;)]+/g,
      "$1 [address]",
    )
    .replace(/(?<![\p{L}\p{N}_*.-])[*.-]*[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?::\d+)?/gu, (name) => {
      const isNumber = /^v?[\d.]+(?:-[\d.]+)?$/.test(name) || /^127\.|^0\.0\.0\.0/.test(name);
      return isNumber || hasFileEnding(name.replace(/(?::\d+)+$/, "")) ? name : "[address]";
    });
}

/** Quotations that may be part of a conversation, and what may be a key without a known form. */
function withoutLongTexts(text: string): string {
  const quoted = new RegExp(`(["'\`])(?:(?!\\1).){${LONGEST_QUOTE},}?\\1`, "g");
  return text
    .replace(quoted, "$1…$1")
    .replace(/[A-Za-z\d+/_=-]{20,}/g, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? "[secret]" : word));
}
