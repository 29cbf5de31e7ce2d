/**
 * Checks the folders that a command reads recursively for files that must not be read without approval. Bounded in time
 * and count.
 */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Files } from "../../ports/files.ts";
import type { Clock } from "../../ports/system.ts";
import type { FolderRead } from "../programs/reading-programs.ts";
import { isInstalledFolder } from "./autorun-files.ts";
import { keepsAddresses, secretName } from "./secret-names.ts";

/** Maximum number of entries that are checked, and milliseconds; beyond that, the content counts as unknown. */
const MAX_ENTRIES = 20_000;
const TIMEOUT_MS = 1_500;

/** What of a folder is read. */
type HowRead = Omit<FolderRead, "folder">;

export interface TreeCheck {
  files: Files;
  clock: Clock;
  /** Joins a folder and a name in the host's form. */
  join(folder: string, name: string): string;
  /** Whether .nekodeignore matches this path below the root, with `/`. */
  ignored?: ((path: string) => boolean) | undefined;
}

/**
 * Returns why reading this folder recursively asks; otherwise undefined. `folder` is absolute and inside the project,
 * `relative` is its path below the root, with `/` ("" for the root). Installed packages are not the user's, and not looked at.
 */
export async function refusedTree(
  folder: string,
  relative: string,
  how: HowRead,
  check: TreeCheck,
): Promise<Reason | undefined> {
  if ((await check.files.stat(folder))?.kind !== "directory") return undefined;
  try {
    // The rules in the folders above it count, too.
    const hidden = how.hidden || relative !== "";
    for await (const { file, path, isLink } of filesBelow(folder, relative, { ...how, hidden }, check)) {
      const refused = isLink ? reasonOf("link-elsewhere", path) : await refusedFile(file, path, check);
      if (refused) return refused;
    }
    return undefined;
  } catch (error) {
    if (error instanceof BroughtBack) return refusedTree(folder, relative, { ...how, hidden: true }, check);
    if (error instanceof TooMuch) return reasonOf("folder-not-searchable", folder);
    throw error;
  }
}

class TooMuch extends Error {}
/** A file of rules brings hidden files back. */
class BroughtBack extends Error {}

/** Yields the files that are read, with their paths below the root, and links if they are followed. */
async function* filesBelow(
  folder: string,
  relative: string,
  { hidden, follows }: HowRead,
  check: TreeCheck,
): AsyncGenerator<{ file: string; path: string; isLink: boolean }> {
  const { files, clock, join } = check;
  const until = clock.now().getTime() + TIMEOUT_MS;
  const pending = [{ folder, relative }];
  let looked = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const { name, kind } of await files.list(next.folder)) {
      if (++looked > MAX_ENTRIES || clock.now().getTime() > until) throw new TooMuch();
      const path = next.relative === "" ? name : `${next.relative}/${name}`;
      const file = join(next.folder, name);
      if (!hidden && name.startsWith(".")) await refuseBringingBack(file, name, check);
      else if ((kind === "file" || follows) && kind !== "directory" && !isGitData(path, false))
        yield { file, path, isLink: kind === "other" };
      else if (kind === "directory" && !isInstalledFolder(name) && !isGitData(path, true))
        pending.push({ folder: file, relative: path });
    }
  }
}

/** Files whose rules bring hidden files back for a search, with a `!`. */
const RULES = /^\.(?:git|rg)?ignore$/;

async function refuseBringingBack(file: string, name: string, { files }: TreeCheck): Promise<void> {
  if (RULES.test(name) && /^\s*!/m.test((await files.readText(file)).text)) throw new BroughtBack();
}

async function refusedFile(
  file: string,
  path: string,
  { files, ignored }: TreeCheck,
): Promise<Reason | undefined> {
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
