// The packages of package-lock.json.
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

const STAMP = path.join(ROOT, "node_modules", ".nekode-lock-hash");

/**
 * `npm ci` when node_modules is missing or older than package-lock.json. If node_modules already matches the lock file
 * (npm was run by hand), it is used as it is.
 */
export async function ensureDependencies() {
  if (Number(process.versions.node.split(".")[0]) < 20)
    throw new Trouble(`Node 20 or newer is needed; this is ${process.version}.`);
  if (await upToDate()) return;
  await withLock(path.join(ROOT, ".cache", "dependencies.lock"), async () => {
    if (await upToDate()) return;
    if (!(await installedMatches()))
      await step("Installing packages (npm ci)", () =>
        run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: ROOT, env: npmEnvironment() }),
      );
    await writeFile(STAMP, await lockHash());
  });
}

const upToDate = async () => (await readFile(STAMP, "utf8").catch(() => "")) === (await lockHash());

async function lockHash() {
  return createHash("sha256")
    .update(await readFile(path.join(ROOT, "package-lock.json")))
    .digest("hex");
}

/** Whether every package of the lock file for this platform is installed in its locked version. */
async function installedMatches() {
  const hidden = path.join(ROOT, "node_modules", ".package-lock.json");
  if (!existsSync(hidden)) return false;
  /** @typedef {{ packages: Record<string, { version?: string, optional?: boolean }> }} Lock */
  const wanted = /** @type {Lock} */ (
    JSON.parse(await readFile(path.join(ROOT, "package-lock.json"), "utf8"))
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
