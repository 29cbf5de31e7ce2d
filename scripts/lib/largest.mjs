// The longest source files and the fullest folders, for those who look for a file to divide or a folder to sort.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./dependencies.mjs";

/** How many files and folders are listed. */
const LISTED = 10;

/** @param {Map<string, number>} counts @param {string} unit */
function listed(counts, unit) {
  const most = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, LISTED);
  return most.map(([name, count]) => `  ${String(count).padStart(5)} ${unit}  ${name}`);
}

/** Lines to print: the longest source files, and the folders with the most of them. @returns {string[]} */
export function largest() {
  const lines = new Map();
  const files = new Map();
  for (const folder of ["src", "webview-ui"]) {
    for (const entry of readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || entry.name.endsWith(".d.ts")) continue;
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(ROOT, file).replaceAll("\\", "/");
      lines.set(name, readFileSync(file, "utf8").split("\n").length - 1);
      files.set(path.posix.dirname(name), (files.get(path.posix.dirname(name)) ?? 0) + 1);
    }
  }
  return ["The longest files:", ...listed(lines, "lines"), "The fullest folders:", ...listed(files, "files")];
}
