// The bill of materials of what is shipped: CycloneDX 1.6, from `npm sbom`, of the packages that the notices name.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { npmEnvironment, ROOT } from "./dependencies.mjs";
import { say, step, Trouble } from "./log.mjs";
import { NOTICES } from "./notices.mjs";
import { run } from "./processes.mjs";

/**
 * @typedef {{ "bom-ref": string, name: string, version: string, scope?: string, purl?: string, [field: string]: unknown }} Component
 * @typedef {object} Bom
 * @property {string} specVersion
 * @property {{ component: Component, [field: string]: unknown }} metadata
 * @property {Component[]} components
 * @property {{ ref: string, dependsOn?: string[] }[]} dependencies
 */

/**
 * Writes dist/nekode-VERSION.cdx.json. What is shipped must be built.
 * @returns {Promise<string>} the file's path
 */
export async function writeSbom(folder = path.join(ROOT, "dist")) {
  const notices = await readFile(path.join(ROOT, NOTICES), "utf8").catch(() => {
    throw new Trouble("There is nothing to describe yet: run npm run package first.");
  });
  const { optionalDependencies } = await json("node_modules/@vscode/ripgrep/package.json");
  const product = await json("package.json");
  const { "extension.description": description } = await json("package.nls.json");
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
  const { output } = await step("Listing the packages", () =>
    run("npm", args, { cwd: ROOT, env: npmEnvironment() }),
  );
  const all = /** @type {Bom} */ (JSON.parse(output.slice(output.indexOf("{"))));
  const optional = Object.entries(/** @type {Record<string, string>} */ (optionalDependencies)).map(
    ([name, version]) => `${name}@${version}`,
  );
  const bom = shippedOf(all, { bundled: packagesIn(notices), optional });
  Object.assign(bom.metadata.component, { name: product.name, description });
  const file = path.join(folder, `${product.name}-${product.version}.cdx.json`);
  await writeFile(file, `${JSON.stringify(bom, null, 2)}\n`);
  say(`${path.relative(process.cwd(), file)}: ${bom.components.length} packages`);
  return file;
}

/**
 * The packages that the notices name, as `name@version`.
 * @param {string} notices
 */
export function packagesIn(notices) {
  return [...notices.matchAll(/^-{78}\n\n(\S+) (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`);
}

/**
 * The part of a bill that is shipped, each package once. All packages of this repository are for its development; the build bundles
 * some of them, which the product then contains directly.
 * @param {Bom} all
 * @param {{ bundled: readonly string[], optional: readonly string[] }} shipped as `name@version`; `optional`: what npm installs beside the
 *   terminal host if it fits the system
 * @returns {Bom}
 */
export function shippedOf(all, { bundled, optional }) {
  const wanted = new Set([...bundled, ...optional]);
  /** @type {Map<string, Component>} */
  const kept = new Map();
  for (const component of all.components) {
    const id = `${component.name}@${component.version}`;
    if (!wanted.has(id) || kept.has(id)) continue;
    const { properties: _, ...facts } = component;
    kept.set(id, { ...facts, scope: bundled.includes(id) ? "required" : "optional" });
  }
  const missing = [...wanted].filter((id) => !kept.has(id));
  if (missing.length > 0)
    throw new Trouble(`package-lock.json does not have what is shipped: ${missing.join(", ")}`);
  const refs = new Set([...kept.values()].map((component) => component["bom-ref"]));
  const { properties: _, ...component } = all.metadata.component;
  return {
    ...all,
    // npm writes 1.5, of which everything that it uses is valid in 1.6.
    ...{ $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", specVersion: "1.6" },
    metadata: { ...all.metadata, component },
    components: [...kept.values()],
    dependencies: [
      { ref: component["bom-ref"], dependsOn: [...refs] },
      ...all.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
    ],
  };
}

/** @param {string} file */
const json = async (file) => JSON.parse(await readFile(path.join(ROOT, file), "utf8"));
