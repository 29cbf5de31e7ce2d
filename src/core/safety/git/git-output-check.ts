/** Asks git which files a command would show, and checks for those that must not be read without approval. */
import { dirname, join, resolve } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Files } from "../../ports/files.ts";
import type { Git, TextBounds } from "../../ports/git.ts";
import { secretName } from "../paths/secret-names.ts";
import type { ReadPart } from "../programs/option-tables.ts";
import { commitsOf, namesIn } from "./commits.ts";
import type { CommitQuestion, GitShows, NameQuestion } from "./git-output-tables.ts";
import { type LocatedRepository, RepositoryUncertain } from "./locate-repository.ts";

export interface ShownCheck {
  files: Files;
  git: Git;
  bounds: TextBounds;
  /** Whether .nekodeignore matches this absolute path. */
  ignored(path: string): boolean;
}

interface ShownQuery extends ShownCheck {
  /** The folder that git runs in. */
  folder: string;
  /** The top folder of the repository's working tree. */
  top: string;
  /** The command's own git options. */
  globals: string[];
}

/** The name of a note's file: the object id, with any folders removed. */
const NOTE = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const NO_REPOSITORY = reasonOf("git-outside");
const NOTES = reasonOf("git-notes");

/**
 * Returns why what a command shows in this folder (real, absolute) asks; otherwise undefined. Rejects if that is
 * unknown.
 */
export async function refusedShown(
  shows: GitShows,
  globals: string[],
  folder: string,
  repository: LocatedRepository | undefined,
  check: ShownCheck,
): Promise<Reason | undefined> {
  const { compared } = shows;
  if (compared && !compared.explicit && !repository && compared.operands.length < 2) return undefined;
  if (compared && (compared.explicit || !repository)) {
    // Folders are compared with all their content; single files were judged by their names.
    const kinds = await Promise.all(compared.operands.map((path) => check.files.stat(resolve(folder, path))));
    // For paths that do not exist, git prints only an error.
    if (kinds.length !== 2 || kinds.some((stat) => stat !== undefined && stat.kind !== "file"))
      throw new RepositoryUncertain(NO_REPOSITORY);
    return undefined;
  }
  const content =
    shows.commits !== undefined || (shows.names ?? []).length > 0 || (shows.objects ?? []).length > 0;
  if (!repository) return (await searchesAnyway(shows, globals, folder, check)) ? NO_REPOSITORY : undefined;
  if (!content && !shows.notes) return undefined;
  if (repository.top === undefined) throw new RepositoryUncertain();
  const query: ShownQuery = { ...check, folder, top: repository.top, globals };
  const notes = shows.notes && (await notesShown(shows.notes, query));
  if (notes) return notes;
  if (compared) await refuseCombined(shows.objects ?? [], query);
  const objects = await byObjects(shows, query);
  const { refused } = objects;
  if (refused) return refused;
  return (
    (await byNames(shows.names ?? [], query)) ??
    (shows.commits ? await byCommits(shows.commits, objects, query) : undefined)
  );
}

function ask(args: string[], { git, folder, globals, bounds }: ShownQuery, input?: string) {
  return git.ask(folder, [...globals, ...args], bounds, input);
}

/** Outside a repository git exits with an error, except for a search that was told to continue. */
async function searchesAnyway(
  { names = [] }: GitShows,
  globals: string[],
  folder: string,
  check: ShownCheck,
): Promise<boolean> {
  if (!names.some(({ args }) => args[0] === "grep")) return false;
  const query = { ...check, folder, top: folder, globals };
  return (await settings("^grep\\.fallbacktonoindex$", query)).size > 0;
}

/** Returns the values of settings, including the user's own, by key in lower case. */
async function settings(pattern: string, query: ShownQuery): Promise<Map<string, string>> {
  const listed = (await ask(["config", "--null", "--get-regexp", pattern], query)) ?? "";
  const entries = listed.split("\0").filter((entry) => entry !== "");
  return new Map(
    entries.map((entry) => {
      const [key = "", ...value] = entry.split("\n");
      return [key.toLowerCase(), value.join("\n")];
    }),
  );
}

