/** Checkpoints on a real disk, over a real repository or a plain folder. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { Checkpoints, type SessionCheckpoints } from "../../../../src/core/checkpoints/checkpoints.ts";
import type { Storage } from "../../../../src/core/ports/storage.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import { nodeFileStates } from "../../../../src/node/files/disk-file-states.ts";
import { nodeFileTrees } from "../../../../src/node/files/disk-file-trees.ts";
import { GitSnapshots } from "../../../../src/node/git/git-snapshots.ts";
import { createStorage } from "../../../../src/node/store/folder-storage.ts";
import { revertChangeBytes } from "../../../../src/node/store/project-checkpoints.ts";
import type { CheckpointView } from "../../../../src/shared/event.ts";
import { temporaryFolder } from "../../node/support.ts";

export interface Kept {
  project: Checkpoints;
  /** The checkpoints of the session that makes the calls. */
  checkpoints: SessionCheckpoints;
  storage: Storage;
  dataDir: string;
  views: CheckpointView[];
  problems: string[];
  settings: { enabled: boolean; maxSize: number };
  /** Whether a command goes on in the background. */
  background: { runs: boolean };
  /** A call that writes these files, or with none of them a command. */
  call(callId: string, names: readonly string[], work: () => void | Promise<void>): Promise<void>;
  /** Another session that runs beside it. */
  session(id: string): Promise<Kept>;
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
  const project = new Checkpoints({
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
    revertChange: revertChangeBytes,
    hasBackground: () => background.runs,
    clock: systemClock,
    log,
    settings: () => settings,
    newId: () => `restore-${++ids}`,
  });
  onTestFinished(() => project.dispose());
  const ofSession = async (id: string): Promise<Kept> => {
    const checkpoints = project.session(id);
    const views: CheckpointView[] = [];
    checkpoints.onView((view) => views.push(view));
    await checkpoints.open();
    return {
      ...{ project, checkpoints, storage, views, problems, settings, background },
      dataDir: folder,
      async call(callId, names, work) {
        const paths = names.map((name) => path.join(root, name));
        const change = await checkpoints.begin({ callId, paths, anything: paths.length === 0 });
        await work();
        change.end();
        await checkpoints.settled();
      },
      session: ofSession,
      restart: () => kept(root, folder),
    };
  };
  return ofSession("session");
}

export function read(root: string, name: string): string | undefined {
  try {
    return readFileSync(path.join(root, name), "latin1");
  } catch {
    return undefined;
  }
}
