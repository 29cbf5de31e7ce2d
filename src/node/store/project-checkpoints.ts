/** The checkpoints of a project on this machine: their storage, the files of the disk and git where there is one. */
import { createHash, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../../core/bytes.ts";
import { type CheckpointDeps, Checkpoints } from "../../core/checkpoints/checkpoints.ts";
import { revertChange } from "../../core/edits/revert-change.ts";
import type { FileStates } from "../../core/ports/file-states.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { Clock, Log } from "../../core/ports/system.ts";
import { readdir } from "../files/direct-calls.ts";
import { nodeFileTrees } from "../files/disk-file-trees.ts";
import { GitSnapshots } from "../git/git-snapshots.ts";
import { WorkspaceSnapshots } from "../git/workspace-snapshots.ts";
import { isRunning } from "../process-status.ts";

export interface CheckpointOptions {
  storage: Storage;
  /** The folder of `storage`. */
  dataDir: string;
  /** The project's folders, asked for at each snapshot. */
  roots(): readonly string[];
  files: FileStates;
  hasBackground(): boolean;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  settings: CheckpointDeps["settings"];
}

export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { storage, dataDir, roots, files, hasBackground, environment, clock, log, settings } = options;
  const base = path.join(dataDir, "snapshots");
  removeLeftovers(base).catch((error: unknown) => log.error("old snapshots were not removed", error));
  return new Checkpoints({
    storage,
    files,
    trees: nodeFileTrees,
    roots,
    hasBackground,
    clock,
    log,
    settings,
    revertChange: revertChangeBytes,
    newId: () => randomUUID(),
    sha256: hashOf,
    snapshots: new WorkspaceSnapshots(roots, (root) => {
      const privateDir = path.join(base, `${process.pid}-${randomUUID()}`);
      return new GitSnapshots({ root, roots: roots(), privateDir, environment, log });
    }),
  });
}

/** Bytes that are hashed at once: a few microseconds for a usual file, where handing it to a thread takes a hundred. */
const HASHED_AT_ONCE = 256 * 1_024;

function hashOf(bytes: Uint8Array): Promise<string> | string {
  return bytes.length > HASHED_AT_ONCE ? sha256(bytes) : createHash("sha256").update(bytes).digest("hex");
}

/** Compares lines byte for byte; undefined also if the content does not consist of lines that end in one byte. */
export function revertChangeBytes(
  ...contents: [before: Uint8Array, after: Uint8Array, now: Uint8Array]
): Uint8Array | undefined {
  if (contents.some((bytes) => bytes.includes(0))) return undefined;
  const [before, after, now] = contents.map((bytes) => Buffer.from(bytes).toString("latin1"));
  if (before === undefined || after === undefined || now === undefined) return undefined;
  const text = revertChange(before, after, now);
  return text === undefined ? undefined : Buffer.from(text, "latin1");
}

/** Leftovers of processes that were killed. Nobody needs their content. */
async function removeLeftovers(base: string): Promise<void> {
  const names = await readdir(base).catch(() => []);
  for (const name of names) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1]);
    if (Number.isInteger(pid) && !(await isRunning(pid)))
      await rm(path.join(base, name), { recursive: true, force: true });
  }
}
