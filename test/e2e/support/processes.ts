// Processes of a test's own server, found by its home folder, which no other has.
import { readdirSync, readFileSync } from "node:fs";

/**
 * Ends with SIGKILL every process that has `argument` in its command line and its home folder at or below `home`; how
 * many. Linux only.
 */
export function killByHome(argument: string, home: string): number {
  let killed = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(argument)) continue;
      const [, of = ""] = /(?:^|\0)HOME=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8")) ?? [];
      if (of !== home && !of.startsWith(`${home}/`)) continue;
      process.kill(Number(pid), "SIGKILL");
      killed += 1;
    } catch {
      // It ended by itself.
    }
  }
  return killed;
}
