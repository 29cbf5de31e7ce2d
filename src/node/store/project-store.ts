/**
 * Determines the folder of a project's sessions: one store for all hosts on this machine. The first host registers its folder
 * in the user's data folder (the project's "meeting folder"); the other hosts use the registered one.
 */
import { constants } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../../core/errors.ts";
import type { Log } from "../../core/ports/system.ts";
import { DATABASE_FILE } from "../../core/sessions/db/open-database.ts";
import { JOURNAL_FOLDER } from "../../core/sessions/journal/journal.ts";
import * as z from "../../shared/zod.ts";
import { homeFolder } from "../config/config-dir.ts";
import { access, readBytes, readdir, stat } from "../files/direct-calls.ts";
import { isFolder, isMissing } from "../files/fs-errors.ts";
import { createStorage, hashOf, projectFolder, projectKey, realPath } from "./folder-storage.ts";

/** In the meeting folder: names the folder that contains the project's sessions. */
const LOCATION_FILE = "location.json";
/** In a store: names the project that it belongs to. */
const OWNER_FILE = "project.json";

/** Milliseconds to wait for other hosts' lock. After that, this host uses its own store until the next start. */
const REGISTER_WAIT_MS = 8_000;

const locationSchema = z.object({
  /** Absolute, or relative to the meeting folder. */
  folder: z.string().check(z.minLength(1)),
  /** Unused stores of the same project, from before its hosts shared one. Absolute. */
  others: z._default(z.array(z.string()), []),
});
type Location = z.infer<typeof locationSchema>;

const ownerSchema = z.object({ project: z.string() });

export interface ProjectStore {
  folder: string;
  /** All other hosts on this machine find the same store. */
  shared: boolean;
  /** Other stores of the same project, from before its hosts shared one. */
  others: string[];
}

export interface StoreQuestion {
  /** The user's data folder, see `defaultDataDir`; undefined: there is none, so the store is not shared. */
  dataDir: string | undefined;
  /** The project's folder. */
  root: string;
  /** This host's own folder for sessions; default: the meeting folder. Required if there is no data folder. */
  own?: string;
  log: Log;
}

/** The user's data folder: NEKODE_DATA_DIR, otherwise the system's default; undefined: the user has no home folder. */
export function defaultDataDir(environment: NodeJS.ProcessEnv): string | undefined {
  const { NEKODE_DATA_DIR, LOCALAPPDATA, XDG_DATA_HOME } = environment;
  if (NEKODE_DATA_DIR) return path.resolve(NEKODE_DATA_DIR);
  const isWindows = process.platform === "win32";
  const isMac = process.platform === "darwin";
  if (isWindows && LOCALAPPDATA) return path.join(LOCALAPPDATA, "nekode");
  if (!isWindows && !isMac && XDG_DATA_HOME && path.isAbsolute(XDG_DATA_HOME))
    return path.join(XDG_DATA_HOME, "nekode");
  const home = homeFolder(environment);
  if (home === undefined) return undefined;
  if (isWindows) return path.join(home, "nekode");
  return isMac
    ? path.join(home, "Library", "Application Support", "nekode")
    : path.join(home, ".local", "share", "nekode");
}

/** The existing or future store, for callers that only read; writes nothing. Never rejects. */
export async function findProjectStore(question: StoreQuestion): Promise<ProjectStore> {
  const place = await placeOf(question);
  if (place.meeting === undefined) return notShared(place.own);
  try {
    const known = await registered(place.meeting, question);
    if (known) return known;
    return notShared((await holdsStore(place.meeting)) ? place.meeting : place.own);
  } catch (error) {
    logNotShared(question.log, error);
    return notShared(place.own);
  }
}

/**
 * The store to work with. A project's first host registers its store; two simultaneous hosts get the same one. Never rejects: a
 * host that cannot register uses its own store and logs that.
 */
export async function registerProjectStore(question: StoreQuestion): Promise<ProjectStore> {
  const { meeting, own } = await placeOf(question);
  if (meeting === undefined) return notShared(own);
  let known: ProjectStore | undefined;
  try {
    known = await registered(meeting, question);
    if (known) await access(known.folder, constants.W_OK);
  } catch (error) {
    logNotShared(question.log, error);
    return notShared(own);
  }
  // If another store is registered, this host's earlier store is listed in `others`.
  const isUnlisted = known && own !== known.folder && !known.others.includes(own) && (await holdsStore(own));
  if (known && !isUnlisted) return known;
  try {
    return await register(meeting, own, question);
  } catch (error) {
    if (known) return { ...known, others: [...known.others, own] };
    logNotShared(question.log, error);
    return notShared(own);
  }
}