async function notesShown(notes: "usual" | "any", query: ShownQuery): Promise<Reason | undefined> {
  const refs = notes === "any" ? "refs/notes" : "refs/notes/commits";
  const found = await ask(["for-each-ref", "--count=1", "--format=%(refname)", refs], query);
  if (found?.trim()) return NOTES;
  const elsewhere = await settings("^(core\\.notesref|notes\\.displayref)$", query);
  return elsewhere.size > 0 ? NOTES : undefined;
}

function judged(path: string, { top, ignored }: ShownQuery): Reason | undefined {
  if (secretName(path)) return reasonOf("reads-secret-file", path);
  if (NOTE.test(path.replaceAll("/", ""))) return NOTES;
  return ignored(resolve(top, path)) ? reasonOf("reads-ignored-file", path) : undefined;
}

/**
 * A comparison of more than two commits shows what differs from all others. A file may have had other names in them,
 * which git does not report.
 */
async function refuseCombined(operands: string[], query: ShownQuery): Promise<void> {
  if (operands.length === 0) return;
  const revisions = ((await ask(["rev-parse", "--revs-only", ...operands], query)) ?? "").split("\n");
  // `a...b` stands for both commits and their merge base.
  const compared =
    revisions.filter((line) => line !== "").length - operands.filter((text) => text.includes("...")).length;
  if (compared > 2) throw new RepositoryUncertain();
}

/** What the operands of a command refer to, if they may be files or folders of commits. */
interface Objects {
  refused?: Reason;
  /** Objects that are not commits: they are shown directly. */
  others: Set<string>;
  /** The message of a tag is also shown. */
  tagged: boolean;
}

async function byObjects({ objects = [], names }: GitShows, query: ShownQuery): Promise<Objects> {
  const others = new Set<string>();
  let tagged = false;
  if (objects.length === 0) return { others, tagged };
  if (objects.some((object) => object.includes("\n"))) throw new RepositoryUncertain();
  const kinds = await kindsOf(objects, query);
  // A tag is followed to its target.
  const peeled = await kindsOf(
    objects.map((object) => (namedFile(object) === undefined ? `${object}^{}` : object)),
    query,
  );
  for (const [i, object] of objects.entries()) {
    const kind = kinds[i] ?? "";
    const path = namedFile(object);
    if (/ ambiguous$/.test(kind)) throw new RepositoryUncertain();
    // A folder in a commit.
    if (kind === "tree" && path !== undefined && names) throw new RepositoryUncertain();
    if (kind === "tree" || kind === "blob") others.add(object);
    if (kind === "tag") tagged = true;
    if (kind !== "blob" && peeled[i] !== "blob") continue;
    if (path === undefined) return { others, tagged, refused: reasonOf("secret-file", object) };
    const from = /^\.\.?\//.test(path) ? query.folder : query.top;
    const refused = judged(relativeTo(query.top, resolve(from, path)), query);
    if (refused) return { others, tagged, refused };
  }
  return { others, tagged };
}

async function kindsOf(objects: string[], query: ShownQuery): Promise<string[]> {
  const input = objects.map((object) => `${object}\n`).join("");
  const answer = await ask(["cat-file", "--batch-check=%(objecttype)"], query, input);
  return answer?.split("\n") ?? [];
}

/** Returns the path in `HEAD:path`, `:path` and `:0:path`; `:/text` and `HEAD^{/a:b}` search for a commit. */
function namedFile(object: string): string | undefined {
  if (object.startsWith(":/")) return undefined;
  if (object.startsWith(":")) return object.replace(/^:(?:[0-3]:)?/, "");
  let depth = 0;
  for (let i = 0; i < object.length; i++) {
    const c = object.charAt(i);
    if (c === "{") depth++;
    else if (c === "}" && depth > 0) depth--;
    else if (c === ":" && depth === 0) return object.slice(i + 1);
  }
  return undefined;
}

function relativeTo(top: string, path: string): string {
  return path.startsWith(top) ? path.slice(top.length).replace(/^[\\/]+/, "") : path;
}

async function byNames(questions: NameQuestion[], query: ShownQuery): Promise<Reason | undefined> {
  const folders = new Set<string>();
  if (questions.some(({ args }) => args[0] !== "grep") && (await expandsSubmodules(query)))
    throw new RepositoryUncertain();
  for (const { args, exact, fromDisk } of questions) {
    const answer = await ask(args, query);
    // Git does not understand the question.
    if (answer === undefined && !exact) throw new RepositoryUncertain();
    for (const name of namesIn(answer ?? "")) {
      // A search in a commit also prints the commit.
      for (let path = name, more = true; more; path = path.slice(path.indexOf(":") + 1)) {
        const refused = judged(path, query);
        if (refused) return refused;
        more = args[0] === "grep" && path.includes(":");
      }
      if (fromDisk) folders.add(dirname(join(query.top, name)));
    }
  }
  for (const folder of folders) {
    const real = await query.files.realpath(folder).catch(() => folder);
    if (real !== folder) return reasonOf("link-elsewhere", folder);
  }
  return undefined;
}

