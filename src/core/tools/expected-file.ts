/** The state of a file whose removal or move is proposed. */
import { dirname } from "node:path";
import { ToolError } from "../errors.ts";
import type { ExpectedFile } from "../ports.ts";
import { displayPath, statOf } from "./paths.ts";
import type { ToolContext } from "./tool.ts";

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
