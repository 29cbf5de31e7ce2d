// npm run build: everything into dist/. --minify: as in the extension's package. --only NAME: one bundle of esbuild.mjs.
import path from "node:path";
import { withLock } from "./lib/cache.mjs";
import { ensureDependencies, ROOT } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";

await runMain(async () => {
  await ensureDependencies();
  const { buildAll, buildOne } = await import("./lib/build.mjs");
  const minify = process.argv.includes("--minify");
  const only = process.argv.indexOf("--only");
  const build = async () => {
    await (only < 0 ? buildAll({ minify }) : buildOne(process.argv[only + 1] ?? ""));
  };
  await withLock(path.join(ROOT, ".cache/build.lock"), build);
});
