/** Runs once before all tests with servers that others wrote. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { ensureForeignServers } from "../../scripts/lib/foreign-servers.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder `node_modules` of the servers. */
    packages: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  if (!existsSync(path.join(import.meta.dirname, "../../dist/cli.js")))
    throw new Error("dist/cli.js is missing: run npm run build first");
  project.provide("packages", await ensureForeignServers());
}
