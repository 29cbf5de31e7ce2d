/** The files of a skill's folder besides its text, which the model reads when the text points to them. */
import { join } from "node:path";
import type { FileStat } from "../ports/files.ts";
import type { Host } from "../ports/host.ts";
import { secretName } from "../safety/paths/secret-names.ts";
import { hiddenCharacter } from "../safety/shells/hidden-characters.ts";
import type { Skill } from "./skills.ts";

/** Files that are listed. */
const MOST_LISTED = 60;
const MOST_LEVELS = 4;
/** Folders that are looked into. */
const MOST_FOLDERS = 50;
const SKIPPED = new Set(["node_modules", "__pycache__"]);

export interface SkillResources {
  /** Relative to the skill's folder, with `/`. */
  paths: string[];
  /** There are further files. */
  more: boolean;
}

/** Links, hidden files and files that may contain secrets are not listed. */
export async function listResources(
  { files }: Pick<Host, "files">,
  { folder, path }: Pick<Skill, "folder" | "path">,
): Promise<SkillResources> {
  const paths: string[] = [];
  const waiting = [""];
  for (let looked = 0; waiting.length > 0; looked++) {
    const below = waiting.shift() ?? "";
    if (looked >= MOST_FOLDERS || below.split("/").length > MOST_LEVELS) return { paths, more: true };
    const entries = await files.list(join(folder, below)).catch(() => []);
    const inside = entries
      .filter(isListed)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, kind }) => ({ kind, path: below === "" ? name : `${below}/${name}` }));
    waiting.push(...inside.filter(({ kind }) => kind === "directory").map((each) => each.path));
    paths.push(...inside.filter(({ kind }) => kind === "file").map((each) => each.path));
    const own = paths.findIndex((each) => join(folder, each) === path);
    if (own >= 0) paths.splice(own, 1);
    if (paths.length > MOST_LISTED) return { paths: paths.slice(0, MOST_LISTED), more: true };
  }
  return { paths, more: false };
}

function isListed({ name, kind }: { name: string; kind: FileStat["kind"] }): boolean {
  if (kind === "other" || name.startsWith(".") || SKIPPED.has(name)) return false;
  return hiddenCharacter(name) === undefined && !/[\t\n<>]/.test(name) && secretName(name) === undefined;
}
