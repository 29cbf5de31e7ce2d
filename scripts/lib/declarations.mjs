// dist/core.d.mts: the library's types in one file that needs no other.
//
// tsc writes a declaration file for every module. From the entry point's exports this takes the declarations that they
// need, and theirs, and puts them into one file. tsc's output is regular: a top-level statement begins in column 0, its
// further lines do not, except for closing brackets.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "./dependencies.mjs";
import { Trouble } from "./log.mjs";
import { run } from "./processes.mjs";

const ENTRY = "src/node/library.ts";
const TARGET = "dist/core.d.mts";
const TSC = path.join(ROOT, "node_modules/.bin/tsc");

/**
 * @typedef {object} Module one declaration file, taken apart
 * @property {Map<string, string>} declared name -> its declarations with their comments
 * @property {Map<string, { from: string, name: string }>} imported local name -> where it comes from
 * @property {Map<string, { from: string | undefined, name: string }>} exported
 * @property {string[]} stars files of `export * from`
 */

/** Writes dist/core.d.mts, and checks that it stands alone. */
export async function buildDeclarations() {
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-types-"));
  try {
    await compile(folder, {
      files: [path.join(ROOT, ENTRY)],
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: path.join(ROOT, "src"),
      outDir: folder,
    });
    const text = await bundleDeclarations(
      path.join(folder, ENTRY.replace(/^src\//, "").replace(/\.ts$/, ".d.ts")),
    );
    await mkdir(path.join(ROOT, "dist"), { recursive: true });
    await writeFile(path.join(ROOT, TARGET), text);
    await compile(folder, { files: [path.join(ROOT, TARGET)], noEmit: true, skipLibCheck: false, types: [] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {{ files: string[] } & Record<string, unknown>} options */
async function compile(folder, { files, ...compilerOptions }) {
  const project = path.join(folder, "tsconfig.json");
  const extended = path.join(ROOT, "tsconfig.base.json");
  const typeRoots = [path.join(ROOT, "node_modules/@types")];
  const all = { noEmit: false, types: ["node"], typeRoots, ...compilerOptions };
  await writeFile(project, JSON.stringify({ extends: extended, compilerOptions: all, files }));
  await run(TSC, ["-p", project], { cwd: ROOT, timeoutMs: 120_000 });
}

/** @param {string} entry the entry point's declaration file @returns {Promise<string>} */
export async function bundleDeclarations(entry) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  /** @type {Map<string, string>} "file#name" -> the name in the bundle */
  const taken = new Map();
  const texts = /** @type {string[]} */ ([]);

  /** @param {string} file */
  const load = async (file) => {
    if (!path.isAbsolute(file))
      throw new Trouble(`The library's types need the package "${file}"; they are to stand alone.`);
    let module = modules.get(file);
    if (module === undefined) {
      module = parse(file, await readFile(file, "utf8"));
      modules.set(file, module);
    }
    return module;
  };

  /** Where an exported name is declared. @param {string} file @param {string} name @returns {Promise<{ file: string, name: string } | undefined>} */
  const resolve = async (file, name) => {
    const module = await load(file);
    const exported = module.exported.get(name);
    if (exported?.from !== undefined) return resolve(exported.from, exported.name);
    const local = exported?.name ?? name;
    if (module.declared.has(local)) return { file, name: local };
    const imported = module.imported.get(local);
    if (imported !== undefined) return resolve(imported.from, imported.name);
    for (const star of module.stars) {
      const found = await resolve(star, name);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  /** Puts a declaration and what it needs into the bundle, and returns its name there. @param {string} file @param {string} name @returns {Promise<string>} */
  const include = async (file, name) => {
    const place = await resolve(file, name);
    if (place === undefined)
      throw new Trouble(`${path.basename(file)} has no "${name}", which the library's types need`);
    const key = `${place.file}#${place.name}`;
    const known = taken.get(key);
    if (known !== undefined) return known;
    let own = place.name;
    for (let count = 2; [...taken.values()].includes(own); count++) own = `${place.name}${count}`;
    taken.set(key, own);
    const module = await load(place.file);
    let text = (module.declared.get(place.name) ?? "").replace(/^export (?:default )?/gm, "");
    for (const match of [...text.matchAll(/import\("([^"]+)"\)\.(\w+)/g)]) {
      text = text.replace(match[0], await include(target(place.file, match[1] ?? ""), match[2] ?? ""));
    }
    const code = withoutComments(text);
    for (const identifier of new Set(code.match(/[A-Za-z_$][\w$]*/g))) {
      const local = identifier === place.name ? own : await referred(module, place.file, identifier);
      if (local !== undefined && local !== identifier)
        text = text.replace(new RegExp(`\\b${identifier}\\b`, "g"), local);
    }
    texts.push(text.trimEnd());
    return own;
  };

  /** @param {Module} module @param {string} file @param {string} identifier */
  const referred = async (module, file, identifier) => {
    if (module.declared.has(identifier)) return include(file, identifier);
    const imported = module.imported.get(identifier);
    return imported === undefined ? undefined : include(imported.from, imported.name);
  };

  const exports = /** @type {string[]} */ ([]);
  for (const name of await namesOf(entry, load)) {
    const own = await include(entry, name);
    exports.push(own === name ? name : `${own} as ${name}`);
  }
  return `${texts.join("\n")}\nexport { ${exports.sort().join(", ")} };\n`;
}

/** Every exported name. @param {string} file @param {(file: string) => Promise<Module>} load @returns {Promise<Set<string>>} */
async function namesOf(file, load) {
  const module = await load(file);
  const stars = await Promise.all(module.stars.map((star) => namesOf(star, load)));
  return new Set([...module.exported.keys(), ...stars.flatMap((names) => [...names])]);
}

/** @param {string} file @param {string} text @returns {Module} */
function parse(file, text) {
  /** @type {Module} */
  const module = { declared: new Map(), imported: new Map(), exported: new Map(), stars: [] };
  for (const statement of statementsOf(text)) {
    const code = withoutComments(statement).trim();
    const list = /^(import|export)(?: type)? \{([^}]*)\}(?: from "([^"]+)")?/.exec(code);
    if (list) {
      for (const part of (list[2] ?? "").split(",")) {
        const [, name = "", alias = name] = /^\s*(?:type )?([\w$]+)(?: as ([\w$]+))?\s*$/.exec(part) ?? [];
        if (name === "") continue;
        const from = list[3] === undefined ? undefined : target(file, list[3]);
        if (list[1] === "export") module.exported.set(alias, { from, name });
        else if (from !== undefined) module.imported.set(alias, { from, name });
      }
      continue;
    }
    const star = /^export \* from "([^"]+)"/.exec(code);
    if (star) {
      module.stars.push(target(file, star[1] ?? ""));
      continue;
    }
    const declared =
      /^(?:export )?(?:declare )?(?:abstract )?(?:const|let|var|function|class|interface|type|enum|namespace) ([\w$]+)/.exec(
        code,
      );
    if (declared === null) continue;
    const name = declared[1] ?? "";
    // Overloads are several declarations of one name.
    module.declared.set(name, [module.declared.get(name), statement].filter(Boolean).join("\n"));
    if (code.startsWith("export ")) module.exported.set(name, { from: undefined, name });
  }
  return module;
}

/** Top-level statements, each with the comment before it. @param {string} text */
function statementsOf(text) {
  const statements = /** @type {string[]} */ ([]);
  let current = /** @type {string[]} */ ([]);
  let complete = true;
  for (const line of text.split("\n")) {
    const starts = /^(?:export|declare|import|interface|type|abstract|const|class|function|\/\*\*)/.test(
      line,
    );
    if (starts && complete && current.length > 0) {
      statements.push(current.join("\n"));
      current = [];
    }
    if (starts || current.length > 0) current.push(line);
    // A comment belongs to what follows it.
    complete = starts ? !line.startsWith("/**") : complete;
    // That of a member does not.
    if (/^ \*\/\s*$/.test(line)) complete = false;
    else if (starts && line.startsWith("/**") && line.trimEnd().endsWith("*/")) complete = false;
  }
  if (current.length > 0) statements.push(current.join("\n"));
  return statements;
}

/** Code without comments and string literals. @param {string} text */
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");

/** The declaration file that an import names. @param {string} file @param {string} specifier */
function target(file, specifier) {
  if (!specifier.startsWith(".")) return specifier;
  return path.resolve(path.dirname(file), specifier.replace(/\.tsx?$/, ".d.ts"));
}
