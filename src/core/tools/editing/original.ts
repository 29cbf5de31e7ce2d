/** Reads the file that an edit changes. */
import { ToolError } from "../../errors.ts";
import type { TextFile } from "../../ports/files.ts";
import type { ToolContext } from "../tool.ts";
import { brokenLink, displayPath } from "../tool-paths.ts";

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
