// The SHA-256 of each file of a release, in the form that `sha256sum --check` reads.
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./dependencies.mjs";
import { say, Trouble } from "./log.mjs";

/** The file with the sums. */
export const CHECKSUMS = "SHA256SUMS";

/** What a release has for each version. @param {string} version */
export const releaseFiles = (version) => [
  `nekode-${version}.cdx.json`,
  `nekode-${version}.vsix`,
  `nekode-cli-${version}.tgz`,
  "THIRD-PARTY-NOTICES.txt",
];

/**
 * Writes SHA256SUMS beside the files of a release. Fails if one is missing.
 * @param {string} [folder]
 * @returns {Promise<string>} the file's path
 */
export async function writeChecksums(folder = path.join(ROOT, "dist")) {
  const { version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  /** @type {string[]} */
  const present = await readdir(folder).catch(() => []);
  const files = releaseFiles(version);
  const missing = files.filter((name) => !present.includes(name));
  if (missing.length > 0)
    throw new Trouble(`Missing: ${missing.join(", ")}. Run npm run package and npm run sbom first.`);
  const lines = await Promise.all(
    files.map(async (name) => {
      const sum = createHash("sha256").update(await readFile(path.join(folder, name)));
      return `${sum.digest("hex")}  ${name}\n`;
    }),
  );
  const file = path.join(folder, CHECKSUMS);
  await writeFile(file, lines.join(""));
  say(`${path.relative(process.cwd(), file)}: ${files.length} files`);
  return file;
}
