/** The settings of the editors that are based on VS Code, as far as they are in files. */
import path from "node:path";
import type { Fields } from "../../core/sessions/import/values.ts";
import { editorStorages, type UserPlaces } from "./editor-storages.ts";
import { foldersIn } from "./folder-entries.ts";
import type { FindProblem } from "./found-session.ts";
import { jsonSettings } from "./settings-text.ts";

export interface EditorUserFile {
  /** The folder of the settings. */
  folder: string;
  /** Absolute. */
  file: string;
  settings: Fields;
}

/** The folders of the user's settings: one for each editor, one for each of its profiles, and one for each machine of remote windows. */
export async function editorUserFolders(options: UserPlaces): Promise<string[]> {
  const folders: string[] = [];
  for (const storage of editorStorages(options)) {
    const user = path.dirname(storage);
    const profiles = path.join(user, "profiles");
    const names = await foldersIn(profiles, []);
    folders.push(
      user,
      ...names.map((name) => path.join(profiles, name)),
      path.join(path.dirname(user), "Machine"),
    );
  }
  return folders;
}

export async function editorUserFiles(
  options: UserPlaces,
  problems: FindProblem[],
): Promise<EditorUserFile[]> {
  const files: EditorUserFile[] = [];
  for (const folder of await editorUserFolders(options)) {
    const file = path.join(folder, "settings.json");
    const settings = await jsonSettings(file, { problems });
    if (settings) files.push({ folder, file, settings });
  }
  return files;
}
