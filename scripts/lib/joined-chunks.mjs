// Joins the small files that esbuild's code splitting leaves into a few.
//
// Splitting gives each set of modules that the same entries share a file of its own, so the panel would load dozens of files before
// it shows anything. In a webview, each of them passes a service worker and the editor before it arrives.
import path from "node:path";
import { build } from "esbuild";
import { replaceFile } from "./replace-file.mjs";

/** @typedef {import("esbuild").Metafile["outputs"]} Outputs */
/** @typedef {{ file: string, own?: string, entries: readonly string[] }} Group `own`: the entry whose module the file is */
/** @typedef {{ group: string, id: string, used: Set<string>, own?: readonly string[] }} Member the file that contains it now, the prefix of its names there, which of them other files use, and what it exports, if its group is in its place */

/** Namespaces: the files that splitting made, and the one that they become. */
const SPLIT = "split";
const JOINED = "joined";
/** An import at the beginning of a minified file, with its names. */
const IMPORT = /^import(?:\{([^}]*)\}from)?"([^"]+)";/;

/**
 * Builds a bundle of esbuild.mjs, with its files joined if it says so.
 * @param {import("../../esbuild.mjs").Bundle} bundle
 * @param {import("esbuild").BuildOptions} [place] over the bundle's options; `write: false` writes nothing
 * @returns {Promise<import("esbuild").Metafile>}
 */
export async function buildBundle({ entry, options, joined: groups }, place = {}) {
  /** @type {import("esbuild").BuildOptions & { metafile: true }} */
  const all = { ...options, entryPoints: [entry], ...place, metafile: true };
  const { outdir } = all;
  const { metafile, outputFiles } =
    groups && outdir !== undefined
      ? await buildJoined({ ...all, outdir }, groups)
      : await build({ ...all, write: false });
  if (all.write !== false)
    for (const { path: file, contents } of outputFiles) await replaceFile(file, contents);
  return metafile;
}

/**
 * Builds a minified bundle, and joins what a group's entries (files of the repository) load at once into its `file` in the output
 * folder, except for what an earlier group contains. The first group is that of the bundle's own entry. Entries that are imported on
 * demand keep files of their own, except for the one that a group names as its `own`. Nothing is written.
 * @param {import("esbuild").BuildOptions & { outdir: string }} options
 * @param {readonly Group[]} groups
 * @returns {Promise<{ metafile: import("esbuild").Metafile, outputFiles: { path: string, contents: Uint8Array }[] }>}
 */
async function buildJoined(options, groups) {
  const { absWorkingDir = process.cwd(), outdir } = options;
  const { metafile, outputFiles } = await build({ ...options, absWorkingDir, write: false, metafile: true });
  const nameOf = (/** @type {string} */ file) => path.relative(absWorkingDir, file).replaceAll("\\", "/");
  const folder = nameOf(path.resolve(absWorkingDir, outdir));
  const members = membersOf(groups, metafile.outputs, folder);

  /** @type {Map<string, { text?: string, contents: Uint8Array }>} */
  const files = new Map();
  for (const file of outputFiles) {
    const name = nameOf(file.path);
    const { imports = [] } = metafile.outputs[name] ?? {};
    const isAffected = imports.some(({ path: to }) => members.has(to));
    const text = isAffected || members.has(name) ? redirected(name, file.text, members) : undefined;
    files.set(name, text === undefined ? file : { text, contents: Buffer.from(text) });
  }
  /** @type {Outputs} */
  const outputs = {};
  for (const [name, output] of Object.entries(metafile.outputs)) {
    if (members.has(name)) continue;
    const bytes = files.get(name)?.contents.length ?? output.bytes;
    outputs[name] = {
      ...output,
      bytes,
      imports: output.imports.map((each) => ({ ...each, path: members.get(each.path)?.group ?? each.path })),
    };
  }
  for (const group of new Set([...members.values()].map(({ group }) => group))) {
    const contents = await joined(group, members, (name) => files.get(name)?.text ?? "", {
      ...options,
      absWorkingDir,
    });
    files.set(group, { contents });
    outputs[group] = outputOf(group, contents.length, members, metafile.outputs);
  }
  return {
    metafile: { ...metafile, outputs },
    outputFiles: Object.keys(outputs).map((name) => ({
      path: path.resolve(absWorkingDir, name),
      contents: files.get(name)?.contents ?? new Uint8Array(),
    })),
  };
}

/** What is joined, by its file. @param {readonly Group[]} groups @param {Outputs} outputs @param {string} folder */
function membersOf(groups, outputs, folder) {
  /** @type {Map<string, Member>} */
  const members = new Map();
  for (const { file: name, own, entries } of groups) {
    const seen = new Set();
    const add = (/** @type {string} */ file) => {
      const output = outputs[file];
      if (!output || seen.has(file) || members.has(file)) return;
      seen.add(file);
      // What is imported on demand is named by that import.
      const isOwn = output.entryPoint !== undefined && output.entryPoint === own;
      if (output.entryPoint === undefined || isOwn)
        members.set(file, {
          ...{ group: path.posix.join(folder, name), id: `_${members.size}`, used: new Set() },
          ...(isOwn ? { own: output.exports } : {}),
        });
      for (const { path: to, kind } of output.imports) if (kind === "import-statement") add(to);
    };
    for (const entry of entries) {
      const output = Object.entries(outputs).find(
        ([file, { entryPoint }]) => entryPoint === entry && file.endsWith(".js"),
      );
      if (!output) throw new Error(`The bundle has no entry ${entry}`);
      add(output[0]);
    }
  }
  return members;
}

