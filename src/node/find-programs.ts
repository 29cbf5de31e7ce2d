/**
 * Finds the absolute paths of the programs that Nekode starts itself (git, ripgrep, the shell, ps, ...). Programs on PATH
 * inside a workspace folder, or reached through a link in one, are never used: `npx` puts a project's own programs first.
 */

import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { isInside } from "../core/roots.ts";

const MOST_LINKS = 40;
/** The system's own program folders, which no user settings change. */
const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** The system's own program, whatever PATH contains; undefined if it is not in the system's folders. */
export function systemProgram(
  name: string,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const folders =
    process.platform === "win32"
      ? [path.win32.join(environment.SystemRoot ?? "C:\\Windows", "System32")]
      : SYSTEM_FOLDERS;
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return folders.map((folder) => path.join(folder, file)).find((place) => existsSync(place));
}

/** The absolute path of the first program of that name on PATH outside the workspace folders. */
export function findProgram(
  name: string,
  environment: NodeJS.ProcessEnv,
  roots: readonly string[],
): string | undefined {
  return findFile([process.platform === "win32" ? `${name}.exe` : name], environment, roots);
}

/** Like `findProgram`; on Windows also with the other endings that commands may have, such as `.cmd`. */
export function findCommand(
  name: string,
  environment: NodeJS.ProcessEnv,
  roots: readonly string[],
): string | undefined {
  return findFile(programFiles(name, environment), environment, roots);
}

function findFile(
  files: readonly string[],
  environment: NodeJS.ProcessEnv,
  roots: readonly string[],
): string | undefined {
  for (const entry of pathEntries(environment).filter(path.isAbsolute)) {
    const places = files.map((file) => path.join(entry, file));
    const program = places.find((place) => isProgram(place) && !belongsTo(place, roots));
    if (program !== undefined) return program;
  }
  return undefined;
}

/**
 * The PATH entry that a project controls and that a shell searches for this program before it finds it elsewhere: a
 * workspace folder, or a folder relative to the current one. undefined: there is none.
 */
export function shadowingEntry(
  name: string,
  environment: NodeJS.ProcessEnv,
  roots: readonly string[],
): string | undefined {
  for (const entry of pathEntries(environment)) {
    if (!path.isAbsolute(entry) || belongsTo(entry, roots)) return entry;
    const found = programFiles(name, environment)
      .map((file) => path.join(entry, file))
      .find(isProgram);
    // A system folder may contain a link into the project.
    if (found !== undefined) return belongsTo(found, roots) ? found : undefined;
  }
  return undefined;
}

/** The environment with only those PATH entries that are absolute and outside the workspace. */
export function withSafePath(environment: NodeJS.ProcessEnv, roots: readonly string[]): NodeJS.ProcessEnv {
  const name = pathName(environment);
  const safe = pathEntries(environment).filter((entry) => path.isAbsolute(entry) && !belongsTo(entry, roots));
  return { ...environment, [name]: safe.join(path.delimiter) };
}

/**
 * Whether this path, or any link that it passes through, is in one of the folders. A root that is the whole file system is
 * ignored, because it contains everything, including the system's programs.
 */
export function belongsTo(file: string, roots: readonly string[]): boolean {
  const folders = roots
    .filter((root) => path.dirname(path.resolve(root)) !== path.resolve(root))
    .flatMap((root) => [path.resolve(root), real(root)]);
  return placesOf(file).some((place) => folders.some((folder) => isInside(folded(folder), folded(place))));
}

/** The path as written, every link that it passes through, and its final target. */
function placesOf(file: string): string[] {
  const places = [path.resolve(file)];
  let links = 0;
  let pending = parts(path.resolve(file));
  let at = path.parse(path.resolve(file)).root;
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const here = next === ".." ? path.dirname(at) : path.join(at, next);
    const target = linkTarget(here);
    if (target === undefined || ++links > MOST_LINKS) {
      at = here;
      continue;
    }
    places.push(here);
    pending = [...parts(target), ...pending];
    if (path.isAbsolute(target)) at = path.parse(target).root;
  }
  return [...places, at];
}

function parts(file: string): string[] {
  return file
    .slice(path.parse(file).root.length)
    .split(path.sep)
    .filter((part) => part !== "" && part !== ".");
}

function linkTarget(file: string): string | undefined {
  try {
    return lstatSync(file).isSymbolicLink() ? readlinkSync(file) : undefined;
  } catch {
    // Missing or not accessible: nothing can be started from it either.
    return undefined;
  }
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}

/** Other systems do not tell upper and lower case apart. */
function folded(name: string): string {
  return process.platform === "linux" ? name : name.toLowerCase();
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function programFiles(name: string, environment: NodeJS.ProcessEnv): string[] {
  if (process.platform !== "win32") return [name];
  const endings = (environment.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => ending !== "");
  return [...endings.map((ending) => name + ending), name];
}

function pathName(environment: NodeJS.ProcessEnv): string {
  if (process.platform !== "win32") return "PATH";
  return Object.keys(environment).find((name) => name.toLowerCase() === "path") ?? "PATH";
}

/** On POSIX systems an empty entry means the current folder. */
function pathEntries(environment: NodeJS.ProcessEnv): string[] {
  const value = environment[pathName(environment)];
  if (value === undefined || value === "") return [];
  const entries = value.split(path.delimiter);
  return [...new Set(process.platform === "win32" ? entries.filter((entry) => entry !== "") : entries)];
}
