/**
 * A project on this machine, put together for a host: where its sessions are, their store, its checkpoints and the agent. Every host
 * composes them here, so that none differs from the others in more than its ports.
 */
import { type ManagerDeps, TaskManager } from "../core/agent/manager.ts";
import type { FileStates } from "../core/ports/file-states.ts";
import type { Host } from "../core/ports/host.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { Log } from "../core/ports/system.ts";
import { ModelProfiles } from "../core/provider/model-profile.ts";
import { openSessionStore } from "../core/sessions/open-store.ts";
import { nodeFileStates } from "./files/disk-file-states.ts";
import { createStorage } from "./store/folder-storage.ts";
import { createCheckpoints } from "./store/project-checkpoints.ts";
import { createOtherProjects } from "./store/project-list.ts";
import { findProjectStore, registerProjectStore } from "./store/project-store.ts";

export interface ProjectOptions
  extends Pick<ManagerDeps, "settings" | "apiKey" | "allowCommand" | "settingsAreFresh"> {
  host: Host;
  sessions: SessionsPlace;
  /** Where the hosts of this machine meet; undefined: the history is this project's alone. */
  dataDir: string | undefined;
  environment: NodeJS.ProcessEnv;
  /** Files as checkpoints see them; those of the disk when left out. */
  fileStates?: FileStates;
}

/** Where the project's sessions are. */
export type SessionsPlace =
  /** In this folder, which no other host looks for. */
  | { folder: string }
  /**
   * Where every host of this machine finds those of `root`. `own`: where this host keeps them if it is the first one.
   * `onlyReads`: nothing is written down about it.
   */
  | { root: string; own?: string; onlyReads?: boolean };

export interface Project {
  agent: TaskManager;
  storage: Storage;
  /** Ends what is under way, and resolves when all that was said is on the disk. */
  close(): Promise<void>;
}

export async function openProject(options: ProjectOptions): Promise<Project> {
  const { host, sessions, dataDir, environment, fileStates = nodeFileStates, ...agentOptions } = options;
  const { assets, clock, log, shell, workspace } = host;
  const sessionsDir = await folderOf(sessions, dataDir, log);
  const storage = createStorage(sessionsDir);
  const store = await openSessionStore(storage, assets, clock, log);
  try {
    const checkpoints = createCheckpoints({
      storage,
      dataDir: sessionsDir,
      roots: () => workspace.roots.map(({ path }) => path),
      files: fileStates,
      hasBackground: () => shell.background().length > 0,
      environment,
      clock,
      log,
      settings: () => options.settings().checkpoints,
    });
    const agent = new TaskManager({
      ...agentOptions,
      host,
      store,
      checkpoints,
      profiles: new ModelProfiles(),
      otherProjects: createOtherProjects({ dataDir, here: sessionsDir, assets, clock, log }),
    });
    return {
      agent,
      storage,
      async close() {
        await agent.dispose();
        await checkpoints.dispose();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function folderOf(sessions: SessionsPlace, dataDir: string | undefined, log: Log): Promise<string> {
  if ("folder" in sessions) return sessions.folder;
  const { onlyReads = false, ...place } = sessions;
  const { folder } = await (onlyReads ? findProjectStore : registerProjectStore)({ ...place, dataDir, log });
  return folder;
}
