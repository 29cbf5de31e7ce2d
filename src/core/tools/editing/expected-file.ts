/** The expected state of a file that a call proposes to remove or move. */
import { basename, dirname, join } from "node:path";
import { ToolError } from "../../errors.ts";
import type { ExpectedFile } from "../../ports/editor.ts";
import type { ToolContext } from "../tool.ts";
import { displayPath, statOf } from "../tool-paths.ts";

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
export async function realTarget(context: ToolContext, path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  const { files } = context.host;
  const folder = (await files.stat(parent))
    ? await files.realpath(parent)
    : await realTarget(context, parent);
  return join(folder, basename(path));
}
