/**
 * Checks the folders that a command reads recursively for files that must not be read without approval. Bounded in time
 * and count.
 */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { FileStat, Files } from "../../ports/files.ts";
import type { Clock } from "../../ports/system.ts";
import { keepsAddresses, secretName } from "./secret-names.ts";
import { TreeRules } from "./tree-rules.ts";
import type { TreeRead } from "./trees.ts";

/** Maximum number of entries that are checked, and milliseconds; beyond that, the content counts as unknown. */
const MAX_ENTRIES = 20_000;
const TIMEOUT_MS = 1_500;

type Kind = FileStat["kind"];

export interface TreeCheck {
  files: Files;
  clock: Clock;
  /** The project's folder, absolute. */
  root: string;
  /** Joins a folder and a name in the host's form. */
  join(folder: string, name: string): string;
  /** Whether .nekodeignore matches this path below the root, with `/`. */
  ignored?: ((path: string) => boolean) | undefined;
}

/**
 * Returns why reading this folder recursively asks; otherwise undefined. `folder` is absolute and inside the project,
 * `relative` is its path below the root, with `/` ("" for the root).
 */
export async function refusedTree(
  tree: TreeRead,
  folder: string,
  relative: string,
  check: TreeCheck,
): Promise<Reason | undefined> {
  const { files, clock, join } = check;
  if ((await files.stat(folder))?.kind !== "directory") return undefined;
  const until = clock.now().getTime() + TIMEOUT_MS;
  const inRepository = (await files.stat(join(check.root, ".git"))) !== undefined;
  const rules = new TreeRules(tree, inRepository, check);
  const odd = await rules.addAbove(relative);
  if (odd) return odd;
  const pending = [{ folder, relative }];
  let looked = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const entries = await files.list(next.folder);
    const unread = await rules.add(next.folder, next.relative, entries);
    if (unread) return unread;
    for (const { name, kind } of entries) {
      if (++looked > MAX_ENTRIES || clock.now().getTime() > until)
        return reasonOf("folder-not-searchable", tree.folder);
      const path = next.relative === "" ? name : `${next.relative}/${name}`;
      if (!isRead(tree, rules, path, name, kind)) continue;
      const below = join(next.folder, name);
      if (kind === "directory") {
        pending.push({ folder: below, relative: path });
        continue;
      }
      const refused = await refusedFile(below, path, kind, check);
      if (refused) return refused;
    }
  }
  return undefined;
}

/** Whether a command that reads the tree reads this entry of it. */
function isRead(tree: TreeRead, rules: TreeRules, path: string, name: string, kind: Kind): boolean {
  const isFolder = kind === "directory";
  const named = (patterns: RegExp[] | undefined) => patterns?.some((pattern) => pattern.test(name));
  if (rules.leavesOut(isFolder ? `${path}/` : path, name) || isGitData(path, isFolder)) return false;
  if (isFolder) return tree.deep && !named(tree.exclude);
  return kind === "other" ? tree.follows : (named(tree.include) ?? true);
}

async function refusedFile(
  file: string,
  path: string,
  kind: Kind,
  { files, ignored }: TreeCheck,
): Promise<Reason | undefined> {
  if (kind === "other") return reasonOf("link-elsewhere", path);
  if (keepsAddresses(path) && !(await containsCredential(file, files))) return undefined;
  if (secretName(path)) return reasonOf("reads-secret-file", path);
  return ignored?.(path) ? reasonOf("reads-ignored-file", path) : undefined;
}

/** In git's own data, only its settings and logs can contain a credential, and most of them do not. */
function isGitData(path: string, isFolder: boolean): boolean {
  if (!/(?:^|\/)\.git(?:\/|$)/i.test(path)) return false;
  return isFolder ? path.endsWith("/objects") : !keepsAddresses(path);
}

/** Whether git's settings or logs in this file contain a user in an address, a request header, or a password. */
async function containsCredential(file: string, files: Files): Promise<boolean> {
  const { text } = await files.readText(file);
  return /:\/\/[^\s/@]+@|extraheader|password|token|oauth|\[credential/i.test(text);
}
