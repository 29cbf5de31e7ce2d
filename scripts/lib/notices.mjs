// Collects the licenses of everything that ships, from the packages that esbuild found in the bundles.
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./dependencies.mjs";
import { Trouble } from "./log.mjs";

/** Licenses that allow shipping under Apache-2.0. Any other stops the build until someone has read it. */
const PERMITTED =
  /^\(?(MIT|MIT-0|ISC|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|0BSD|CC0-1\.0|Unlicense|BlueOak-1\.0\.0|Zlib|Python-2\.0|CC-BY-4\.0)\b/;

/**
 * Packages whose manifest names no license, and what their license file is.
 * @type {Readonly<Record<string, string>>}
 */
const READ = { "khroma 2.1.0": "MIT" };

/** The notices' file, relative to the repository's folder. */
export const NOTICES = "dist/THIRD-PARTY-NOTICES.txt";

/**
 * Writes the notices.
 * @param {import("esbuild").Metafile[]} metafiles of the shipped bundles
 * @param {string[]} copied files of node_modules that are shipped as they are
 */
export async function writeNotices(metafiles, copied) {
  const folders = new Set();
  for (const file of [...metafiles.flatMap((metafile) => Object.keys(metafile.inputs)), ...copied]) {
    // A plugin's own name precedes the files that it loads.
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replace(/^[\w-]+:/, ""))?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const sections = await Promise.all([...folders].sort().map(section));
  const title = "Nekode contains the following third-party software.";
  await writeFile(path.join(ROOT, NOTICES), [title, ...sections].join(`\n\n${"-".repeat(78)}\n\n`));
}

/** @param {string} folder */
async function section(folder) {
  const absolute = path.join(ROOT, folder);
  const manifest = JSON.parse(await readFile(path.join(absolute, "package.json"), "utf8"));
  const license =
    typeof manifest.license === "string"
      ? manifest.license
      : (manifest.license?.type ?? READ[`${manifest.name} ${manifest.version}`] ?? "unknown");
  if (!PERMITTED.test(license))
    throw new Trouble(
      `${manifest.name} ${manifest.version} is under "${license}", which is not on the list of scripts/lib/notices.mjs.`,
    );
  const texts = (await readdir(absolute)).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).sort();
  const body = await Promise.all(texts.map((name) => readText(path.join(absolute, name))));
  const home = manifest.homepage ?? manifest.repository?.url ?? "";
  return [`${manifest.name} ${manifest.version} (${license}) ${home}`.trim(), ...body].join("\n\n").trimEnd();
}

/** @param {string} file */
const readText = async (file) =>
  existsSync(file) ? (await readFile(file, "utf8").catch(() => "")).trim() : "";
