/** Paths in tool calls: relative to the workspace folder, with an `@root:` prefix, or absolute. */
import { dirname, isAbsolute, normalize, relative, resolve, sep } from "node:path";
import { ToolError } from "../errors.ts";
import type { FileStat } from "../ports/files.ts";
import type { Workspace } from "../ports/workspace.ts";
import { rootNamed, rootPrefix, splitRoot } from "../roots.ts";
import { visibleName } from "../text.ts";
import type { ToolContext } from "./tool.ts";

/** The absolute path that the model meant. Throws ToolError for one that cannot be a path. */
export function resolvePath(workspace: Workspace, path: string): string {
  if (path.trim() === "") throw new ToolError("The parameter path is empty. Name a file or folder.");
  if (/[\0-\x1f]/.test(path)) {
    throw new ToolError(
      `The path ${JSON.stringify(path)} contains control characters. Name the path without them.`,
    );
  }
  if (workspace.root === undefined) {
    if (isAbsolute(path)) return normalize(path);
    throw new ToolError(
      "No folder is open, so a relative path cannot be resolved. Ask the user to open a folder.",
    );
  }
  const named = splitRoot(path);
  if (named) {
    const folder = rootNamed(workspace, named.name);
    if (folder !== undefined) return resolve(folder, named.inside);
    const names = workspace.roots.map((root) => root.name).join(", ");
    throw new ToolError(`There is no workspace folder named ${named.name}. The folders are: ${names}.`);
  }
  return resolve(workspace.root, path.trim());
}

/** The path to display: relative to its workspace folder with `/`, otherwise absolute. */
export function displayPath(workspace: Workspace, path: string): string {
  for (const root of workspace.roots) {
    const inside = relative(root.path, path);
    if (inside === "" || (!inside.startsWith("..") && !isAbsolute(inside))) {
      const shown = inside.split(sep).join("/") || ".";
      return rootPrefix(workspace, root) + shown;
    }
  }
  return path;
}

/** The stat of an existing file or folder. Throws ToolError that lists its siblings if there is none. */
export async function statOf(context: ToolContext, path: string): Promise<FileStat> {
  const { files, workspace } = context.host;
  const stat = await files.stat(path);
  if (stat) return stat;
  const shown = displayPath(workspace, path);
  const broken = await brokenLink(context, path);
  if (broken !== undefined) throw new ToolError(`There is no file or folder at ${shown}: ${broken}.`);
  const near = await namesNear(context, path);
  throw new ToolError(
    `There is no file or folder at ${shown}.${near.length > 0 ? ` In the same folder: ${near.join(", ")}.` : ""}`,
  );
}

/**
 * For a path where nothing exists: which link, of the file or of a folder above it, leads to nothing, such as `a.txt is a
 * link to b.txt, which does not exist`; undefined: none does.
 */
export async function brokenLink(context: ToolContext, path: string): Promise<string | undefined> {
  const { files, workspace } = context.host;
  for (let at = path; !(await files.stat(at)); at = dirname(at)) {
    const target = await files.readlink(at).catch(() => undefined);
    if (target !== undefined)
      return `${displayPath(workspace, at)} is a link to ${visibleName(target)}, which does not exist`;
    if (dirname(at) === at) return undefined;
  }
  return undefined;
}

async function namesNear(context: ToolContext, path: string): Promise<string[]> {
  const folder = resolve(path, "..");
  const stat = await context.host.files.stat(folder);
  if (stat?.kind !== "directory") return [];
  const entries = await context.host.files.list(folder);
  return entries
    .slice(0, 20)
    .map((entry) => visibleName(entry.kind === "directory" ? `${entry.name}/` : entry.name));
}
