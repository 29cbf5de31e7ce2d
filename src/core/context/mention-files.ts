/** The contents of mentions that name a path: files, folders, lines and symbols. */
import { join, normalize } from "node:path";
import { isAbsoluteMention, parseFileLines, splitSymbol } from "../../shared/mentions.ts";
import type { MentionFailure } from "../../shared/words/notice-words.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import { inParallel } from "../async.ts";
import { base64 } from "../bytes.ts";
import { Interrupt, messageOf, NotTextError, throwIfAborted } from "../errors.ts";
import { IMAGE_LIMIT, imageFacts } from "../image-facts.ts";
import type { FileStat, TextFile } from "../ports/files.ts";
import type { Host } from "../ports/host.ts";
import { isInside, rootNamed, splitRoot } from "../roots.ts";
import type { PathVerdict } from "../safety/paths/judge-path.ts";
import { visibleName } from "../text.ts";
import {
  EACH_LIMIT,
  type MentionContent,
  type MentionOptions,
  type MentionPart,
  NotIncluded,
} from "./mention-content.ts";

/** Bytes of the largest file that is opened. */
const SIZE_LIMIT = 5 * 1024 * 1024;
const FOLDER_FILES = 200;
const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;
/** Not text, but a tool can read it. */
const READABLE = /\.(?:png|jpe?g|gif|webp|pdf|docx|xlsx)$/i;

/** The line at the end of a content whose parts do not all fit. */
export function missingParts(count: number): string {
  return `\n(${count} more text files do not fit here; read_file shows each of them)`;
}

export function isMissingParts(body: string): boolean {
  return /\n\(\d+ more text files do not fit here; [^\n]*\)$/.test(body);
}

/** The content of a file or folder, whichever the path is on the disk. Rejects with NotIncluded. */
export async function contentAt(
  value: string,
  kind: "file" | "folder",
  options: MentionOptions,
): Promise<MentionContent> {
  const path = mentionPath(value, options.host);
  const stat = await readableStat(path, kind, options);
  if (stat.kind === "directory") return folderContent(value, path, options);
  const image = await imageContent(path, stat, options);
  if (image) return image;
  const file = await textOfFile(path, stat, options);
  return { body: file.text, whole: () => options.onRead(path, file.version) };
}

/** The file as an image, for a model that sees images; undefined: it is no image, whatever its name. */
async function imageContent(
  path: string,
  { kind, size }: FileStat,
  { host, seesImages }: MentionOptions,
): Promise<MentionContent | undefined> {
  if (kind !== "file" || !IMAGE.test(path) || !seesImages?.()) return undefined;
  if (size > IMAGE_LIMIT) {
    const megabytes = (size / 1_000_000).toFixed(1);
    throw new NotIncluded(
      `the image has ${megabytes} MB; a smaller version can be sent`,
      "too-large",
      megabytes,
    );
  }
  const bytes = await host.files.readBytes(path, IMAGE_LIMIT);
  const facts = imageFacts(bytes);
  if (!facts) return undefined;
  const image = { mimeType: facts.mimeType, data: base64(bytes) };
  return { body: `(${facts.kind}, attached to this message)`, images: [image] };
}

/** The text of the file at a mention's path. Rejects with NotIncluded. */
export async function textAt(value: string, options: MentionOptions): Promise<TextFile> {
  const path = mentionPath(value, options.host);
  return textOfFile(path, await readableStat(path, "file", options), options);
}

async function readableStat(
  path: string,
  kind: "file" | "folder",
  { host, refused }: MentionOptions,
): Promise<FileStat> {
  const stat = await host.files.stat(path);
  if (!stat) throw new NotIncluded(`there is no such ${kind}`, "missing");
  const refusal = await refused(path);
  if (refusal) throw new NotIncluded(reasonInEnglish(refusal.reason), failureOf(refusal.guard));
  return stat;
}

async function textOfFile(path: string, { size }: FileStat, { host }: MentionOptions): Promise<TextFile> {
  if (size > SIZE_LIMIT) {
    const megabytes = Math.round(size / 1024 / 1024);
    const reason = `the file has ${megabytes} MB; read_file and search_files show parts of it`;
    throw new NotIncluded(reason, "too-large", String(megabytes));
  }
  return host.files.readText(path).catch((error: unknown) => {
    if (!(error instanceof NotTextError)) throw error;
    if (!READABLE.test(path)) throw new NotIncluded(error.message, "not-text");
    throw new NotIncluded(`${error.message} read_file shows what is in it`, "other-format");
  });
}

export function linesContent(text: string, start: number, end: number): MentionContent {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (start > lines.length)
    throw new NotIncluded(`the file ends at line ${lines.length}`, "no-lines", String(lines.length));
  return { body: lines.slice(start - 1, end).join("\n"), firstLine: start };
}

export async function symbolContent(value: string, options: MentionOptions): Promise<MentionContent> {
  const { path, name } = symbolOf(value);
  const { text } = await textAt(path, options);
  const { host, signal } = options;
  const outline = await host.surroundings.symbols?.(mentionPath(path, host), signal);
  const range = outline?.find((symbol) => symbol.name === name) ?? symbolLines(text, name);
  if (!range) throw new NotIncluded(`the file has no symbol named ${name}`, "no-symbol", name);
  const content = linesContent(text, range.start, range.end);
  const lead = `lines ${range.start}-${range.end}:\n`;
  return { ...content, body: lead + content.body, firstLine: range.start - 1 };
}

/** Words before a name that make a line its definition, in common languages. */
const DEFINES =
  /\b(?:class|interface|struct|enum|trait|impl|module|namespace|object|record|protocol|extension|type|def|func|function|fn|sub|proc|const|let|var|val|public|private|protected|static|async|export|override)\b/;

