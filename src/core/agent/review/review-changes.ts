/** What is reviewed: the changed lines of each file, without secrets, and the files that cannot be reviewed, with the reasons. */
import path from "node:path";
import type { NotReviewed, ReviewReport, ReviewScope } from "../../../shared/review.ts";
import { type DiffPart, diffParts } from "../../context/diff-parts.ts";
import type { DiffRange, Git } from "../../ports/git.ts";
import type { Host } from "../../ports/host.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { folderPaths, isInside, rootNamed, rootPrefix, splitRoot } from "../../roots.ts";
import { withoutKnownSecrets } from "../../secrets.ts";
import { addedHunk, type DiffHunk, maskedHunks, readHunks } from "./diff-lines.ts";
import type { ReviewCore } from "./review-core.ts";

/** Characters of the whole diff, and of what git lists. */
const DIFF_LIMIT = 8_000_000;
const LIST_LIMIT = 4_000_000;
/** Characters of the changed lines of one file, and bytes of a new file. */
const LARGEST_FILE = 400_000;

export interface ReviewedFile {
  /** As the model names it: from the project's folder, with `/`, and with `prefix` in another one. */
  path: string;
  /** Its earlier path, if it was renamed. */
  from?: string;
  kind: DiffPart["kind"];
  hunks: readonly DiffHunk[];
}

export interface ReviewChanges extends Pick<ReviewReport, "compared" | "folder" | "notReviewed"> {
  /** The reviewed folder. Absolute. */
  root: string;
  /** What precedes the paths of its files, such as `@name:/`; "" in the project's folder. */
  prefix: string;
  files: ReviewedFile[];
}

export interface ReviewReader {
  core: Pick<ReviewCore, "ReviewFailure" | "ToolError">;
  host: Pick<Host, "files" | "git" | "workspace">;
  /** Why the model may not read the file at this absolute path; undefined: it may. */
  unreadable(path: string): Promise<unknown>;
  /** Masks the user's keys. */
  mask(text: string): string;
}

/** Rejects with ReviewFailure or ToolError, or with Interrupt when the signal aborts. */
export async function reviewChanges(
  reader: ReviewReader,
  scope: ReviewScope,
  signal: AbortSignal,
): Promise<ReviewChanges> {
  const { core } = reader;
  const { git, workspace } = reader.host;
  if (!git || !workspace.trusted) throw new core.ReviewFailure("no-repository");
  const { root, prefix, folder } = await reviewedFolder(reader, git, scope.folder, signal);
  const ask = (args: readonly string[]) => git.ask(root, args, { limit: 10_000, signal });
  const { compared, range } = await comparison(core, ask, scope);
  const diff = await git.diff(root, range, { limit: DIFF_LIMIT, signal });
  const shown = diffParts(diff);
  const cut = diff.length >= DIFF_LIMIT ? shown.at(-1) : undefined;
  const parts = scope.of === "staged" ? shown : [...shown, ...(await newFiles(git, root, folder, signal))];
  const generated = await generatedFiles(git, root, parts, signal);
  const changes: ReviewChanges = { root, prefix, compared, folder, files: [], notReviewed: [] };
  for (const part of parts) {
    const read = part === cut ? "incomplete" : await fileOf(part, { reader, folder, root, generated });
    if (read === undefined) continue;
    const named = (own: string) => prefix + own;
    if (typeof read === "object") {
      const renamed = read.from === undefined ? {} : { from: named(read.from) };
      changes.files.push({ ...read, path: named(read.path), ...renamed });
    } else changes.notReviewed.push({ path: named(within(folder, part.name) ?? part.name), why: read });
  }
  if (changes.files.length + changes.notReviewed.length === 0)
    throw new core.ReviewFailure("nothing-to-review", workspace.roots.length > 1 ? root : "");
  return changes;
}

