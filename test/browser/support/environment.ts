// What one run of the browser tests shares: the panel as it ships, built once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildPanel } from "./panel-page.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the built panel. */
    panel: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "nekode-panel-"));
  await buildPanel(folder);
  project.provide("panel", folder);
  return () => rm(folder, { recursive: true, force: true });
}
