/**
 * A command names files, and what it does is what they say when it runs. So they are hashed when the person is asked, and
 * must be the same when it runs.
 */
import { basename, join, resolve } from "node:path";
import * as z from "zod";
import { ToolError } from "../../errors.ts";
import type { Files } from "../../ports/files.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { displayPath } from "../tool-paths.ts";
import { runByName } from "./run-by-name.ts";

/** Words of a command that are looked at, folders that `cd` may lead to, and bytes that are hashed. */
const wordLimit = 200;
const folderLimit = 8;
const byteLimit = 64 * 1024 * 1024;

/** What programs take for a name that is not that of a file: `node x` runs x.js, `python -m x` x/__main__.py. */
const completed: readonly (readonly [program: RegExp, forms: readonly string[]])[] = [
  [
    /^(?:node|tsx|ts-node|bun|deno)$/,
    ["#.js", "#.cjs", "#.mjs", "#.ts", "#.tsx", "#/index.js", "#/index.ts", "#/package.json"],
  ],
  [/^(?:python|pypy)[\d.]*$/, ["#.py", "#/__main__.py", "#/__init__.py"]],
  [/^(?:cmd|call|start)$/i, ["#.bat", "#.cmd"]],
];

/** Ends of names of scripts, which are remembered outside of the project too. */
const scriptName =
  /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|bash|zsh|fish|ps1|psm1|bat|cmd|mk|awk|sed|sql|groovy|kts?|scala|exs?|R|jl|tcl)$/;
/** In place of a hash, of a name where there was nothing: a file that appears is a change as well. */
const nothing = "nothing";

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
    if (!inside(path, workspace) && !scriptName.test(path)) continue;
    const state = await stateOf(path, files, budget);
    if (state !== undefined) remembered.set(path, state);
    // A script that appears is a change as well; a log that is first written is not.
    else if (scriptName.test(path) || !basename(path).includes(".")) remembered.set(path, nothing);
  }
  return {
    async refuseChanged() {
      const again = { bytes: byteLimit };
      for (const [path, state] of remembered) {
        if (((await stateOf(path, files, again)) ?? nothing) === state) continue;
        throw new ToolError(
          `${displayPath(workspace, path)}, which the command names, changed since the command was proposed. It was not run. Look at the file, then send the command again.`,
        );
      }
    },
  };
}

/** Absolute paths that the words may mean: from the project's folder, and from folders that the command names. */
async function candidates(command: string, root: string, files: Files): Promise<Set<string>> {
  const words = wordsOf(command, root);
  words.push(...(await packageWords(words, root, files)));
  const folders = [root];
  for (const word of words) {
    if (folders.length >= folderLimit) break;
    const path = resolve(root, word);
    if (path !== root && (await kindOf(path, files)) === "directory") folders.push(path);
  }
  const found = new Set<string>();
  const programs = completed.filter(([program]) => words.some((word) => program.test(basename(word))));
  for (const folder of folders) {
    for (const word of words) {
      found.add(resolve(folder, word));
      for (const name of runByName(word)) found.add(join(folder, name));
      if (!/^[\w./@-]+$/.test(word) || word.startsWith("-")) continue;
      for (const [program, forms] of programs) {
        if (program.test(basename(word))) continue;
        const module = forms[0] === "#.py" && !word.includes("/") ? word.replaceAll(".", "/") : word;
        for (const form of forms) found.add(resolve(folder, form.replace("#", module)));
      }
    }
  }
  return found;
}

/** What the scripts of package.json say that the command names: `npm test` runs what stands behind "test". */
async function packageWords(words: readonly string[], root: string, files: Files): Promise<string[]> {
  if (!words.some((word) => /^(?:npm|pnpm|yarn|bun)$/.test(word))) return [];
  try {
    const { text } = await files.readText(join(root, "package.json"));
    const { scripts = {} } = packageSchema.parse(JSON.parse(text));
    const named = words.flatMap((word) => [`pre${word}`, word, `post${word}`]);
    return named.flatMap((name) => (Object.hasOwn(scripts, name) ? wordsOf(scripts[name] ?? "", root) : []));
  } catch {
    // None, or none that can be read: then there is nothing in it to run either.
    return [];
  }
}

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()).optional() });

/** Words without quotes and escapes, those inside of quotes too, and what stands after the `=` of an option. */
function wordsOf(command: string, root: string): string[] {
  const words = new Set<string>();
  const add = (word: string) => {
    for (const part of [word, word.slice(word.indexOf("=") + 1), word.replace(/^[@<]/, "")]) {
      const path = part.replace(/^(?:\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|%cd%)(?=[\\/])/i, root);
      if (path !== "" && path.length < 1_000 && !path.includes("\0")) words.add(path);
    }
  };
  for (const [token] of command.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s;|&()<>"'\\`])+/g)) {
    const bare = token.replace(/\$?["'`]/g, "");
    add(bare.replace(/\\(.)/g, "$1"));
    add(bare);
    if (/\s/.test(bare)) for (const inner of bare.split(/[\s;|&()<>]+/)) add(inner);
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