/** `folder`: the path of the reviewed folder from the top folder of the repository that it is in. */
async function reviewedFolder(
  { core, host: { files, workspace } }: ReviewReader,
  git: Git,
  named: string | undefined,
  signal: AbortSignal,
): Promise<Pick<ReviewChanges, "root" | "prefix" | "folder">> {
  const one = named === undefined ? undefined : folderNamed(workspace, named);
  if (named !== undefined && (one === undefined || (await files.stat(one))?.kind !== "directory"))
    throw new core.ReviewFailure("unknown-folder", named);
  for (const root of one === undefined ? folderPaths(workspace) : [one]) {
    const args = ["rev-parse", "--show-prefix"];
    const inRepository = await git.ask(root, args, { limit: 10_000, signal }).catch((error: unknown) => {
      if (error instanceof core.ToolError) return undefined;
      throw error;
    });
    if (inRepository === undefined) continue;
    return {
      root,
      prefix: prefixOf(workspace, root),
      folder: inRepository.trimEnd().replace(/\/$/, ""),
    };
  }
  throw new core.ReviewFailure("no-repository");
}

/** The path that the name of a folder of the workspace, or a path in one, means; undefined: it is outside. */
function folderNamed(workspace: Workspace, named: string): string | undefined {
  const split = splitRoot(named);
  const root = rootNamed(workspace, split?.name ?? named);
  if (!split && root !== undefined) return root;
  const base = split ? root : workspace.root;
  if (base === undefined) return undefined;
  const folder = path.resolve(base, split?.inside ?? named);
  return folderPaths(workspace).some((each) => isInside(each, folder)) ? folder : undefined;
}

function prefixOf(workspace: Workspace, folder: string): string {
  const roots = workspace.roots.filter((root) => isInside(root.path, folder));
  const [root] = roots.sort((a, b) => b.path.length - a.path.length);
  if (!root) return "";
  const inside = path.relative(root.path, folder).split(path.sep).join("/");
  return rootPrefix(workspace, root) + (inside === "" ? "" : `${inside}/`);
}

async function comparison(
  core: ReviewReader["core"],
  ask: (args: readonly string[]) => Promise<string | undefined>,
  scope: ReviewScope,
): Promise<{ compared: ReviewReport["compared"]; range: DiffRange }> {
  switch (scope.of) {
    case "working":
      return { compared: { with: "last-commit" }, range: "working" };
    case "staged":
      return { compared: { with: "staged" }, range: "staged" };
    case "base": {
      const { revision } = scope;
      const hash = await commitOf(core, ask, revision);
      if (hash === undefined) throw new core.ReviewFailure("unknown-revision", revision);
      const common = await ask(["merge-base", hash, "HEAD"]).catch((error: unknown) => {
        // Git exits with an error then, without a message.
        if (error instanceof core.ToolError) return undefined;
        throw error;
      });
      const commit = common?.trim() ?? "";
      if (commit === "") throw new core.ReviewFailure("no-common-commit", revision);
      return { compared: { with: "base", revision, commit }, range: { from: commit } };
    }
  }
}

/** undefined: there is no such commit. */
async function commitOf(
  core: ReviewReader["core"],
  ask: (args: readonly string[]) => Promise<string | undefined>,
  revision: string,
): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  try {
    return (await ask(args))?.trim() || undefined;
  } catch (error) {
    if (error instanceof core.ToolError) return undefined;
    throw error;
  }
}

/** Files of the project's folder that git neither tracks nor ignores. */
async function newFiles(git: Git, root: string, folder: string, signal: AbortSignal): Promise<DiffPart[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  const list = (await git.ask(root, args, { limit: LIST_LIMIT, signal })) ?? "";
  const names = list.split("\0").filter((name) => name !== "" && !name.endsWith("/"));
  return names.map((name) => ({
    name: folder === "" ? name : `${folder}/${name}`,
    kind: "new file",
    hunks: "",
  }));
}

