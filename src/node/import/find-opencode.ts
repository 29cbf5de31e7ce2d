/** Finds the sessions of opencode: in its SQLite databases, and in the folders of JSON files of older versions. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../../core/errors.ts";
import type { Assets } from "../../core/ports/system.ts";
import { type Database, openDatabase } from "../../core/sessions/db/database.ts";
import type { ForeignSession } from "../../core/sessions/import/foreign-session.ts";
import { readOpencode } from "../../core/sessions/import/opencode.ts";
import { withWal } from "../../core/sessions/import/sqlite-wal.ts";
import { fieldsSchema, jsonOf, nonEmptyText, timeOf } from "../../core/sessions/import/values.ts";
import * as z from "../../shared/zod.ts";
import { fileStats, filesIn, foldersIn, jsonFile, LARGEST_FILE } from "./folder-entries.ts";
import type { FindOptions, FoundProduct, FoundSession } from "./found-session.ts";

export async function findOpencode(options: FindOptions): Promise<FoundProduct> {
  const { environment, home, assets } = options;
  const { OPENCODE_DB = "", XDG_DATA_HOME } = environment;
  const data = path.join(XDG_DATA_HOME || path.join(home, ".local", "share"), "opencode");
  const databases: Database[] = [];
  const found: FoundProduct = {
    product: "opencode",
    places: [],
    sessions: [],
    problems: [],
    close: () => {
      for (const db of databases) db.close();
    },
  };
  // Each release channel has a database of its own.
  const names = (await filesIn(data, found.problems)).filter((name) => /^opencode[\w-]*\.db$/.test(name));
  const isNamed = OPENCODE_DB !== "" && OPENCODE_DB !== ":memory:";
  const files = isNamed ? [path.resolve(data, OPENCODE_DB)] : names.map((name) => path.join(data, name));
  for (const file of files) {
    const db = await openFile(file, assets, found);
    if (!db) continue;
    databases.push(db);
    found.places.push(file);
    take(found, sessionsOf(db, file, found));
  }
  const storage = path.join(data, "storage");
  const old = await storedSessions(storage, found);
  if (old.length > 0) found.places.push(storage);
  take(found, old);
  return found;
}

/** A newer version copies the sessions of older ones into its database. */
function take(found: FoundProduct, sessions: readonly FoundSession[]): void {
  const known = new Set(found.sessions.map(({ id }) => id));
  found.sessions.push(...sessions.filter(({ id }) => !known.has(id)));
}

/** Attempts to read a database and its log while its program writes them. */
const ATTEMPTS = 5;

/** undefined: it cannot be read, which is one of the problems. */
async function openFile(file: string, assets: Assets, found: FoundProduct): Promise<Database | undefined> {
  const stats = await fileStats(file);
  if (!stats) return undefined;
  if (stats.size > LARGEST_FILE) {
    found.problems.push({ path: file, code: "too-large" });
    return undefined;
  }
  try {
    const { bytes, hasNewest } = await readDatabase(file);
    const db = await openDatabase(assets, bytes);
    if (db.check() !== "ok") throw new Error("it is damaged");
    if (!hasNewest) found.problems.push({ path: file, code: "without-newest" });
    return db;
  } catch (error) {
    found.problems.push({ path: `${file} (${messageOf(error)})`, code: "unreadable" });
    return undefined;
  }
}

/** The database with what is only in its log. `hasNewest`: the log belongs to the database and was read. */
async function readDatabase(file: string): Promise<{ bytes: Uint8Array; hasNewest: boolean }> {
  const log = `${file}-wal`;
  const state = async () => {
    const both = await Promise.all([fileStats(file), fileStats(log)]);
    return both.map((one) => `${one?.size} ${one?.mtimeMs}`).join(" ");
  };
  let before = await state();
  for (let attempt = 1; ; attempt++) {
    const [bytes, wal] = [
      await readFile(file),
      (await fileStats(log)) ? await readFile(log) : new Uint8Array(),
    ];
    const after = await state();
    if (after === before || attempt === ATTEMPTS) {
      const whole = withWal(bytes, wal);
      return { bytes: whole ?? withWal(bytes, new Uint8Array()) ?? bytes, hasNewest: whole !== undefined };
    }
    before = after;
  }
}

const sessionRow = z.looseObject({
  id: z.string(),
  parent_id: z.catch(z.nullish(z.string()), undefined),
  directory: z.catch(z.nullish(z.string()), undefined),
  title: z.catch(z.nullish(z.string()), undefined),
  time_created: z.catch(z.nullish(z.number()), undefined),
  time_updated: z.catch(z.nullish(z.number()), undefined),
  revert: z.catch(z.nullish(z.string()), undefined),
  bytes: z.catch(z.nullish(z.number()), undefined),
});
const messageRow = z.object({ id: z.string(), data: z.string() });
const partRow = z.object({ message_id: z.string(), data: z.string() });

