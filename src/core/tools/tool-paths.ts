/** Paths in tool calls: relative to the workspace folder, with an `@root:` prefix, or absolute. */
import { dirname, isAbsolute, normalize, relative, resolve, sep } from "node:path";
import { ToolError } from "../errors.ts";
import type { FileStat } from "../ports/files.ts";
import type { Host } from "../ports/host.ts";
import type { Workspace } from "../ports/workspace.ts";
import { isInside, rootNamed, rootPrefix, splitRoot } from "../roots.ts";
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

/**
 * The absolute path that the model meant, as `resolvePath`. In a copy, a path of the original means the same file of the copy. If
 * nothing has this name, but exactly one file or folder of the workspace has the same name with letters composed or decomposed
 * otherwise, as on macOS, it is that one.
 */
export async function locatePath(
  { files, workspace }: Pick<Host, "files" | "workspace">,
  path: string,
): Promise<string> {
  const meant = await inCopy(workspace, resolvePath(workspace, path));
  const root = workspace.roots.find((each) => isInside(each.path, meant));
  if (!hasAccents(meant) || root === undefined) return meant;
  let reached = root.path;
  for (const name of relative(root.path, meant).split(sep)) {
    const next = resolve(reached, name);
    if (!hasAccents(name) || (await files.stat(next))) {
      reached = next;
      continue;
    }
    const isFolder = (await files.stat(reached))?.kind === "directory";
    const entries = isFolder ? await files.list(reached) : [];
    const same = entries.filter((entry) => entry.name.normalize("NFC") === name.normalize("NFC"));
    const [only] = same;
    reached = only !== undefined && same.length === 1 ? resolve(reached, only.name) : next;
  }
  return reached;
}

/** The same path in the copy that the task works in, if it is one of the original. */
async function inCopy({ roots, copied }: Workspace, path: string): Promise<string> {
  const folders = (await copied?.()) ?? [];
  if (folders.length === 0 || roots.some((root) => isInside(root.path, path))) return path;
  const folder = folders.find(({ original }) => isInside(original, path));
  return folder ? resolve(folder.copy, relative(folder.original, path)) : path;
}

/** Whether a name may have another normalization. */
function hasAccents(name: string): boolean {
  return name.normalize("NFC") !== name || name.normalize("NFD") !== name;
}

/** The path to display: relative to its workspace folder with `/`, otherwise absolute. */
export function displayPath(workspace: Workspace, path: string): string {
  for (const root of workspace.roots) {
    if (!isInside(root.path, path)) continue;
    return rootPrefix(workspace, root) + (relative(root.path, path).split(sep).join("/") || ".");
  }
  return path;
}

/** The stat of an existing file or folder. Throws ToolError that lists its siblings if there is none. */
export async function statOf(context: ToolContext, path: string): Promise<FileStat> {
  const stat = await context.host.files.stat(path);
  if (stat) return stat;
  throw new ToolError(await nothingAt(context, path));
}

/** Says that there is no file or folder at a path, and what is beside it. */
export async function nothingAt(context: ToolContext, path: string): Promise<string> {
  const shown = displayPath(context.host.workspace, path);
  const broken = await brokenLink(context, path);
  if (broken !== undefined) return `There is no file or folder at ${shown}: ${broken}.`;
  const near = await namesNear(context, path);
  return `There is no file or folder at ${shown}.${near.length > 0 ? ` In the same folder: ${near.join(", ")}.` : ""}`;
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
