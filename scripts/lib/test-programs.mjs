// The programs that command tests use. Every system has sh; the others are installed for the tests where permitted.
import { say } from "./log.mjs";
import { which } from "./processes.mjs";
import { installSystemPackages, whileInstalling } from "./system-packages.mjs";

/** Each with the Debian package that contains it: shells, programs that are destructive in their own way, and a server. */
const WANTED = {
  bash: "bash",
  zsh: "zsh",
  fish: "fish",
  busybox: "busybox",
  sponge: "moreutils",
  parallel: "parallel",
  // For batches that run through a queue.
  "redis-server": "redis-server",
  // The sandbox.
  bwrap: "bubblewrap",
  // For tests in a network of their own, and of what a process contacts.
  ip: "iproute2",
  strace: "strace",
};

/**
 * Installs the missing programs (Debian, root); elsewhere prints which are missing and what installs them. Tests run
 * with the available programs and name the others. Never throws, and never waits long for the network.
 */
export async function ensureTestPrograms() {
  const missing = () => Object.entries(WANTED).filter(([program]) => which(program) === undefined);
  if (process.platform !== "linux" || missing().length === 0) return;
  try {
    await whileInstalling(
      async () => {
        const packages = missing().map(([, name]) => name);
        if (packages.length > 0)
          await installSystemPackages(packages, "tests of commands", { timeoutMs: 30_000 });
      },
      // While the browsers are installed.
      { timeoutMs: 300_000 },
    );
  } catch (error) {
    const programs = missing().map(([program]) => program);
    say(
      `Commands are tested without ${programs.join(", ")}: ${error instanceof Error ? error.message : error}`,
    );
  }
}
