// Provides Node in a given major version, from the npm packages that contain its binary.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { installOnce } from "./cache.mjs";
import { npmEnvironment } from "./dependencies.mjs";
import { step, Trouble } from "./log.mjs";
import { run } from "./processes.mjs";

/**
 * @typedef {object} NodeRuntime
 * @property {string} executable
 * @property {string | undefined} headers the folder that holds include/node, for native rebuilds
 */

/**
 * This process's Node if its major version matches, else one that is installed into the cache.
 * @param {number} major
 * @returns {Promise<NodeRuntime>}
 */
export async function ensureNode(major) {
  if (Number(process.versions.node.split(".")[0]) === major) return runtimeAt(process.execPath);
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const folder = await installOnce(`node-${major}`, async (temporary) => {
    await step(`Installing Node ${major} (once)`, async () => {
      await writeFile(path.join(temporary, "package.json"), JSON.stringify({ private: true }));
      await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${major}`], {
        cwd: temporary,
        env: npmEnvironment(),
      });
    });
  });
  const executable = path.join(
    folder,
    "node_modules",
    name,
    "bin",
    process.platform === "win32" ? "node.exe" : "node",
  );
  if (!existsSync(executable))
    throw new Trouble(`Node ${major} has no build for this machine; please put it on PATH.`);
  return runtimeAt(executable);
}

/** @param {string} executable @returns {NodeRuntime} */
function runtimeAt(executable) {
  const prefix = path.dirname(path.dirname(executable));
  return { executable, headers: existsSync(path.join(prefix, "include/node/node.h")) ? prefix : undefined };
}
