/**
 * Finds the tasks of Cline, Roo Code, Zoo Code and Kilo Code: a folder each, in the storage of the extension in every editor that is
 * based on VS Code, in a folder that the user set there, and in Cline's own data folder. Cline 4 keeps sessions there.
 */
import { createReadStream } from "node:fs";
import path from "node:path";
import { readClineSession } from "../../core/sessions/import/cline-sdk.ts";
import { readClineTask } from "../../core/sessions/import/cline-task.ts";
import type { ForeignSession } from "../../core/sessions/import/foreign-session.ts";
import { type Fields, fieldsSchema, nonEmptyText, timeOf } from "../../core/sessions/import/values.ts";
import type { AgentProduct } from "../../shared/history/session-origin.ts";
import * as z from "../../shared/zod.ts";
import { editorUserFiles } from "./editor-user-files.ts";
import { clineDataFolder, extensionFolders, type TaskProduct } from "./extension-folders.ts";
import { fileStats, foldersIn, jsonFile } from "./folder-entries.ts";
import type { FindOptions, FoundProduct, FoundSession, ReadProgress } from "./found-session.ts";

export const findCline = (options: FindOptions) => findTasks("cline", options);
export const findRoo = (options: FindOptions) => findTasks("roo", options);
export const findZoo = (options: FindOptions) => findTasks("zoo", options);
export const findKilo = (options: FindOptions) => findTasks("kilo", options);

async function findTasks(product: TaskProduct, options: FindOptions): Promise<FoundProduct> {
  const found: FoundProduct = { product, places: [], sessions: [], problems: [] };
  const own = product === "cline" ? clineDataFolder(options) : undefined;
  // Of the editors' settings, only the folder is needed: what cannot be read is no problem of the sessions.
  for (const place of extensionFolders(product, options, await editorUserFiles(options, []))) {
    const before = found.sessions.length;
    await findTasksIn(place, found);
    if (place === own) await findClineSessions(path.join(place, "sessions"), found);
    if (found.sessions.length > before) found.places.push(place);
  }
  return found;
}

async function findTasksIn(place: string, found: FoundProduct): Promise<void> {
  const tasks = path.join(place, "tasks");
  const ids = await foldersIn(tasks, found.problems);
  if (ids.length === 0) return;
  const items = await itemsIn(place, found);
  for (const id of ids) {
    const folder = path.join(tasks, id);
    const session = await taskIn(folder, id, items.get(id), found);
    if (session && !found.sessions.some((other) => other.id === id)) found.sessions.push(session);
  }
}

/** The list of tasks, which Cline keeps in `state`; Roo Code and Kilo Code keep an item in the folder of each task. */
async function itemsIn(place: string, found: FoundProduct): Promise<Map<string, Fields>> {
  const file = path.join(place, "state", "taskHistory.json");
  const list = await readOr(file, found);
  const items = z.array(fieldsSchema).safeParse(list).data ?? [];
  return new Map(items.map((item) => [String(item.id), item]));
}

async function readOr(file: string, found: FoundProduct): Promise<unknown> {
  try {
    return await jsonFile(file);
  } catch {
    found.problems.push({ path: file, code: "unreadable" });
    return undefined;
  }
}

const CONVERSATION = "api_conversation_history.json";
const FILES = [CONVERSATION, "ui_messages.json", "task_metadata.json"];

async function taskIn(
  folder: string,
  id: string,
  listed: Fields | undefined,
  found: FoundProduct,
): Promise<FoundSession | undefined> {
  const conversation = path.join(folder, CONVERSATION);
  const stats = await fileStats(conversation);
  // A task that was deleted, or that ended before its first request.
  if (!stats) return undefined;
  const own = fieldsSchema.safeParse(await readOr(path.join(folder, "history_item.json"), found)).data;
  const item = own ?? listed;
  const workFolder =
    nonEmptyText(item?.cwdOnTaskInitialization) ??
    nonEmptyText(item?.workspace) ??
    (await folderIn(conversation));
  const sizes = await Promise.all(FILES.map((name) => fileStats(path.join(folder, name))));
  const { product } = found;
  return {
    product,
    id,
    title: oneLine(nonEmptyText(item?.task) ?? ""),
    ...(workFolder === undefined ? {} : { folder: workFolder }),
    bytes: sizes.reduce((sum, one) => sum + (one?.size ?? 0), 0),
    updatedAt: timeOf(item?.ts) ?? stats.mtime.toISOString(),
    read: (progress) => readTask(product, id, folder, item, progress),
  };
}

async function readTask(
  product: AgentProduct,
  id: string,
  folder: string,
  item: Fields | undefined,
  { onRead }: ReadProgress,
): Promise<ForeignSession> {
  const [conversation, shown, metadata] = await Promise.all(
    FILES.map((name) => readCounted(path.join(folder, name), onRead)),
  );
  return readClineTask(product, id, { conversation, shown, metadata, item });
}

async function readCounted(file: string, onRead: ReadProgress["onRead"]): Promise<unknown> {
  const value = await jsonFile(file);
  onRead?.((await fileStats(file))?.size ?? 0);
  return value;
}

const oneLine = (text: string) =>
  text
    .slice(0, 800)
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ")
    .trim()
    .slice(0, 200);

/** Bytes at the beginning of a conversation in which the environment names the folder. */
const HEAD = 256 * 1024;
const FOLDER = /# Current (?:Working|Workspace) Directory \(((?:[^)"\\]|\\\\)+)\)/;

/** The folder that the first request of a task named. */
async function folderIn(file: string): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(file, { end: HEAD - 1 })) pieces.push(Buffer.from(piece));
  const folder = FOLDER.exec(Buffer.concat(pieces).toString("utf8"))?.[1];
  return folder?.replaceAll("\\\\", "\\");
}

async function findClineSessions(place: string, found: FoundProduct): Promise<void> {
  for (const id of await foldersIn(place, found.problems)) {
    const file = path.join(place, id, `${id}.messages.json`);
    const stats = await fileStats(file);
    if (!stats) continue;
    const manifestFile = path.join(place, id, `${id}.json`);
    const manifest = fieldsSchema.safeParse(await readOr(manifestFile, found)).data;
    const folder = nonEmptyText(manifest?.workspace_root) ?? nonEmptyText(manifest?.cwd);
    const { title } = fieldsSchema.safeParse(manifest?.metadata).data ?? {};
    found.sessions.push({
      product: "cline",
      id,
      title: oneLine(nonEmptyText(title) ?? ""),
      ...(folder === undefined ? {} : { folder }),
      bytes: stats.size,
      updatedAt: stats.mtime.toISOString(),
      read: async ({ onRead }) => readClineSession(id, await readCounted(file, onRead), manifest),
    });
  }
}
