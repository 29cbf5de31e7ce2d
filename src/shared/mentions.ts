/** `@` mentions in the user's text. */

/** Mentions that are a fixed word, such as `@problems`. */
export const MENTION_WORDS = ["problems", "terminal", "git-changes", "selection", "open-editors"] as const;
export type MentionWord = (typeof MENTION_WORDS)[number];

export interface Mention {
  kind: "file" | "folder" | "lines" | "symbol" | "url" | "commit" | "resource" | MentionWord;
  /**
   * The path without its leading slash, so the first folder of the workspace is "" (`@name:/path` for another folder of
   * the workspace; for `@file:///path` the absolute path, see `isAbsoluteMention`); for lines of a file `path:10-20` or `path:10`, for a symbol in it `path#Class.method`; the address, the
   * hash, or `server:URI`; otherwise empty. Only the disk shows for certain what a path is, and only the configuration whether
   * a server exists.
   */
  value: string;
  /** Offsets into the text, including `@` and quotes. */
  start: number;
  end: number;
}

const PATTERN = new RegExp(
  String.raw`@(?:"(/[^"\n]*)"|(/(?:\\ |[^\s"'\x60<>|、。，「」『』])*)|(file:///[\w\-.~%/:@!$&()*+,;=]+)|(https?://[^\s"'\x60<>、。「」『』]+)|(${MENTION_WORDS.join("|")})(?![\w/@-]|[.:]+[\w/@])|([0-9a-f]{7,40})(?![\w/@-]|[.:]+[\w/@])|([A-Za-z0-9][\w-]{0,31}):(?:"([a-zA-Z][\w+.-]*:[^"\n]+)"|([a-zA-Z][\w+.-]*://[^\s"'\x60<>、。「」『』]+))|([^\s"'\x60<>|:/\\@]{1,100}):(?:"(/[^"\n]*)"|(/(?!/)(?:\\ |[^\s"'\x60<>|、。，「」『』])*)))`,
  "g",
);

