/**
 * What a command does depends on the files that it names, and on those that these name. They are hashed when the command is proposed
 * or shown for approval, and must be unchanged when it runs.
 */
import { basename, join, resolve } from "node:path";
import * as z from "../../../shared/zod.ts";
import { sha256 } from "../../bytes.ts";
import { ToolError } from "../../errors.ts";
import type { Files } from "../../ports/files.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { isInterpreter, isRunner } from "../../safety/programs/runners.ts";
import type { Coverage } from "../tool.ts";
import { displayPath } from "../tool-paths.ts";
import { CoveredFiles, SCRIPT_NAME } from "./covered-files.ts";
import { runByName } from "./run-by-name.ts";

/** Words of a command that are examined, folders that `cd` may enter. */
const WORD_LIMIT = 200;
const FOLDER_LIMIT = 8;

/** How programs complete a name that is not a file: `node x` runs x.js, `python -m x` runs x/__main__.py. */
const COMPLETED: readonly (readonly [program: RegExp, forms: readonly string[]])[] = [
  [
    /^(?:node|tsx|ts-node|bun|deno)$/,
    ["#.js", "#.cjs", "#.mjs", "#.ts", "#.tsx", "#/index.js", "#/index.ts", "#/package.json"],
  ],
  [/^(?:python|pypy)[\d.]*$/, ["#.py", "#/__main__.py", "#/__init__.py"]],
  [/^(?:cmd|call|start)$/i, ["#.bat", "#.cmd"]],
];

