// What one run of the browser tests shares: the panel as it ships, built once.
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { buildPanel } from "./panel-page.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the built panel. */
    panel: string;
  }
}

/** `NEKODE_PANEL` names the folder of a panel that was just built as it ships, and that need not be built again. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { NEKODE_PANEL: built } = process.env;
  if (built !== undefined && built !== "") {
    const folder = resolve(built);
    await access(join(folder, "index.js"));
    project.provide("panel", folder);
    return async () => {};
  }
  const folder = await mkdtemp(join(tmpdir(), "nekode-panel-"));
  await buildPanel(folder);
  project.provide("panel", folder);
  return () => rm(folder, { recursive: true, force: true });
}