/**
 * The file's text, with imports of members of other groups, and imports on demand, directed to the files that contain them.
 * @param {string} file @param {string} text @param {Map<string, Member>} members
 */
function redirected(file, text, members) {
  const own = members.get(file)?.group;
  /** @type {Map<string, string[]>} */
  const names = new Map();
  let rest = text;
  for (let match = IMPORT.exec(rest); match; match = IMPORT.exec(rest)) {
    const [whole, list = "", from = ""] = match;
    rest = rest.slice(whole.length);
    const to = path.posix.join(path.posix.dirname(file), from);
    const member = members.get(to);
    const isElsewhere = member !== undefined && member.group !== own;
    const target = isElsewhere ? member.group : to;
    const all = names.get(target) ?? [];
    names.set(target, all);
    for (const each of list === "" ? [] : list.split(",")) {
      const [name = "", as = name] = each.split(" as ");
      if (isElsewhere) member.used.add(name);
      all.push(`${isElsewhere ? member.id : ""}${name} as ${as}`);
    }
  }
  if (/^import[{"*]/.test(rest))
    throw new Error(`${file} begins with an import of another form: ${rest.slice(0, 80)}`);
  for (const [to, { group, own: exports }] of members)
    if (exports)
      rest = rest.replaceAll(`import("${relative(file, to)}")`, `import("${relative(file, group)}")`);
  const lines = [...names].map(
    ([to, all]) => `import${all.length > 0 ? `{${all.join(",")}}from` : ""}"${relative(file, to)}";`,
  );
  return lines.join("") + rest;
}

/** @param {string} from @param {string} to */
function relative(from, to) {
  const found = path.posix.relative(path.posix.dirname(from), to);
  return found.startsWith(".") ? found : `./${found}`;
}

/**
 * @param {string} group @param {Map<string, Member>} members @param {(file: string) => string} text
 * @param {import("esbuild").BuildOptions} options
 */
async function joined(group, members, text, options) {
  const everything = [...members].flatMap(([file, { group: its, id, used, own = [] }]) => {
    const names = [...own, ...[...used].map((name) => `${name} as ${id}${name}`)];
    return its === group ? [`import "${file}";`, `export { ${names.join(", ")} } from "${file}";`] : [];
  });
  /** @type {import("esbuild").Plugin} */
  const plugin = {
    name: SPLIT,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path: named, importer, kind, namespace }) => {
        if (kind === "entry-point") return { path: group, namespace: JOINED };
        const to = namespace === JOINED ? named : path.posix.join(path.posix.dirname(importer), named);
        return kind === "import-statement" && members.get(to)?.group === group
          ? { path: to, namespace: SPLIT }
          : { path: relative(group, to), external: true };
      });
      onLoad({ filter: /.*/, namespace: JOINED }, () => ({ contents: everything.join("\n") }));
      onLoad({ filter: /.*/, namespace: SPLIT }, ({ path: file }) => ({ contents: text(file) }));
    },
  };
  const {
    absWorkingDir = "",
    minify = false,
    charset = "utf8",
    target = "esnext",
    logLevel = "warning",
  } = options;
  const { outputFiles = [] } = await build({
    ...{ absWorkingDir, minify, charset, target, logLevel },
    ...{ entryPoints: [group], outfile: group, plugins: [plugin] },
    ...{ bundle: true, format: "esm", platform: "browser", write: false },
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** What esbuild would report of a group's file. @param {string} group @param {number} bytes @param {Map<string, Member>} members @param {Outputs} outputs */
function outputOf(group, bytes, members, outputs) {
  const own = [...members].flatMap(([file, member]) => (member.group === group ? (outputs[file] ?? []) : []));
  /** @type {Outputs[string]} */
  const output = {
    bytes,
    exports: [],
    inputs: Object.assign({}, ...own.map(({ inputs }) => inputs)),
    imports: [],
  };
  const imports = new Map(
    own
      .flatMap((each) => each.imports)
      .map(({ path: to, kind }) => [`${kind} ${members.get(to)?.group ?? to}`, kind]),
  );
  for (const [key, kind] of imports) {
    const to = key.slice(kind.length + 1);
    if (to !== group) output.imports.push({ path: to, kind });
  }
  const itself = [...members].find(([, member]) => member.group === group && member.own)?.[0] ?? "";
  const { entryPoint, exports } = outputs[itself] ?? {};
  return { ...output, ...(entryPoint === undefined ? {} : { entryPoint }), exports: exports ?? [] };
}
