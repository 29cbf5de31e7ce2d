/** Secrets among a command's words: what a file tool would ask for, the terminal asks for as well. */
import type { GitUse } from "./git/use.ts";
import { SECRET_SAMPLES, secretName } from "./secret-names.ts";
import type { TreeRead } from "./trees.ts";
import type { SimpleCommand, Word } from "./words.ts";

/** Why reading what these words name asks, or undefined. `ignored` tells what .nekodeignore names. */
export function secretArgument(words: Word[], ignored?: (path: string) => boolean): string | undefined {
  for (const word of words) {
    for (const candidate of candidates(word.text)) {
      const secret = secretName(candidate);
      if (secret) return secret;
      if (ignored?.(candidate)) return `${candidate} is named in .nekodeignore`;
      // Patterns that the program expands itself: pathspecs, --include, -g. A leading ! leaves files out.
      const hit =
        word.glob === undefined && /[*?[]/.test(candidate) && !/^(?:-g)?!/.test(candidate)
          ? matchesSecret(candidate)
          : undefined;
      if (hit) return `${word.text} may match ${hit}`;
    }
    const hit = word.glob === undefined ? undefined : matchesSecret(word.glob);
    if (hit) return `${word.text} may match ${hit}`;
  }
  return undefined;
}

/** How the host judges the files that a command names. Paths are as written: absolute, or relative to the root. */
export interface ReadJudge {
  /** judgePath with the project's root and access "read". */
  judge(
    path: string,
    access: "read" | "write",
  ): Promise<{ verdict: "allow" | "ask" | "deny"; reason: string }>;
  /** The names in a folder; none where there is no such folder, undefined where it cannot be read. For patterns. */
  list(folder: string): Promise<string[] | undefined>;
  /** Why a folder may not be read with all that is in it. */
  tree(tree: TreeRead): Promise<string | undefined>;
  /** Why git may not be used so in this folder. */
  git(use: GitUse, folder: string): Promise<string | undefined>;
}

/** Folders in which a command may run after `cd`, at most. */
const MOST_FOLDERS = 4;

/** The folders in which the commands behind this one may run: `cd` may have happened or not. */
export function foldersAfter(command: SimpleCommand, folders: string[]): string[] {
  const [name, to] = command.words;
  if (name?.text !== "cd" || !to) return folders;
  return [...new Set([...folders, ...folders.map((folder) => `${folder}${to.text}/`)])];
}

/** Why one of the files that a command may read from one of `folders` ("" or with a final slash) must not be read unasked. */
export async function refusedReads(
  { reads: words, writes, trees, git }: { reads: Word[]; writes: Word[]; trees: TreeRead[]; git?: GitUse },
  folders: string[],
  reads: ReadJudge,
): Promise<string | undefined> {
  if (words.length + writes.length + trees.length === 0 && !git) return undefined;
  if (folders.length > MOST_FOLDERS) return "it may run in many folders";
  for (const folder of folders) {
    const here = folder === "" ? reads : readsIn(folder, reads);
    const refused = (await refusedFiles(words, "read", here)) ?? (await refusedFiles(writes, "write", here));
    if (refused !== undefined) return refused;
    for (const tree of trees) {
      const secret = await here.tree(tree);
      if (secret !== undefined) return secret;
    }
    const started = git && (await here.git(git, git.folder ?? "."));
    if (started !== undefined) return started;
  }
  return undefined;
}

function readsIn(folder: string, reads: ReadJudge): ReadJudge {
  const at = (path: string) => (/^(?:[/\\]|[A-Za-z]:)/.test(path) ? path : folder + path);
  return {
    judge: (path, access) => reads.judge(at(path), access),
    list: (path) => reads.list(at(path)),
    tree: (tree) => reads.tree({ ...tree, folder: at(tree.folder) }),
    git: (use, path) => reads.git(use, at(path)),
  };
}

/** Why one of the files that these words may name must not be read or written unasked. */
async function refusedFiles(
  words: Word[],
  access: "read" | "write",
  reads: ReadJudge,
): Promise<string | undefined> {
  for (const word of words) {
    if (!word.literal && /^[~$]/.test(word.text)) return `${word.text} is outside the project`;
    const paths = word.glob === undefined ? candidates(word.text) : await expanded(word.glob, reads);
    if (!paths) return `${word.text} may lead through a link`;
    for (const path of paths) {
      // A colon or a leading dash belongs to an option or a revision; what stands behind it comes on its own.
      if (/^-|[:\n\t]/.test(path) || path === "/dev/null") continue;
      const { verdict, reason } = await reads.judge(path, access);
      if (verdict !== "allow") return reason;
    }
  }
  return undefined;
}

/** The files that a pattern names; undefined where more than its last part is a pattern. */
async function expanded(glob: string, reads: ReadJudge): Promise<string[] | undefined> {
  const slash = glob.lastIndexOf("/");
  const folder = slash < 0 ? "" : glob.slice(0, slash + 1);
  const pattern = componentPattern(glob.slice(slash + 1));
  // `**` goes down into folders in some shells.
  if (/[*?[\\]/.test(folder) || /\*\*/.test(glob) || !pattern) return undefined;
  const names = await reads.list(folder === "" ? "." : folder);
  return names?.filter((name) => pattern.test(name)).map((name) => folder + name);
}

/** The parts of a word that may be a path: behind `=`, `:`, `@` and one-letter options too. */
function candidates(text: string): string[] {
  const parts = [text, ...text.split(/[=,]/)];
  for (const part of [...parts]) {
    for (let colon = part.indexOf(":"); colon >= 0; colon = part.indexOf(":", colon + 1))
      parts.push(part.slice(colon + 1));
    // git's magic in front of a path: `:(icase).ENV`, `:!x`.
    const magic = /^:(?:\([^)]*\)|[!^/]+)/.exec(part);
    if (magic) parts.push(part.slice(magic[0].length));
    if (/^[@<]/.test(part)) parts.push(part.slice(1));
    const short = /^-[A-Za-z]+(?=[./~])/.exec(part);
    if (short) parts.push(part.slice(short[0].length));
    if (/^-[A-Za-z]./.test(part)) parts.push(part.slice(2));
  }
  return [...new Set(parts)].filter((part) => part !== "");
}

/** The first secret name that some component of a pattern matches; a bare `*` stands for ordinary files. */
function matchesSecret(glob: string): string | undefined {
  for (const part of glob.split("/")) {
    if (!/[*?[]/.test(part) || /^\*+$/.test(part)) continue;
    const pattern = componentPattern(part);
    const hit = SECRET_SAMPLES.find((name) => (pattern ? pattern.test(name) : true));
    if (hit) return hit;
  }
  return undefined;
}

/** A component as a regular expression; undefined when it is beyond `*`, `?` and plain bracket lists. */
export function componentPattern(part: string): RegExp | undefined {
  let source = "";
  for (let i = 0; i < part.length; i++) {
    const c = part.charAt(i);
    if (c === "*") source += "[^/]*";
    else if (c === "?") source += "[^/]";
    else if (c === "\\") source += escaped(part.charAt(++i));
    else if (c === "[") {
      const close = part.indexOf("]", i + 2);
      if (close < 0 || /[[\\]/.test(part.slice(i + 1, close))) return undefined;
      source += "[^/]";
      i = close;
    } else source += escaped(c);
  }
  return new RegExp(`^${source}$`, "is");
}

function escaped(c: string): string {
  return c.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
