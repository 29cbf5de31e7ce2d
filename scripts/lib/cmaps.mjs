// Packs the character maps of pdf.js into one file, which is two fifths smaller than 140 compressed apart.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { brotli } from "./brotli.mjs";
import { ROOT } from "./dependencies.mjs";

const SOURCE = path.join(ROOT, "node_modules/pdfjs-dist/cmaps");

/**
 * The maps that East Asian PDF files reference; encodings that the format does not define are omitted. Brotli of one line
 * of JSON, which has the length of each map by its name, and the maps in that order.
 * @param {number} quality of the compression, 1 to 11
 * @returns {Promise<Buffer>}
 */
export async function packCmaps(quality) {
  const names = (await readdir(SOURCE))
    .filter((name) => name.endsWith(".bcmap") && !/UTF(8|32)/.test(name))
    .sort();
  const maps = await Promise.all(names.map((name) => readFile(path.join(SOURCE, name))));
  const lengths = names.map((name, index) => [path.basename(name, ".bcmap"), maps[index]?.length ?? 0]);
  const packed = Buffer.concat([Buffer.from(`${JSON.stringify(Object.fromEntries(lengths))}\n`), ...maps]);
  return brotli(packed, quality);
}
