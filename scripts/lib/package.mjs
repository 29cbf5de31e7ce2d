// The extension's package. Import only after the packages are installed.
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { buildAll } from "./build.mjs";
import { withLock } from "./cache.mjs";
import { ROOT } from "./dependencies.mjs";
import { say, step } from "./log.mjs";
import { PAGE } from "./page.mjs";
import { run } from "./processes.mjs";

/**
 * Builds everything, minified, and packs dist/nekode-VERSION.vsix.
 * @param {{ types?: boolean }} [options]
 * @returns {Promise<string>} the package's path
 */
export async function packageExtension(options = {}) {
  return withLock(path.join(ROOT, ".cache/build.lock"), async () => {
    const files = await buildAll({ minify: true, ...options });
    const ignoreFile = path.join(ROOT, ".cache/vscodeignore");
    await writeFile(ignoreFile, withOnly(files, await readFile(path.join(ROOT, ".vscodeignore"), "utf8")));
    const { name, version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
    const file = path.join(ROOT, "dist", `${name}-${version}.vsix`);
    const vsce = path.join(ROOT, "node_modules/@vscode/vsce/vsce");
    const flags = [
      "--no-dependencies",
      "--allow-missing-repository",
      "--no-rewrite-relative-links",
      "--readme-path",
      PAGE,
      "--ignoreFile",
      ignoreFile,
      "--out",
      file,
    ];
    await step("Packing the extension", () =>
      run(process.execPath, [vsce, "package", ...flags], { cwd: ROOT }),
    );
    say(`${path.relative(process.cwd(), file)}: ${((await stat(file)).size / 1e6).toFixed(2)} MB`);
    return file;
  });
}

/**
 * The list of what is packed, with the files of this build in place of their folders: files of earlier builds may be beside them.
 * @param {readonly string[]} files @param {string} ignored
 */
export function withOnly(files, ignored) {
  return ignored.replace(/^!(dist\/\w+\/)\*\*$/gm, (_, folder) =>
    files.flatMap((file) => (file.startsWith(folder) ? [`!${file}`] : [])).join("\n"),
  );
}
