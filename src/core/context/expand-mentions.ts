/** What mentions stand for: each is replaced by a name, and its content follows the text. */
import { isAbsolute, join, relative } from "node:path";
import { findMentions, type Mention } from "../../shared/mentions.ts";
import type { Commit } from "../../shared/protocol.ts";
import type { Fault } from "../../shared/reason.ts";
import type { MentionFailure } from "../../shared/words/notice-words.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import { faultOf, Interrupt, messageOf, NotTextError, throwIfAborted } from "../errors.ts";
import { lossMark } from "../lost-output.ts";
import type { Host } from "../ports/host.ts";
import type { PathVerdict } from "../safety/paths/judge-path.ts";
import { sliceWhole, visibleName } from "../text.ts";
import { estimateTokens } from "./tokens.ts";

/** Characters of one mention's content. */
const eachLimit = 100_000;
/** Bytes from which on a file is not opened at all. */
const sizeLimit = 5 * 1024 * 1024;
const folderFiles = 200;
/** Not text, but something that a tool reads. */
const readable = /\.(?:png|jpe?g|gif|webp|pdf|docx|xlsx)$/i;
/** Milliseconds for a page, from the first try to its last byte. */
const pageTimeout = 20_000;

export interface MentionOptions {
  host: Host;
  signal: AbortSignal;
  /** Estimated tokens of all contents together. */
  maxTokens: number;
  /** The model wrote the text: of its mentions only files and folders are expanded, which it could read by itself. */
  filesOnly?: boolean;
  /** Hosts of private networks that the person allowed. */
  allowedHosts: readonly string[];
  /** Why the file or folder at this absolute path is not read; undefined: it may be. */
  refused(path: string): Promise<Pick<PathVerdict, "reason" | "guard"> | undefined>;
  /** The model now has the whole content of that file. */
  onRead(path: string, version: string): void;
}

/** What the person named and does not go along as it is. `failed`: not at all; `lossy`: the editor itself lost some of it. */
export interface MentionProblem {
  kind: "failed" | "cut" | "lossy";
  /** As it was written. */
  mention: string;
  /** Where it failed, a code and its value. */
  why: [code: MentionFailure | Fault["code"], detail: string] | [];
}

/** Its message is for the model, the code with its detail for the person. */
class NotIncluded extends Error {
  readonly code: MentionFailure;
  readonly detail: string;

