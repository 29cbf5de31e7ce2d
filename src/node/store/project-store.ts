/**
 * Where the sessions of a project lie: one store for every host on this machine. They meet in the person's data folder,
 * where the first one writes down which folder it took; the others use that one.
 */
import { constants } from "node:fs";
import { access, chmod, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import * as z from "zod";
import { messageOf } from "../../core/errors.ts";
import type { Log } from "../../core/ports/system.ts";
import { databaseFile } from "../../core/sessions/db/open-database.ts";
import { journalFolder } from "../../core/sessions/journal/journal.ts";
import { isMissing } from "../files/fs-errors.ts";
import { createStorage, hashOf, projectFolder, projectKey, realPath } from "./folder-storage.ts";

/** In the meeting folder: which folder holds the project's sessions. */
const locationFile = "location.json";
/** In a store: which project it belongs to. */
const ownerFile = "project.json";

/** Others need it briefly, longer on a busy disk. If one died meanwhile, this host works on its own until the next start. */
const registerWaitMs = 8_000;

const locationSchema = z.object({
  /** Absolute, or relative to the meeting folder. */
  folder: z.string().min(1),
  /** Stores of the same project that are not used: hosts had them before they met. Absolute. */
  others: z.array(z.string()).default([]),
});
type Location = z.infer<typeof locationSchema>;

const ownerSchema = z.object({ project: z.string() });

export interface ProjectStore {
  folder: string;
  /** Every other host on this machine finds the same store. */
  shared: boolean;
  /** Further stores of the same project, from before the hosts met. */
  others: string[];
}

export interface StoreQuestion {
  /** The person's data folder, see `defaultDataDir`; undefined: there is none, and the host is by itself. */
  dataDir: string | undefined;
  /** The project's folder. */
  root: string;
  /** Where this host would keep sessions; left out: in the meeting folder. Needed where there is no data folder. */
  own?: string;
  log: Log;
}

/** The person's data folder: NEKODE_DATA_DIR, else the system's usual place; undefined: this person has no home. */
export function defaultDataDir(environment: NodeJS.ProcessEnv): string | undefined {
  const { NEKODE_DATA_DIR, LOCALAPPDATA, XDG_DATA_HOME } = environment;
  if (NEKODE_DATA_DIR) return path.resolve(NEKODE_DATA_DIR);
  const isWindows = process.platform === "win32";
  const isMac = process.platform === "darwin";
  if (isWindows && LOCALAPPDATA) return path.join(LOCALAPPDATA, "nekode");
  if (!isWindows && !isMac && XDG_DATA_HOME && path.isAbsolute(XDG_DATA_HOME))
    return path.join(XDG_DATA_HOME, "nekode");
  const home = homeFolder();
  if (home === undefined) return undefined;
  if (isWindows) return path.join(home, "nekode");
  return isMac
    ? path.join(home, "Library", "Application Support", "nekode")
    : path.join(home, ".local", "share", "nekode");
}

function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    // Neither HOME nor an entry for this user.
    return undefined;
  }
}

/** The store that is there, or would be, without leaving a trace: for who only reads. Never rejects. */
export async function findProjectStore(question: StoreQuestion): Promise<ProjectStore> {
  const place = await placeOf(question);
  if (place.meeting === undefined) return alone(place.own);
  try {
    const known = await registered(place.meeting, question);
    if (known) return known;
    return alone((await holdsStore(place.meeting)) ? place.meeting : place.own);
  } catch (error) {
    tellAlone(question.log, error);
    return alone(place.own);
  }
}

/**
 * The store to work with. The first host of a project registers the one that it takes: of two that come at once, both
 * get the same. Never rejects: a host that cannot register is by itself, and the log says so.
 */
export async function registerProjectStore(question: StoreQuestion): Promise<ProjectStore> {
  const { meeting, own } = await placeOf(question);
  if (meeting === undefined) return alone(own);
  let known: ProjectStore | undefined;
  try {
    known = await registered(meeting, question);
    if (known) await access(known.folder, constants.W_OK);
  } catch (error) {
    tellAlone(question.log, error);
    return alone(own);
  }
  // A store that its host had before is not forgotten when another one is registered.
  const isUnlisted = known && own !== known.folder && !known.others.includes(own) && (await holdsStore(own));
  if (known && !isUnlisted) return known;
  try {
    return await register(meeting, own, question);
  } catch (error) {
    if (known) return { ...known, others: [...known.others, own] };
    tellAlone(question.log, error);
    return alone(own);
  }
}

