// The shells that commands are tested in. Every system has sh; the others are installed for the tests where we may.
import { join } from "node:path";
import { cacheDir, withLock } from "./cache.mjs";
import { say } from "./log.mjs";
import { which } from "./processes.mjs";
import { installSystemPackages } from "./system-packages.mjs";

/** Debian's packages of the same names. */
const WANTED = ["bash", "zsh", "fish"];

/**
 * Installs the shells that are missing (Debian, root); elsewhere says which are missing and what installs them. Tests
 * run in those that are there, and name them. Never throws, and never waits long for the network.
 */
export async function ensureShells() {
  const missing = () => WANTED.filter((name) => which(name) === undefined);
  if (process.platform !== "linux" || missing().length === 0) return;
  try {
    await withLock(
      join(cacheDir(), "system-packages.lock"),
      async () => {
        const packages = missing();
        if (packages.length > 0)
          await installSystemPackages(packages, "tests of commands in every shell", { timeoutMs: 30_000 });
      },
      { timeoutMs: 60_000 },
    );
  } catch (error) {
    say(
      `Commands are tested without ${missing().join(" and ")}: ${error instanceof Error ? error.message : error}`,
    );
  }
}