/** Names of files that programs write: nobody changes them by hand. */
const GENERATED_NAMES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|composer\.lock|Gemfile\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|go\.sum|flake\.lock|Podfile\.lock|mix\.lock|pubspec\.lock|packages\.lock\.json)$|\.min\.(?:js|css)$|\.(?:js|css)\.map$|\.pb\.go$|_pb2\.pyi?$|\.snap$/;
/** What programs write at the beginning of such files. */
const GENERATED_TEXT = /@generated\b|^\W*(?:Code|File) generated\b.*DO NOT EDIT/i;
const FIRST_LINES = 10;

/** Those that `.gitattributes` marks as generated. */
async function generatedFiles(
  git: Git,
  root: string,
  parts: readonly DiffPart[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const names = parts.flatMap(({ name }) => (name === "" ? [] : [name]));
  if (names.length === 0) return new Set();
  const top = (await git.ask(root, ["rev-parse", "--show-toplevel"], { limit: 10_000, signal }))?.trim();
  const args = ["check-attr", "-z", "--stdin", "linguist-generated"];
  const listed = await git.ask(top ?? root, args, { limit: LIST_LIMIT, signal }, names.join("\0"));
  const fields = (listed ?? "").split("\0");
  const generated = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [name = "", , value] = fields.slice(at, at + 3);
    if (value === "set" || value === "true") generated.add(name);
  }
  return generated;
}

interface FilePlace {
  reader: ReviewReader;
  folder: string;
  root: string;
  generated: ReadonlySet<string>;
}

/** undefined: no line changed, such as for a renamed or an empty file. */
async function fileOf(part: DiffPart, place: FilePlace): Promise<ReviewedFile | NotReviewed | undefined> {
  const { reader, folder, root, generated } = place;
  const { name, from, kind } = part;
  const own = name === "" ? undefined : within(folder, name);
  if (own === undefined) return "outside";
  if (kind === "deleted") return "deleted";
  const names = [own, ...(from === undefined ? [] : [within(folder, from) ?? own])];
  const reasons = await Promise.all(names.map((each) => reader.unreadable(path.join(root, each))));
  if (reasons.some((reason) => reason !== undefined)) return "private";
  if (part.isBinary) return "binary";
  if (generated.has(name) || GENERATED_NAMES.test(name)) return "generated";
  const isNew = kind === "new file" && part.hunks === "";
  const hunks = isNew ? await contentOf(reader, path.join(root, own)) : readHunks(part.hunks);
  if (typeof hunks === "string") return hunks;
  if (hunks.length === 0) return undefined;
  const lines = hunks.flatMap((hunk) => hunk);
  if (lines.reduce((sum, { text }) => sum + text.length + 1, 0) > LARGEST_FILE) return "too-large";
  const first = lines.filter((line) => (line.new ?? FIRST_LINES + 1) <= FIRST_LINES);
  if (first.some(({ text }) => GENERATED_TEXT.test(text))) return "generated";
  const masked = maskedHunks(hunks, (text) => reader.mask(withoutKnownSecrets(text)));
  const renamed = from === undefined ? {} : { from: within(folder, from) ?? from };
  return { path: own, kind, hunks: masked, ...renamed };
}

async function contentOf({ core, host }: ReviewReader, file: string): Promise<DiffHunk[] | NotReviewed> {
  const stat = await host.files.stat(file).catch(() => undefined);
  if (stat?.kind !== "file") return "binary";
  if (stat.size > LARGEST_FILE) return "too-large";
  const content = await host.files.readText(file).catch((error: unknown) => {
    if (error instanceof core.ToolError) return undefined;
    throw error;
  });
  if (content === undefined || content.text.includes("\0")) return "binary";
  const hunk = addedHunk(content.text);
  return hunk.length === 0 ? [] : [hunk];
}

/** The path from the project's folder; undefined: it is outside. Both with `/`. */
function within(folder: string, name: string): string | undefined {
  if (folder === "") return name;
  return name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : undefined;
}
