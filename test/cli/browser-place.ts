/** What `browser.test.ts` and `browser.long.test.ts` begin with. */
import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { ensureChromium } from "../../scripts/lib/install.mjs";
import { browserScript } from "../model-server/scripts/browser.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { type SmallSite, startSmallSite } from "../support/small-site.ts";
import { Project } from "./support.ts";

export let server: ModelServer;
export let site: SmallSite;
export let project: Project;
export let env: Record<string, string>;

/** To be called once in a file of tests. */
export function placeOfEachTest(): void {
  beforeEach(async () => {
    site = await startSmallSite();
    server = await startModelServer({ script: browserScript(`${site.origin}/dialogs`, "20,100") });
    project = await Project.create({});
    // Beside the project, because a browser inside it would not be used.
    const bin = path.join(project.dataDir, "bin");
    await mkdir(bin, { recursive: true });
    await symlink(await ensureChromium(), path.join(bin, "chromium"));
    env = {
      NEKODE_BASE_URL: server.url,
      NEKODE_MODEL: "scripted",
      PATH: `${bin}${path.delimiter}${process.env.PATH ?? ""}`,
    };
  });
  afterEach(async () => {
    expect(server.refusals).toEqual([]);
    await server.close();
    await site.close();
    await project.remove();
  });
}
