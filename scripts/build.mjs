// npm run build: everything into dist/. --minify as in the extension's package.
import path from "node:path";
import { withLock } from "./lib/cache.mjs";
import { ensureDependencies, ROOT } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";

await runMain(async () => {
  await ensureDependencies();
  const { buildAll } = await import("./lib/build.mjs");
  const minify = process.argv.includes("--minify");
  await withLock(path.join(ROOT, ".cache/build.lock"), () => buildAll({ minify }));
});
