/** `@` mentions in what a person writes: found in the text, and replaced by the thing mentioned. */
import { isAbsolute, join, relative } from "node:path";
import { messageOf } from "../errors.ts";
import type { Host } from "../ports.ts";

export interface Mention {
  kind: "file" | "folder" | "url" | "problems" | "terminal" | "git-changes" | "commit";
  /** The path without its leading slash, the address, the hash; empty for the words. */
  value: string;
  /** Offsets into the text, `@` and quotes included. */
  start: number;
  end: number;
}

const pattern =
  /@(?:"(\/[^"\n]+)"|(\/[^\s"'`<>|]+)|(https?:\/\/[^\s"'`<>]+)|(problems|terminal|git-changes)(?![\w/@.:-])|([0-9a-f]{7,40})(?![\w/@.-]))|@([\w-]+:\/[^\s"'`<>|]+)/g;

/** Punctuation that ends a sentence rather than a path. */
const trailing = /[.,;:!?)\]}、。,.!?」』)]+$/;

/**
 * Mentions in order. Not mentions: e-mail addresses, decorators, and anything within back-ticks or code fences.
 */
export function findMentions(text: string): Mention[] {
  const code = codeRanges(text);
  const found: Mention[] = [];
  for (const match of text.matchAll(pattern)) {
    const start = match.index;
    // A mention stands at the start of a word: after a letter it is an e-mail address or a handle.
    const before = text[start - 1];
    if (before !== undefined && /[\w@./\\-]/.test(before)) continue;
    if (code.some((range) => start >= range.start && start < range.end)) continue;
    const [whole, quoted, path, url, word, commit, rooted] = match;
    const loose = path ?? url ?? rooted;
    const cut = loose === undefined ? "" : (trailing.exec(loose)?.[0] ?? "");
    const end = start + whole.length - cut.length;
    if (quoted !== undefined) found.push(pathMention(quoted.slice(1), start, end));
    else if (path !== undefined && path.length - cut.length > 1) {
      found.push(pathMention(path.slice(1, path.length - cut.length), start, end));
    } else if (url !== undefined)
      found.push({ kind: "url", value: url.slice(0, url.length - cut.length), start, end });
    else if (word === "problems" || word === "terminal" || word === "git-changes") {
      found.push({ kind: word, value: "", start, end });
    } else if (commit !== undefined && /\d/.test(commit))
      found.push({ kind: "commit", value: commit, start, end });
    else if (rooted !== undefined) {
      found.push(pathMention(`@${rooted.slice(0, rooted.length - cut.length)}`, start, end));
    }
  }
  return found;
}

function pathMention(value: string, start: number, end: number): Mention {
  return value.endsWith("/") ? { kind: "folder", value, start, end } : { kind: "file", value, start, end };
}

function codeRanges(text: string): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (const match of text.matchAll(
    /^( {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\2|$(?![\s\S]))|(`+)(?!`)[^\n]*?[^`]\3(?!`)/gm,
  )) {
    ranges.push({ start: match.index, end: match.index + match[0].length });
  }
  return ranges;
}

/** Characters of one mentioned file, and of all mentions of a message, that go along. */
const fileLimit = 100_000;
const totalLimit = 400_000;
const folderFiles = 200;

/**
 * The text with each file and folder mention replaced by `'path' (see below for ... content)`, and the contents that
 * follow it. What cannot be read is said in its place; the rest is sent.
 */
export async function expandMentions(
  text: string,
  host: Host,
  signal: AbortSignal,
  onRead: (path: string, version: string) => void,
): Promise<{ text: string; attachments: string[] }> {
  const { root } = host.workspace;
  const pieces: string[] = [];
  const attachments: string[] = [];
  const seen = new Set<string>();
  let from = 0;
  let room = totalLimit;
  for (const mention of findMentions(text)) {
    if (mention.kind !== "file" && mention.kind !== "folder") continue;
    pieces.push(text.slice(from, mention.start));
    from = mention.end;
    pieces.push(`'${mention.value}' (see below for ${mention.kind} content)`);
    if (seen.has(mention.value)) continue;
    seen.add(mention.value);
    const content = await contentOf(mention, host, root, Math.min(room, fileLimit), signal, onRead);
    room -= content.length;
    attachments.push(content);
  }
  pieces.push(text.slice(from));
  return { text: pieces.join(""), attachments };
}

async function contentOf(
  mention: Mention,
  host: Host,
  root: string | undefined,
  limit: number,
  signal: AbortSignal,
  onRead: (path: string, version: string) => void,
): Promise<string> {
  const tag = mention.kind === "file" ? "file_content" : "folder_content";
  const wrap = (content: string) => `<${tag} path="${mention.value}">
${content}
</${tag}>`;
  try {
    const path = mentionPath(mention.value, host, root);
    if (mention.kind === "folder") return wrap(await folderContent(path, host, signal));
    const stat = await host.files.stat(path);
    if (!stat) return wrap("(there is no such file)");
    if (stat.kind === "directory") return wrap(await folderContent(path, host, signal));
    const file = await host.files.readText(path);
    onRead(path, file.version);
    if (file.text.length <= limit) return wrap(file.text);
    const cut = file.text.slice(0, Math.max(0, limit));
    const line = cut.split("\n").length;
    return wrap(`${cut}\n(cut here; read_file with start_line ${line} reads on)`);
  } catch (error) {
    return wrap(`(cannot be read: ${messageOf(error)})`);
  }
}

function mentionPath(value: string, host: Host, root: string | undefined): string {
  const rooted = /^@([\w-]+):\/(.*)$/.exec(value);
  const folder = rooted ? host.workspace.roots.find(({ name }) => name === rooted[1])?.path : root;
  if (folder === undefined) throw new Error("no such workspace folder is open");
  const path = join(folder, rooted?.[2] ?? value);
  const inside = relative(folder, path);
  if (inside.startsWith("..") || isAbsolute(inside)) throw new Error("it is outside the workspace");
  return path;
}

async function folderContent(path: string, host: Host, signal: AbortSignal): Promise<string> {
  const { paths, more } = await host.search.files(path, { limit: folderFiles, signal });
  const rest = more ? "\n(more files left out; list_files shows them)" : "";
  return paths.length === 0 ? "(no files)" : `${paths.sort().join("\n")}${rest}`;
}