/**
 * The lines of the symbol of that name, where no outline of the language is available; 1-based and inclusive. undefined: there is
 * none. `Class.method` is searched for inside `Class`. A symbol ends before the next line that is indented no deeper than its
 * first one, except for a line that closes it.
 */
export function symbolLines(text: string, name: string): { start: number; end: number } | undefined {
  const lines = text.split("\n");
  let range = { start: 0, end: lines.length - 1 };
  let isInside = false;
  for (const part of name.split(".")) {
    const start = definitionOf(lines, part, isInside ? range.start + 1 : 0, range.end);
    if (start === undefined) return undefined;
    range = { start, end: endOf(lines, start, range.end) };
    isInside = true;
  }
  return { start: range.start + 1, end: range.end + 1 };
}

function definitionOf(lines: readonly string[], name: string, from: number, to: number): number | undefined {
  const escaped = name.replace(/[$.]/g, "\\$&");
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$.])${escaped}(?![\\p{L}\\p{N}_$])`, "u");
  // A method may have no keyword: its name begins the line, and a list of parameters follows.
  const bare = new RegExp(`^\\s*[#*]?${escaped}\\s*(?:<[^>]*>)?\\s*[(:=]`, "u");
  let best: number | undefined;
  for (let index = from; index <= to; index++) {
    const line = lines[index] ?? "";
    if (!word.test(line) || /^\s*(?:\/\/|#\s|\*|--)/.test(line)) continue;
    const before = line.slice(0, line.search(word));
    if (DEFINES.test(before) && !/=|\([^)]*$/.test(before)) return index;
    if (bare.test(line)) best ??= index;
  }
  return best;
}

function endOf(lines: readonly string[], start: number, last: number): number {
  const indent = indentOf(lines[start] ?? "");
  let end = start;
  for (let index = start + 1; index <= last; index++) {
    const line = lines[index] ?? "";
    if (line.trim() === "") continue;
    if (indentOf(line) > indent) end = index;
    else return /^\s*[}\])]|^\s*end\b/.test(line) ? index : end;
  }
  return end;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The parts of a mention's value. The pattern of mentions ensures that it has them. */
export const linesOf = (value: string) => parseFileLines(value) ?? { path: value, start: 1, end: 1 };
export const symbolOf = (value: string) => splitSymbol(value) ?? { path: value, name: "" };

function failureOf(guard: PathVerdict["guard"]): MentionFailure {
  if (guard === "ignored" || guard === "secret" || guard === "unclear") return guard;
  return "outside";
}

/** The absolute path of a mention. Throws NotIncluded for a path outside the workspace. */
export function mentionPath(value: string, { workspace }: Pick<Host, "workspace">): string {
  // Only what the user gave may be read there; see `GivenFiles`.
  if (isAbsoluteMention(value)) return normalize(value.replace(/(?<=.)\/+$/, ""));
  // `/@a:b` is a file of that name.
  const rooted = /^@[^:/]+:\//.test(value) ? splitRoot(value) : undefined;
  const folder = rooted ? rootNamed(workspace, rooted.name) : workspace.root;
  if (folder === undefined) {
    if (!rooted) throw new NotIncluded("no folder is open", "no-folder");
    const { name } = rooted;
    throw new NotIncluded(`no folder of the workspace is named ${name}`, "no-root", name);
  }
  const path = join(folder, (rooted?.inside ?? value).replace(/\/+$/, ""));
  if (!isInside(folder, path)) throw new NotIncluded("the path is outside the workspace", "outside");
  return path;
}

async function folderContent(value: string, path: string, options: MentionOptions): Promise<MentionContent> {
  const { host, signal } = options;
  const { paths, more } = await host.search.files(path, { limit: FOLDER_FILES, signal });
  const rest = more ? `\n(the first ${paths.length} files; list_files shows the others)` : "";
  if (paths.length === 0) return { body: "(no files)", isPart: more };
  paths.sort();
  const inside = value === "" || value.endsWith("/") ? value : `${value}/`;
  const files = paths.map((name) => ({ path: inside + name, file: join(path, name) }));
  return {
    body: `${paths.map(visibleName).join("\n")}${rest}`,
    isPart: more,
    parts: await readableParts(files, options),
  };
}

/** Those of the files that are text and may be read, in order. Reads not much more than one mention can contain. */
export async function readableParts(
  files: readonly { path: string; file: string }[],
  options: MentionOptions,
): Promise<MentionPart[]> {
  const parts = new Map<string, MentionPart>();
  let length = 0;
  await inParallel(files, async ({ path, file }) => {
    throwIfAborted(options.signal);
    if (length > EACH_LIMIT * 2) return;
    try {
      const stat = await readableStat(file, "file", options);
      if (stat.kind !== "file" || stat.size > EACH_LIMIT) return;
      const { text, version } = await textOfFile(file, stat, options);
      length += text.length;
      parts.set(path, { path, text, whole: () => options.onRead(file, version) });
    } catch (error) {
      // The file stays in the list of names, so the model can ask for it.
      if (error instanceof Interrupt) throw error;
      options.host.log.info(`a file of a mention was left out: ${messageOf(error)}`);
    }
  });
  return files.flatMap(({ path }) => parts.get(path) ?? []);
}

export function isOutside(path: string, host: Pick<Host, "workspace">): boolean {
  if (isAbsoluteMention(path)) return true;
  try {
    mentionPath(path, host);
    return false;
  } catch {
    // The file is in no folder of the workspace.
    return true;
  }
}
