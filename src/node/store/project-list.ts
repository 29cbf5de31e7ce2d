/** Reads the sessions of the user's other projects from the shared data folder. One store is open at a time. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Assets, Clock, Log } from "../../core/ports/system.ts";
import type { Worktree } from "../../core/ports/worktrees.ts";
import { claimOf } from "../../core/sessions/open/worktree-use.ts";
import type { OtherProjects, OtherSession } from "../../core/sessions/other-projects.ts";
import type { SessionStore } from "../../core/sessions/session-store.ts";
import { openSessionStore } from "../../core/sessions/store.ts";
import type { TaskHere } from "../../shared/history/history-protocol.ts";
import { patchSessions } from "../../shared/history/session-lists.ts";
import type { HistoryQuery, SessionSummary } from "../../shared/protocol.ts";
import { isFolder } from "../files/fs-errors.ts";
import { worktreeAt } from "../git/worktrees/worktree-at.ts";
import { worktreesDirIn } from "../worktree-ports.ts";
import { createStorage, hashOf, PROJECTS_FOLDER } from "./folder-storage.ts";
import { holdsStore, ownerOf, registration } from "./project-store.ts";

export interface OtherProjectsParts {
  /** The user's data folder; undefined: there is none, so no other project is known. */
  dataDir: string | undefined;
  /** The store of this project. */
  here: string;
  /** The folder of this project, if one is open. */
  root: string | undefined;
  assets: Assets;
  clock: Clock;
  log: Log;
}

/** Milliseconds for a search in one project. */
const SEARCH_MS = 1_000;

type Project = OtherSession["project"];

interface StoredProject {
  folder: string;
  project: Project;
}

export function createOtherProjects(parts: OtherProjectsParts): OtherProjects {
  const { dataDir, here, root, assets, clock, log } = parts;

  /** undefined: the store cannot be read; its own project reports the problem. */
  async function reading<T>(
    stored: StoredProject,
    work: (store: SessionStore) => Promise<T>,
  ): Promise<T | undefined> {
    const quiet: Log = {
      info: () => {},
      error: (text, cause) => log.info(`${stored.folder}: ${text} ${cause ?? ""}`),
    };
    try {
      const storage = createStorage(stored.folder);
      const store = await openSessionStore(storage, assets, clock, quiet, { readOnly: true });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    } catch (error) {
      log.error(`the sessions in ${stored.folder} cannot be read`, error);
      return undefined;
    }
  }

  return {
    async find(query, limit) {
      const all: SessionSummary[] = [];
      for (const stored of await storedProjects(dataDir, here)) {
        const { project } = stored;
        const sessions = await reading(stored, (store) => searchStore(store, { ...query, offset: 0, limit }));
        all.push(...patchSessions(sessions ?? [], () => ({ project })));
      }
      return all;
    },

    async load(id, key) {
      for (const stored of await storedProjects(dataDir, here)) {
        if (key !== undefined && key !== stored.project.key) continue;
        const session = await reading(stored, (store) => store.load(id));
        if (session) return { session, project: stored.project };
      }
      return undefined;
    },

    async taskHere() {
      if (dataDir === undefined || root === undefined) return undefined;
      try {
        const at = await worktreeAt(worktreesDirIn(dataDir), root);
        if (!at) return undefined;
        for (const stored of await storedProjects(dataDir, here)) {
          const { project } = stored;
          if (project.folder === undefined || !(await at.isBeside(project.folder))) continue;
          const task = await reading(stored, (store) => taskIn(store, at.worktree));
          if (task) return { ...task, project };
        }
      } catch (error) {
        log.error(`whether ${root} is the worktree of a task is not known`, error);
      }
      return undefined;
    },
  };
}

/** The task that works in the worktree, or else the last one that did. */
async function taskIn(
  store: SessionStore,
  { path: top }: Worktree,
): Promise<Omit<TaskHere, "project"> | undefined> {
  const elsewhere = await store.elsewhere();
  const tasks = (await store.list()).filter(({ worktree }) => worktree?.path === top);
  const task = tasks.find(({ id }) => elsewhere.has(id)) ?? tasks[0];
  if (!task) return undefined;
  const isOpen = elsewhere.has(task.id) || elsewhere.has(claimOf(top));
  return { id: task.id, title: task.title, isOpen };
}

/** Searches a store and indexes what its own host has not indexed, within the time limit. */
async function searchStore(store: SessionStore, query: HistoryQuery): Promise<SessionSummary[]> {
  const start = performance.now();
  for (;;) {
    const { sessions, indexing } = await store.find(query);
    if (!indexing || performance.now() - start > SEARCH_MS) return sessions;
  }
}

/** All stores except this project's, without duplicates. */
async function storedProjects(dataDir: string | undefined, here: string): Promise<StoredProject[]> {
  if (dataDir === undefined) return [];
  const base = path.join(dataDir, PROJECTS_FOLDER);
  const projects = new Map<string, StoredProject>();
  for (const name of (await readdir(base).catch(() => [])).sort()) {
    const meeting = path.join(base, name);
    const { folder, others } = await registration(meeting);
    const owner = await ownerOf(folder).catch(() => undefined);
    for (const store of [folder, meeting, ...others]) {
      if (store === here || projects.has(store) || !(await holdsStore(store))) continue;
      const root = (await ownerOf(store).catch(() => undefined)) ?? owner;
      projects.set(store, { folder: store, project: await projectOf(store, name, root) });
    }
  }
  return [...projects.values()];
}

/** `name`: of the project's folder in the data folder. `root`: the project's own folder, if that is known. */
async function projectOf(store: string, name: string, root: string | undefined): Promise<Project> {
  const key = hashOf(store);
  // The name of a project's folder ends in a hash.
  if (root === undefined) return { key, name: name.replace(/-[0-9a-f]{16}$/, "") };
  // A project that was renamed or moved cannot be opened at its old path.
  const isThere = await isFolder(root).catch(() => false);
  return { key, name: path.basename(root) || root, ...(isThere ? { folder: root } : {}) };
}
