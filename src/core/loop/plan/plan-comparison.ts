/**
 * Compares what a task changed with the plan that it carries out, by plain reading: the files that the plan names, and the items of its
 * check lists. The plan's text is untrusted: it is only searched for names of files in the workspace, and none of them is read.
 */
import { join, resolve } from "node:path";
import { parseTodo } from "../../../shared/todo.ts";
import type { Files } from "../../ports/files.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { folderPaths, isInside } from "../../roots.ts";

export interface PlanComparison {
  /** How many of the files that the plan names were changed, and how many it names. */
  changed: number;
  named: number;
  /** Files that the plan names and that were not changed, with `/`. */
  missing: string[];
  /** Absolute paths of changed files that the plan does not name. */
  others: string[];
  /** Items of the plan that the todo list has as not done. */
  open: string[];
}

export interface PlanFacts {
  plan: string;
  /** Absolute paths of the files that the task changed; undefined: not known. */
  changed: readonly string[] | undefined;
  /** The session's todo list, in Markdown. */
  todo: string;
}

interface PlanWorld {
  workspace: Workspace;
  files: Pick<Files, "stat" | "realpath">;
}

/** Characters of a plan, and paths in it, that are looked at. */
const MAX_PLAN = 200_000;
const MAX_PATHS = 300;
const MAX_PATH = 300;

const CODE_SPAN = /`([^`\n]{1,400})`/g;
const LINK = /\]\(([^()\s]{1,400})\)/g;
const barePaths = () =>
  /(?<![\p{L}\p{N}./\\:@~-])(?:[\p{L}\p{N}_.@-]+\/)+[\p{L}\p{N}_-][\p{L}\p{N}_.-]*\.\p{L}[\p{L}\p{N}]{0,9}/gu;
const FENCE = /^ {0,3}(?:```|~~~)/;
/** A place in a file after its path, such as `:12` or `#L3`. */
const PLACE = /(?::\d+(?:[-:,]\d+)*|#L?\d+(?:-L?\d+)?)$/i;
const pathPattern = () => /^[\p{L}\p{N}\p{M}_.@+$()[\]-]+(?:\/[\p{L}\p{N}\p{M}_.@+$()[\]-]+)*$/u;
const extensionPattern = () => /[^./]\.[\p{L}\p{N}]{1,12}$/u;
/** What a line says about a file that does not exist yet. */
const IS_NEW = /\b(?:new|creat(?:e|es|ed|ing)|add(?:s|ed|ing)?)\b|新規|新しい|新しく|作成|追加/i;

/** The relative paths in a plan, in their order. `isNew`: the line says that the file is new. */
export function pathsIn(plan: string): Map<string, { isNew: boolean }> {
  const found = new Map<string, { isNew: boolean }>();
  let isFenced = false;
  for (const line of plan.slice(0, MAX_PLAN).split("\n")) {
    if (FENCE.test(line)) isFenced = !isFenced;
    if (isFenced) continue;
    const plain = line.replace(CODE_SPAN, " ").replace(LINK, " ");
    const texts = [
      ...[...line.matchAll(CODE_SPAN), ...line.matchAll(LINK)].map((match) => match[1] ?? ""),
      ...[...plain.matchAll(barePaths())].map((match) => match[0]),
    ];
    const isNew = texts.length > 0 && IS_NEW.test(plain);
    for (const path of texts.flatMap((text) => relativePath(text) ?? [])) {
      if (found.size >= MAX_PATHS) return found;
      found.set(path, { isNew: isNew || (found.get(path)?.isNew ?? false) });
    }
  }
  return found;
}

/** The path with `/`; undefined: the text is no path, or one that may lead out of the workspace. */
function relativePath(text: string): string | undefined {
  const path = text
    .trim()
    .replace(PLACE, "")
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/|@\/)/, "");
  if (path.length > MAX_PATH || !pathPattern().test(path)) return undefined;
  const segments = path.split("/");
  return segments.some((segment) => segment === "." || segment === "..") ? undefined : path;
}

/** undefined: there is nothing to compare. */
export async function comparePlan(facts: PlanFacts, world: PlanWorld): Promise<PlanComparison | undefined> {
  const { plan, changed, todo } = facts;
  const open = openItems(plan, todo);
  const root = world.workspace.root;
  const none = { changed: 0, named: 0, missing: [], others: [] };
  if (changed === undefined || root === undefined) return open.length > 0 ? { ...none, open } : undefined;
  const changedPaths = new Set(changed.map((path) => resolve(path)));
  const done = new Set<string>();
  const missing: string[] = [];
  for (const [path, { isNew }] of pathsIn(plan)) {
    const candidates = folderPaths(world.workspace).map((folder) => join(folder, path));
    const changedAt = candidates.find((candidate) => changedPaths.has(candidate));
    if (changedAt !== undefined) done.add(changedAt);
    else if ((await isFile(join(root, path), root, world)) || (isNew && extensionPattern().test(path)))
      missing.push(path);
  }
  const named = done.size + missing.length;
  if (named === 0) return open.length > 0 ? { ...none, open } : undefined;
  const others = [...changedPaths].filter((path) => !done.has(path));
  return { changed: done.size, named, missing, others, open };
}

/** Whether this is a file of the workspace. One that a link leads to elsewhere is not, and neither is one that cannot be looked at. */
async function isFile(path: string, root: string, { files }: PlanWorld): Promise<boolean> {
  try {
    if ((await files.stat(path))?.kind !== "file") return false;
    const [real, realRoot] = await Promise.all([files.realpath(path), files.realpath(root)]);
    return isInside(realRoot, real);
  } catch {
    // For example, the name is longer than the file system allows.
    return false;
  }
}

/** The unchecked items of a plan that the todo list still has, and has as not done. */
function openItems(plan: string, todo: string): string[] {
  const states = new Map(parseTodo(todo).map(({ text, done }) => [text, done]));
  const planned = parseTodo(plan.slice(0, MAX_PLAN)).filter(({ done }) => !done);
  return [...new Set(planned.map(({ text }) => text))].filter((text) => states.get(text) === false);
}
