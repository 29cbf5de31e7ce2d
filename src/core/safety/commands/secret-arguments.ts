/** Secrets among a command's words: what a file tool would ask for, the terminal asks for as well. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { GitUse } from "../git/git-use.ts";
import { componentPattern, shortNames, windowsPattern } from "../paths/patterns.ts";
import { SECRET_SAMPLES, secretName } from "../paths/secret-names.ts";
import type { TreeRead } from "../paths/trees.ts";
import type { Disk } from "../programs/profile.ts";
import type { Word } from "../shells/shell-words.ts";

/**
 * Why reading what these words name asks, or undefined. `ignored` tells what .nekodeignore names. `windows`: patterns
 * are matched as cmd does.
 */
export function secretArgument(
  words: Word[],
  ignored?: (path: string) => boolean,
  windows = false,
): Reason | undefined {
  for (const word of words) {
    for (const candidate of candidates(word.text)) {
      const secret = secretName(candidate);
      if (secret) return secret;
      if (ignored?.(candidate)) return reasonOf("ignored-name", candidate);
      // Patterns that the program expands itself: pathspecs, --include, -g. A leading ! leaves files out.
      const hit =
        word.glob === undefined && /[*?[]/.test(candidate) && !/^(?:-g)?!/.test(candidate)
          ? (matchesSecret(candidate, windows) ?? matchesSecret(candidate.replaceAll("\\", "/"), windows))
          : undefined;
      if (hit) return reasonOf("pattern-secret", word.text, hit);
    }
    const glob = word.glob ?? word.pattern;
    const hit = glob === undefined ? undefined : matchesSecret(glob, windows);
    if (hit) return reasonOf("pattern-secret", glob ?? "", hit);
  }
  return undefined;
}

/** How the host judges the files that a command names. Paths are as written: absolute, or relative to the root. */
export interface ReadJudge {
  /** judgePath with the project's root and access "read". */
  judge(
    path: string,
    access: "read" | "write",
  ): Promise<{ verdict: "allow" | "ask" | "deny"; reason: Reason; resolved?: string }>;
  /** The names in a folder; none where there is no such folder, undefined where it cannot be read. For patterns. */
  list(folder: string): Promise<string[] | undefined>;
  /** The text of a file that configures a program; undefined where there is no such file. */
  text?(path: string): Promise<string | undefined>;
  /** Why a folder may not be read with all that is in it. */
  tree(tree: TreeRead): Promise<Reason | undefined>;
  /** Why this program may be another one than the allow list means. */
  program?(name: string): Reason | undefined;
  /** Why git may not be used so in this folder. */
  git(use: GitUse, folder: string): Promise<Reason | undefined>;
}

/** What one command reads and changes, as its words say. */
export interface Uses {
  reads: Word[];
  writes: Word[];
  trees: TreeRead[];
  git?: GitUse;
  /** Why what the project configures for the program asks. */
  configured?: (disk: Disk) => Promise<Reason | undefined> | undefined;
}

/** Why one of the files that a command may read or change must not be read or changed unasked. */
export async function refusedReads(
  { reads: words, writes, trees, git, configured }: Uses,
  here: ReadJudge,
): Promise<Reason | undefined> {
  const refused = (await refusedFiles(words, "read", here)) ?? (await refusedFiles(writes, "write", here));
  if (refused !== undefined) return refused;
  for (const tree of trees) {
    const secret = await here.tree(tree);
    if (secret !== undefined) return secret;
  }
  const { text } = here;
  const set = configured && text && (await configured({ judge: here.judge, text }));
  return set ?? (git && (await here.git(git, git.folder ?? ".")));
}

/** Why one of the files that these words may name must not be read or written unasked. */
async function refusedFiles(
  words: Word[],
  access: "read" | "write",
  reads: ReadJudge,
): Promise<Reason | undefined> {
  for (const word of words) {
    if (!word.literal && /^[~$]/.test(word.text)) return reasonOf("outside-project", word.text);
    if (word.glob !== undefined) return reasonOf("pattern-several-files", word.text);
    for (const path of candidates(word.text)) {
      if (path === "/dev/null") continue;
      // An option, a revision, a script, a tab as `\\t`: only where a file has that very name is it one. What may stand behind the
      // colon comes on its own.
      const odd = /^-|[:\n\t]|^\\.$/.test(path) && !/^[A-Za-z]:[\\/]/.test(path);
      if (odd && !(await isThere(path, reads))) continue;
      const { verdict, reason } = await reads.judge(odd && path.startsWith("-") ? `./${path}` : path, access);
      if (verdict !== "allow") return reason;
    }
    for (const path of clustered(word.text)) {
      if (!(await isThere(path, reads))) continue;
      const { verdict, reason } = await reads.judge(path, access);
      if (verdict !== "allow") return reason;
    }
  }
  return undefined;
}

/** Whether a folder holds this name. One that cannot be read may. */
async function isThere(path: string, reads: ReadJudge): Promise<boolean> {
  const slash = path.lastIndexOf("/");
  const names = await reads.list(path.slice(0, slash + 1) || ".");
  return names?.includes(path.slice(slash + 1)) ?? true;
}

/** The values that the letters of `-hvfNAME` may have. */
function clustered(text: string): string[] {
  const letters = /^-[A-Za-z]{2,8}/.exec(text)?.[0].length ?? 0;
  return Array.from({ length: Math.max(0, Math.min(letters, text.length - 1) - 2) }, (_, i) =>
    text.slice(i + 3),
  );
}

/** The parts of a word that may be a path: behind `=`, `:`, `@` and one-letter options too. */
function candidates(text: string): string[] {
  const parts = [text, ...text.split(/[=,]/)];
  for (let equals = text.indexOf("="); equals >= 0; equals = text.indexOf("=", equals + 1))
    parts.push(text.slice(equals + 1));
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
function matchesSecret(glob: string, windows: boolean): string | undefined {
  const parts = glob.split("/");
  for (const [i, part] of parts.entries()) {
    if (!/[*?[]/.test(part) || /^\*+$/.test(part)) continue;
    const pattern = componentPattern(part);
    const dos = windows ? windowsPattern(part) : undefined;
    const hit = SECRET_SAMPLES.find(
      (name) =>
        // Of the samples, those that begin with a dot may be folders.
        (i === parts.length - 1 || name.startsWith(".")) &&
        ((pattern?.test(name) ?? true) ||
          dos?.test(name) ||
          (dos && shortNames(name).some((short) => dos.test(short)))),
    );
    if (hit) return hit;
  }
  return undefined;
}
