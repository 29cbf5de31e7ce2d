/**
 * A file before an edit changes, moves or deletes it: its text, whether somebody's change meanwhile refuses the edit, and its content to
 * restore. What changes between the approval and the save is found when the editor saves (`ports/editor.ts`).
 */

import { basename, dirname, join } from "node:path";
import type { RemovedFile } from "../../../shared/message.ts";
import { base64 } from "../../bytes.ts";
import { ToolError } from "../../errors.ts";
import type { ExpectedFile } from "../../ports/editor.ts";
import type { Files, TextFile } from "../../ports/files.ts";
import type { ToolContext } from "../tool.ts";
import { brokenLink, displayPath, statOf } from "../tool-paths.ts";

/** The current file, or null if there is none. Throws ToolError for a folder, a binary file or a link to nothing. */
export async function readOriginal(context: ToolContext, path: string): Promise<TextFile | null> {
  const { files, workspace } = context.host;
  const stat = await files.stat(path);
  if (!stat) {
    const broken = await brokenLink(context, path);
    if (broken === undefined) return null;
    throw new ToolError(`${broken}. Nothing was written. Write the file that the link leads to instead.`);
  }
  if (stat.kind !== "file") throw new ToolError(`${displayPath(workspace, path)} is not a file.`);
  return files.readText(path);
}

/**
 * The reply to an edit that does not match quotes lines of the file before any approval. This throws ToolError instead
 * if the model has not read the file and may not read it without approval.
 */
export async function refuseToQuote(context: ToolContext, path: string): Promise<void> {
  if (context.seen.has(path)) return;
  const reason = await context.unreadable(path);
  if (reason === undefined) return;
  throw new ToolError(
    `The change does not match ${displayPath(context.host.workspace, path)}, and its lines are not shown here: ${reason}. Nothing was changed. read_file asks the user for it.`,
  );
}

type Context = Pick<ToolContext, "host" | "seen" | "writers">;

/** The task that changed a file, if it was another task, as part of a sentence. */
export function whoWrote(
  { writers }: Pick<Context, "writers">,
  path: string,
  since?: number,
): string | undefined {
  const title = writers?.other(path, since);
  return title === undefined ? undefined : `the other task “${title.replace(/\s+/g, " ").trim()}”`;
}

/**
 * Throws ToolError if the file changed since this task last saw it. A change "in place" is refused only if another task wrote,
 * which it might contradict: it replaces text that must still be there, so it may follow what the user did. A change of the "whole"
 * file would lose what anybody wrote. `version`: of the file as it is; undefined: there is none. `advice`: sentences for the model.
 */
export function refuseStale(
  context: Context,
  path: string,
  { version, change, advice }: { version: string | undefined; change: "in place" | "whole"; advice: string },
): void {
  const seen = context.seen.get(path);
  if (seen === undefined || version === undefined || seen === version) return;
  const who = whoWrote(context, path) ?? (change === "whole" ? "somebody else" : undefined);
  if (who === undefined) return;
  const shown = displayPath(context.host.workspace, path);
  throw new ToolError(`${shown} was changed by ${who} since you read it. ${advice}`);
}

/** The advice for a change in place. */
export const READ_THEN_EDIT = "Nothing was changed. Read it again, then edit it.";

/** Throws ToolError unless the path is a regular file. `size`: bytes. */
export async function expectedFile(
  context: ToolContext,
  path: string,
): Promise<ExpectedFile & { size: number }> {
  const { files, workspace } = context.host;
  const { kind, version, size } = await statOf(context, path);
  if (kind !== "file") {
    const what = kind === "directory" ? "a folder" : "neither a file nor a folder";
    throw new ToolError(`${displayPath(workspace, path)} is ${what}. Only files can be deleted or moved.`);
  }
  return { version, folder: await files.realpath(dirname(path)), size };
}

/** The real path of a file that does not exist yet: its nearest existing folder with links resolved, plus the rest. */
export async function futureRealPath(context: ToolContext, path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  const { files } = context.host;
  const folder = (await files.stat(parent))
    ? await files.realpath(parent)
    : await futureRealPath(context, parent);
  return join(folder, basename(path));
}

/** Bytes; a larger file is not kept. */
const KEPT_FILE_LIMIT = 5_000_000;

/** `name`: the display path. `size`: bytes. undefined: the file is too large to keep. */
export async function keepContent(
  files: Files,
  path: string,
  name: string,
  size: number,
): Promise<RemovedFile | undefined> {
  if (size > KEPT_FILE_LIMIT) return undefined;
  const bytes = await files.readBytes(path, KEPT_FILE_LIMIT);
  try {
    const content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path: name, content, encoding: "utf8" };
  } catch {
    return { path: name, content: base64(bytes), encoding: "base64" };
  }
}
