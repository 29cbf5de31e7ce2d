// Packages of the operating system: installed where permitted, else the error names the command.

import path from "node:path";
import { cacheDir, withLock } from "./cache.mjs";
import { step, Trouble } from "./log.mjs";
import { run, which } from "./processes.mjs";

/**
 * Installs Debian packages when this is Debian and we are root. Elsewhere throws a Trouble that names the command.
 * @param {string[]} packages
 * @param {string} purpose what they are for, as the end of "needed for ..."
 * @param {{ timeoutMs?: number }} [options] bound of each step that needs the network; unpacking is never cut off
 */
export async function installSystemPackages(packages, purpose, { timeoutMs } = {}) {
  const command = `apt-get update && apt-get install -y ${packages.join(" ")}`;
  if (which("apt-get") === undefined)
    throw new Trouble(
      `Missing, needed for ${purpose}: ${packages.join(", ")} (Debian's names). Please install them.`,
    );
  if (process.getuid?.() !== 0)
    throw new Trouble(`Missing, needed for ${purpose}. Please run: sudo sh -c "${command}"`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = timeoutMs === undefined ? { env } : { env, timeoutMs };
  await step(`Installing ${packages.join(", ")} for ${purpose}`, async () => {
    await run("apt-get", ["update"], options);
    const install = ["install", "-y", "--no-install-recommends", ...packages];
    await run("apt-get", [...install, "--download-only"], options);
    await run("apt-get", install, { env });
  });
}

/**
 * Runs `work`, which may install packages, while no other process and no other part of this one does.
 * @template T
 * @param {() => Promise<T>} work
 * @param {{ timeoutMs?: number }} [options]
 * @returns {Promise<T>}
 */
export const whileInstalling = (work, options) =>
  withLock(path.join(cacheDir(), "system-packages.lock"), work, options);
