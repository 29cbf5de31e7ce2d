// Processes of a test's own server, found by its home folder, which no other has.
import { readdirSync, readFileSync } from "node:fs";

/** Ends with SIGKILL every process that has `argument` in its command line and `home` as its home folder; how many. */
export function killByHome(argument: string, home: string): number {
  let killed = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(argument)) continue;
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${home}`)) continue;
      process.kill(Number(pid), "SIGKILL");
      killed += 1;
    } catch {
      // It ended by itself.
    }
  }
  return killed;
}
