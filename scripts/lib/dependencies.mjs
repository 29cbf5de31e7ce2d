// The packages of the lock files.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./cache.mjs";
import { step, Trouble } from "./log.mjs";
import { run } from "./processes.mjs";

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");

/**
 * `npm ci` when node_modules is missing or older than package-lock.json. If node_modules already matches the lock file
 * (npm was run by hand), it is used as it is.
 */
export async function ensureDependencies() {
  if (Number(process.versions.node.split(".")[0]) < 20)
    throw new Trouble(`Node 20 or newer is needed; this is ${process.version}.`);
  await ensurePackages(ROOT);
}

/** The same for the package of any folder of the repository. @param {string} folder */
export async function ensurePackages(folder) {
  if (await upToDate(folder)) return;
  await withLock(path.join(ROOT, ".cache", `${lockName(folder)}.lock`), async () => {
    if (await upToDate(folder)) return;
    if (!(await installedMatches(folder)))
      await step("Installing packages (npm ci)", () =>
        run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, env: npmEnvironment() }),
      );
    await writeFile(stamp(folder), await lockHash(folder));
  });
}

/** @param {string} folder */
const lockName = (folder) => (folder === ROOT ? "dependencies" : `dependencies-${path.basename(folder)}`);

/** @param {string} folder */
const stamp = (folder) => path.join(folder, "node_modules", ".nekode-lock-hash");

/** @param {string} folder */
const upToDate = async (folder) =>
  (await readFile(stamp(folder), "utf8").catch(() => "")) === (await lockHash(folder));

/** @param {string} folder */
async function lockHash(folder) {
  return createHash("sha256")
    .update(await readFile(path.join(folder, "package-lock.json")))
    .digest("hex");
}

/** Whether every package of the lock file for this platform is installed in its locked version. @param {string} folder */
async function installedMatches(folder) {
  const hidden = path.join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(hidden)) return false;
  /** @typedef {{ packages: Record<string, { version?: string, optional?: boolean }> }} Lock */
  const wanted = /** @type {Lock} */ (
    JSON.parse(await readFile(path.join(folder, "package-lock.json"), "utf8"))
  );
  const present = /** @type {Lock} */ (JSON.parse(await readFile(hidden, "utf8")));
  return Object.entries(wanted.packages).every(
    ([name, { version, optional }]) =>
      name === "" ||
      present.packages[name]?.version === version ||
      (optional === true && !present.packages[name]),
  );
}

/**
 * The environment for npm in another folder: removes the variables that `npm run` sets for this package, and keeps the
 * user's own npm settings.
 * @param {NodeJS.ProcessEnv} [extra]
 */
export function npmEnvironment(extra = {}) {
  /** @type {NodeJS.ProcessEnv} */
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (
      !/^(npm_package_|npm_lifecycle_|npm_config_(local_prefix|prefix|global_prefix)$|INIT_CWD$)/i.test(name)
    )
      env[name] = value;
  }
  return { ...env, ...extra };
}
