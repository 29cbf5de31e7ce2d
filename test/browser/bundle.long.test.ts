/** What the scripts load is counted by a tool, too; that it is little is in bundle.test.ts. */
import { mkdtemp, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { toolBundle } from "../../esbuild.mjs";
import { eagerScripts } from "./support/script-bytes.ts";

it("the panel is built by a tool that is a bundle itself, such as the benchmark", async () => {
  const folder = await mkdtemp(resolve("node_modules", "bundled-"));
  try {
    const outfile = resolve(folder, "tool.mjs");
    const place = { absWorkingDir: process.cwd(), entryPoints: ["test/browser/support/script-bytes.ts"] };
    await build({ ...toolBundle("bench").options, ...place, outfile });
    const tool: { eagerScripts: typeof eagerScripts } = await import(pathToFileURL(outfile).href);
    const { inputs } = await tool.eagerScripts("webview", "index.js");
    expect(inputs).toEqual((await eagerScripts("webview", "index.js")).inputs);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
