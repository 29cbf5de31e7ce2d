/** Finds secrets among a command's words: the terminal asks for the same files as a file tool. */
import { type Reason, reasonOf, type Verdict } from "../../../shared/reason.ts";
import type { GitUse } from "../git/git-use.ts";
import { componentPattern } from "../paths/patterns.ts";
import { SECRET_SAMPLES, secretName } from "../paths/secret-names.ts";
import type { Word } from "../shells/shell-words.ts";

/**
 * Returns why reading what these words name asks; otherwise undefined. `ignored` returns whether .nekodeignore matches
 * a path.
 */
export function secretArgument(
  words: readonly Word[],
  ignored?: (path: string) => boolean,
): Reason | undefined {
  for (const word of words) {
    for (const candidate of candidates(word.text)) {
      const secret = secretName(candidate);
      if (secret) return secret;
      if (ignored?.(candidate)) return reasonOf("ignored-name", candidate);
      // Patterns that the program expands itself: pathspecs, --include, -g. A leading ! excludes files.
      const hit =
        /[*?[]/.test(candidate) && !/^(?:-g)?!/.test(candidate)
          ? (matchesSecret(candidate) ?? matchesSecret(candidate.replaceAll("\\", "/")))
          : undefined;
      if (hit) return reasonOf("pattern-secret", word.text, hit);
    }
  }
  return undefined;
}

/** How the host judges the files that a command names. Paths are as written: absolute, or relative to the root. */
export interface ReadJudge {
  /** judgePath with the project's root and access "read". */
  judge(path: string): Promise<{ verdict: Verdict; reason: Reason; resolved?: string }>;
  /** Returns the names in a folder; empty if the folder does not exist, undefined if it cannot be read. */
  list(folder: string): Promise<string[] | undefined>;
  /** Returns why this program may not be the one that the allow list refers to. */
  program?(name: string): Reason | undefined;
  /** Returns why git may not be used this way in this folder. */
  git(use: GitUse, folder: string): Promise<Reason | undefined>;
}

/** What one command reads, according to its words. */
export interface FileUses {
  /** The words that may name files. */
  reads: readonly Word[];
  /** The folders of which it may show every file, as written. */
  folders: readonly string[];
  /** What it makes git do, in a repository that still has to be checked. */
  git?: GitUse;
}

/** Returns why one of the files that a command may read requires approval. */
export async function refusedUses(
  { reads, folders, git }: FileUses,
  here: ReadJudge,
): Promise<Reason | undefined> {
  const refused = await refusedFiles(reads, here);
  if (refused !== undefined) return refused;
  // Only the sandbox knows which files in it must stay hidden.
  for (const folder of folders)
    if ((await here.list(folder))?.length !== 0) return reasonOf("reads-folder", folder);
  return git && here.git(git, ".");
}

/** Returns why reading one of the files that these words may name requires approval. */
async function refusedFiles(words: readonly Word[], reads: ReadJudge): Promise<Reason | undefined> {
  for (const word of words) {
    if (!word.literal && /^[~$]/.test(word.text)) return reasonOf("outside-project", word.text);
    if (word.glob !== undefined && !word.glob.startsWith("--")) {
      const outside = await patternOutside(word.glob, reads);
      if (outside) return outside;
      continue;
    }
    for (const { path, judged, odd } of namedFiles(word.text)) {
      if (odd && !(await isThere(path, reads))) continue;
      const { verdict, reason } = await reads.judge(judged);
      if (verdict !== "allow") return reason;
    }
  }
  return undefined;
}

/** Returns why the folder asks in which a pattern for the shell begins. What it matches there is not looked at: see `openPattern`. */
async function patternOutside(glob: string, reads: ReadJudge): Promise<Reason | undefined> {
  const folder = glob.replace(/[^/]*[*?[\\].*$/s, "");
  if (glob.slice(folder.length).split("/").includes("..")) return reasonOf("outside-project", glob);
  if (folder === "") return undefined;
  const { verdict, reason } = await reads.judge(folder);
  return verdict === "allow" ? undefined : reason;
}

/** Returns the files that a word may name. `judged`: as a path. `odd`: only if a file has exactly this name. */
function namedFiles(text: string): { path: string; judged: string; odd: boolean }[] {
  const paths = candidates(text).filter((path) => path !== "/dev/null");
  return [
    ...paths.map((path) => ({
      path,
      judged: path.startsWith("-") ? `./${path}` : path,
      // An option, a revision, a script, or a tab written as `\\t`. Text after the colon is a candidate of its own.
      odd: /^-|[:\n\t]|^\\.$/.test(path) && !/^[A-Za-z]:[\\/]/.test(path),
    })),
    ...clustered(text).map((path) => ({ path, judged: path, odd: true })),
  ];
}

/** Whether a folder contains this name. An unreadable folder may. */
async function isThere(path: string, reads: ReadJudge): Promise<boolean> {
  const slash = path.lastIndexOf("/");
  const names = await reads.list(path.slice(0, slash + 1) || ".");
  return names?.includes(path.slice(slash + 1)) ?? true;
}

/** Returns the values that the letters of `-hvfNAME` may have. */
function clustered(text: string): string[] {
  const letters = /^-[A-Za-z0-9]{2,8}/.exec(text)?.[0].length ?? 0;
  return Array.from({ length: Math.max(0, Math.min(letters, text.length - 1) - 2) }, (_, i) =>
    text.slice(i + 3),
  );
}

/** Returns the parts of a word that may be a path, including those after `=`, `:`, `@` and one-letter options. */
function candidates(text: string): string[] {
  const parts = [text, ...text.split(/[=,]/)];
  for (let equals = text.indexOf("="); equals >= 0; equals = text.indexOf("=", equals + 1))
    parts.push(text.slice(equals + 1));
  for (const part of [...parts]) {
    for (let colon = part.indexOf(":"); colon >= 0; colon = part.indexOf(":", colon + 1))
      parts.push(part.slice(colon + 1));
    // git's magic before a path: `:(icase).ENV`, `:!x`.
    const magic = /^:(?:\([^)]*\)|[!^/]+)/.exec(part);
    if (magic) parts.push(part.slice(magic[0].length));
    if (/^[@<]/.test(part)) parts.push(part.slice(1));
    const short = /^-[A-Za-z0-9]+(?=[./~])/.exec(part);
    if (short) parts.push(part.slice(short[0].length));
    if (/^-[A-Za-z]./.test(part)) parts.push(part.slice(2));
  }
  return [...new Set(parts)].filter((part) => part !== "");
}

/** Returns the first secret name that a segment of a pattern matches; a bare `*` matches only ordinary files. */
function matchesSecret(glob: string): string | undefined {
  const parts = glob.split("/");
  for (const [i, part] of parts.entries()) {
    if (!/[*?[]/.test(part) || /^\*+$/.test(part)) continue;
    const pattern = componentPattern(part);
    // Of the samples, those that begin with a dot may be folders.
    const hit = SECRET_SAMPLES.find(
      (name) => (i === parts.length - 1 || name.startsWith(".")) && (pattern?.test(name) ?? true),
    );
    if (hit) return hit;
  }
  return undefined;
}
