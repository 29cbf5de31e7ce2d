/** The predefined character maps that East Asian PDF files refer to. They ship as one compressed file. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import * as z from "zod";

/** Made by scripts/lib/cmaps.mjs: one line of JSON with the length of each map by its name, and the maps in that order. */
const PACK = "maps.br";

const decompress = promisify(brotliDecompress);
const lengthsSchema = z.record(z.string(), z.number());

/** A class for pdf.js that reads the maps in `folder`, once, when a file first refers to one. */
export function mapReader(folder: string) {
  let maps: Promise<Map<string, Uint8Array>> | undefined;
  return class {
    async fetch({ name }: { name: string }): Promise<{ cMapData: Uint8Array; isCompressed: boolean }> {
      maps ??= unpacked(path.join(folder, PACK));
      const found = (await maps).get(name);
      if (found === undefined) throw new Error(`no such character map: ${name}`);
      return { cMapData: found, isCompressed: true };
    }
  };
}

async function unpacked(file: string): Promise<Map<string, Uint8Array>> {
  const bytes = await decompress(await readFile(file));
  let at = bytes.indexOf("\n") + 1;
  const lengths = lengthsSchema.parse(JSON.parse(bytes.toString("utf8", 0, at)));
  const maps = new Map<string, Uint8Array>();
  for (const [name, length] of Object.entries(lengths)) {
    // A copy: pdf.js transfers the bytes.
    maps.set(name, Uint8Array.prototype.slice.call(bytes, at, at + length));
    at += length;
  }
  return maps;
}
