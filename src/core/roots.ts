/** The names of workspace folders in paths such as `@name:/folder/file`, which tools, mentions and lists of files share. */
import { isAbsolute, relative, sep } from "node:path";
import type { Workspace } from "./ports/workspace.ts";

type Root = Workspace["roots"][number];

/** What a name in such a path cannot contain. */
const UNUSABLE = /[:/\\@"'`<>|\0-\x1f\x7f]+/g;

/** Whether `file` is the folder or in it, by the names alone. Both are absolute. A name may begin with two dots. */
export function isInside(folder: string, file: string): boolean {
  const inside = relative(folder, file);
  return inside.split(sep)[0] !== ".." && !isAbsolute(inside);
}

/** The paths of all folders of the workspace, the session's own first, each once. */
export function folderPaths({ root, roots }: Pick<Workspace, "root" | "roots">): string[] {
  return [...new Set([...(root === undefined ? [] : [root]), ...roots.map(({ path }) => path)])];
}

/**
 * Gives each folder a name that no other folder has. If several have the same name, names of folders above are put before it
 * (`one-app`, `two-app`), then numbers after it, and none of them has the plain name.
 */
export function withUniqueNames(roots: readonly Root[]): Root[] {
  const plain = roots.map((root) => usable(root.name));
  const usedNames = new Set<string>();
  const named = plain.map((name, index) => {
    const isShared = plain.some((other, at) => at !== index && keyOf(other) === keyOf(name));
    if (!isShared) usedNames.add(keyOf(name));
    return isShared ? undefined : name;
  });
  return roots.map(({ path }, index) => {
    const name = named[index] ?? freeName(index, plain, roots, usedNames);
    usedNames.add(keyOf(name));
    return { name, path };
  });
}

function freeName(
  index: number,
  plain: readonly string[],
  roots: readonly Root[],
  usedNames: ReadonlySet<string>,
): string {
  const name = plain[index] ?? "";
  const rivals = plain.flatMap((other, at) =>
    at !== index && keyOf(other) === keyOf(name) ? [foldersAbove(roots[at]?.path ?? "")] : [],
  );
  const own = foldersAbove(roots[index]?.path ?? "");
  // Uses as many folders as are needed to distinguish it from all others of that name.
  let count = 1;
  const ending = (folders: readonly string[]) => keyOf(folders.slice(-count).join("-"));
  while (count < own.length && rivals.some((rival) => ending(rival) === ending(own))) count++;
  // The plain name is not free: users would take it for the name that they see.
  const isFree = (candidate: string) => !usedNames.has(keyOf(candidate)) && keyOf(candidate) !== keyOf(name);
  for (; count <= own.length; count++) {
    const candidate = [...own.slice(-count), name].join("-");
    if (isFree(candidate)) return candidate;
  }
  const longest = [...own, name].join("-");
  for (let number = 2; ; number++) if (isFree(`${longest}-${number}`)) return `${longest}-${number}`;
}

const usable = (name: string) => name.replace(UNUSABLE, "-") || "-";

function foldersAbove(path: string): string[] {
  return path
    .split(/[\\/]/)
    .filter((part) => part !== "")
    .slice(0, -1)
    .map(usable);
}

/** Names that look alike count as the same. */
const keyOf = (name: string) => name.normalize("NFC").toLowerCase();

/** What precedes a path in that folder: nothing in the folder where commands run. */
export function rootPrefix({ root }: Pick<Workspace, "root">, { name, path }: Root): string {
  return path === root ? "" : `@${name}:/`;
}

/** The parts of `@name:/inside`; undefined for other paths. */
export function splitRoot(path: string): { name: string; inside: string } | undefined {
  const [, name, inside = ""] = /^@([^:/\\]+):[/\\]?(.*)$/s.exec(path) ?? [];
  return name === undefined ? undefined : { name, inside };
}

/** The folder of that name; undefined: no folder has it, or several do. */
export function rootNamed({ roots }: Pick<Workspace, "roots">, name: string): string | undefined {
  const [match, ...others] = roots.filter((root) => root.name === name);
  return others.length === 0 ? match?.path : undefined;
}
