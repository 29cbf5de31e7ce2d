/**
 * The kinds of mentions: what the text says in place of the mention, and what is attached for it. A new kind is an entry here,
 * its pattern in `src/shared/mentions.ts` and its presentation in `webview-ui/composer/mention-presentations.ts`.
 */
import type { Mention } from "../../shared/mentions.ts";
import { withoutFragment } from "../page-address.ts";
import type { Host } from "../ports/host.ts";
import { PAGE_TAG } from "../task-pages.ts";
import { visibleName } from "../text.ts";
import { EACH_LIMIT, type MentionContent, type MentionOptions, NotIncluded } from "./mention-content.ts";
import {
  contentAt,
  isOutside,
  linesContent,
  linesOf,
  mentionPath,
  readableParts,
  symbolContent,
  symbolOf,
  textAt,
} from "./mention-files.ts";
import { imageNote, insideResource, resourceAttributes, splitResource } from "./server-resources.ts";

/** One kind of mention. `fill` rejects with NotIncluded, Interrupt or the error of a port. */
export interface MentionKind {
  /** What the text says in place of the mention. */
  name(value: string): string;
  /** The tag around the content, and the attributes in the tag. */
  tag: string;
  attributes?(value: string): string;
  /** How the model gets the rest of a content that was cut; `{line}` and `{offset}` are the position of the cut. */
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
  lines: {
    name: (value) => {
      const { path, start, end } = linesOf(value);
      return `'${path}' ${start === end ? `line ${start}` : `lines ${start}-${end}`} (see below for file content)`;
    },
    tag: "file_content",
    attributes: (value) => {
      const { path, start, end } = linesOf(value);
      return `${attribute("path")(path)} lines="${start}-${end}"`;
    },
    next: "read_file with start_line {line} reads the rest",
    async fill(value, options) {
      const { path, start, end } = linesOf(value);
      return linesContent((await textAt(path, options)).text, start, end);
    },
  },
  symbol: {
    name: (value) => {
      const { path, name } = symbolOf(value);
      return `${name} in '${path}' (see below for its code)`;
    },
    tag: "symbol_content",
    attributes: (value) => {
      const { path, name } = symbolOf(value);
      return `${attribute("path")(path)} ${attribute("name")(name)}`;
    },
    next: "read_file with start_line {line} reads the rest",
    fill: symbolContent,
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
  selection: {
    name: () => "the selected code (see below)",
    tag: "selection",
    next: "read_file with start_line {line} reads the rest",
    async fill(_, options) {
      const { surroundings } = options.host;
      if (!surroundings.selection)
        throw new NotIncluded("a selection is only available in the editor", "editor-only");
      const selection = surroundings.selection();
      if (!selection) throw new NotIncluded("nothing is selected in a file", "nothing-selected");
      const { path, start, end } = selection;
      const content = linesContent((await textAt(path, options)).text, start, end);
      const lead = `${path}, lines ${start}-${end}:\n`;
      return { ...content, body: lead + content.body, firstLine: start - 1 };
    },
  },
  "open-editors": {
    name: () => "the files open in editors (see below)",
    tag: "open_editors",
    next: "read_file shows each of them",
    async fill(_, options) {
      const paths = options.host.surroundings.openTabs();
      if (paths.length === 0) throw new NotIncluded("no file is open in an editor", "nothing-open");
      const parts = await readableParts(
        paths.flatMap((path) =>
          isOutside(path, options.host) ? [] : [{ path, file: mentionPath(path, options.host) }],
        ),
        options,
      );
      return { body: paths.map(visibleName).join("\n"), parts };
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
