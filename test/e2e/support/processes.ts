// Processes of a test's own server, found by its home folder, which no other has.
import { runningProcesses } from "../../support/processes.ts";

/**
 * Ends with SIGKILL every process that has `argument` in its command line and its home folder at or below `home`; how
 * many. Linux only.
 */
export function killByHome(argument: string, home: string): number {
  return processesByHome(argument, home).filter((pid) => {
    try {
      return process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
      return false;
    }
  }).length;
}

/** The processes that `killByHome` would end. */
export function processesByHome(argument: string, home: string): number[] {
  const found = runningProcesses(({ args }, environment) => {
    if (!args.some((arg) => arg.includes(argument))) return false;
    const [, of = ""] = /(?:^|\0)HOME=([^\0]*)/.exec(environment()) ?? [];
    return of === home || of.startsWith(`${home}/`);
  });
  return found.map(({ pid }) => pid);
}
