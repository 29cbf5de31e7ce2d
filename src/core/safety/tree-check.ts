/** Looks into the folders that a command reads whole, for files that must not be read unasked. Bounded in time and count. */
import type { Clock, Files } from "../ports.ts";
import { createIgnoreRules, type IgnoreFile } from "./ignore.ts";
import { secretName } from "./protected.ts";
import type { TreeRead } from "./trees.ts";

/** Entries that are looked at, and milliseconds that it may take: beyond them, it is not known what is there. */
const MOST_ENTRIES = 20_000;
const LONGEST_MS = 1_500;

export interface TreeCheck {
  files: Files;
  clock: Clock;
  /** The project's folder, absolute. */
  root: string;
  /** Joins a folder and a name, in the host's way. */
  join(folder: string, name: string): string;
  /** Whether .nekodeignore names this path below the root, with `/`. */
  ignored?: ((path: string) => boolean) | undefined;
}

/**
 * Why reading this folder with all that is in it asks, or undefined. `folder` is absolute and inside the project,
 * `relative` the same below the root, with `/` ("" for the root).
 */
export async function refusedTree(
  tree: TreeRead,
  folder: string,
  relative: string,
  check: TreeCheck,
): Promise<string | undefined> {
  const { files, clock } = check;
  if ((await files.stat(folder))?.kind !== "directory") return undefined;
  const until = clock.now().getTime() + LONGEST_MS;
  const inRepository = !tree.ignored && (await files.stat(check.join(check.root, ".git"))) !== undefined;
  const gitignore: IgnoreFile[] = [];
  let isIgnored = (_: string): boolean => false;
  const pending = [{ folder, relative }];
  let looked = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const entries = await files.list(next.folder);
    const rules = inRepository && entries.find(({ name, kind }) => name === ".gitignore" && kind === "file");
    if (rules) {
      const { text } = await files.readText(check.join(next.folder, ".gitignore"));
      gitignore.push({ folder: next.relative, text });
      isIgnored = createIgnoreRules(gitignore).ignores;
    }
    for (const { name, kind } of entries) {
      if (++looked > MOST_ENTRIES || clock.now().getTime() > until)
        return `${tree.folder} holds more files than can be looked through for secrets`;
      const path = next.relative === "" ? name : `${next.relative}/${name}`;
      const isFolder = kind === "directory";
      if (name === ".git" || (!tree.hidden && name.startsWith("."))) continue;
      if (isIgnored(isFolder ? `${path}/` : path)) continue;
      if (isFolder) {
        if (!tree.deep || tree.exclude?.some((pattern) => pattern.test(name))) continue;
        pending.push({ folder: check.join(next.folder, name), relative: path });
      } else if (kind === "other" && tree.follows) return `${path} may lead through a link`;
      else if (!tree.include || tree.include.some((pattern) => pattern.test(name))) {
        if (kind !== "file") continue;
        const secret = secretName(path);
        if (secret) return `${path}, which it reads, may hold secrets`;
        if (check.ignored?.(path)) return `${path}, which it reads, is named in .nekodeignore`;
      }
    }
  }
  return undefined;
}