async function register(meeting: string, own: string, question: StoreQuestion): Promise<ProjectStore> {
  await mkdir(meeting, { recursive: true, mode: 0o700 });
  // One that was made before folders were private, or by hand.
  await chmod(meeting, 0o700).catch((error: unknown) => question.log.info(messageOf(error)));
  const storage = createStorage(meeting);
  const work = async (): Promise<ProjectStore> => {
    const before = await readLocation(meeting);
    const now = await registered(meeting, question);
    const folder = now?.folder ?? ((await holdsStore(meeting)) ? meeting : own);
    const others = new Set(before?.others.filter((other) => path.isAbsolute(other)));
    const lost = before && !now ? path.resolve(meeting, before.folder) : undefined;
    // It may be on a disk that is not there today.
    if (lost !== undefined && !(await isFolder(lost))) others.add(lost);
    for (const other of [own, meeting]) if (await holdsStore(other)) others.add(other);
    others.delete(folder);
    await createStorage(folder).replace(
      ownerFile,
      encode({ project: realPath(path.resolve(question.root)) }),
    );
    const named = folder === meeting ? "." : folder;
    await storage.replace(locationFile, encode({ folder: named, others: [...others] }));
    return { folder, shared: true, others: [...others] };
  };
  return storage.withLock(locationFile, work, registerWaitMs);
}

/** Where hosts meet, and where this one keeps sessions when it is by itself. */
async function placeOf({ dataDir, root, own }: StoreQuestion): Promise<{ meeting?: string; own: string }> {
  const meeting = dataDir === undefined ? undefined : projectFolder(dataDir, root);
  const wanted = own ?? meeting;
  if (wanted === undefined) throw new Error("there is no home folder to keep sessions in");
  if (meeting !== undefined && wanted === meeting) return { meeting, own: meeting };
  // A window of several folders keeps its storage when another folder becomes the first.
  const owner = await ownerOf(wanted).catch(() => undefined);
  const isOurs = owner === undefined || projectKey(owner) === projectKey(root);
  const mine = isOurs ? wanted : `${wanted}-${hashOf(projectKey(root))}`;
  return { ...(meeting === undefined ? {} : { meeting }), own: mine };
}

/** The project that a store says it belongs to: the real path of its folder; undefined: it does not say. */
export async function ownerOf(folder: string): Promise<string | undefined> {
  const text = await readText(path.join(folder, ownerFile));
  return text === undefined ? undefined : ownerSchema.safeParse(parsed(text)).data?.project;
}

export async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

export async function holdsStore(folder: string): Promise<boolean> {
  if ((await stat(path.join(folder, databaseFile)).catch(() => undefined))?.isFile()) return true;
  const journals = await readdir(path.join(folder, journalFolder)).catch(() => []);
  return journals.length > 0;
}

/** What a meeting folder has on record, whatever is there; where nothing is, it may itself be the store. */
export async function registration(meeting: string): Promise<{ folder: string; others: string[] }> {
  const location = await readLocation(meeting).catch(() => undefined);
  if (!location) return { folder: meeting, others: [] };
  return { folder: path.resolve(meeting, location.folder), others: location.others.filter(path.isAbsolute) };
}

/** What is registered, if it is there and this project's. Rejects when the file is not ours. */
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

function alone(folder: string): ProjectStore {
  return { folder, shared: false, others: [] };
}

function tellAlone(log: Log, why: unknown): void {
  log.info(`sessions: not shared with other windows and terminals: ${messageOf(why)}`);
}

/** undefined: nothing is registered. Rejects when something is there that is not ours. */
async function readLocation(meeting: string): Promise<Location | undefined> {
  const file = path.join(meeting, locationFile);
  const text = await readText(file);
  if (text === undefined) return undefined;
  const { data } = locationSchema.safeParse(parsed(text));
  if (!data) throw new Error(`${file} is not ours`);
  return data;
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
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
