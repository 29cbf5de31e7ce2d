/**
 * The process guard: a small program that ends what its host started, in case the host cannot do so itself because it was
 * killed. Its standard input is a pipe from the host, which closes when the host ends for whatever reason.
 */
import { createInterface } from "node:readline";
import { endTree } from "../shell/process-tree.ts";
import { type GuardCommand, parseGuardLine, READY } from "./guard-lines.ts";

/** Signals that reach the host's whole process group or terminal. The guard ends only with its input. */
const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

for (const name of SIGNALS) process.on(name, () => {});
// Ignores errors of the output, which nobody reads after the host was killed.
process.stdout.on("error", () => {});

const trees = new Map<number, NonNullable<GuardCommand["tree"]>>();
const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
lines.on("line", (line) => {
  const command = parseGuardLine(line);
  if (command === undefined) return;
  if (command.tree) trees.set(command.id, command.tree);
  else trees.delete(command.id);
});
lines.on("close", () => void finish());
process.stdout.write(`${READY}\n`);

async function finish(): Promise<void> {
  // These processes are not children of this one, so there is no end of a child to wait for.
  await Promise.allSettled([...trees.values()].map((tree) => endTree(tree, Promise.resolve())));
  process.exit(0);
}
