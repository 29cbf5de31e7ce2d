/** The changes of a call as texts: as its checkpoint recorded them, or as the user is asked about them. */
import { CheckpointError, type SessionCheckpoints } from "../core/checkpoints/checkpoints.ts";
import type { FileContent } from "../core/ports/file-states.ts";
import type { PathUse } from "../core/tools/tool.ts";
import { decodeFile, type EncodingNames } from "../node/files/encoding-names.ts";
import type { CallPart } from "./reports.ts";

export type Diff = Extract<CallPart, { type: "diff" }>;

/** Bytes of a file up to which its change is reported: an editor receives the whole text twice. */
const LARGEST = 1_000_000;
/** Files of one call. */
const MOST_FILES = 50;

/**
 * The recorded changes of a call. Files that are not text, are too large, or are no longer stored are left out. A deleted file is
 * empty afterwards. `names`: finds the encoding of a file.
 */
export async function recordedDiffs(
  checkpoints: Pick<SessionCheckpoints, "changes">,
  callId: string,
  names: EncodingNames,
): Promise<Diff[]> {
  try {
    const changes = await checkpoints.changes(callId, true);
    const diffs: Diff[] = [];
    for (const { path, before, after } of changes.slice(0, MOST_FILES)) {
      const [old, now] = [await textOf(path, before, names), await textOf(path, after, names)];
      if (old !== undefined && now !== undefined)
        diffs.push({ type: "diff", path, before: old, after: now ?? "" });
    }
    return diffs;
  } catch (error) {
    // The checkpoints of the session were removed to free space, or were never recorded.
    if (error instanceof CheckpointError) return [];
    throw error;
  }
}

/** The changes of files whose texts the call itself states, with the same limits. */
export function statedDiffs(paths: readonly PathUse[]): Diff[] {
  const isLarge = (text: string | null) => text !== null && text.length > LARGEST;
  return paths.slice(0, MOST_FILES).flatMap(({ path, change }): Diff[] => {
    if (!change || isLarge(change.before) || isLarge(change.after)) return [];
    return [{ type: "diff", path, before: change.before, after: change.after ?? "" }];
  });
}

/** null: there is no file. undefined: its text is not known. */
async function textOf(
  file: string,
  content: FileContent | null | undefined,
  names: EncodingNames,
): Promise<string | null | undefined> {
  if (!content) return content;
  if (content.kind === "link" || content.kind === "directory" || content.bytes.length > LARGEST)
    return undefined;
  const decoded = await decodeFile(file, content.bytes, names);
  return decoded.kind === "text" ? decoded.text : undefined;
}
