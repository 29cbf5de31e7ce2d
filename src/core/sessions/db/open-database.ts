/** The bytes of a database, whatever state they are in, as a database of this version in memory. */
import type { Assets } from "../../ports/system.ts";
import { carve } from "./carve.ts";
import { type Database, openDatabase } from "./database.ts";
import { migrate, migrations } from "./schema.ts";

export const databaseFile = "sessions.db";

export interface OpenedDatabase {
  db: Database;
  /** current: as it was. migrated: brought up to date. damaged: what could be read of it. newer: only to be read. */
  state: "current" | "migrated" | "damaged" | "newer";
}

export class DatabaseOpener {
  readonly #assets: Assets;
  readonly #steps: readonly string[];

  constructor(assets: Assets, steps: readonly string[] = migrations) {
    this.#assets = assets;
    this.#steps = steps;
  }

  async empty(): Promise<OpenedDatabase> {
    const db = await openDatabase(this.#assets);
    migrate(db, this.#steps);
    return { db, state: "current" };
  }

  /** Rejects where SQLite cannot read it. `isVerified`: the bytes are those that were written. */
  async open(bytes: Uint8Array, isVerified: boolean): Promise<OpenedDatabase> {
    if (bytes.length === 0) throw new Error("it is empty");
    const db = await openDatabase(this.#assets, bytes);
    try {
      const verdict = isVerified ? "ok" : db.check();
      if (verdict !== "ok") throw new Error(verdict);
      if (db.userVersion() > this.#steps.length) return { db, state: "newer" };
      return { db, state: migrate(db, this.#steps) ? "migrated" : "current" };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Adds to `db` what its pages still hold and `db` does not; what it has then. */
  salvage(bytes: Uint8Array, db: Database): { sessions: number; messages: number } {
    return carve(bytes, db);
  }
}
