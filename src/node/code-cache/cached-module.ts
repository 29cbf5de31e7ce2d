/** Loads a bundle as a module, with the compiled code of earlier processes. */
import { closeSync, fstatSync, openSync } from "node:fs";
import Module from "node:module";
import path from "node:path";
import { Script } from "node:vm";
import type { CodeCache } from "./code-cache.ts";
import { ReadBuffer } from "./read-buffer.ts";

export interface CachedModule<T> {
  /** What the bundle exports. */
  readonly exports: T;
  /** Keeps the code of the functions that are compiled by now, unless V8 used kept code. */
  keep(): void;
}

/** Bytes of compiled code for each byte of the bundle, as a rule at most. */
const CODE_SHARE = 2;

/**
 * `file`: a bundle in ASCII, without `import()`, which compiled code cannot do: a function with the parameters of a CommonJS module. To put
 * the text into one here would copy it. `cache`: of that file; undefined: it is compiled, and nothing is kept.
 */
export function loadCachedModule<T>(file: string, cache: CodeCache | undefined): CachedModule<T> {
  const { text, buffer } = readBundle(file);
  const cachedData = cache?.read(buffer);
  const script = new Script(text, { filename: file, ...(cachedData ? { cachedData } : {}) });
  // The code itself is not kept in memory.
  const isUsed = cachedData !== undefined && !script.cachedDataRejected;
  const module = { exports: {} as T };
  // The editor recognizes by the file's path who requires its own module.
  const load = Module.createRequire(file);
  script.runInThisContext()(module.exports, load, module, file, path.dirname(file));
  return {
    exports: module.exports,
    keep() {
      if (isUsed) return;
      cache?.write(script.createCachedData());
    },
  };
}

/** `buffer`: room for the bundle's compiled code. */
function readBundle(file: string): { text: string; buffer: ReadBuffer } {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const buffer = new ReadBuffer(CODE_SHARE * size);
    return { text: buffer.read(descriptor, size).toString("latin1"), buffer };
  } finally {
    closeSync(descriptor);
  }
}
