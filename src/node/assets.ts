import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { Assets } from "../core/ports/system.ts";
import { isMissing } from "./files/fs-errors.ts";

const decompress = promisify(brotliDecompress);

/** Reads files that ship with the product from one folder, either as they are or compressed as `NAME.br`. */
export function createAssets(folder: string): Assets {
  return {
    async read(name) {
      const file = path.join(folder, name);
      try {
        return await readFile(file);
      } catch (error) {
        if (!isMissing(error)) throw error;
        return decompress(await readFile(`${file}.br`));
      }
    },
  };
}
