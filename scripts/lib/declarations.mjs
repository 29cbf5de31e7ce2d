// The library's types: tsc's declarations in dist/types/, and dist/core.d.mts, which references the entry's.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./dependencies.mjs";
import { run } from "./processes.mjs";
import { LATER_COLLECTION, ONE_CHECKER } from "./tsc.mjs";

const TSC = path.join(ROOT, "node_modules/.bin/tsc");

/**
 * No declaration that the entry reaches may import a package: test/harness/declarations.test.ts compiles them without
 * any.
 */
export async function buildDeclarations(folder = path.join(ROOT, "dist")) {
  const types = path.join(folder, "types");
  await mkdir(folder, { recursive: true });
  const args = ["-p", "tsconfig.library.json", "--outDir", types, ...ONE_CHECKER];
  await run(TSC, args, { cwd: ROOT, env: LATER_COLLECTION, timeoutMs: 120_000 });
  await writeFile(path.join(folder, "core.d.mts"), 'export * from "./types/node/library.ts";\n');
}
