// npm run picture: all of docs/images, recorded in a real VS Code: the READMEs' animated pictures, and two stills for
// docs/extension.md and the walkthrough.
import { ensureDependencies } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";

await runMain(async () => {
  await ensureDependencies();
  const { recordPictures } = await import("./lib/picture.mjs");
  await recordPictures(process.argv.slice(2));
});