/** The target of a redirection is written, not run. A process substitution is not such a target. */
const OUTPUT_REDIRECTION = /(?<=^|[\s\d&;)])>{1,2}[|&]?[ \t]*(?!\()[^\s;|&()<>"'`\\]+/g;

/** Names of covered files that an approval lists. */
const SHOWN_FILES = 20;
/** Recorded instead of a hash for a missing file: a file that appears is a change as well. */
const MISSING = "nothing";

export interface NamedScripts extends Coverage {
  /** Throws ToolError if one of the files changed. */
  refuseChanged(): Promise<void>;
}

/** Records the state of the files that the command's words name: those in the workspace, and scripts anywhere. */
export async function namedScripts(
  command: string,
  root: string,
  files: Files,
  workspace: Workspace,
): Promise<NamedScripts> {
  const remembered = new Map<string, string>();
  const named = await candidates(command, root, files);
  const start = new CoveredFiles(files, workspace);
  for (const path of named.paths) {
    if (!inside(path, workspace) && !SCRIPT_NAME.test(path)) continue;
    const state = await start.stateOf(path);
    if (state !== undefined) remembered.set(path, state);
    // A script that appears is a change as well; a log that is first written is not.
    else if (SCRIPT_NAME.test(path) || !basename(path).includes(".")) remembered.set(path, MISSING);
  }
  const direct = [...remembered.keys()];
  const mayRun = runsCode(command, named, direct);
  const changed = async () => {
    const now = new CoveredFiles(files, workspace);
    const paths: string[] = [];
    for (const [path, state] of remembered)
      if (((await now.stateOf(path)) ?? MISSING) !== state) paths.push(path);
    return paths;
  };
  const shown = (path: string) => displayPath(workspace, path);
  return {
    runsCode: mayRun,
    async view() {
      for (const [path, state] of await start.reachedFrom(direct, named)) remembered.set(path, state);
      if (remembered.size === 0 && !mayRun) return undefined;
      const states = [...remembered].map(([path, state]) => `${shown(path)}\0${state}`).sort();
      const covered = [...remembered].flatMap(([path, state]) => (state === MISSING ? [] : [shown(path)]));
      return {
        files: covered.slice(0, SHOWN_FILES),
        more: Math.max(0, covered.length - SHOWN_FILES),
        hash: await sha256(new TextEncoder().encode(states.join("\n"))),
        runsCode: mayRun,
      };
    },
    changed: async () => (await changed()).map(shown),
    async refuseChanged() {
      const [path] = await changed();
      if (path === undefined) return;
      const how = direct.includes(path) ? "which the command names" : "which the command may run";
      throw new ToolError(
        `${shown(path)}, ${how}, changed since the command was proposed. The command was not run. Check the file, then send the command again.`,
      );
    },
  };
}

/** Programs that compile and run what is in their folder. */
const COMPILERS = /^(?:go|dotnet|swift|zig|deno|flutter|dart)$/;

/** Whether a command line runs code of files: with an interpreter, by a build file, or a file where a program stands. */
function runsCode(command: string, { words, folders }: Named, files: readonly string[]): boolean {
  if ([...words].some((word) => isInterpreter(word) || runByName(word).length > 0 || COMPILERS.test(word)))
    return true;
  return command.split(/[\n;&|(]+/).some((part) => {
    const parts = part.trim().split(/\s+/);
    const [program = ""] = parts.slice(parts.findIndex((each) => !/^\w+=/.test(each)));
    const named = program.replace(/["']/g, "");
    const isFile = /[\\/]/.test(named) && folders.some((folder) => files.includes(resolve(folder, named)));
    return isFile || isRunner(parts[0] ?? "");
  });
}

interface Named {
  /** Absolute paths that the words may mean. */
  paths: ReadonlySet<string>;
  words: ReadonlySet<string>;
  /** The project's folder and those that the words name. */
  folders: readonly string[];
}

/** Absolute paths that the words may mean, relative to the project's folder and to folders that the command names. */
async function candidates(command: string, root: string, files: Files): Promise<Named> {
  const words = wordsOf(command.replace(OUTPUT_REDIRECTION, " "), root);
  words.push(...(await packageWords(words, root, files)));
  const found = new Set<string>();
  const programs = COMPLETED.filter(([program]) => words.some((word) => program.test(basename(word))));
  const folders = await foldersOf(words, root, files);
  for (const folder of folders) {
    for (const word of words) {
      found.add(resolve(folder, word));
      for (const name of runByName(word)) found.add(join(folder, name));
      for (const name of completed(word, programs)) found.add(resolve(folder, name));
    }
  }
  return { paths: found, words: new Set(words), folders };
}

/** The project's folder and those that the words name. */
async function foldersOf(words: readonly string[], root: string, files: Files): Promise<string[]> {
  const folders = [root];
  for (const word of words) {
    if (folders.length >= FOLDER_LIMIT) break;
    const path = resolve(root, word);
    if (path !== root && (await kindOf(path, files)) === "directory") folders.push(path);
  }
  return folders;
}

/** The files that these programs may run for a word. */
function completed(word: string, programs: typeof COMPLETED): string[] {
  if (!/^[\w./@-]+$/.test(word) || word.startsWith("-")) return [];
  const others = programs.filter(([program]) => !program.test(basename(word)));
  return others.flatMap(([, forms]) => {
    const module = forms[0] === "#.py" && !word.includes("/") ? word.replaceAll(".", "/") : word;
    return forms.map((form) => form.replace("#", module));
  });
}

/** Words of the package.json scripts that the command names: `npm test` runs the script "test". */
async function packageWords(words: readonly string[], root: string, files: Files): Promise<string[]> {
  if (!words.some((word) => /^(?:npm|pnpm|yarn|bun)$/.test(word))) return [];
  try {
    const { text } = await files.readText(join(root, "package.json"));
    const { scripts = {} } = packageSchema.parse(JSON.parse(text));
    const named = words.flatMap((word) => [`pre${word}`, word, `post${word}`]);
    return named.flatMap((name) => (Object.hasOwn(scripts, name) ? wordsOf(scripts[name] ?? "", root) : []));
  } catch {
    // Missing or unreadable: no script can run from it either.
    return [];
  }
}

const packageSchema = z.object({ scripts: z.optional(z.record(z.string(), z.string())) });

/** The words without quotes and escapes, including words inside quotes and the value after an option's `=`. */
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
    if (words.size >= WORD_LIMIT) break;
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
    // Not a usable path: too long, a symlink loop, no permission.
    return undefined;
  }
}
