import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Assets } from "../core/ports.ts";

/** Files that ship with the product, from one folder. */
export function createAssets(folder: string): Assets {
  return { read: (name) => readFile(path.join(folder, name)) };
}
