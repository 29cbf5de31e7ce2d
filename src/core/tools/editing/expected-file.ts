/** The state of a file whose removal or move is proposed. */
import { basename, dirname, join } from "node:path";
import { ToolError } from "../../errors.ts";
import type { ExpectedFile } from "../../ports/editor.ts";
import type { ToolContext } from "../tool.ts";
import { displayPath, statOf } from "../tool-paths.ts";

/** Throws ToolError for what is not a regular file. `size`: bytes. */
export async function expectedFile(
  context: ToolContext,
  path: string,
): Promise<ExpectedFile & { size: number }> {
  const { files, workspace } = context.host;
  const { kind, version, size } = await statOf(context, path);
  if (kind !== "file") {
    const what = kind === "directory" ? "a folder" : "neither a file nor a folder";
    throw new ToolError(`${displayPath(workspace, path)} is ${what}. Only files are removed or moved.`);
  }
  return { version, folder: await files.realpath(dirname(path)), size };
}

/** Where a path at which there is nothing yet really leads: its nearest folder that exists, links followed, and the rest. */
export async function realTarget(context: ToolContext, path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  const { files } = context.host;
  const folder = (await files.stat(parent))
    ? await files.realpath(parent)
    : await realTarget(context, parent);
  return join(folder, basename(path));
}
