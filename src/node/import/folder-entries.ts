/** Lists folders of other products. Links are not followed, so that nothing outside is read. */
import type { Dirent, Stats } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { UnreadableSession } from "../../core/sessions/import/foreign-session.ts";
import { jsonOf } from "../../core/sessions/import/values.ts";
import { isMissing } from "../files/fs-errors.ts";
import type { FindProblem } from "./found-session.ts";

/** Bytes of a file that is read as a whole. */
export const LARGEST_FILE = 512 * 1024 * 1024;

/** The entries of a folder in the order of their names; none if it does not exist. */
export async function entriesOf(folder: string, problems: FindProblem[]): Promise<Dirent[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (!isMissing(error)) problems.push({ path: folder, code: "unreadable" });
    return [];
  }
  for (const entry of entries)
    if (entry.isSymbolicLink()) problems.push({ path: path.join(folder, entry.name), code: "link" });
  return entries.filter((entry) => !entry.isSymbolicLink()).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function foldersIn(folder: string, problems: FindProblem[]): Promise<string[]> {
  const entries = await entriesOf(folder, problems);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

export async function filesIn(folder: string, problems: FindProblem[]): Promise<string[]> {
  const entries = await entriesOf(folder, problems);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** undefined: there is no such file. */
export async function fileStats(file: string): Promise<Stats | undefined> {
  try {
    const stats = await stat(file);
    return stats.isFile() ? stats : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The content of a JSON file; undefined: there is no such file. Rejects with UnreadableSession. */
export async function jsonFile(file: string): Promise<unknown> {
  const stats = await fileStats(file);
  if (!stats) return undefined;
  if (stats.size > LARGEST_FILE) throw new UnreadableSession("too-large", file);
  const value = jsonOf(await readFile(file, "utf8"));
  if (value === undefined) throw new UnreadableSession("not-json", file);
  return value;
}
