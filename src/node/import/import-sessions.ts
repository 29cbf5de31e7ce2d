/**
 * Imports sessions of other agents, each into the project of its folder. A session that was imported before is skipped. Sessions are
 * written one by one, so that those before a failure or a Stop stay.
 */
import path from "node:path";
import { messageOf } from "../../core/errors.ts";
import type { Assets, Clock, Log } from "../../core/ports/system.ts";
import { withoutKnownSecrets } from "../../core/secrets.ts";
import { type ForeignFault, UnreadableSession } from "../../core/sessions/import/foreign-session.ts";
import { storedSession } from "../../core/sessions/import/stored-session.ts";
import type { SessionStore } from "../../core/sessions/session-store.ts";
import { openSessionStore } from "../../core/sessions/store.ts";
import { createStorage, projectKey } from "../store/folder-storage.ts";
import { findProjectStore, holdsStore, registerProjectStore } from "../store/project-store.ts";
import type { FoundSession } from "./found-session.ts";

export interface ImportParts {
  /** The open project, which also gets the sessions whose folder is not known. */
  store: SessionStore;
  /** Its folder; "": none is open. */
  root: string;
  /** The user's data folder; undefined: other projects cannot be found, and all sessions go into the open one. */
  dataDir: string | undefined;
  assets: Assets;
  clock: Clock;
  log: Log;
  newId(): string;
  /** Masks the user's keys as they are now. */
  keys: { current(): Promise<(text: string) => string> };
}

export type ImportOutcome =
  /** `unreadable`, `leftOut`: see ForeignSession. */
  | { state: "imported"; id: string; folder: string; messages: number; unreadable: number; leftOut: number }
  | { state: "known" }
  | { state: "failed"; code: ForeignFault | "error"; detail: string };

export interface ImportStep {
  session: FoundSession;
  outcome: ImportOutcome;
}

export interface ImportRunOptions {
  signal?: AbortSignal;
  /** Called with the bytes read of the session that is being imported. */
  onRead?(session: FoundSession, bytes: number): void;
  /** Reads everything and reports what would be imported, without writing anything. */
  isDryRun?: boolean;
}

/** The project that a session belongs to; undefined: the open one. */
function projectOf({ folder }: FoundSession, { root, dataDir }: ImportParts): string | undefined {
  if (folder === undefined || dataDir === undefined || !path.isAbsolute(folder) || folder.includes("\0"))
    return undefined;
  return root !== "" && projectKey(folder) === projectKey(root) ? undefined : folder;
}

/** Yields the outcome of each session once it is known. Ends early when `signal` aborts. */
export async function* importSessions(
  sessions: readonly FoundSession[],
  parts: ImportParts,
  options: ImportRunOptions = {},
): AsyncGenerator<ImportStep> {
  const projects = new Map<string | undefined, FoundSession[]>();
  for (const session of sessions) {
    const project = projectOf(session, parts);
    const known = projects.get(project);
    if (known) known.push(session);
    else projects.set(project, [session]);
  }
  const ownKeys = await parts.keys.current();
  const mask = (text: string) => withoutKnownSecrets(ownKeys(text));
  for (const [project, own] of projects) {
    if (options.signal?.aborted) return;
    const opened = await openTarget(project, parts, options.isDryRun ?? false);
    try {
      yield* importInto(opened, own, { ...parts, mask }, options);
    } finally {
      await opened.close();
    }
  }
}

interface Target {
  /** undefined: the project has no sessions yet, and nothing is to be written. */
  store: Pick<SessionStore, "origins" | "import"> | undefined;
  root: string;
  close(): Promise<void>;
}

/** `onlyReads`: creates and changes nothing. */
async function openTarget(
  project: string | undefined,
  parts: ImportParts,
  onlyReads: boolean,
): Promise<Target> {
  const { store, root, dataDir, assets, clock, log } = parts;
  const close = async () => undefined;
  if (project === undefined || dataDir === undefined) return { store, root, close };
  const question = { dataDir, root: project, log };
  const { folder } = await (onlyReads ? findProjectStore(question) : registerProjectStore(question));
  if (onlyReads && !(await holdsStore(folder))) return { store: undefined, root: project, close };
  const opened = await openSessionStore(createStorage(folder), assets, clock, log, { readOnly: onlyReads });
  return { store: opened, root: project, close: () => opened.close() };
}

async function* importInto(
  { store, root }: Target,
  sessions: readonly FoundSession[],
  { newId, clock, mask }: ImportParts & { mask(text: string): string },
  { signal, onRead, isDryRun = false }: ImportRunOptions,
): AsyncGenerator<ImportStep> {
  const known = new Set(((await store?.origins()) ?? []).map(keyOf));
  for (const session of sessions) {
    if (signal?.aborted) return;
    if (known.has(keyOf(session))) {
      yield { session, outcome: { state: "known" } };
      continue;
    }
    known.add(keyOf(session));
    try {
      const foreign = await session.read({
        ...(signal ? { signal } : {}),
        onRead: (bytes) => onRead?.(session, bytes),
      });
      const now = clock.now().toISOString();
      const converted = storedSession(foreign, { projectPath: root, newId, now, mask });
      const { id } = converted.session;
      if (converted.messages.length === 0) throw new UnreadableSession("no-messages");
      if (!isDryRun) await store?.import(converted.session, converted.messages, converted.patch);
      const { unreadable, leftOut } = foreign;
      const messages = converted.messages.length;
      yield { session, outcome: { state: "imported", id, folder: root, messages, unreadable, leftOut } };
    } catch (error) {
      if (signal?.aborted) return;
      const code = error instanceof UnreadableSession ? error.code : "error";
      yield { session, outcome: { state: "failed", code, detail: messageOf(error) } };
    }
  }
}

const keyOf = ({ product, id }: Pick<FoundSession, "product" | "id">) => `${product}\n${id}`;
