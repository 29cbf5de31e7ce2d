/** Loads the heavy parts with the code that V8 compiled in an earlier window: compiling takes longer than starting them. */
import path from "node:path";
import { type CachedModule, loadCachedModule } from "../node/code-cache/cached-module.ts";
import { codeCacheOf } from "../node/code-cache/code-cache.ts";

declare const NEKODE_VERSION: string;

export function loadServices(): CachedModule<typeof import("./services.ts")> {
  const file = path.join(__dirname, "services.js");
  return loadCachedModule(file, codeCacheOf(file, NEKODE_VERSION, process.env));
}
