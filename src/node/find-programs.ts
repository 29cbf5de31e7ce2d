/**
 * Finding the programs that Nekode starts by itself (git, ripgrep, the shell, ps, ...) to an absolute path. What PATH
 * names is never taken from inside a folder of the workspace, nor through a link that is in one: `npx` puts a project's
 * own programs first.
 */
import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

const MOST_LINKS = 40;
/** Where the system keeps its own programs; no user's settings change these. */
const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

/** The program of the system itself, whatever PATH says; undefined where the system keeps it elsewhere. */
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

/** The first program of that name on PATH that belongs to no folder of the workspace. Absolute. */
export function findProgram(
  name: string,
  environment: NodeJS.ProcessEnv,
  roots: readonly string[],
): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  for (const entry of pathEntries(environment)) {
    const place = path.join(entry, file);
    if (path.isAbsolute(entry) && isProgram(place) && !belongsTo(place, roots)) return place;
  }
  return undefined;
}

/**
 * The entry of PATH in which a shell looks for this program before it finds it elsewhere, and which a project decides
 * about: a folder of the workspace, or one that depends on the current folder. undefined: there is none.
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
    // A link out of the system's folders into the project.
    if (found !== undefined) return belongsTo(found, roots) ? found : undefined;
  }
  return undefined;
}

/** The environment with those entries of PATH alone that are absolute and outside of the workspace. */
export function withSafePath(environment: NodeJS.ProcessEnv, roots: readonly string[]): NodeJS.ProcessEnv {
  const name = pathName(environment);
  const safe = pathEntries(environment).filter((entry) => path.isAbsolute(entry) && !belongsTo(entry, roots));
  return { ...environment, [name]: safe.join(path.delimiter) };
}

/**
 * Whether this place, or any link on the way to where it leads, is in one of the folders. A root that is the whole file
 * system has everything in it, the system's own programs, too: it is left out.
 */
export function belongsTo(file: string, roots: readonly string[]): boolean {
  const folders = roots
    .filter((root) => path.dirname(path.resolve(root)) !== path.resolve(root))
    .flatMap((root) => [path.resolve(root), real(root)]);
  return placesOf(file).some((place) => folders.some((folder) => isInside(folder, place)));
}

/** The path as written, every link that it leads through, and its end. */
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
    // Nothing is there, or nobody may look: nothing can be started from it either.
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

function isInside(folder: string, file: string): boolean {
  const fold = (name: string) => (process.platform === "linux" ? name : name.toLowerCase());
  const way = path.relative(fold(folder), fold(file));
  return way === "" || (way.split(path.sep)[0] !== ".." && !path.isAbsolute(way));
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

/** An empty entry stands for the current folder on POSIX systems. */
function pathEntries(environment: NodeJS.ProcessEnv): string[] {
  const value = environment[pathName(environment)];
  if (value === undefined || value === "") return [];
  const entries = value.split(path.delimiter);
  return [...new Set(process.platform === "win32" ? entries.filter((entry) => entry !== "") : entries)];
}
