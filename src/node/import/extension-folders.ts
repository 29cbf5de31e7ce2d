/** The folders in which Cline, Roo Code, Zoo Code and Kilo Code keep what they have for a user. */
import path from "node:path";
import { nonEmptyText } from "../../core/sessions/import/values.ts";
import { editorStorages, type UserPlaces } from "./editor-storages.ts";
import type { EditorUserFile } from "./editor-user-files.ts";

/** The extension's id, which its folder has as its name. */
const EXTENSIONS = {
  cline: "saoudrizwan.claude-dev",
  roo: "rooveterinaryinc.roo-cline",
  zoo: "zoocodeorganization.zoo-code",
  kilo: "kilocode.kilo-code",
} as const;

export type TaskProduct = keyof typeof EXTENSIONS;

/** What the names of its settings in the editor begin with. */
export const SETTING_PREFIXES: Readonly<Partial<Record<TaskProduct, string>>> = {
  roo: "roo-cline",
  zoo: "zoo-code",
  kilo: "kilo-code",
};

/** Those in every editor, one that the user set in an editor's settings, and Cline's own. */
export function extensionFolders(
  product: TaskProduct,
  options: UserPlaces,
  editors: readonly EditorUserFile[],
): string[] {
  const storages = editorStorages(options).map((storage) => path.join(storage, EXTENSIONS[product]));
  const prefix = SETTING_PREFIXES[product];
  const custom = editors.flatMap(({ settings }) => {
    const folder = prefix === undefined ? undefined : nonEmptyText(settings[`${prefix}.customStoragePath`]);
    return folder !== undefined && path.isAbsolute(folder) ? [path.resolve(folder)] : [];
  });
  const own = product === "cline" ? [clineDataFolder(options)] : [];
  return [...new Set([...storages, ...custom, ...own])];
}

/** The folder of Cline outside editors. */
export function clineDataFolder({ environment, home }: Pick<UserPlaces, "environment" | "home">): string {
  return environment.CLINE_DATA_DIR || path.join(home, ".cline", "data");
}
