/** The changes of a Git repository as a model reads them, without the content of files that it may not read. */
import path from "node:path";
import { unifiedDiff } from "../edits/regions.ts";
import type { DiffRange } from "../ports/git.ts";
import type { Host } from "../ports/host.ts";
import { type DiffPart, diffParts, partText } from "./diff-parts.ts";

/** Characters of a diff that are read. */
const DIFF_LIMIT = 400_000;
/** Characters of the list of new files. */
const LIST_LIMIT = 4_000_000;
/** New files whose content is read, and bytes of the largest of them. */
const MOST_NEW_FILES = 40;
const LARGEST_NEW_FILE = 100_000;

export interface ChangeReader {
  host: Pick<Host, "files" | "git">;
  /** Why the model may not read the file at this absolute path; undefined: it may. */
  unreadable(path: string): Promise<unknown>;
}

/** The changes of each file in a range. `root`: the top folder of the repository. */
export async function changesInRange(
  root: string,
  range: DiffRange,
  reader: ChangeReader,
  signal: AbortSignal,
): Promise<string[]> {
  const diff = (await reader.host.git?.diff(root, range, { limit: DIFF_LIMIT, signal })) ?? "";
  const texts = await Promise.all(
    diffParts(diff).map(async (part) => partText(part, await isPrivate(root, part, reader))),
  );
  return diff.length < DIFF_LIMIT ? texts : [...texts, "(more files changed)"];
}

/** What the next commit contains: what is staged, or all changes and new files if nothing is. */
export async function changesToCommit(
  root: string,
  reader: ChangeReader,
  signal: AbortSignal,
): Promise<string[]> {
  const staged = await changesInRange(root, "staged", reader, signal);
  if (staged.length > 0) return staged;
  const [changed, added] = await Promise.all([
    changesInRange(root, "working", reader, signal),
    newFiles(root, reader, signal),
  ]);
  return [...changed, ...added];
}

/** Files that git neither tracks nor ignores. */
async function newFiles(root: string, reader: ChangeReader, signal: AbortSignal): Promise<string[]> {
  const { files, git } = reader.host;
  const args = ["ls-files", "--others", "--exclude-standard", "-z"];
  const list = (await git?.ask(root, args, { limit: LIST_LIMIT, signal })) ?? "";
  const names = list.split("\0").filter((name) => name !== "");
  const listed = names.slice(0, MOST_NEW_FILES);
  const parts = listed.map((name): DiffPart => ({ name, kind: "new file", hunks: "" }));
  const isHidden = await Promise.all(parts.map((part) => isPrivate(root, part, reader)));
  const readable = listed.filter((_, index) => isHidden[index] === false);
  const read = await files.readSmall(
    readable.map((name) => path.join(root, name)),
    LARGEST_NEW_FILE,
  );
  const contents = new Map(readable.map((name, index) => [name, read[index]]));
  const texts = parts.map((part, index) => {
    const content = contents.get(part.name);
    const hunks =
      content === undefined || content.includes("\0") ? "" : unifiedDiff("", content, { context: 2 });
    return partText({ ...part, hunks }, isHidden[index] ?? true);
  });
  const more = names.length - listed.length;
  return more > 0 ? [...texts, `(${more} more new files)`] : texts;
}

async function isPrivate(root: string, { name, from }: DiffPart, reader: ChangeReader): Promise<boolean> {
  if (name === "") return true;
  const names = from === undefined ? [name] : [name, from];
  const reasons = await Promise.all(names.map((each) => reader.unreadable(path.join(root, each))));
  return reasons.some((reason) => reason !== undefined);
}
