// The extension's package. Imported only after the packages are there.
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { createVSIX } from "@vscode/vsce";
import { buildAll } from "./build.mjs";
import { withLock } from "./cache.mjs";
import { ROOT } from "./dependencies.mjs";
import { say, step } from "./log.mjs";

/**
 * Builds everything, minified, and packs dist/nekode-VERSION.vsix.
 * @param {{ types?: boolean }} [options]
 * @returns {Promise<string>} the package's path
 */
export async function packageExtension(options = {}) {
  return withLock(path.join(ROOT, ".cache/build.lock"), async () => {
    await buildAll({ minify: true, ...options });
    const { name, version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
    const file = path.join(ROOT, "dist", `${name}-${version}.vsix`);
    await step("Packing the extension", () =>
      createVSIX({
        cwd: ROOT,
        packagePath: file,
        dependencies: false,
        allowMissingRepository: true,
        skipLicense: true,
      }),
    );
    say(`${path.relative(process.cwd(), file)}: ${((await stat(file)).size / 1e6).toFixed(2)} MB`);
    return file;
  });
}
