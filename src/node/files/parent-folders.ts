import path from "node:path";

/** The folders that contain the file, from its own to the root of the system. */
export function parentFolders(file: string): string[] {
  const folder = path.dirname(file);
  return folder === file ? [] : [folder, ...parentFolders(folder)];
}
