/** The files that a script may run or load: what its text names, whether or not it exists. */
import { basename, dirname, extname, join, resolve } from "node:path";
import * as z from "../../../shared/zod.ts";

/** Characters of one file that are read, and names that are taken from it. */
const LONGEST_SCRIPT = 256 * 1024;
const MOST_NAMES = 2_000;

/** How a language completes the names of its modules: `#` is the name. */
const MODULE_FORMS: readonly (readonly [files: RegExp, forms: readonly string[]])[] = [
  // Installed programs run by their names.
  [/^package\.json$/, ["node_modules/.bin/#"]],
  [
    /\.[cm]?[jt]sx?$/,
    [
      ...["#.js", "#.cjs", "#.mjs", "#.jsx", "#.ts", "#.cts", "#.mts", "#.tsx", "#.json"],
      ...["#/index.js", "#/index.cjs", "#/index.mjs", "#/index.ts", "#/index.tsx", "#/package.json"],
    ],
  ],
  [/\.py$/, ["#.py", "#/__init__.py", "#/__main__.py"]],
  [/\.rb$/, ["#.rb"]],
  [/\.(?:pl|pm)$/, ["#.pl", "#.pm", "lib/#.pm"]],
  [/\.lua$/, ["#.lua", "#/init.lua"]],
  [/\.php$/, ["#.php"]],
  [/\.rs$/, ["#.rs", "#/mod.rs"]],
  [/\.ps(?:m1|1)$/, ["#.ps1", "#.psm1"]],
];

/** Files whose every word may be a program or a file: shell scripts, build files, and those without an extension. */
const EVERY_WORD =
  /\.(?:sh|bash|zsh|fish|ksh|bat|cmd|ps1|psm1|mk|mak|just|ya?ml|toml|gradle|kts|groovy)$|^[^.]+$|^\.[^.]+$|^(?:Make|make|GNUmake|BSDmake|Docker|Container|just|Just|Rake)file/;

export interface Script {
  path: string;
  text: string;
}

/**
 * Absolute paths that the script may mean. `folders`: where it may run. Of a package.json, only `scripts` counts, and of these the
 * ones that `words` reach; all of them if these name none.
 */
export function referencesOf(
  { path, text }: Script,
  folders: readonly string[],
  words: ReadonlySet<string>,
): Set<string> {
  const code = text.slice(0, LONGEST_SCRIPT);
  const name = basename(path);
  const names = name === "package.json" ? packageNames(code, words) : namesIn(name, code);
  const forms = MODULE_FORMS.find(([files]) => files.test(name))?.[1] ?? [];
  const found = new Set<string>();
  for (const each of [...names].slice(0, MOST_NAMES)) {
    for (const form of ["#", ...forms, ...typedForms(each)]) {
      const completed = form.replace("#", () => each);
      for (const folder of [dirname(path), ...folders]) found.add(resolve(folder, completed));
    }
  }
  return found;
}

/** TypeScript names the files that it will compile to. */
function typedForms(name: string): string[] {
  const match = /^(.+)\.([cm]?)jsx?$/.exec(name);
  return match ? [`${match[1]}.${match[2]}ts`, `${match[1]}.tsx`] : [];
}

