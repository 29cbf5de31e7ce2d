/**
 * Assembles a project on this machine for a host: the location of its sessions, their store, its checkpoints and the
 * project itself. Every host uses this, so that hosts differ only in their ports.
 */

import { userInfo } from "node:os";
import path from "node:path";
import { DailySpending } from "../core/agent/daily-spending.ts";
import { Project, type ProjectDeps } from "../core/agent/project.ts";
import type { Checkpoints } from "../core/checkpoints/checkpoints.ts";
import type { ProjectHooks } from "../core/hooks/project-hooks.ts";
import { WorkspaceCommands } from "../core/loop/calls/workspace-commands.ts";
import { MEMORY_FILE, ProjectMemory } from "../core/memory/project-memory.ts";
import { settingsUnder } from "../core/policy/admin-policy.ts";
import type { FileStates } from "../core/ports/file-states.ts";
import type { Host } from "../core/ports/host.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { Clock, Log } from "../core/ports/system.ts";
import { LearnedModels } from "../core/provider/learned-models.ts";
import { ModelProfiles } from "../core/provider/model-profile.ts";
import { PlanDocuments } from "../core/sessions/plan-documents.ts";
import { openSessionStore } from "../core/sessions/store.ts";
import { ToolRecords } from "../core/tools/switches/tool-records.ts";
import { createProjectHooks } from "./config/hook-setup.ts";
import { nodeFileStates } from "./files/disk-file-states.ts";
import { createLastErrors } from "./gather-report.ts";
import { createForeignImports } from "./import/panel-imports.ts";
import { createStorage, projectFolder } from "./store/folder-storage.ts";
import { createCheckpoints } from "./store/project-checkpoints.ts";
import { createOtherProjects } from "./store/project-list.ts";
import { defaultDataDir, findProjectStore, registerProjectStore } from "./store/project-store.ts";
import { telemetryTarget } from "./telemetry/telemetry-target.ts";

export interface ProjectOptions
  extends Pick<
    ProjectDeps,
    | "settings"
    | "apiKey"
    | "allowCommand"
    | "disallowCommand"
    | "settingsAreFresh"
    | "servers"
    | "searchProviders"
    | "otherKeys"
    | "foreignSettings"
    | "output"
    | "unattended"
    | "version"
    | "registry"
    | "t"
  > {
  host: Host;
  sessions: SessionsPlace;
  /** The data folder that the hosts of this machine share; undefined: the history contains only this project. */
  dataDir: string | undefined;
  environment: NodeJS.ProcessEnv;
  /** The text that the user changed in an editor and has not saved, by the file's absolute path. Default: there is none. */
  unsavedText?(file: string): string | undefined;
  /** The files that checkpoints read; default: those on disk. */
  fileStates?: FileStates;
  /** The host shows what is stored as soon as it has the project, as a panel does. */
  showsSessions?: boolean;
}

/** The location of the project's sessions. */
export type SessionsPlace =
  /** This folder, which no other host uses. */
  | { folder: string }
  /**
   * The store that all hosts on this machine share for `root`. `own`: the folder to use if this host is the first one.
   * `onlyReads`: registers nothing.
   */
  | { root: string; own?: string; onlyReads?: boolean };

export interface OpenProject {
  project: Project;
  /** What is known about models, as the project uses it. */
  profiles: ModelProfiles;
  /** The hooks that the user has for other agents; absent: there is no data folder that could say which are approved. */
  hooks?: ProjectHooks;
  /** What is remembered about the project; absent: there is no folder or no data folder. */
  memory?: ProjectMemory;
  storage: Storage;
  /** Absolute: names in the storage are relative to it. */
  storeFolder: string;
  /** Ends work in progress, and resolves when the conversation is on disk. */
  close(): Promise<void>;
}

