// Builds dist/. Import only after the packages are installed.
import { chmod, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { build as esbuild } from "esbuild";
import { bundles, COPIES, toolBundle } from "../../esbuild.mjs";
import { BEST_QUALITY, brotli, FAST_QUALITY } from "./brotli.mjs";
import { packCmaps } from "./cmaps.mjs";
import { buildDeclarations } from "./declarations.mjs";
import { ROOT } from "./dependencies.mjs";
import { buildBundle } from "./joined-chunks.mjs";
import { step, Trouble } from "./log.mjs";
import { NOTICES, writeNotices } from "./notices.mjs";
import { PAGE, writePage } from "./page.mjs";
import { replaceFile } from "./replace-file.mjs";

/**
 * Builds everything into dist/. Each file is replaced as a whole and none is removed: a nekode of this checkout may run, or an editor
 * may show a panel whose parts it has not loaded yet.
 * @param {{ minify?: boolean, types?: boolean }} [options] types: also the library's declarations (default true)
 * @returns {Promise<string[]>} the files that belong to the build, relative to the repository's folder
 */
export async function buildAll({ minify = false, types = true } = {}) {
  return step(`Building dist/${minify ? ", minified" : ""}`, async () => {
    const dist = path.join(ROOT, "dist");
    await mkdir(dist, { recursive: true });
    const declarations = types ? buildDeclarations() : Promise.resolve();
    // Awaited below; without this, a failing bundle would leave the rejection unhandled.
    declarations.catch(() => {});
    const [shipped, others] = [true, false].map((kind) =>
      bundles({ minify }).filter((bundle) => bundle.shipped === kind),
    );
    /** @type {Record<string, import("esbuild").Metafile>} */
    const metafiles = {};
    for (const bundle of [...(shipped ?? []), ...(others ?? [])]) {
      metafiles[bundle.name] = await buildBundle(bundle);
    }
    const quality = minify ? BEST_QUALITY : FAST_QUALITY;
    await Promise.all(COPIES.map(([from = "", to = ""]) => copy(from, to, quality)));
    await replaceFile(path.join(ROOT, MAPS), await packCmaps(quality));
    await writePage();
    await chmod(path.join(dist, "cli.js"), 0o755);
    const all = merged(Object.values(metafiles));
    await replaceFile(path.join(dist, "meta.json"), JSON.stringify(all));
    const runtime = Object.entries(metafiles).flatMap(([name, file]) =>
      Object.keys(file.outputs).some((output) => TERMINAL_PARTS.includes(path.basename(output))) ||
      (shipped ?? []).some((bundle) => bundle.name === name)
        ? [file]
        : [],
    );
    await writeNotices(
      runtime,
      COPIES.map(([from = ""]) => from),
    );
    await declarations;
    return [...Object.keys(all.outputs), ...COPIES.map(([, to = ""]) => to), MAPS, PAGE, NOTICES];
  });
}

/** Maps of characters for PDF files. */
export const MAPS = "dist/cmaps/maps.br";

/** The files of the terminal host in dist/. */
export const TERMINAL_PARTS = [
  ...[
    "cli.js",
    "program.js",
    "japanese.js",
    "acp-sdk.js",
    "schema-validator.js",
    "queue.js",
    "setting-imports.js",
  ],
  ...[
    "mcp.js",
    "reviews.js",
    "browser.js",
    "slash-prompts.js",
    "late-parts.js",
    "policy-parts.js",
    "telemetry.js",
    "detector.js",
    "iconv-lite.js",
    "guard.js",
  ],
  ...["documents.js", "completions.js", "language-servers.js", "lsp-command.js"],
];

/** The bundles of the terminal host that its tests need. */
export const TERMINAL_BUNDLES = [
  "launcher",
  "cli",
  "japanese",
  "acp-sdk",
  "late-parts",
  "slash-prompts",
  "completions",
];

/**
 * Builds one bundle by name, for a quick check during development.
 * @param {string} name
 */
export async function buildOne(name) {
  const bundle = bundles().find((each) => each.name === name);
  if (bundle === undefined)
    throw new Trouble(
      `There is no bundle "${name}": ${bundles()
        .map((each) => each.name)
        .join(", ")}`,
    );
  await step(`Building ${name}`, async () => void (await buildBundle(bundle)));
}

/**
 * Builds dist/test/NAME.mjs from test/NAME/main.ts.
 * @param {string} name
 * @returns {Promise<string>} the file to run
 */
export async function buildTool(name) {
  const bundle = toolBundle(name);
  await esbuild({ ...bundle.options, entryPoints: [bundle.entry] });
  return path.join(ROOT, "dist/test", `${name}.mjs`);
}

/** @param {string} from @param {string} to @param {number} quality */
async function copy(from, to, quality) {
  const content = await readFile(path.join(ROOT, from));
  // Brotli makes WebAssembly a third smaller than the extension's package can.
  await replaceFile(path.join(ROOT, to), to.endsWith(".br") ? await brotli(content, quality) : content);
}

/** Merges metafiles: inputs united, outputs side by side. @param {import("esbuild").Metafile[]} files */
const merged = (files) => ({
  inputs: Object.assign({}, ...files.map((file) => file.inputs)),
  outputs: Object.assign({}, ...files.map((file) => file.outputs)),
});
