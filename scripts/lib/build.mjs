// Builds dist/. Import only after the packages are installed.
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build as esbuild } from "esbuild";
import { bundles, COPIES, toolBundle } from "../../esbuild.mjs";
import { buildDeclarations } from "./declarations.mjs";
import { ROOT } from "./dependencies.mjs";
import { step, Trouble } from "./log.mjs";
import { writeNotices } from "./notices.mjs";
import { writePage } from "./page.mjs";

/**
 * Builds everything into dist/. Deletes old bundles first, so that a file that is no longer built does not remain.
 * @param {{ minify?: boolean, types?: boolean }} [options] types: also the library's declarations (default true)
 * @returns {Promise<void>}
 */
export async function buildAll({ minify = false, types = true } = {}) {
  await step(`Building dist/${minify ? ", minified" : ""}`, async () => {
    const dist = path.join(ROOT, "dist");
    await mkdir(dist, { recursive: true });
    for (const name of ["webview", "wasm"]) await rm(path.join(dist, name), { recursive: true, force: true });
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
    await Promise.all(COPIES.map(([from = "", to = ""]) => copy(from, to)));
    await writePage();
    await chmod(path.join(dist, "cli.js"), 0o755);
    await writeFile(path.join(dist, "meta.json"), JSON.stringify(merged(Object.values(metafiles))));
    const runtime = Object.entries(metafiles).flatMap(([name, file]) =>
      (shipped ?? []).some((bundle) => bundle.name === name) ? [file] : [],
    );
    await writeNotices(
      runtime,
      COPIES.map(([from = ""]) => from),
    );
    await declarations;
  });
}

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

/** @param {import("../../esbuild.mjs").Bundle} bundle */
async function buildBundle(bundle) {
  const { metafile } = await esbuild({ ...bundle.options, entryPoints: [bundle.entry], metafile: true });
  return metafile;
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

const compress = promisify(brotliCompress);

/** @param {string} from @param {string} to */
async function copy(from, to) {
  await mkdir(path.dirname(path.join(ROOT, to)), { recursive: true });
  if (!to.endsWith(".br")) return copyFile(path.join(ROOT, from), path.join(ROOT, to));
  // Brotli makes WebAssembly a quarter smaller than the extension's package can. The highest quality takes a minute.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
  await writeFile(path.join(ROOT, to), await compress(await readFile(path.join(ROOT, from)), { params }));
}

/** Merges metafiles: inputs united, outputs side by side. @param {import("esbuild").Metafile[]} files */
const merged = (files) => ({
  inputs: Object.assign({}, ...files.map((file) => file.inputs)),
  outputs: Object.assign({}, ...files.map((file) => file.outputs)),
});
