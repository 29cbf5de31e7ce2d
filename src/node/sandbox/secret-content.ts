/** Whether a file that programs read at their start holds a secret itself. */
import { readFileSync, statSync } from "node:fs";
import { holdsSecret } from "../../core/safety/paths/sandbox-names.ts";

/** Bytes. A longer file counts as one that holds a secret. */
const LONGEST_READ = 64 * 1024;

/** Reads ordinary files only: a pipe in a file's place would be waited for. */
export function readsSecret(file: string): boolean {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return false;
    return stats.size > LONGEST_READ || holdsSecret(readFileSync(file, "utf8"));
  } catch {
    // It is gone, or commands cannot read it either.
    return false;
  }
}