async function register(meeting: string, own: string, question: StoreQuestion): Promise<ProjectStore> {
  await mkdir(meeting, { recursive: true, mode: 0o700 });
  // The folder may be from an older version, which did not make it private, or created by hand.
  await chmod(meeting, 0o700).catch((error: unknown) => question.log.info(messageOf(error)));
  const storage = createStorage(meeting);
  const work = async (): Promise<ProjectStore> => {
    const before = await readLocation(meeting);
    const now = await registered(meeting, question);
    const folder = now?.folder ?? ((await holdsStore(meeting)) ? meeting : own);
    const others = new Set(before?.others.filter((other) => path.isAbsolute(other)));
    const lost = before && !now ? path.resolve(meeting, before.folder) : undefined;
    // The store may be on a disk that is not mounted now.
    if (lost !== undefined && !(await isFolder(lost))) others.add(lost);
    for (const other of [own, meeting]) if (await holdsStore(other)) others.add(other);
    others.delete(folder);
    // A store in the meeting folder is found without these files, and the next host writes them again.
    const synced = folder !== meeting || others.size > 0;
    const owner = encode({ project: realPath(path.resolve(question.root)) });
    await createStorage(folder).replace(OWNER_FILE, owner, undefined, synced);
    const location = encode({ folder: folder === meeting ? "." : folder, others: [...others] });
    await storage.replace(LOCATION_FILE, location, undefined, synced);
    return { folder, shared: true, others: [...others] };
  };
  return storage.withLock(LOCATION_FILE, work, REGISTER_WAIT_MS);
}

/** The meeting folder, and the folder that this host uses if the store is not shared. */
async function placeOf({ dataDir, root, own }: StoreQuestion): Promise<{ meeting?: string; own: string }> {
  const meeting = dataDir === undefined ? undefined : projectFolder(dataDir, root);
  const folder = own ?? meeting;
  if (folder === undefined) throw new Error("there is no home folder to store sessions in");
  if (meeting !== undefined && folder === meeting) return { meeting, own: meeting };
  // A multi-root window keeps its storage folder when another workspace folder becomes the first.
  const owner = await ownerOf(folder).catch(() => undefined);
  const isOurs = owner === undefined || projectKey(owner) === projectKey(root);
  const mine = isOurs ? folder : `${folder}-${hashOf(projectKey(root))}`;
  return { ...(meeting === undefined ? {} : { meeting }), own: mine };
}

/** The real path of the project that a store belongs to; undefined: not recorded. */
export async function ownerOf(folder: string): Promise<string | undefined> {
  const text = await readText(path.join(folder, OWNER_FILE));
  return text === undefined ? undefined : ownerSchema.safeParse(parsed(text)).data?.project;
}

export async function holdsStore(folder: string): Promise<boolean> {
  if ((await stat(path.join(folder, DATABASE_FILE)).catch(() => undefined))?.isFile()) return true;
  const journals = await readdir(path.join(folder, JOURNAL_FOLDER)).catch(() => []);
  return journals.length > 0;
}

/** The registration in a meeting folder, without checks; if there is none, the folder itself may be the store. */
export async function registration(meeting: string): Promise<{ folder: string; others: string[] }> {
  const location = await readLocation(meeting).catch(() => undefined);
  if (!location) return { folder: meeting, others: [] };
  return { folder: path.resolve(meeting, location.folder), others: location.others.filter(path.isAbsolute) };
}

/** The registered store, if it exists and belongs to this project. Rejects if the file is not Nekode's. */
async function registered(meeting: string, { root, log }: StoreQuestion): Promise<ProjectStore | undefined> {
  const location = await readLocation(meeting);
  if (!location) return undefined;
  const folder = path.resolve(meeting, location.folder);
  const others = location.others.filter((other) => path.isAbsolute(other) && other !== folder);
  if (!(await isFolder(folder))) {
    log.info(`sessions: ${folder}, where they were, is not there`);
    return undefined;
  }
  const owner = await ownerOf(folder);
  if (owner === undefined || projectKey(owner) !== projectKey(root)) {
    log.info(`sessions: ${folder} belongs to ${owner ?? "nobody known"}, not to ${root}`);
    return undefined;
  }
  return { folder, shared: true, others };
}

function notShared(folder: string): ProjectStore {
  return { folder, shared: false, others: [] };
}

function logNotShared(log: Log, why: unknown): void {
  log.info(`sessions: not shared with other windows and terminals: ${messageOf(why)}`);
}

/** undefined: nothing is registered, or a power failure left nothing of it. Rejects if the file is not Nekode's. */
async function readLocation(meeting: string): Promise<Location | undefined> {
  const file = path.join(meeting, LOCATION_FILE);
  const text = await readText(file);
  if (text === undefined || /^\0*$/.test(text)) return undefined;
  const { data } = locationSchema.safeParse(parsed(text));
  if (!data) throw new Error(`${file} is not ours`);
  return data;
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readBytes(file)).toString();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function encode(value: Location | z.infer<typeof ownerSchema>): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}
