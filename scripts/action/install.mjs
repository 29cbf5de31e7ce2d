// The first step of the GitHub Action: builds the checkout of the action, unless that was done before.
import { existsSync } from "node:fs";
import path from "node:path";
import { ensureDependencies, ROOT } from "../lib/dependencies.mjs";
import { runMain, say, Trouble } from "../lib/log.mjs";

/** The build writes the last file after all programs, so the build is complete if both exist. */
const BUILT = ["dist/cli.js", "dist/meta.json"];

await runMain(async () => {
  if (Number(process.versions.node.split(".")[0]) < 20)
    throw new Trouble(
      `::error::Nekode requires Node 20 or newer; this runner has ${process.version}. Add a step with actions/setup-node before it.`,
    );
  if (BUILT.every((file) => existsSync(path.join(ROOT, file)))) return say("Nekode is built already.");
  await ensureDependencies();
  const { buildAll } = await import("../lib/build.mjs");
  await buildAll({ types: false });
});
