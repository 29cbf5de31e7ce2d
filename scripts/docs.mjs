// npm run docs: the documentation site in dist/docs, built from docs/. `npm run docs -- --serve` shows it while you write.
import { ensureDependencies } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";

await runMain(async () => {
  await ensureDependencies();
  const { buildSite, serveSite } = await import("./lib/site.mjs");
  await (process.argv.includes("--serve") ? serveSite() : buildSite());
});
