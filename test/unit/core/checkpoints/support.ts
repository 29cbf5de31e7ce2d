/** Checkpoints on a real disk, over a real repository or a plain folder. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { Checkpoints } from "../../../../src/core/checkpoints/checkpoints.ts";
import type { Storage } from "../../../../src/core/ports/storage.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import { nodeFileStates } from "../../../../src/node/files/disk-file-states.ts";
import { nodeFileTrees } from "../../../../src/node/files/disk-file-trees.ts";
import { GitSnapshots } from "../../../../src/node/git/git-snapshots.ts";
import { createStorage } from "../../../../src/node/store/folder-storage.ts";
import { takeBackBytes } from "../../../../src/node/store/project-checkpoints.ts";
import type { CheckpointView } from "../../../../src/shared/event.ts";
import { temporaryFolder } from "../../node/support.ts";

export interface Kept {
  checkpoints: Checkpoints;
  storage: Storage;
  dataDir: string;
  views: CheckpointView[];
  problems: string[];
  settings: { enabled: boolean; maxSize: number };
  /** Whether a command goes on in the background. */
  background: { runs: boolean };
  /** A call that writes these files, or with none of them a command. */
  call(callId: string, names: readonly string[], work: () => void | Promise<void>): Promise<void>;
  /** As after a restart of the host. */
  restart(): Promise<Kept>;
}

let ids = 0;

export async function kept(root: string, dataDir?: string, fileLimit = 1_000_000): Promise<Kept> {
  const folder = dataDir ?? (await temporaryFolder());
  const problems: string[] = [];
  const settings = { enabled: true, maxSize: 100 };
  const background = { runs: false };
  const storage = createStorage(folder);
  const log = {
    info: () => {},
    error: (text: string, cause?: unknown) => void problems.push(`${text}: ${cause}`),
  };
  const checkpoints = new Checkpoints({
    storage,
    files: nodeFileStates,
    trees: nodeFileTrees,
    roots: () => [root],
    snapshots: new GitSnapshots({
      root,
      privateDir: path.join(folder, "git"),
      environment: process.env,
      log,
      fileLimit,
    }),
    takeBack: takeBackBytes,
    hasBackground: () => background.runs,
    clock: systemClock,
    log,
    settings: () => settings,
    newId: () => `restore-${++ids}`,
  });
  onTestFinished(() => checkpoints.dispose());
  const views: CheckpointView[] = [];
  checkpoints.onView((view) => views.push(view));
  await checkpoints.open("session");
  return {
    checkpoints,
    storage,
    dataDir: folder,
    views,
    problems,
    settings,
    background,
    async call(callId, names, work) {
      const paths = names.map((name) => path.join(root, name));
      const change = await checkpoints.begin({ callId, paths, anything: paths.length === 0 });
      await work();
      change.end();
      await checkpoints.settled();
    },
    restart: () => kept(root, folder),
  };
}

export function read(root: string, name: string): string | undefined {
  try {
    return readFileSync(path.join(root, name), "latin1");
  } catch {
    return undefined;
  }
}
