// npm run picture: all of docs/images, recorded in a real VS Code: the READMEs' animated pictures, and two stills for
// docs/extension.md and the walkthrough. With `sheet`, contact sheets of all that the panel can show, which are looked at and not kept.
import { ensureDependencies } from "./lib/install.mjs";
import { runMain } from "./lib/log.mjs";

await runMain(async () => {
  await ensureDependencies();
  const words = process.argv.slice(2);
  if (words[0] === "sheet") {
    const { drawSheets } = await import("./lib/contact-sheet.mjs");
    return drawSheets(words.slice(1));
  }
  const { recordPictures } = await import("./lib/picture.mjs");
  await recordPictures(words);
});