/** Punctuation that ends a sentence rather than a path. */
const TRAILING = ".,;:!?)]}、。，．！？」』）：；";
/** Maximum length in characters of a path or an address; anything longer is neither. */
const LONGEST = 4_096;
/** Japanese that follows a file name without a space: `@/neko.txtを読んで`. */
const AFTER_NAME =
  /(?<=\.[A-Za-z0-9]{1,8}(?::\d{1,7}(?:-\d{1,7})?|#[\w$.]{1,100})?)[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef][^/]*$/;

/**
 * Mentions in order. E-mail addresses, decorators, and anything inside backticks or code fences are not mentions. An
 * unclosed quote makes no mention.
 */
export function findMentions(text: string): Mention[] {
  const mentions: Mention[] = [];
  let code: Range[] | undefined;
  let at = 0;
  for (const match of text.matchAll(PATTERN)) {
    const start = match.index;
    // A mention starts a word: after a letter it is an e-mail address or a handle; after `=` or `:` it is a value in a
    // log or a command line.
    const before = text[start - 1];
    if (before !== undefined && /[\w@./\\:=-]/.test(before)) continue;
    code ??= codeRanges(text);
    while (at < code.length && (code[at]?.end ?? 0) <= start) at++;
    if (start >= (code[at]?.start ?? Number.POSITIVE_INFINITY)) continue;
    const mention = readMention(match);
    if (mention) mentions.push({ ...mention, start, end: start + mention.length });
  }
  return mentions.map(({ kind, value, start, end }) => ({ kind, value, start, end }));
}

type Reading = Pick<Mention, "kind" | "value"> & { length: number };

function readMention(match: RegExpExecArray): Reading | undefined {
  const [whole, quoted, path, file, url, word, commit, server, uriQuoted, uri, root, rootQuoted, rootPath] =
    match;
  const length = whole.length;
  if (quoted !== undefined) return pathMention(quoted, "", length);
  if (path !== undefined) return loosePath(path, "", length);
  if (file !== undefined) return fileMention(file);
  if (rootQuoted !== undefined) return pathMention(rootQuoted, `@${root}:/`, length);
  if (rootPath !== undefined) return loosePath(rootPath, `@${root}:/`, length);
  if (url !== undefined) return addressMention("url", "", url, length);
  if (uriQuoted !== undefined) return { kind: "resource", value: `${server}:${uriQuoted}`, length };
  if (uri !== undefined) return addressMention("resource", `${server}:`, uri, length);
  const kind = MENTION_WORDS.find((each) => each === word);
  if (kind !== undefined) return { kind, value: "", length };
  // Without a digit it is a word (`@facade`), but no word has forty letters.
  const isCommit = commit !== undefined && (/\d/.test(commit) || commit.length === 40);
  return isCommit ? { kind: "commit", value: commit, length } : undefined;
}

/** A file outside the workspace, by its address, in which all special characters are escaped. */
function fileMention(address: string): Reading | undefined {
  const written = address.slice(0, address.length - looseEnd(address));
  if (written.length > LONGEST || /%(?![0-9a-f]{2})/i.test(written)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(written.slice("file://".length));
  } catch {
    // The escapes are no characters.
    return undefined;
  }
  if (/[\x00-\x1f\x7f]/.test(path) || path === "/") return undefined;
  const value = path.replace(/^\/(?=[A-Za-z]:\/)/, "");
  return { kind: value.endsWith("/") ? "folder" : "file", value, length: "@".length + written.length };
}

/** Whether the value of a mention of a file or folder is an absolute path. */
export function isAbsoluteMention(value: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(value);
}

/** Writes the absolute path of a file, or with `/` at the end of a folder, so that `findMentions` reads it back. */
export function outsideMention(path: string): string {
  const parts = path.replaceAll("\\", "/").replace(/^\//, "").split("/");
  const escaped = parts.map((part) =>
    encodeURIComponent(part).replace(
      /[!'()*]|\.$/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  );
  return `@file:///${escaped.join("/")}`;
}

function addressMention(
  kind: "url" | "resource",
  prefix: string,
  address: string,
  length: number,
): Reading | undefined {
  if (address.length > LONGEST) return undefined;
  const cut = looseEnd(address);
  return { kind, value: prefix + address.slice(0, address.length - cut), length: length - cut };
}

function loosePath(path: string, prefix: string, length: number): Reading | undefined {
  if (path.length > LONGEST) return undefined;
  let name = path.slice(0, path.length - looseEnd(path));
  // Searches only the last segment, so that a long path is scanned once.
  const segment = name.lastIndexOf("/") + 1;
  name = name.slice(0, segment) + name.slice(segment).replace(AFTER_NAME, "");
  name = name.slice(0, name.length - looseEnd(name));
  const isPath = !name.startsWith("//") && name !== "";
  return isPath ? pathMention(name, prefix, length - (path.length - name.length)) : undefined;
}

const OPENERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Length of the trailing punctuation; a bracket that was opened inside the name is part of it. */
function looseEnd(text: string): number {
  if (!TRAILING.includes(text.at(-1) ?? "x")) return 0;
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const count = (character: string) => counts.get(character) ?? 0;
  let cut = 0;
  for (;;) {
    const last = text[text.length - 1 - cut];
    if (last === undefined || !TRAILING.includes(last)) return cut;
    const opener = OPENERS[last];
    if (opener !== undefined && count(opener) >= count(last)) return cut;
    counts.set(last, count(last) - 1);
    cut++;
  }
}

/** A path as written in the text; a backslash escapes a space. `/` alone is the folder itself. */
function pathMention(path: string, prefix: string, length: number): Reading {
  const value = prefix + path.slice(1).replaceAll("\\ ", " ");
  return { kind: pathKind(value), value, length };
}

function pathKind(value: string): "file" | "folder" | "lines" | "symbol" {
  if (value === "" || value.endsWith("/")) return "folder";
  if (parseFileLines(value)) return "lines";
  return splitSymbol(value) ? "symbol" : "file";
}

/** Lines of a file, 1-based and inclusive. */
export interface FileLines {
  path: string;
  start: number;
  end: number;
}

/** Reads `path:10-20`, `path:10`, and `path:10:5` with a column, which is ignored. undefined: the value has another form. */
export function parseFileLines(value: string): FileLines | undefined {
  const match = /^(.*[^/:]):(\d{1,7})(?:-(\d{1,7})|:\d{1,7})?$/s.exec(value);
  // The path of `path:10:5` ends before both numbers.
  const inner = match && /^(.*[^/:]):(\d{1,7})$/s.exec(match[1] ?? "");
  const [, path = "", first = "", last = first] = inner && match[3] === undefined ? inner : (match ?? []);
  if (path === "") return undefined;
  const [one, other] = [Math.max(1, Number(first)), Math.max(1, Number(last))];
  return { path, start: Math.min(one, other), end: Math.max(one, other) };
}

/** Reads `path#name`. undefined: the value has another form. */
export function splitSymbol(value: string): { path: string; name: string } | undefined {
  const [, path, name] = /^(.*[^/#])#([\p{L}\p{N}_$][\p{L}\p{N}_$.]{0,199})$/su.exec(value) ?? [];
  return path === undefined || name === undefined ? undefined : { path, name };
}

/** Writes lines of a file so that `findMentions` reads them back. */
export function linesMention({ path, start, end }: FileLines): string {
  return mentionText(`${path}:${start === end ? start : `${start}-${end}`}`);
}

interface Range {
  start: number;
  end: number;
}

/** Code fences and spans, in order. Scans each line once, however many backticks it contains. */
function codeRanges(text: string): Range[] {
  if (!/[`~]/.test(text)) return [];
  const ranges: Range[] = [];
  let fence: { mark: string; start: number } | undefined;
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(at, end);
    const mark = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/.exec(line);
    if (fence) {
      if (mark?.[1]?.startsWith(fence.mark) && mark[2]?.trim() === "") {
        ranges.push({ start: fence.start, end });
        fence = undefined;
      }
    } else if (mark?.[1] !== undefined && !(mark[1].startsWith("`") && mark[2]?.includes("`"))) {
      fence = { mark: mark[1], start: at };
    } else ranges.push(...spans(line, at));
    at = end + 1;
  }
  if (fence) ranges.push({ start: fence.start, end: text.length });
  return ranges;
}

/** Code spans of one line: from a run of backticks to the next run of the same length. */
function spans(line: string, offset: number): Range[] {
  if (!line.includes("`")) return [];
  const runs = [...line.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ index, length: ticks.length }));
  const nextOf = new Map<number, number>();
  const next = new Array<number>(runs.length);
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = runs[i]?.length ?? 0;
    next[i] = nextOf.get(length) ?? -1;
    nextOf.set(length, i);
  }
  const ranges: Range[] = [];
  for (let i = 0; i < runs.length; i++) {
    const close = runs[next[i] ?? -1];
    const open = runs[i];
    if (!close || !open) continue;
    ranges.push({ start: offset + open.index, end: offset + close.index + close.length });
    i = next[i] ?? i;
  }
  return ranges;
}

/**
 * Writes a path so that `findMentions` reads it back: quoted if it would otherwise be cut. A path that begins with
 * `@name:/` is in the workspace folder of that name.
 */
export function mentionText(path: string): string {
  const elsewhere = /^(@[^:/\s]+:)(\/.*)$/s.exec(path);
  const prefix = elsewhere?.[1] ?? "@";
  const inside = elsewhere?.[2] ?? `/${path.replace(/^\//, "")}`;
  const plain = prefix + inside;
  const [read] = findMentions(`${plain} `);
  return read?.end === plain.length ? plain : `${prefix}"${inside}"`;
}

/** Writes a symbol of a file so that `findMentions` reads it back; undefined if no mention can name it. */
export function symbolMention(path: string, name: string): string | undefined {
  const text = mentionText(`${path}#${name}`);
  const [read] = findMentions(`${text} `);
  const isWhole = read?.kind === "symbol" && read.end === text.length;
  return isWhole && splitSymbol(read.value)?.name === name ? text : undefined;
}

/** Writes a server's resource so that `findMentions` reads it back; undefined if no mention can name it. */
export function resourceMention(server: string, uri: string): string | undefined {
  return [`@${server}:${uri}`, `@${server}:"${uri}"`].find(isResource);
}

/** Whether all of the text is read as one resource. */
function isResource(text: string): boolean {
  const [read] = findMentions(`${text} `);
  return read?.kind === "resource" && read.end === text.length;
}

/**
 * Writes the start of a server's resource, which the user continues: quoted if its scheme is not followed by `//`, or if it
 * contains a character that ends a mention. undefined: no mention can begin like this.
 */
export function templateMention(server: string, start: string): string | undefined {
  const [plain, quoted] = [`@${server}:${start}`, `@${server}:"${start}"`];
  // With one character for the first variable.
  const end = /^[a-zA-Z][\w+.-]*:/.test(start) ? "x" : "x:x";
  if (start.includes("://") && isResource(plain + end)) return plain;
  return isResource(`${quoted.slice(0, -1)}${end}"`) ? quoted : undefined;
}
