/** Files that the settings `files.readonlyInclude` and `files.readonlyExclude` mark as read-only. */
import * as path from "node:path";
import ignore from "ignore";
import { expandBraces } from "../../node/search/file-globs.ts";
import * as z from "../../shared/zod.ts";

const globsSchema = z.catch(z.record(z.string(), z.unknown()), {});

/** `files.readonlyInclude` and `files.readonlyExclude`, as they are in the settings. */
export interface ReadonlySettings {
  include: unknown;
  exclude: unknown;
}

/**
 * Whether the settings mark the file as read-only, so that the editor refuses to change it. `folder`: the workspace folder that
 * contains it. Both are absolute.
 */
export function isMarkedReadonly(file: string, folder: string, settings: ReadonlySettings): boolean {
  return matches(settings.include, file, folder) && !matches(settings.exclude, file, folder);
}

function matches(setting: unknown, file: string, folder: string): boolean {
  const inside = path.relative(folder, file).split(path.sep).join("/");
  if (inside === "" || inside.startsWith("../") || path.isAbsolute(inside)) return false;
  const globs = Object.entries(globsSchema.parse(setting))
    .filter(([, isOn]) => isOn === true)
    .flatMap(([glob]) => expandBraces(glob))
    .map((glob) => fromFolder(glob, folder))
    .filter((glob) => glob !== undefined);
  return globs.length > 0 && ignore().add(globs).ignores(inside);
}

/** Converts the pattern to one that begins at the folder, as the editor reads it; undefined: a path outside the folder. */
function fromFolder(glob: string, folder: string): string | undefined {
  const slashed = glob.replaceAll("\\", "/");
  if (slashed.startsWith("**")) return slashed;
  if (!path.isAbsolute(glob)) return `/${slashed.replace(/^\.?\//, "")}`;
  const inside = path.relative(folder, glob).split(path.sep).join("/");
  return inside.startsWith("../") || path.isAbsolute(inside) ? undefined : `/${inside}`;
}
