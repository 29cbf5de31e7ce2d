/** What is in a folder. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

/** The content of each file in a folder, and the target of each link, by its path with `/`; of folders "". `isWanted`: by that path. */
export function contentOf(root: string, isWanted: (name: string) => boolean): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(root, file).replaceAll(path.sep, "/");
    if (!isWanted(name)) continue;
    if (entry.isSymbolicLink()) found[name] = `-> ${readlinkSync(file)}`;
    else if (entry.isFile())
      found[name] = `${lstatSync(file).mode.toString(8)} ${readFileSync(file, "latin1")}`;
    else found[name] = "";
  }
  return found;
}
