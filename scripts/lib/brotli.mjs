// Compresses what the package contains. The best quality takes half a minute in all, so results are kept.
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { cacheDir } from "./cache.mjs";

const compress = promisify(brotliCompress);

/** Qualities of the compression: of the package, and of a build that only runs here, which takes a tenth of the time. */
export const BEST_QUALITY = 11;
export const FAST_QUALITY = 5;

/**
 * @param {Buffer} bytes
 * @param {number} quality 1 to 11
 * @returns {Promise<Buffer>}
 */
export async function brotli(bytes, quality) {
  if (quality < BEST_QUALITY) return compressed(bytes, quality);
  const name = createHash("sha256").update(bytes).digest("hex");
  const file = path.join(cacheDir(), "brotli", `${name}.br`);
  const stored = await readFile(file).catch((/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stored !== undefined) return stored;
  const result = await compressed(bytes, quality);
  await mkdir(path.dirname(file), { recursive: true });
  // Renamed, so that another build never reads half of it.
  await writeFile(`${file}.${process.pid}`, result);
  await rename(`${file}.${process.pid}`, file);
  return result;
}

/** @param {Buffer} bytes @param {number} quality @returns {Promise<Buffer>} */
function compressed(bytes, quality) {
  return compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
