// What one run of the end-to-end tests shares: the packed extension, installed once with one of the tests' own, and the browser's path.
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createVSIX } from "@vscode/vsce";
import type { TestProject } from "vitest/node";
import { ensureTestBrowser } from "../../../scripts/lib/chromium.mjs";
import { installVsix } from "../../../scripts/lib/code-server.mjs";
import { ensureCodeServer, OLDEST_VERSION } from "../../../scripts/lib/code-server-install.mjs";
import { packageExtension } from "../../../scripts/lib/package.mjs";
import { killByHome } from "./processes.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Version of code-server. */
    version: string;
    /** Removed at the end of the run. */
    folder: string;
    /** Folder of installed extensions that every server of the run uses. */
    extensionsDir: string;
    chromium: string;
  }
}

/**
 * $NEKODE_VSIX names a package that is built already (`npm test` does that); else it is built here.
 * $NEKODE_CODE_SERVER names the version of code-server.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const version = process.env.NEKODE_CODE_SERVER ?? OLDEST_VERSION;
  const [codeServer, chromium] = [await ensureCodeServer(version), await ensureTestBrowser()];
  const vsix = process.env.NEKODE_VSIX ?? (await packageExtension({ types: false }));
  const folder = await mkdtemp(path.join(tmpdir(), `nekode-run-${shortHash(vsix)}-`));
  const extensionsDir = path.join(folder, "extensions");
  const checkTests = path.join(folder, "check-tests.vsix");
  await createVSIX({
    ...{ cwd: path.join(import.meta.dirname, "../fixtures/check-tests"), packagePath: checkTests },
    ...{ dependencies: false, allowMissingRepository: true, skipLicense: true },
  });
  await installVsix(codeServer, extensionsDir, vsix, checkTests);
  project.provide("version", version);
  project.provide("folder", folder);
  project.provide("extensionsDir", extensionsDir);
  project.provide("chromium", chromium);
  return async () => {
    // The servers of a worker that has just ended may be about to write their last.
    if (process.platform === "linux") while (killByHome("", folder) > 0);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

const shortHash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 6);
