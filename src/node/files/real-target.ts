/** Resolves the real target of a path. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import { readable } from "./disk-files.ts";
import { isMissing } from "./fs-errors.ts";

/**
 * The real path of a file, with all links followed; for a missing file, its folder's real path and its name. This includes
 * dangling links.
 */
export async function realTarget(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (!isMissing(error)) throw readable(error, file);
    const parent = path.dirname(file);
    return parent === file ? file : path.join(await realTarget(parent), path.basename(file));
  }
}
