/**
 * The process guard: a small program that ends what its host started, in case the host cannot do so itself because it was
 * killed. Its standard input is a pipe from the host, which closes when the host ends for whatever reason.
 */
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { endTree } from "../shell/process-tree.ts";
import { type GuardEntry, parseGuardLine, READY } from "./guard-lines.ts";

/** Signals that reach the host's whole process group or terminal. The guard ends only with its input. */
const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

for (const name of SIGNALS) process.on(name, () => {});
// Nobody reads the output after a kill of the host.
process.stdout.on("error", () => {});

const entries = new Map<number, GuardEntry>();
const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
lines.on("line", (line) => {
  const command = parseGuardLine(line);
  if (command === undefined) return;
  if (command.entry) entries.set(command.id, command.entry);
  else entries.delete(command.id);
});
lines.on("close", () => void finish());
process.stdout.write(`${READY}\n`);

async function finish(): Promise<void> {
  const left = [...entries.values()];
  await Promise.allSettled(left.map((entry) => (entry.kind === "tree" ? end(entry) : undefined)));
  // A folder can be removed only after the processes that use it have ended.
  await Promise.allSettled(
    left.map((entry) =>
      entry.kind === "folder" ? rm(entry.path, { recursive: true, force: true, maxRetries: 3 }) : undefined,
    ),
  );
  process.exit(0);
}

/** Nothing reports the end of a process that is not a child, so each tree gets the full grace period. */
function end({ leader = -1, mark }: { leader?: number; mark: string }): Promise<void> {
  return endTree({ leader, mark }, new Promise(() => {}));
}
