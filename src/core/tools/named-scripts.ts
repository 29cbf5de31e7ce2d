/**
 * A command names files, and what it does is what they say when it runs. So they are hashed when the person is asked, and
 * must be the same when it runs.
 */
import { join, resolve } from "node:path";
import { ToolError } from "../errors.ts";
import type { Files, Workspace } from "../ports.ts";
import { displayPath } from "./paths.ts";

/** Words of a command that are looked at, folders that `cd` may lead to, and bytes that are hashed. */
const wordLimit = 200;
const folderLimit = 8;
const byteLimit = 64 * 1024 * 1024;

/** Files that programs run by name, without the command naming the file. */
const implied: Readonly<Record<string, readonly string[]>> = {
  npm: ["package.json"],
  npx: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
  deno: ["deno.json", "deno.jsonc"],
  make: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile"],
  rake: ["Rakefile"],
  cargo: ["Cargo.toml", "build.rs"],
  docker: ["Dockerfile"],
};

export interface NamedScripts {
  /** Throws ToolError when one of the files is not what it was. */
  refuseChanged(): Promise<void>;
}

/** Remembers the files inside the workspace that the command's words name. */
export async function namedScripts(
  command: string,
  root: string,
  files: Files,
  workspace: Workspace,
): Promise<NamedScripts> {
  const remembered = new Map<string, string>();
  const budget = { bytes: byteLimit };
  for (const path of await candidates(command, root, files)) {
    if (!inside(path, workspace)) continue;
    const state = await stateOf(path, files, budget);
    if (state !== undefined) remembered.set(path, state);
  }
  return {
    async refuseChanged() {
      const again = { bytes: byteLimit };
      for (const [path, state] of remembered) {
        if ((await stateOf(path, files, again)) === state) continue;
        throw new ToolError(
          `${displayPath(workspace, path)}, which the command names, changed since the command was proposed. It was not run. Look at the file, then send the command again.`,
        );
      }
    },
  };
}

/** Absolute paths that the words may mean: from the project's folder, and from folders that the command names. */
async function candidates(command: string, root: string, files: Files): Promise<Set<string>> {
  const words = wordsOf(command);
  const folders = [root];
  for (const word of words) {
    if (folders.length >= folderLimit) break;
    const path = resolve(root, word);
    if (path !== root && (await kindOf(path, files)) === "directory") folders.push(path);
  }
  const found = new Set<string>();
  for (const folder of folders) {
    for (const word of words) {
      found.add(resolve(folder, word));
      for (const name of implied[word] ?? []) found.add(join(folder, name));
    }
  }
  return found;
}

/** Words without quotes and escapes, and what stands after the `=` of an option. */
function wordsOf(command: string): string[] {
  const words = new Set<string>();
  for (const [token] of command.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s;|&()<>"'\\`])+/g)) {
    const word = token.replace(/["'`]/g, "").replace(/\\(.)/g, "$1");
    for (const part of [word, token.replace(/["'`]/g, ""), word.slice(word.indexOf("=") + 1)]) {
      if (part !== "" && part.length < 1_000 && !part.includes("\0")) words.add(part);
    }
    if (words.size >= wordLimit) break;
  }
  return [...words];
}

function inside(path: string, workspace: Workspace): boolean {
  return workspace.roots.some((folder) => displayPath({ ...workspace, roots: [folder] }, path) !== path);
}

async function kindOf(path: string, files: Files): Promise<string | undefined> {
  try {
    return (await files.stat(path))?.kind;
  } catch {
    // A word that is no path: too long, a circle of links, no permission.
    return undefined;
  }
}

/** A hash of the content; of a file too large for that, its version. undefined: no such file. */
async function stateOf(path: string, files: Files, budget: { bytes: number }): Promise<string | undefined> {
  try {
    const stat = await files.stat(path);
    if (stat?.kind !== "file") return undefined;
    budget.bytes -= stat.size;
    if (budget.bytes < 0) return `version ${stat.version}`;
    const bytes = new Uint8Array(await files.readBytes(path, byteLimit));
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  } catch {
    return undefined;
  }
}
