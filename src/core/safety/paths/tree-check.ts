/** Looks into the folders that a command reads whole, for files that must not be read unasked. Bounded in time and count. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Files } from "../../ports/files.ts";
import type { Clock } from "../../ports/system.ts";
import { secretName } from "./secret-names.ts";
import { Rules } from "./tree-rules.ts";
import type { TreeRead } from "./trees.ts";

/** Entries that are looked at, and milliseconds that it may take: beyond them, it is not known what is there. */
const MOST_ENTRIES = 20_000;
const LONGEST_MS = 1_500;

export interface TreeCheck {
  files: Files;
  clock: Clock;
  /** The project's folder, absolute. */
  root: string;
  /** Joins a folder and a name, in the host's way. */
  join(folder: string, name: string): string;
  /** Whether .nekodeignore names this path below the root, with `/`. */
  ignored?: ((path: string) => boolean) | undefined;
}

/**
 * Why reading this folder with all that is in it asks, or undefined. `folder` is absolute and inside the project,
 * `relative` the same below the root, with `/` ("" for the root).
 */
export async function refusedTree(
  tree: TreeRead,
  folder: string,
  relative: string,
  check: TreeCheck,
): Promise<Reason | undefined> {
  const { files, clock } = check;
  if ((await files.stat(folder))?.kind !== "directory") return undefined;
  const until = clock.now().getTime() + LONGEST_MS;
  const inRepository = (await files.stat(check.join(check.root, ".git"))) !== undefined;
  const rules = new Rules(tree, inRepository, check);
  const pending = [{ folder, relative }];
  let looked = 0;
  const odd = await rules.addAbove(relative);
  if (odd) return odd;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const entries = await files.list(next.folder);
    const unread = await rules.add(next.folder, next.relative, entries);
    if (unread) return unread;
    for (const { name, kind } of entries) {
      if (++looked > MOST_ENTRIES || clock.now().getTime() > until)
        return reasonOf("folder-not-searchable", tree.folder);
      const path = next.relative === "" ? name : `${next.relative}/${name}`;
      const isFolder = kind === "directory";
      if (rules.leavesOut(isFolder ? `${path}/` : path, name)) continue;
      // Nothing of git's own data but its settings may hold a credential, and most of them do not.
      if (inGit(path) && (isFolder ? name === "objects" : !isGitConfig(path))) continue;
      if (isFolder) {
        if (!tree.deep || tree.exclude?.some((pattern) => pattern.test(name))) continue;
        pending.push({ folder: check.join(next.folder, name), relative: path });
      } else if (kind === "other" && tree.follows) return reasonOf("link-elsewhere", path);
      else if (!tree.include || tree.include.some((pattern) => pattern.test(name))) {
        if (kind !== "file") continue;
        if (isGitConfig(path) && !(await holdsCredential(check.join(next.folder, name), files))) continue;
        const secret = secretName(path);
        if (secret) return reasonOf("reads-secret-file", path);
        if (check.ignored?.(path)) return reasonOf("reads-ignored-file", path);
      }
    }
  }
  return undefined;
}

function inGit(path: string): boolean {
  return /(?:^|\/)\.git(?:\/|$)/i.test(path);
}

function isGitConfig(path: string): boolean {
  return /(?:^|\/)\.git\/(?:.*\/)?(?:config|config\.worktree|credentials)$/i.test(path);
}

/** Whether git's settings in this file name a user in an address, a header of requests, or a password. */
async function holdsCredential(file: string, files: Files): Promise<boolean> {
  const { text } = await files.readText(file);
  return /:\/\/[^\s/@]+@|extraheader|password|token|oauth|\[credential/i.test(text);
}