/** True if diffs of submodules are shown with the contents of their files. */
async function expandsSubmodules(query: ShownQuery): Promise<boolean> {
  return (await settings("^diff\\.submodule$", query)).get("diff.submodule") === "diff";
}

/** Lists every file that one of the commits changes, within the command's paths. */
async function byCommits(
  question: CommitQuestion,
  { others, tagged }: Objects,
  query: ShownQuery,
): Promise<Reason | undefined> {
  const isOther = ({ names, words }: ReadPart) => names.length === 0 && others.has(words[0] ?? "");
  const kept = question.kept.filter((part) => !isOther(part));
  if (kept.length < question.kept.length && kept.every(({ names }) => names.length > 0)) {
    // Only files and folders may remain; an option that adds commits of its own does not only change the form.
    if (kept.length > 0) throw new RepositoryUncertain(reasonOf("option", kept[0]?.words[0] ?? ""));
    return undefined;
  }
  const own = await settings("^(log\\.follow|diff\\.renames|diff\\.submodule|diff\\..*\\.textconv)$", query);
  if (own.get("diff.submodule") === "diff") throw new RepositoryUncertain();
  if (question.byContent && [...own.keys()].some((key) => key.endsWith(".textconv")))
    // Files are converted before they are searched.
    throw new RepositoryUncertain();
  const answer = await ask(
    [...question.start, ...kept.flatMap(({ words }) => words), ...question.behind],
    query,
  );
  if (answer === undefined) return undefined;
  const commits = commitsOf(answer, question.strict && !tagged);
  // It shows something in addition to commits.
  if (!commits) throw new RepositoryUncertain();
  const paths = await pathsOf(kept, question.behind, query);
  const follows = question.follows || isOn(own.get("log.follow"));
  const copies = /^cop(?:y|ies)$/i.test(own.get("diff.renames") ?? "");
  const merges = copies && question.merges === "combined" ? "all" : question.merges;
  const limit = follows || paths.length === 0 ? [] : ["--", ...paths];
  const tree = [
    "diff-tree",
    "--stdin",
    "-r",
    "--root",
    "--no-commit-id",
    "--name-only",
    "-z",
    "--no-renames",
  ];
  for (const { lines, form } of commits(merges)) {
    if (lines.length === 0) continue;
    const named = await ask([...tree, ...form, ...limit], query, `${lines.join("\n")}\n`);
    if (named === undefined) throw new RepositoryUncertain();
    const refused = firstRefused(namesIn(named), query);
    if (refused) return refused;
  }
  return undefined;
}

function isOn(setting: string | undefined): boolean {
  return setting !== undefined && !/^(?:false|no|off|0)$/i.test(setting);
}

function firstRefused(names: readonly string[], query: ShownQuery): Reason | undefined {
  for (const name of names) {
    const refused = judged(name, query);
    if (refused) return refused;
  }
  return undefined;
}

/**
 * The paths that limit the command: if one operand is certainly a path, all operands from the first possible path on. A
 * revision among them matches no file, so it does not widen the result.
 */
async function pathsOf(kept: ReadPart[], behind: string[], query: ShownQuery): Promise<string[]> {
  if (behind.length > 0) return behind.slice(1);
  const operands = kept.filter(({ names }) => names.length === 0).flatMap(({ words }) => words);
  const mayBePath = (operand: string) => /[\^~:*?[\\{}]|\.\.(?!\/)|^-/.test(operand);
  for (const [i, operand] of operands.entries()) {
    if (mayBePath(operand)) continue;
    if (!(await query.files.stat(resolve(query.folder, operand)))) continue;
    const [kind = ""] = await kindsOf([operand], query);
    if (!/ missing$/.test(kind)) continue;
    const first = operands.findIndex(mayBePath);
    return operands.slice(first >= 0 && first < i ? first : i);
  }
  return [];
}
