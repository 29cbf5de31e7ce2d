/** Where a path really leads. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import { readable } from "./disk-files.ts";
import { isMissing } from "./fs-errors.ts";

/**
 * The file that a path leads to, every link followed; for a new file, its folder's real path and its name. A link to
 * nothing leads to what it names.
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
