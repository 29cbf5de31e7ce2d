/** The database file as it is on disk, whatever state it is in, as a database of this version in memory. */
import { messageOf } from "../errors.ts";
import type { Assets } from "../ports.ts";
import { carve } from "./carve.ts";
import { type Database, openDatabase } from "./database.ts";
import type { Problems } from "./problems.ts";
import { migrate, migrations } from "./schema.ts";

export const databaseFile = "sessions.db";

export interface Base {
  db: Database;
  /** current: as it was. migrated: brought up to date. damaged: what could be read of it. newer: only to be read. */
  state: "current" | "migrated" | "damaged" | "newer";
}

export async function openBase(
  bytes: Uint8Array | undefined,
  assets: Assets,
  problems: Problems,
  steps: readonly string[] = migrations,
): Promise<Base> {
  if (!bytes) {
    const db = await openDatabase(assets);
    migrate(db, steps);
    return { db, state: "current" };
  }
  let db: Database | undefined;
  try {
    if (bytes.length === 0) throw new Error("it is empty");
    db = await openDatabase(assets, bytes);
    const verdict = db.check();
    if (verdict !== "ok") throw new Error(verdict);
    const version = db.userVersion();
    if (version > steps.length) {
      problems.add("newer-version", `database version ${version}, this version knows ${steps.length}`);
      return { db, state: "newer" };
    }
    return { db, state: migrate(db, steps) ? "migrated" : "current" };
  } catch (error) {
    db?.close();
    const recovered = await openDatabase(assets);
    migrate(recovered, steps);
    const { sessions, messages } = carve(bytes, recovered);
    problems.add(
      "database-damaged",
      `${messageOf(error)}; ${sessions} sessions and ${messages} messages were recovered`,
    );
    return { db: recovered, state: "damaged" };
  }
}
