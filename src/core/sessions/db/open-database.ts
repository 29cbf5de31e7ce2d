/** Opens the bytes of a database in any state as an in-memory database of this version. */
import type { Assets } from "../../ports/system.ts";
import { type Database, openDatabase } from "./database.ts";
import { MIGRATIONS, migrate } from "./schema.ts";

export const DATABASE_FILE = "sessions.db";

export interface OpenedDatabase {
  db: Database;
  /** current: unchanged. migrated: brought up to date. damaged: replaces a damaged file. newer: read-only. */
  state: "current" | "migrated" | "damaged" | "newer";
}

export class DatabaseOpener {
  readonly #assets: Assets;
  readonly #steps: readonly string[];

  constructor(assets: Assets, steps: readonly string[] = MIGRATIONS) {
    this.#assets = assets;
    this.#steps = steps;
  }

  /** How many migrations a database of this version has been through. */
  get migrations(): number {
    return this.#steps.length;
  }

  async empty(): Promise<OpenedDatabase> {
    const db = await openDatabase(this.#assets);
    migrate(db, this.#steps);
    return { db, state: "current" };
  }

  /** Rejects if SQLite cannot read the bytes. `isVerified`: the bytes are known to be as written. */
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
}
