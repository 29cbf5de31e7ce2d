/** A code that identifies exactly what an approval shows, so that a later answer applies only to that. */
import { createHash } from "node:crypto";
import path from "node:path";
import { inParallel } from "../core/async.ts";
import type { Host } from "../core/ports/host.ts";
import { mayBeCode } from "../core/tools/scripts/covered-files.ts";
import type { ApprovalView } from "../shared/event.ts";

/** Returns the code of an approval as it is now. `diffOf`: see `Run`. */
export async function currentCode(
  approval: ApprovalView,
  {
    host,
    diffOf,
  }: { host: Pick<Host, "files" | "search">; diffOf(path: string | undefined): string | undefined },
): Promise<string> {
  const { covers, cwd } = approval;
  const project = covers?.runsCode && cwd !== undefined ? await projectCode(host, cwd) : undefined;
  return shownCode(approval, diffOf(approval.path), project);
}

/** Hexadecimal digits: enough that nobody finds another approval with the same code. */
const LENGTH = 32;

/** `diff`: of the file that the call changes. `project`: of the code that a command may load, as `projectCode` names it. */
export function shownCode(approval: ApprovalView, diff: string | undefined, project?: string): string {
  // The reason for asking does not change what runs, so it is left out.
  const { changedSince: _, ...shown } = approval;
  const text = JSON.stringify([shown, diff ?? null, project ?? null]);
  return createHash("sha256").update(text).digest("hex").slice(0, LENGTH);
}

/** Maximum number of files. In a larger project, an answer covers only the files that the command names. */
const MOST_FILES = 50_000;
/** Maximum bytes of a file. For a larger one, only the size is compared. */
const LARGEST_FILE = 5_000_000;

/** A hash of the files that may be code and are not ignored; undefined: there are too many, or they cannot be listed. */
async function projectCode(
  { files, search }: Pick<Host, "files" | "search">,
  root: string,
): Promise<string | undefined> {
  const { signal } = new AbortController();
  const listed = await search.files(root, { limit: MOST_FILES, signal }).catch(() => undefined);
  if (!listed || listed.more) return undefined;
  const states: string[] = [];
  await inParallel(listed.paths.filter(mayBeCode), async (name) => {
    states.push(`${name}\0${await stateOf(files, path.join(root, name))}`);
  });
  return createHash("sha256").update(states.sort().join("\n")).digest("hex");
}

async function stateOf(files: Host["files"], file: string): Promise<string> {
  try {
    const stat = await files.stat(file);
    if (stat?.kind !== "file") return stat?.kind ?? "nothing";
    if (stat.size > LARGEST_FILE) return `${stat.size} bytes`;
    return createHash("sha256")
      .update(await files.readBytes(file, LARGEST_FILE))
      .digest("hex");
  } catch {
    return "unreadable";
  }
}
