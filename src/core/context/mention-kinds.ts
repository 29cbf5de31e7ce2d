/**
 * The kinds of mentions: what the text says in place of the mention, and what is attached for it. A new kind is an entry here,
 * its pattern in `src/shared/mentions.ts` and its face in `webview-ui/composer/mention-faces.ts`.
 */
import { isAbsolute, join, relative } from "node:path";
import type { Mention } from "../../shared/mentions.ts";
import type { Fault } from "../../shared/reason.ts";
import type { MentionFailure } from "../../shared/words/notice-words.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import { NotTextError } from "../errors.ts";
import { withoutFragment } from "../page-address.ts";
import type { Host } from "../ports/host.ts";
import type { PathVerdict } from "../safety/paths/judge-path.ts";
import { PAGE_TAG, type TaskPages } from "../task-pages.ts";
import { visibleName } from "../text.ts";
import {
  imageNote,
  insideResource,
  type ReadResource,
  resourceAttributes,
  type SuppliedImage,
  splitResource,
} from "./server-resources.ts";

/** Characters of one mention's content. */
export const EACH_LIMIT = 100_000;
/** Bytes of the largest file that is opened. */
const SIZE_LIMIT = 5 * 1024 * 1024;
const FOLDER_FILES = 200;
/** Not text, but a tool can read it. */
const READABLE = /\.(?:png|jpe?g|gif|webp|pdf|docx|xlsx)$/i;

export interface MentionOptions {
  host: Host;
  signal: AbortSignal;
  /** Estimated tokens of all contents together. */
  maxTokens: number;
  /** Expands only files and folders. Set for text that the model wrote: it could read these itself. */
  filesOnly?: boolean;
  pages: TaskPages;
  /** The resources of MCP servers. Default: a mention of one is text. */
  resources?: MentionedResources;
  /** Why the file or folder at this absolute path must not be read; undefined: it may be read. */
  refused(path: string): Promise<Pick<PathVerdict, "reason" | "guard"> | undefined>;
  /** Called when the model receives the complete content of the file. */
  onRead(path: string, version: string): void;
}

export interface MentionedResources {
  /** Whether a server of that name is configured; otherwise `@name:` is text. */
  isServer(name: string): boolean;
  /** Rejects with NotIncluded, or with Interrupt. */
  read(server: string, uri: string): Promise<ReadResource>;
  /** Whether the model sees images. */
  seesImages(): boolean;
}

/** Why a mention could not be included: a code and its value. */
export type NotIncludedReason = [code: MentionFailure | Fault["code"], detail: string];

/** The message is for the model, the code with its detail for the user. */
export class NotIncluded extends Error {
  readonly code: MentionFailure | Fault["code"];
  readonly detail: string;

