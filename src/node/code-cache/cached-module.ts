/** Loads a bundle as a module, with the compiled code of earlier processes. */
import { readFileSync } from "node:fs";
import Module from "node:module";
import path from "node:path";
import { Script } from "node:vm";
import type { CodeCache } from "./code-cache.ts";

export interface CachedModule<T> {
  /** What the bundle exports. */
  readonly exports: T;
  /** Keeps the code of the functions that are compiled by now, unless V8 used kept code. */
  keep(): void;
}

/**
 * `file`: a bundle in ASCII, in the format of CommonJS and without `import()`, which compiled code cannot do. `cache`: of that
 * file; undefined: it is compiled, and nothing is kept.
 */
export function loadCachedModule<T>(file: string, cache: CodeCache | undefined): CachedModule<T> {
  const cachedData = cache?.read();
  const [before = ""] = Module.wrap("\0").split("\0");
  const script = new Script(Module.wrap(readFileSync(file, "latin1")), {
    filename: file,
    columnOffset: -before.length,
    ...(cachedData ? { cachedData } : {}),
  });
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
