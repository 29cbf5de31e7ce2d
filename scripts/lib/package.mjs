// The extension's package. Import only after the packages are installed.
import { cp, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { buildAll } from "./build.mjs";
import { withLock } from "./cache.mjs";
import { ROOT } from "./dependencies.mjs";
import { say, step } from "./log.mjs";
import { PAGE } from "./page.mjs";
import { run } from "./processes.mjs";

/** The folder from which vsce packs: it has the files of the last package and no others. */
export const STAGE = path.join(ROOT, ".cache/package");

/**
 * Builds everything, minified, and packs dist/nekode-VERSION.vsix.
 * @param {{ types?: boolean }} [options]
 * @returns {Promise<string>} the package's path
 */
export async function packageExtension(options = {}) {
  return withLock(path.join(ROOT, ".cache/build.lock"), async () => {
    const built = await buildAll({ minify: true, ...options });
    await stage(await packagedFiles(built));
    const { name, version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
    const file = path.join(ROOT, "dist", `${name}-${version}.vsix`);
    const vsce = path.join(ROOT, "node_modules/@vscode/vsce/vsce");
    const flags = [
      "--no-dependencies",
      "--allow-missing-repository",
      "--no-rewrite-relative-links",
      "--readme-path",
      PAGE,
      "--out",
      file,
    ];
    await step("Packing the extension", () =>
      run(process.execPath, [vsce, "package", ...flags], { cwd: STAGE }),
    );
    say(`${path.relative(process.cwd(), file)}: ${((await stat(file)).size / 1e6).toFixed(2)} MB`);
    return file;
  });
}

/**
 * What .vscodeignore lets into the package, without what earlier builds left beside the files of this one, and without the
 * repository's README, which vsce always lists and whose place the page takes.
 * @param {readonly string[]} built relative to `root`, as are the results
 */
export async function packagedFiles(built, root = ROOT) {
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  return files.filter((file) => (file.startsWith("dist/") ? built.includes(file) : file !== "README.md"));
}

/**
 * Copies the files into a folder of their own. There vsce has no other files to hold against each pattern, which took it longer
 * than everything else in a build.
 * @param {readonly string[]} files relative to the repository's folder
 */
async function stage(files) {
  await rm(STAGE, { recursive: true, force: true });
  for (const file of files) await cp(path.join(ROOT, file), path.join(STAGE, file));
}
