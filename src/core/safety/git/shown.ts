/** Asks git which files a command would show, and looks for those that must not be read unasked. */
import { dirname, join, resolve } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Files } from "../../ports/files.ts";
import type { Git } from "../../ports/git.ts";
import type { TextBounds } from "../../ports/text-bounds.ts";
import { secretName } from "../paths/secret-names.ts";
import type { ReadPart } from "../programs/option-tables.ts";
import { commitsOf, namesIn } from "./commits.ts";
import { type Repository, Unclear } from "./locate-repository.ts";
import type { CommitQuestion, GitShows, NameQuestion } from "./shows.ts";

export interface ShownCheck {
  files: Files;
  git: Git;
  bounds: TextBounds;
  /** Whether .nekodeignore names this absolute path. */
  ignored(path: string): boolean;
}

interface Asked extends ShownCheck {
  /** The folder that git runs in. */
  folder: string;
  /** The top folder of the repository's files. */
  top: string;
  /** Options of git itself that the command has. */
  globals: string[];
}

/** The name of what is noted of an object, whatever the folders in it. */
const NOTE = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const NO_REPOSITORY = reasonOf("git-outside");
const NOTES = reasonOf("git-notes");

/** Why what a command shows in this folder (real, absolute) asks, or undefined. Rejects where that is not known. */
export async function refusedShown(
  shows: GitShows,
  globals: string[],
  folder: string,
  repository: Repository | undefined,
  check: ShownCheck,
): Promise<Reason | undefined> {
  const { compared } = shows;
  if (compared && !compared.explicit && !repository && compared.operands.length < 2) return undefined;
  if (compared && (compared.explicit || !repository)) {
    // A folder is compared with all that is in it; single files were judged by their names.
    const kinds = await Promise.all(compared.operands.map((path) => check.files.stat(resolve(folder, path))));
    // Of what is not there git only says so.
    if (kinds.length !== 2 || kinds.some((stat) => stat !== undefined && stat.kind !== "file"))
      throw new Unclear(NO_REPOSITORY);
    return undefined;
  }
  const content =
    shows.commits !== undefined || (shows.names ?? []).length > 0 || (shows.objects ?? []).length > 0;
  if (!repository) return (await searchesAnyway(shows, globals, folder, check)) ? NO_REPOSITORY : undefined;
  if (!content && !shows.notes) return undefined;
  if (repository.top === undefined) throw new Unclear();
  const asked: Asked = { ...check, folder, top: repository.top, globals };
  const notes = shows.notes && (await notesShown(shows.notes, asked));
  if (notes) return notes;
  if (compared) await refuseCombined(shows.objects ?? [], asked);
  const objects = await byObjects(shows, asked);
  const { refused } = objects;
  if (refused) return refused;
  return (
    (await byNames(shows.names ?? [], asked)) ??
    (shows.commits ? await byCommits(shows.commits, objects, asked) : undefined)
  );
}

function ask(args: string[], { git, folder, globals, bounds }: Asked, input?: string) {
  return git.ask(folder, [...globals, ...args], bounds, input);
}

/** Outside a repository git says so and ends, but for a search that was told to go on. */
async function searchesAnyway(
  { names = [] }: GitShows,
  globals: string[],
  folder: string,
  check: ShownCheck,
): Promise<boolean> {
  if (!names.some(({ args }) => args[0] === "grep")) return false;
  const asked = { ...check, folder, top: folder, globals };
  return (await settings("^grep\\.fallbacktonoindex$", asked)).size > 0;
}

/** The values of settings, the person's own included, by key in lower case. */
async function settings(pattern: string, asked: Asked): Promise<Map<string, string>> {
  const listed = (await ask(["config", "--null", "--get-regexp", pattern], asked)) ?? "";
  const entries = listed.split("\0").filter((entry) => entry !== "");
  return new Map(
    entries.map((entry) => {
      const [key = "", ...value] = entry.split("\n");
      return [key.toLowerCase(), value.join("\n")];
    }),
  );
}

async function notesShown(notes: "usual" | "any", asked: Asked): Promise<Reason | undefined> {
  const refs = notes === "any" ? "refs/notes" : "refs/notes/commits";
  const found = await ask(["for-each-ref", "--count=1", "--format=%(refname)", refs], asked);
  if (found?.trim()) return NOTES;
  const elsewhere = await settings("^(core\\.notesref|notes\\.displayref)$", asked);
  return elsewhere.size > 0 ? NOTES : undefined;
}

function judged(path: string, { top, ignored }: Asked): Reason | undefined {
  if (secretName(path)) return reasonOf("reads-secret-file", path);
  if (NOTE.test(path.replaceAll("/", ""))) return NOTES;
  return ignored(resolve(top, path)) ? reasonOf("reads-ignored-file", path) : undefined;
}

/**
 * A comparison of more than two commits shows what differs from all others. A file may have had other names in them, which git
 * does not report.
 */
async function refuseCombined(operands: string[], asked: Asked): Promise<void> {
  if (operands.length === 0) return;
  const revisions = ((await ask(["rev-parse", "--revs-only", ...operands], asked)) ?? "").split("\n");
  // `a...b` stands for both and for their merge base.
  const compared =
    revisions.filter((line) => line !== "").length - operands.filter((text) => text.includes("...")).length;
  if (compared > 2) throw new Unclear();
}

/** What the operands of a command stand for, where they may be files or folders of commits. */
interface Objects {
  refused?: Reason;
  /** Those that are no commits: they are shown by themselves. */
  others: Set<string>;
  /** The message of a tag is shown as well. */
  tagged: boolean;
}