export async function openProject(options: ProjectOptions): Promise<OpenProject> {
  const { host, sessions, dataDir, environment, showsSessions, ...others } = options;
  const { fileStates = nodeFileStates, ...projectOptions } = others;
  const settings = () => settingsUnder(options.settings(), host.policy);
  const { assets, clock, log, shell, workspace } = host;
  const sessionsDir = await folderOf(sessions, dataDir, log);
  const storage = createStorage(sessionsDir);
  const store = await openSessionStore(storage, assets, clock, log, { readsNow: showsSessions === true });
  try {
    const own: Checkpoints[] = [];
    const checkpointsOf = (roots: () => readonly string[]): Checkpoints => {
      const created = createCheckpoints({
        storage,
        dataDir: sessionsDir,
        roots,
        files: fileStates,
        hasBackground: () => shell.background().length > 0,
        environment,
        clock,
        log,
        settings: () => settings().checkpoints,
      });
      own.push(created);
      return created;
    };
    const checkpoints = checkpointsOf(() => workspace.roots.map(({ path }) => path));
    const learned = dataDir === undefined ? undefined : await openLearnedModels(dataDir, clock, log);
    const countsRequests = () => settings().approval.maxRequestsPerDay > 0;
    const spending =
      dataDir === undefined
        ? undefined
        : new DailySpending(modelsStorage(spendingDir(host, dataDir)), clock, log, countsRequests);
    const hooks = dataDir === undefined ? undefined : createProjectHooks(host, dataDir);
    const memory = projectMemory(workspace.root, dataDir, log);
    const profiles = new ModelProfiles({ overrides: () => settings().models, learned });
    const project = new Project({
      ...projectOptions,
      settings,
      ...(spending ? { spending } : {}),
      ...(hooks ? { hooks } : {}),
      ...(memory ? { memory } : {}),
      ...(dataDir === undefined ? {} : { toolRecords: createToolRecords(dataDir, log) }),
      plans: new PlanDocuments(storage, (name) => options.unsavedText?.(path.join(sessionsDir, name))),
      workspaceCommands: new WorkspaceCommands(storage, log),
      host,
      store,
      checkpoints,
      checkpointsIn: (folder) => checkpointsOf(() => [folder]),
      profiles,
      fileStates,
      foreignImports: createForeignImports({ host, dataDir, environment }),
      otherProjects: createOtherProjects({
        dataDir,
        here: sessionsDir,
        assets,
        clock,
        log,
        root: workspace.root,
      }),
    });
    const lastErrors = dataDir === undefined ? undefined : createLastErrors(dataDir, clock, log);
    project.onEvent((event) => {
      if (event.type === "error") lastErrors?.add(event.error, projectOptions.version ?? "");
    });
    const target = telemetryTarget(settings(), host.policy, environment);
    const telemetry =
      target &&
      (await import("./telemetry/export-telemetry.ts")).startTelemetry({
        ...{ target, environment, log },
        version: options.version ?? "unknown",
      });
    profiles.observer = telemetry?.observer;
    if (telemetry) project.onAnyEvent((event) => telemetry.observer.event(event));
    return {
      project,
      profiles,
      ...(hooks ? { hooks } : {}),
      ...(memory ? { memory } : {}),
      storage,
      storeFolder: sessionsDir,
      async close() {
        await project.dispose();
        await options.servers?.close();
        for (const each of own) await each.dispose();
        await store.close();
        await learned?.flush();
        await spending?.flush();
        await lastErrors?.flush();
        await telemetry?.close();
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

/**
 * The memory of a project, in the folder that all hosts of this machine find, wherever the sessions are stored. undefined: there is no
 * project to remember anything about, or no place for it.
 */
export function projectMemory(
  root: string | undefined,
  dataDir: string | undefined,
  log: Log,
): ProjectMemory | undefined {
  if (root === undefined || dataDir === undefined) return undefined;
  const folder = projectFolder(dataDir, root);
  return new ProjectMemory(createStorage(folder), log, path.join(folder, MEMORY_FILE));
}

/** The folder of what the user chose about tools, in the data folder. */
const TOOLS_FOLDER = "tools";

/** What the user chose about tools, for all hosts of this machine. */
export function createToolRecords(dataDir: string, log: Log): ToolRecords {
  return new ToolRecords(createStorage(path.join(dataDir, TOOLS_FOLDER)), log);
}

/** A limit of the administrator counts what was spent in the same place, whichever data folder the user chooses. */
function spendingDir({ policy }: Pick<Host, "policy">, dataDir: string): string {
  if (policy?.limits?.costPerDay === undefined) return dataDir;
  return defaultDataDir({ HOME: userInfo().homedir, USERPROFILE: userInfo().homedir }) ?? dataDir;
}

/** The folder of what was learned about models, in the data folder. */
const MODELS_FOLDER = "models";

/** What the hosts of this machine know about models and their costs. */
function modelsStorage(dataDir: string): Storage {
  return createStorage(path.join(dataDir, MODELS_FOLDER));
}

/** Opens what was learned about models. `dataDir`: the data folder that the hosts of this machine share. Never rejects. */
export async function openLearnedModels(dataDir: string, clock: Clock, log: Log): Promise<LearnedModels> {
  const learned = new LearnedModels(modelsStorage(dataDir), clock, log);
  await learned.load();
  return learned;
}
