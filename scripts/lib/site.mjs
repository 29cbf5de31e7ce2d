// The documentation site, whose builder is a package of its own: only who builds the site installs it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { ensurePackages, ROOT } from "./dependencies.mjs";
import { say, step } from "./log.mjs";
import { run } from "./processes.mjs";

const SITE = path.join(ROOT, "docs/site");
const OUT = path.join(ROOT, "dist/docs");
const VITEPRESS = path.join(SITE, "node_modules/vitepress/bin/vitepress.js");

/** Builds dist/docs. A link to a page that does not exist is an error. */
export async function buildSite() {
  await ensurePackages(SITE);
  await rm(OUT, { recursive: true, force: true });
  await step("Building the documentation site", () =>
    run(process.execPath, [VITEPRESS, "build", SITE], { cwd: SITE }),
  );
  say(`${path.relative(process.cwd(), OUT)}/index.html`);
}

/** Shows the site on a port of this computer, and again after each change of a page, until it is stopped. */
export async function serveSite() {
  await ensurePackages(SITE);
  await once(spawn(process.execPath, [VITEPRESS, "dev", SITE], { cwd: SITE, stdio: "inherit" }), "exit");
}
