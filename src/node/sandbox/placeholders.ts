/**
 * Files and folders that a project does not have yet and that a command in the sandbox cannot make. Where an engine can fix only what
 * exists, they stand there meanwhile, and go with the last command that needs them, unless somebody has changed them.
 */
import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../files/fs-errors.ts";

/** What takes effect as soon as it is there: an editor's settings, Nekode's, and a repository. */
const FOLDERS = [".vscode", ".idea", ".nekode", ".git"];

export interface Placeholder {
  path: string;
  /** undefined: it is a folder. */
  content?: string;
}

/** Commands that need each of them, by path. */
const users = new Map<string, number>();

export const placeholdersIn = (root: string): Placeholder[] =>
  FOLDERS.map((name) => ({ path: path.join(root, name) }));

/** Whether the file or folder is there only while a command needs it. */
export const isPlaceholder = (file: string): boolean => users.has(file);

/** Whether it is not there, or only while a command needs it. */
export function isAbsent({ path: file }: Placeholder): boolean {
  return isPlaceholder(file) || lstatSync(file, { throwIfNoEntry: false }) === undefined;
}

/** Whether it had to be made, or another command needs it. Then it needs one `releasePlaceholder`. */
export function holdPlaceholder(placeholder: Placeholder): boolean {
  const { path: file, content } = placeholder;
  const count = users.get(file) ?? 0;
  try {
    if (content === undefined) mkdirSync(file);
    else writeFileSync(file, content, { flag: "wx" });
  } catch (error) {
    // It is there, or nothing can be made in this folder, not by a command either.
    if (!["EEXIST", "EROFS", "EACCES", "EPERM"].includes(codeOf(error) ?? "")) throw error;
    if (count === 0) return false;
  }
  users.set(file, count + 1);
  return true;
}

export function releasePlaceholder({ path: file, content }: Placeholder): void {
  const count = (users.get(file) ?? 1) - 1;
  if (count > 0) {
    users.set(file, count);
    return;
  }
  users.delete(file);
  try {
    if (content === undefined) rmdirSync(file);
    else if (readFileSync(file, "utf8") === content) rmSync(file);
  } catch {
    // Somebody uses it now, or has removed it.
  }
}
