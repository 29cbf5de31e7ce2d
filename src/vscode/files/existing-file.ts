/** Finds out whether a file that a text names exists, and is in the workspace even after links are resolved. */
import { realpath } from "node:fs/promises";
import { isInside } from "../../core/roots.ts";

/**
 * Returns the file if it exists inside one of the folders. `file` is an absolute path, or undefined if the name leads
 * outside.
 */
export async function existingFile(
  file: string | undefined,
  folders: readonly string[],
): Promise<string | undefined> {
  const real = file && (await realpath(file).catch(() => undefined));
  if (real === undefined) return undefined;
  const roots = await Promise.all(folders.map((root) => realpath(root).catch(() => root)));
  return roots.some((root) => isInside(root, real)) ? file : undefined;
}

/** The names for which no such file exists. */
export async function missingFiles(
  names: readonly string[],
  resolve: (name: string) => string | undefined,
  folders: readonly string[],
): Promise<string[]> {
  const files = await Promise.all(names.map((name) => existingFile(resolve(name), folders)));
  return names.filter((_, index) => files[index] === undefined);
}
