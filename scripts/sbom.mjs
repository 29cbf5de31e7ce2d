// npm run sbom: dist/nekode-VERSION.cdx.json, the packages that are shipped.
import { ensureDependencies } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";

await runMain(async () => {
  await ensureDependencies();
  const { writeSbom } = await import("./lib/sbom.mjs");
  await writeSbom();
});
