// npm run package: dist/nekode-VERSION.vsix.
import { ensureDependencies } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";

await runMain(async () => {
  await ensureDependencies();
  const { packageExtension } = await import("./lib/package.mjs");
  await packageExtension();
});
