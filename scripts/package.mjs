// npm run package: dist/nekode-VERSION.vsix and dist/nekode-cli-VERSION.tgz.
import { ensureDependencies } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";

await runMain(async () => {
  await ensureDependencies();
  const { packageExtension } = await import("./lib/package.mjs");
  const { packageCli } = await import("./lib/cli-package.mjs");
  await packageExtension();
  await packageCli();
});
