/**
 * Finds folders that a command created, so that a restore to the state before it also removes them if they are empty.
 */
import { sep } from "node:path";
import { inParallel } from "../async.ts";
import type { FileStates } from "../ports/file-states.ts";
import type { SnapshotChange } from "../ports/snapshots.ts";

/**
 * Returns, for each new file, the outermost folder that was created since that moment or is a moved folder. A folder
 * that existed and was empty is neither.
 */
export async function foldersMade(
  files: FileStates,
  changes: readonly SnapshotChange[],
  since: Date,
): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for (const { path, before, after } of changes) if (before && !after) sources.set(before.id, path);
  const made = new Map<string, string>();
  await inParallel(
    changes.filter(({ before, after }) => !before && after),
    async ({ path, after }) => {
      const source = sources.get(after?.id ?? "");
      const folder =
        (await files.madeSince(path, since)) ?? (source && (await movedFrom(files, source, path)));
      if (folder !== undefined) made.set(path, folder);
    },
  );
  return made;
}

/**
 * Returns the folder of `path` that was moved from the folder of `source`, which is gone. A moved folder keeps its
 * creation time.
 */
async function movedFrom(files: FileStates, source: string, path: string): Promise<string | undefined> {
  const [from, to] = [source.split(sep), path.split(sep)];
  let same = 0;
  while (from.length > 0 && from.at(-1) === to.at(-1)) {
    from.pop();
    to.pop();
    same += 1;
  }
  if (same === 0 || from.length === 0 || to.length === 0) return undefined;
  return (await files.read(from.join(sep), 0)) === null ? to.join(sep) : undefined;
}