  constructor(message: string, code: MentionFailure, detail = "") {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

/**
 * The text with each mention replaced by its name and where to look, and the contents that follow it. What cannot be had
 * is said in its place; the rest is sent. Rejects with Interrupt alone.
 */
export async function expandMentions(
  text: string,
  options: MentionOptions,
): Promise<{ text: string; attachments: string[]; problems: MentionProblem[] }> {
  const found = findMentions(text).filter(
    ({ kind }) => !options.filesOnly || kind === "file" || kind === "folder",
  );
  const mentions = await Promise.all(found.map((mention) => asOnDisk(mention, options)));
  const pieces: string[] = [];
  const wanted = new Map<string, Mention>();
  let from = 0;
  for (const mention of mentions) {
    pieces.push(text.slice(from, mention.start), nameOf(mention));
    from = mention.end;
    wanted.set(`${mention.kind} ${mention.value}`, mention);
  }
  pieces.push(text.slice(from));
  throwIfAborted(options.signal);
  const contents = await Promise.all([...wanted.values()].map((mention) => contentOf(mention, options)));
  const bodies = shared(contents, options.maxTokens);
  const attachments = bodies.map(([content, body]) => {
    if (body === content.body) content.whole?.();
    return `<${content.open}>\n${body}\n</${content.tag}>`;
  });
  const written = [...wanted.values()].map(({ start, end }) => text.slice(start, end));
  const problems = bodies.flatMap(([content, body], index) => problemOf(content, body, written[index] ?? ""));
  return { text: pieces.join(""), attachments, problems };
}

/** A path without a slash at its end may be a folder, and one with a slash a file. */
async function asOnDisk(mention: Mention, { host }: MentionOptions): Promise<Mention> {
  if (mention.kind !== "file" && mention.kind !== "folder") return mention;
  try {
    const stat = await host.files.stat(mentionPath(mention.value, host));
    return stat ? { ...mention, kind: stat.kind === "directory" ? "folder" : "file" } : mention;
  } catch {
    // What is wrong with it is said where its content is asked for.
    return mention;
  }
}

function problemOf(content: Content, body: string, mention: string): MentionProblem[] {
  const { failure, isPart } = content;
  if (failure !== undefined) return [{ kind: "failed", mention, why: failure }];
  if (isPart || body !== content.body) return [{ kind: "cut", mention, why: [] }];
  const isLossy = content.tag === "terminal_output" && body.includes(lossMark);
  return isLossy ? [{ kind: "lossy", mention, why: [] }] : [];
}

/** The contents in their order with what goes along of each: small ones whole, large ones share what is left. */
function shared(contents: readonly Content[], maxTokens: number): [Content, string][] {
  const sizes = contents.map((content) => ({
    content,
    tokens: estimateTokens(content.body.slice(0, eachLimit)),
  }));
  const bodies = new Map<Content, string>();
  let room = Math.max(0, maxTokens);
  sizes
    .sort((a, b) => a.tokens - b.tokens)
    .forEach(({ content }, index) => {
      const body = bounded(content, room / (sizes.length - index));
      room = Math.max(0, room - estimateTokens(body));
      bodies.set(content, body);
    });
  return contents.map((content) => [content, bodies.get(content) ?? ""]);
}

interface Content {
  tag: string;
  /** The tag with its attributes. */
  open: string;
  body: string;
  /** How the rest can be had. */
  next: string;
  /** Why there is nothing to send. */
  failure?: MentionProblem["why"];
  /** The body is not all there is. */
  isPart?: boolean;
  /** Called when the body goes along uncut. */
  whole?: () => void;
}

function bounded({ body, next }: Content, maxTokens: number): string {
  let max = Math.min(body.length, eachLimit);
  const tokens = estimateTokens(body.slice(0, max));
  if (tokens > maxTokens) max = Math.floor((max * maxTokens) / tokens);
  if (max >= body.length) return body;
  const cut = sliceWhole(body, 0, max);
  const line = cut.split("\n").length;
  return `${cut}\n(cut here, ${body.length - cut.length} characters are left out; ${next.replace("{line}", String(line))})`;
}

function nameOf({ kind, value }: Mention): string {
  switch (kind) {
    case "file":
    case "folder":
      return `'${value || "/"}' (see below for ${kind} content)`;
    case "url":
      return `'${value}' (see below for the page)`;
    case "problems":
      return "the problems of the workspace (see below)";
    case "terminal":
      return "the terminal's output (see below)";
    case "git-changes":
      return "the uncommitted changes (see below)";
    case "commit":
      return `commit '${value}' (see below)`;
  }
}

async function contentOf(mention: Mention, options: MentionOptions): Promise<Content> {
  const content = frameOf(mention);
  try {
    await fill(content, mention, options);
  } catch (error) {
    if (error instanceof Interrupt || options.signal.aborted) throw new Interrupt();
    const reason = messageOf(error);
    content.failure = error instanceof NotIncluded ? [error.code, error.detail] : pairOf(faultOf(error));
    content.body = `(not included: ${reason})`;
  }
  return content;
}

function pairOf({ code, values: [value = ""] }: Fault): [Fault["code"], string] {
  return [code, value];
}

function frameOf({ kind, value }: Mention): Content {
  const make = (tag: string, attribute: string, next: string): Content => ({
    tag,
    open: attribute === "" ? tag : `${tag} ${attribute}="${(value || "/").replaceAll('"', "&quot;")}"`,
    body: "",
    next,
  });
  switch (kind) {
    case "file":
      return make("file_content", "path", "read_file with start_line {line} reads on");
    case "folder":
      return make("folder_content", "path", "list_files shows the rest");
    case "url":
      return make("url_content", "url", "the rest of the page is not here");
    case "problems":
      return make("workspace_diagnostics", "", "the project's own check shows the rest");
    case "terminal":
      return make("terminal_output", "", "earlier output is gone");
    case "git-changes":
      return make("git_working_state", "", "git diff with a path shows the rest");
    case "commit":
      return make("git_commit", "hash", "git show with a path shows the rest");
  }
}

async function fill(content: Content, mention: Mention, options: MentionOptions): Promise<void> {
  const { host, signal } = options;
  switch (mention.kind) {
    case "file":
    case "folder":
      return fillFromPath(content, mention, options);
    case "url":
      content.body = await page(mention.value, options);
      return;
    case "problems":
      if (!host.surroundings.problems)
        throw new NotIncluded(
          "an editor alone knows of problems; the project's own check tells here",
          "editor-only",
        );
      content.body = host.surroundings.problems().join("\n") || "(no problems are reported)";
      return;
    case "terminal":
      if (!host.surroundings.terminalOutput)
        throw new NotIncluded("terminals are seen from the editor alone", "editor-only");
      content.body = (await host.surroundings.terminalOutput(signal)).trim();
      if (content.body !== "") return;
      throw new NotIncluded(
        "no output of a terminal was seen: nothing ran since the window was opened, or the shell does not tell",
        "no-output",
      );
    default: {
      const { root } = host.workspace;
      if (root === undefined || !host.git) throw new NotIncluded("no repository is open", "no-repository");
      if (!host.workspace.trusted)
        throw new NotIncluded("git does not run in a workspace that is not trusted", "untrusted");
      const bounds = { limit: eachLimit * 2, signal };
      content.body =
        mention.kind === "commit"
          ? await host.git.commit(root, mention.value, bounds)
          : await host.git.workingState(root, bounds);
    }
  }
}

async function page(url: string, { host, signal, allowedHosts }: MentionOptions): Promise<string> {
  if (!host.web) throw new NotIncluded("pages cannot be fetched here", "no-web");
  const {
    url: final,
    title,
    text,
  } = await host.web.fetch(url, {
    signal,
    timeoutMs: pageTimeout,
    limit: eachLimit,
    allowedHosts,
  });
  const moved = final === url ? "" : `(the page is at ${final})\n\n`;
  const heading = title === "" || /^# /m.test(text) ? "" : `# ${title}\n\n`;
  return `${moved}${heading}${text.trim() === "" ? "(the page has no text)" : text}`;
}

async function fillFromPath(content: Content, mention: Mention, options: MentionOptions): Promise<void> {
  const { host, refused, onRead } = options;
  const path = mentionPath(mention.value, host);
  const stat = await host.files.stat(path);
  if (!stat) throw new NotIncluded(`there is no such ${mention.kind}`, "missing");
  const refusal = await refused(path);
  if (refusal) throw new NotIncluded(reasonInEnglish(refusal.reason), failureOf(refusal.guard));
  if (stat.kind === "directory") {
    Object.assign(content, await folderContent(path, options));
    return;
  }
  if (stat.size > sizeLimit) {
    const size = Math.round(stat.size / 1024 / 1024);
    const reason = `the file has ${size} MB; read_file and search_files show parts of it`;
    throw new NotIncluded(reason, "too-large", String(size));
  }
  const file = await host.files.readText(path).catch((error: unknown) => {
    if (!(error instanceof NotTextError)) throw error;
    if (!readable.test(path)) throw new NotIncluded(error.message, "not-text");
    throw new NotIncluded(`${error.message} read_file shows what is in it`, "other-format");
  });
  content.body = file.text;
  content.whole = () => onRead(path, file.version);
}

function failureOf(guard: PathVerdict["guard"]): MentionFailure {
  if (guard === "ignored" || guard === "secret" || guard === "unclear") return guard;
  return "outside";
}

function mentionPath(value: string, { workspace }: Host): string {
  const rooted = /^@([^:/]+):\/(.*)$/s.exec(value);
  const folder = rooted ? workspace.roots.find(({ name }) => name === rooted[1])?.path : workspace.root;
  if (folder === undefined) {
    if (!rooted) throw new NotIncluded("no folder is open", "no-folder");
    const name = rooted[1] ?? "";
    throw new NotIncluded(`no folder of the workspace is called ${name}`, "no-root", name);
  }
  const path = join(folder, (rooted?.[2] ?? value).replace(/\/+$/, ""));
  const inside = relative(folder, path);
  if (inside.startsWith("..") || isAbsolute(inside))
    throw new NotIncluded("it is outside the workspace", "outside");
  return path;
}

async function folderContent(
  path: string,
  { host, signal }: MentionOptions,
): Promise<Pick<Content, "body" | "isPart">> {
  const { paths, more } = await host.search.files(path, { limit: folderFiles, signal });
  const rest = more ? `\n(the first ${paths.length} files; list_files shows the others)` : "";
  return {
    body: paths.length === 0 ? "(no files)" : `${paths.sort().map(visibleName).join("\n")}${rest}`,
    isPart: more,
  };
}

/** By message, newest first; none where there is no repository, no folder or no trust. */
export async function commitsToMention(
  host: Pick<Host, "git" | "workspace">,
  query: string,
): Promise<Commit[]> {
  const { git, workspace } = host;
  if (!git || !workspace.trusted || workspace.root === undefined) return [];
  const { signal } = new AbortController();
  return git.commits(workspace.root, query, { limit: 100_000, signal }).catch(() => []);
}