async function byObjects({ objects = [], names }: GitShows, asked: Asked): Promise<Objects> {
  const others = new Set<string>();
  let tagged = false;
  if (objects.length === 0) return { others, tagged };
  if (objects.some((object) => object.includes("\n"))) throw new Unclear();
  const kinds = await kindsOf(objects, asked);
  // A tag is followed to what it stands for.
  const peeled = await kindsOf(
    objects.map((object) => (namedFile(object) === undefined ? `${object}^{}` : object)),
    asked,
  );
  for (const [i, object] of objects.entries()) {
    const kind = kinds[i] ?? "";
    const path = namedFile(object);
    if (/ ambiguous$/.test(kind)) throw new Unclear();
    // A folder in a commit.
    if (kind === "tree" && path !== undefined && names) throw new Unclear();
    if (kind === "tree" || kind === "blob") others.add(object);
    if (kind === "tag") tagged = true;
    if (kind !== "blob" && peeled[i] !== "blob") continue;
    if (path === undefined) return { others, tagged, refused: reasonOf("secret-file", object) };
    const from = /^\.\.?\//.test(path) ? asked.folder : asked.top;
    const refused = judged(relativeTo(asked.top, resolve(from, path)), asked);
    if (refused) return { others, tagged, refused };
  }
  return { others, tagged };
}

async function kindsOf(objects: string[], asked: Asked): Promise<string[]> {
  const input = objects.map((object) => `${object}\n`).join("");
  const answer = await ask(["cat-file", "--batch-check=%(objecttype)"], asked, input);
  return answer?.split("\n") ?? [];
}

/** The path in `HEAD:path`, `:path` and `:0:path`; `:/text` and `HEAD^{/a:b}` are searches for a commit. */
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

async function byNames(questions: NameQuestion[], asked: Asked): Promise<Reason | undefined> {
  const folders = new Set<string>();
  if (questions.some(({ args }) => args[0] !== "grep") && (await showsSubmodules(asked))) throw new Unclear();
  for (const { args, exact, fromDisk } of questions) {
    const answer = await ask(args, asked);
    // Git does not understand the question.
    if (answer === undefined && !exact) throw new Unclear();
    for (const name of namesIn(answer ?? "")) {
      // A search in a commit tells the commit as well.
      for (let path = name, more = true; more; path = path.slice(path.indexOf(":") + 1)) {
        const refused = judged(path, asked);
        if (refused) return refused;
        more = args[0] === "grep" && path.includes(":");
      }
      if (fromDisk) folders.add(dirname(join(asked.top, name)));
    }
  }
  for (const folder of folders) {
    const real = await asked.files.realpath(folder).catch(() => folder);
    if (real !== folder) return reasonOf("link-elsewhere", folder);
  }
  return undefined;
}

async function showsSubmodules(asked: Asked): Promise<boolean> {
  return (await settings("^diff\\.submodule$", asked)).get("diff.submodule") === "diff";
}

/** Every file that one of the commits changes, in the paths that the command has. */
async function byCommits(
  question: CommitQuestion,
  { others, tagged }: Objects,
  asked: Asked,
): Promise<Reason | undefined> {
  const isOther = ({ names, words }: ReadPart) => names.length === 0 && others.has(words[0] ?? "");
  const kept = question.kept.filter((part) => !isOther(part));
  if (kept.length < question.kept.length && kept.every(({ names }) => names.length > 0)) {
    // Nothing is left but files and folders; an option that brings in commits of its own is not taken for one of form.
    if (kept.length > 0) throw new Unclear(reasonOf("option", kept[0]?.words[0] ?? ""));
    return undefined;
  }
  const own = await settings("^(log\\.follow|diff\\.renames|diff\\.submodule|diff\\..*\\.textconv)$", asked);
  if (own.get("diff.submodule") === "diff") throw new Unclear();
  if (question.byContent && [...own.keys()].some((key) => key.endsWith(".textconv")))
    // Files are converted before they are searched.
    throw new Unclear();
  const answer = await ask(
    [...question.start, ...kept.flatMap(({ words }) => words), ...question.behind],
    asked,
  );
  if (answer === undefined) return undefined;
  const commits = commitsOf(answer, question.strict && !tagged);
  // It shows something besides commits.
  if (!commits) throw new Unclear();
  const paths = await pathsOf(kept, question.behind, asked);
  const follows =
    question.follows || (own.has("log.follow") && !/^(?:false|no|off|0)$/i.test(own.get("log.follow") ?? ""));
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
    const named = await ask([...tree, ...form, ...limit], asked, `${lines.join("\n")}\n`);
    if (named === undefined) throw new Unclear();
    for (const name of namesIn(named)) {
      const refused = judged(name, asked);
      if (refused) return refused;
    }
  }
  return undefined;
}

/**
 * The paths to which the command is limited: if one operand is certainly a path, all operands from the first that may be one. A
 * revision among them names no file, so it does not widen the result.
 */
async function pathsOf(kept: ReadPart[], behind: string[], asked: Asked): Promise<string[]> {
  if (behind.length > 0) return behind.slice(1);
  const operands = kept.filter(({ names }) => names.length === 0).flatMap(({ words }) => words);
  const mayBePath = (operand: string) => /[\^~:*?[\\{}]|\.\.(?!\/)|^-/.test(operand);
  for (const [i, operand] of operands.entries()) {
    if (mayBePath(operand)) continue;
    if (!(await asked.files.stat(resolve(asked.folder, operand)))) continue;
    const [kind = ""] = await kindsOf([operand], asked);
    if (!/ missing$/.test(kind)) continue;
    const first = operands.findIndex(mayBePath);
    return operands.slice(first >= 0 && first < i ? first : i);
  }
  return [];
}
