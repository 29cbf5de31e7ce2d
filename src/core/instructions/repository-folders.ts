/** The folders above the workspace up to the root of its repository, whose files count where a product reads them too. */
import { dirname, join } from "node:path";
import { Interrupt } from "../errors.ts";
import type { Host } from "../ports/host.ts";

/** Folders above the workspace in which the root of its repository is looked for. */
const MOST_ABOVE = 12;

type FolderHost = Pick<Host, "files" | "git" | "log" | "system">;

export interface FolderAbove {
  /** Absolute. */
  path: string;
  /** How many folders it is above the workspace. */
  levels: number;
}

/** Those that have a file or folder of one of these names, the nearest first; none if git does not take the repository for the user's own. */
export async function foldersAbove(
  host: FolderHost,
  root: string,
  names: readonly string[],
): Promise<FolderAbove[]> {
  const above = await foldersToTop(host, root);
  if (above.length === 0) return [];
  const isUsed = await Promise.all(
    above.map(async (folder) => {
      const stats = await Promise.all(
        names.map((name) => host.files.stat(join(folder, name)).catch(() => undefined)),
      );
      return stats.some((stat) => stat !== undefined);
    }),
  );
  const used = above.flatMap((path, index) => (isUsed[index] ? [{ path, levels: index + 1 }] : []));
  const isOwn = used.length > 0 && (await isOwnRepository(host, root, above.at(-1) ?? root));
  return isOwn ? used : [];
}

/** The folders above `root` up to the one that has `.git`, the nearest first; none if there is none, or `root` has it. */
async function foldersToTop({ files, system }: FolderHost, root: string): Promise<string[]> {
  const above: string[] = [];
  for (let at = root; above.length <= MOST_ABOVE; at = dirname(at)) {
    if ((await files.stat(join(at, ".git")).catch(() => undefined)) !== undefined) return above;
    const parent = dirname(at);
    // What is in the home folder belongs to the user, and is read as theirs.
    if (parent === at || at === system.home || parent === system.home) return [];
    above.push(parent);
  }
  return [];
}

/** Whether git takes `top` for the root of the repository and for the user's own: anybody can write into /tmp. */
async function isOwnRepository(host: FolderHost, root: string, top: string): Promise<boolean> {
  try {
    const bounds = { limit: 10_000, signal: new AbortController().signal };
    const answer = await host.git?.ask(root, ["rev-parse", "--show-toplevel"], bounds);
    const named = answer?.trim() ?? "";
    return named !== "" && (await host.files.realpath(named)) === (await host.files.realpath(top));
  } catch (error) {
    if (error instanceof Interrupt) throw error;
    host.log.info(
      `nothing above the workspace is read, because git does not vouch for its repository: ${String(error)}`,
    );
    return false;
  }
}