function sessionsOf(db: Database, file: string, found: FoundProduct): FoundSession[] {
  const tables = db.dump("SELECT name FROM sqlite_master WHERE type = 'table'").flat();
  if (!["session", "message", "part"].every((table) => tables.includes(table))) {
    found.problems.push({ path: file, code: "unknown-version" });
    return [];
  }
  const bytes = "(SELECT sum(length(data)) FROM part WHERE part.session_id = session.id) AS bytes";
  const rows = db.all(sessionRow, `SELECT session.*, ${bytes} FROM session`);
  // Sessions of subagents belong to others.
  return rows
    .filter(({ parent_id }) => nonEmptyText(parent_id) === undefined)
    .map((row) => sessionOf(db, row));
}

function sessionOf(db: Database, row: z.infer<typeof sessionRow>): FoundSession {
  const { id, directory, title, time_created, time_updated, bytes } = row;
  return {
    product: "opencode",
    id,
    title: title ?? "",
    ...(nonEmptyText(directory) ? { folder: directory ?? "" } : {}),
    bytes: bytes ?? 0,
    updatedAt: timeOf(time_updated) ?? timeOf(time_created) ?? new Date(0).toISOString(),
    async read({ onRead }): Promise<ForeignSession> {
      const messages = db.all(
        messageRow,
        "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id",
        [id],
      );
      const parts = new Map<string, unknown[]>();
      for (const part of db.all(
        partRow,
        "SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id",
        [id],
      )) {
        const own = parts.get(part.message_id);
        if (own) own.push(jsonOf(part.data));
        else parts.set(part.message_id, [jsonOf(part.data)]);
      }
      onRead?.(bytes ?? 0);
      return readOpencode({
        info: {
          id,
          title: title ?? undefined,
          directory: directory ?? undefined,
          time: { created: time_created },
          revert: row.revert ? jsonOf(row.revert) : undefined,
        },
        messages: messages.map((message) => ({
          info: { ...fieldsSchema.safeParse(jsonOf(message.data)).data, id: message.id },
          parts: parts.get(message.id) ?? [],
        })),
      });
    },
  };
}

/** The sessions of versions without a database: `session/<project>/<id>.json`, `message/<session>/`, `part/<message>/`. */
async function storedSessions(storage: string, found: FoundProduct): Promise<FoundSession[]> {
  const { problems } = found;
  const sessions: FoundSession[] = [];
  const top = path.join(storage, "session");
  for (const project of await foldersIn(top, problems)) {
    for (const name of await filesIn(path.join(top, project), problems)) {
      if (!name.endsWith(".json")) continue;
      const file = path.join(top, project, name);
      const stats = await fileStats(file);
      const info = fieldsSchema.safeParse(await jsonFile(file).catch(() => undefined)).data;
      if (!stats || !info) {
        problems.push({ path: file, code: "unreadable" });
        continue;
      }
      if (nonEmptyText(info.parentID) !== undefined) continue;
      const id = name.slice(0, -".json".length);
      const time = fieldsSchema.safeParse(info.time).data;
      sessions.push({
        product: "opencode",
        id,
        title: nonEmptyText(info.title) ?? "",
        ...(nonEmptyText(info.directory) ? { folder: String(info.directory) } : {}),
        bytes: stats.size,
        updatedAt: timeOf(time?.updated) ?? stats.mtime.toISOString(),
        read: () => readStored(storage, { ...info, id }),
      });
    }
  }
  return sessions;
}

/** `info.id`: the name of the session's file. */
async function readStored(
  storage: string,
  info: Record<string, unknown> & { id: string },
): Promise<ForeignSession> {
  const folder = path.join(storage, "message", info.id);
  // Their ids increase with time.
  const messages = [];
  for (const name of (await filesIn(folder, [])).filter((each) => each.endsWith(".json"))) {
    const id = name.slice(0, -".json".length);
    const own = path.join(storage, "part", id);
    const parts: unknown[] = [];
    for (const part of await filesIn(own, []))
      parts.push(await jsonFile(path.join(own, part)).catch(() => undefined));
    const message = fieldsSchema.safeParse(
      await jsonFile(path.join(folder, name)).catch(() => undefined),
    ).data;
    messages.push({ info: message && { ...message, id }, parts });
  }
  return readOpencode({ info, messages });
}
