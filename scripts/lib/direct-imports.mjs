// Lets a bundler's chunks contain only the elements that they use, of a library whose modules import from its index.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** @typedef {Map<string, { file: string, name: string }>} Exports what is exported by which file, under which name there */

/**
 * An esbuild plugin. esbuild assigns whole files to chunks: a file that any chunk uses becomes part of every chunk that imports the
 * index which exports it. The plugin replaces imports from these indexes by imports from the files that define the names.
 * @param {Readonly<Record<string, string>>} indexes by the name of the package, relative to the build's `absWorkingDir`
 * @param {RegExp} importers the files whose imports are replaced
 * @returns {import("esbuild").Plugin}
 */
export function directImports(indexes, importers) {
  /** @type {Map<string, Exports>} */
  const known = new Map();
  return {
    name: "direct-imports",
    setup(build) {
      const { absWorkingDir = process.cwd() } = build.initialOptions;
      build.onLoad({ filter: importers }, ({ path: file }) => {
        const source = readFileSync(file, "utf8");
        const contents = source.replace(
          /^import \{([^}]*)\} from ["']([^"']+)["'];?/gm,
          (whole, /** @type {string} */ names, /** @type {string} */ from) => {
            const index = indexes[from];
            if (index === undefined) return whole;
            const exports = known.get(from) ?? exportsOf(path.join(absWorkingDir, index));
            known.set(from, exports);
            return directly(names, exports) ?? whole;
          },
        );
        return { contents, loader: file.endsWith(".ts") ? "ts" : "js" };
      });
    },
  };
}

/** The same imports, one statement a name; undefined: the index does not export one of them itself, such as a type. @param {string} names @param {Exports} exports */
function directly(names, exports) {
  const lines = [];
  for (const { name, outer } of named(names)) {
    const found = exports.get(name);
    if (!found) return undefined;
    lines.push(`import { ${found.name} as ${outer} } from ${JSON.stringify(found.file)};`);
  }
  return lines.join(" ");
}

/** @param {string} file @returns {Exports} */
function exportsOf(file) {
  /** @type {Exports} */
  const exported = new Map();
  const source = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  /** What another file exports. @param {string | undefined} from */
  const of = (from) => {
    const target = from === undefined ? undefined : resolve(path.dirname(file), from);
    return target === undefined ? undefined : exportsOf(target);
  };
  for (const [, from] of source.matchAll(/^export \* from ["'](\.[^"']+)["']/gm))
    for (const [name, origin] of of(from) ?? []) if (!exported.has(name)) exported.set(name, origin);
  for (const [, name = ""] of source.matchAll(/^export (?:const|class|function|let|var) (\w+)/gm))
    exported.set(name, { file, name });
  for (const [, names = "", from] of source.matchAll(/^export \{([^}]*)\}(?: from ["'](\.[^"']+)["'])?;?$/gm))
    for (const { name, outer } of named(names)) {
      // An index may also import what it exports.
      const origin = of(from ?? imported(source, name))?.get(name);
      exported.set(outer, origin ?? { file, name: outer });
    }
  return exported;
}

/** @param {string} names for example `A, B as C` */
function named(names) {
  return names.split(",").flatMap((each) => {
    const [name = "", outer = name] = each.trim().split(/\s+as\s+/);
    return name === "" ? [] : [{ name, outer }];
  });
}

/** The file of a relative import. @param {string} folder @param {string} name */
function resolve(folder, name) {
  const plain = path.resolve(folder, name);
  const files = [plain, `${plain}.js`, path.join(plain, "index.js")];
  return files.find((each) => each.endsWith(".js") && existsSync(each));
}

/** The relative path that a source imports the name from. @param {string} source @param {string} name */
function imported(source, name) {
  return new RegExp(`^import \\{[^}]*\\b${name}\\b[^}]*\\} from ["'](\\.[^"']+)["']`, "m").exec(source)?.[1];
}