  constructor(message: string, code: MentionFailure | Fault["code"], detail = "") {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

/** What is attached for one mention. */
export interface MentionContent {
  body: string;
  /** Images that the model receives with the message. */
  images?: readonly SuppliedImage[];
  /** The body is incomplete. */
  isPart?: boolean;
  /** Characters of the body before the text that its offsets count. */
  lead?: number;
  /** Called when the body is sent in full. */
  whole?: () => void;
}

/** One kind of mention. `fill` rejects with NotIncluded, Interrupt or the error of a port. */
export interface MentionKind {
  /** What the text says in place of the mention. */
  name(value: string): string;
  /** The tag around the content, and its attributes as they stand in it. */
  tag: string;
  attributes?(value: string): string;
  /** How the model gets the rest of a content that was cut; `{line}` and `{offset}` are the place of the cut. */
  next: string;
  fill(value: string, options: MentionOptions): Promise<MentionContent>;
}

/** One attribute that has the mention's value. */
const attribute = (name: string) => (value: string) =>
  `${name}="${(value || "/").replaceAll('"', "&quot;")}"`;

export const mentionKinds: Readonly<Record<Mention["kind"], MentionKind>> = {
  file: {
    name: (value) => `'${value || "/"}' (see below for file content)`,
    tag: "file_content",
    attributes: attribute("path"),
    next: "read_file with start_line {line} reads the rest",
    fill: (value, options) => contentAt(value, "file", options),
  },
  folder: {
    name: (value) => `'${value || "/"}' (see below for folder content)`,
    tag: "folder_content",
    attributes: attribute("path"),
    next: "list_files shows the rest",
    fill: (value, options) => contentAt(value, "folder", options),
  },
  url: {
    name: (value) => `'${value}' (see below for the page)`,
    tag: PAGE_TAG,
    attributes: attribute("url"),
    next: "web_fetch with this URL and offset {offset} continues",
    fill: pageContent,
  },
  resource: {
    name: (value) => `the resource '${splitResource(value).uri}' (see below)`,
    tag: "resource",
    attributes: (value) => resourceAttributes(splitResource(value)),
    next: "access_mcp_resource with this server and URI reads all of it",
    fill: resourceContent,
  },
  problems: {
    name: () => "the problems of the workspace (see below)",
    tag: "workspace_diagnostics",
    next: "the project's own check shows the rest",
    async fill(_, { host: { surroundings } }) {
      if (!surroundings.problems)
        throw new NotIncluded(
          "problems are only available in an editor; use the project's own checks here",
          "editor-only",
        );
      return { body: surroundings.problems().join("\n") || "(no problems are reported)" };
    },
  },
  terminal: {
    name: () => "the terminal's output (see below)",
    tag: "terminal_output",
    next: "earlier output is not available",
    async fill(_, { host: { surroundings }, signal }) {
      if (!surroundings.terminalOutput)
        throw new NotIncluded("terminals are only available in the editor", "editor-only");
      const body = (await surroundings.terminalOutput(signal)).trim();
      if (body !== "") return { body };
      throw new NotIncluded(
        "no terminal output is available: nothing ran since the window opened, or the shell does not report it",
        "no-output",
      );
    },
  },
  "git-changes": {
    name: () => "the uncommitted changes (see below)",
    tag: "git_working_state",
    next: "git diff with a path shows the rest",
    async fill(_, { host, signal }) {
      const { git, root } = repositoryOf(host);
      return { body: await git.workingState(root, { limit: EACH_LIMIT * 2, signal }) };
    },
  },
  commit: {
    name: (value) => `commit '${value}' (see below)`,
    tag: "git_commit",
    attributes: attribute("hash"),
    next: "git show with a path shows the rest",
    async fill(value, { host, signal }) {
      const { git, root } = repositoryOf(host);
      return { body: await git.commit(root, value, { limit: EACH_LIMIT * 2, signal }) };
    },
  },
};

function repositoryOf({ git, workspace: { root, trusted } }: Host) {
  if (root === undefined || !git) throw new NotIncluded("no repository is open", "no-repository");
  if (!trusted) throw new NotIncluded("git does not run in a workspace that is not trusted", "untrusted");
  return { git, root };
}

async function pageContent(value: string, { pages, signal }: MentionOptions): Promise<MentionContent> {
  if (!pages.available) throw new NotIncluded("pages cannot be fetched here", "no-web");
  const url = await pages.address(value);
  const { url: final, text, isPart = false } = await pages.fetch(url, signal);
  const moved = final === withoutFragment(url) ? "" : `(the page is at ${final})\n\n`;
  return {
    body: `${moved}${text.trim() === "" ? "(the page has no text)" : text}`,
    isPart,
    lead: moved.length,
  };
}

async function resourceContent(value: string, { resources }: MentionOptions): Promise<MentionContent> {
  if (!resources) throw new NotIncluded("MCP servers are not available here", "server-failed");
  const { server, uri } = splitResource(value);
  const { text, images } = await resources.read(server, uri);
  const sees = resources.seesImages();
  const notes = images.map(({ mimeType }) => imageNote(mimeType, sees));
  const parts = [insideResource(text), ...notes].filter((part) => part !== "");
  return { body: parts.join("\n\n") || "(the resource is empty)", images: sees ? images : [] };
}

async function contentAt(
  value: string,
  kind: "file" | "folder",
  options: MentionOptions,
): Promise<MentionContent> {
  const { host, refused, onRead } = options;
  const path = mentionPath(value, host);
  const stat = await host.files.stat(path);
  if (!stat) throw new NotIncluded(`there is no such ${kind}`, "missing");
  const refusal = await refused(path);
  if (refusal) throw new NotIncluded(reasonInEnglish(refusal.reason), failureOf(refusal.guard));
  if (stat.kind === "directory") return folderContent(path, options);
  if (stat.size > SIZE_LIMIT) {
    const size = Math.round(stat.size / 1024 / 1024);
    const reason = `the file has ${size} MB; read_file and search_files show parts of it`;
    throw new NotIncluded(reason, "too-large", String(size));
  }
  const file = await host.files.readText(path).catch((error: unknown) => {
    if (!(error instanceof NotTextError)) throw error;
    if (!READABLE.test(path)) throw new NotIncluded(error.message, "not-text");
    throw new NotIncluded(`${error.message} read_file shows what is in it`, "other-format");
  });
  return { body: file.text, whole: () => onRead(path, file.version) };
}

function failureOf(guard: PathVerdict["guard"]): MentionFailure {
  if (guard === "ignored" || guard === "secret" || guard === "unclear") return guard;
  return "outside";
}

/** The absolute path of a mention. Throws NotIncluded for a path outside the workspace. */
export function mentionPath(value: string, { workspace }: Host): string {
  const rooted = /^@([^:/]+):\/(.*)$/s.exec(value);
  const folder = rooted ? workspace.roots.find(({ name }) => name === rooted[1])?.path : workspace.root;
  if (folder === undefined) {
    if (!rooted) throw new NotIncluded("no folder is open", "no-folder");
    const name = rooted[1] ?? "";
    throw new NotIncluded(`no folder of the workspace is named ${name}`, "no-root", name);
  }
  const path = join(folder, (rooted?.[2] ?? value).replace(/\/+$/, ""));
  const inside = relative(folder, path);
  if (inside.startsWith("..") || isAbsolute(inside))
    throw new NotIncluded("the path is outside the workspace", "outside");
  return path;
}

async function folderContent(path: string, { host, signal }: MentionOptions): Promise<MentionContent> {
  const { paths, more } = await host.search.files(path, { limit: FOLDER_FILES, signal });
  const rest = more ? `\n(the first ${paths.length} files; list_files shows the others)` : "";
  return {
    body: paths.length === 0 ? "(no files)" : `${paths.sort().map(visibleName).join("\n")}${rest}`,
    isPart: more,
  };
}