function namesIn(name: string, code: string): Set<string> {
  const names = new Set<string>();
  const add = (word: string | undefined) => {
    const plain = word?.replace(/^file:\/\/|^[@<]|[?#].*$/g, "").replace(/[,;:]+$/, "");
    if (plain === undefined || plain === "" || plain.length > 300 || /[\0\n*]/.test(plain)) return;
    names.add(plain);
    // `"$DIR/lib.sh"`, `${import.meta.dirname}/x.js`, `$(dirname "$0")/lib.sh`: the rest is a name.
    const rest = /^(?:(?:\$\{[^}]*\}|\$\([^)]*\)|\$\w+|%~?\w+%?)[\\/]?|[)}]*[\\/]+)(.+)$/.exec(plain)?.[1];
    if (rest !== undefined) names.add(rest);
  };
  const shebang = /^#!\s*(.+)/.exec(code)?.[1];
  for (const word of shebang?.split(/\s+/) ?? []) add(word);
  for (const [token] of code.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`/g)) {
    const value = token.slice(1, -1);
    add(value);
    if (/\s/.test(value)) for (const word of value.split(/[\s;|&()<>"'`]+/)) add(word);
  }
  for (const [word] of code.matchAll(/[\w@.~+$-]*(?:[\\/.][\w@.~+$-]+)+/g)) add(word);
  if (EVERY_WORD.test(name)) for (const word of code.split(/[\s;|&()<>"'`=,[\]{}]+/)) add(word);
  for (const each of moduleNames(extname(name), code)) add(each);
  return names;
}

/** Modules that a language names without quotes. */
function moduleNames(extension: string, code: string): Iterable<string> {
  if (extension === ".py" || extension === "") return pythonNames(code);
  const rule = MODULE_RULES.get(extension);
  if (!rule) return [];
  const [pattern, separator] = rule;
  return [...code.matchAll(pattern)].map(([, name = ""]) => name.replaceAll(separator, "/"));
}

/** How a language loads a module, and what separates the folders in its name. */
const MODULE_RULES: ReadonlyMap<string, readonly [pattern: RegExp, separator: string]> = new Map([
  [".pl", [/^\s*(?:use|require)\s+([\w:]+)/gm, "::"]],
  [".pm", [/^\s*(?:use|require)\s+([\w:]+)/gm, "::"]],
  [".rs", [/^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/gm, "/"]],
  [".lua", [/require\s*\(?\s*["']([\w.]+)["']/g, "."]],
]);

function* pythonNames(code: string): Iterable<string> {
  const froms = /^\s*from\s+(\.*)([\w.]*)\s+import\s+(?:\(([^)]*)\)|([^\n#]*))/gm;
  for (const [, dots = "", from = "", several = "", names = several] of code.matchAll(froms)) {
    const base = `${"../".repeat(Math.max(0, dots.length - 1))}${from.replaceAll(".", "/")}`;
    if (base !== "") yield base.replace(/\/$/, "");
    for (const name of names.split(/[,\s]+/)) if (/^\w+$/.test(name)) yield join(base, name);
  }
  for (const [, names = ""] of code.matchAll(/^\s*import\s+([^\n#]+)/gm))
    for (const name of names.split(/[,\s]+/)) if (/^[\w.]+$/.test(name)) yield name.replaceAll(".", "/");
}

/** The words of the scripts that run, in the order of npm: `npm run build` also runs prebuild and postbuild. */
function packageNames(code: string, words: ReadonlySet<string>): Set<string> {
  const { scripts, entries } = packageParts(code);
  const found = new Set([...entries, ...words]);
  const reached = new Set<string>();
  const visit = (word: string) => {
    for (const [name, line] of scripts) {
      if (reached.has(name) || !runsScript(word, name)) continue;
      reached.add(name);
      for (const each of wordsOfLine(line)) {
        found.add(each);
        visit(each);
      }
    }
  };
  for (const word of words) visit(word);
  if (reached.size === 0)
    for (const [, line] of scripts) for (const each of wordsOfLine(line)) found.add(each);
  return found;
}

/** Whether a word of a command may name the script; `build:*` names several. */
function runsScript(word: string, name: string): boolean {
  const plain = name.replace(/^(?:pre|post)(?=.)/, "");
  if (word === name || word === plain) return true;
  const star = word.indexOf("*");
  return star > 0 && (name.startsWith(word.slice(0, star)) || plain.startsWith(word.slice(0, star)));
}

function wordsOfLine(line: string): string[] {
  return line.split(/[\s;|&()<>"'`=,]+/).filter((word) => word !== "");
}

function packageParts(code: string): { scripts: [string, string][]; entries: string[] } {
  try {
    const { scripts = {}, main } = packageSchema.parse(JSON.parse(code));
    const lines = Object.entries(scripts).flatMap(([name, line]): [string, string][] =>
      typeof line === "string" ? [[name, line]] : [],
    );
    return { scripts: lines, entries: typeof main === "string" ? [main] : [] };
  } catch {
    // The folder is unreadable, so no script can run from it either.
    return { scripts: [], entries: [] };
  }
}

const packageSchema = z.object({ scripts: z.optional(z.record(z.string(), z.unknown())), main: z.unknown() });
