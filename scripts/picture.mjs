// npm run picture: the moving pictures of the READMEs, docs/images/demo*.webp, recorded in a real VS Code.
import { ensureDependencies } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";

await runMain(async () => {
  await ensureDependencies();
  const { recordPictures } = await import("./lib/picture.mjs");
  await recordPictures(process.argv.slice(2));
});
