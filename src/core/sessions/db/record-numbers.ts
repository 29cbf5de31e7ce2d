/** The numbers of journal records that the database contains, so that no record is applied twice. */
import * as z from "zod";
import type { Database } from "./database.ts";

/** A larger number can only come from damage, and numbers could not grow beyond it. */
const LARGEST_SEQ = 2 ** 52;
const writerRow = z.object({ id: z.string(), seq: z.number().int().max(LARGEST_SEQ) });
const storeRow = z.object({ value: z.number().int().max(LARGEST_SEQ) });

/** Returns the last number applied from each writer. */
export function appliedNumbers(db: Database): Map<string, number> {
  return new Map(db.all(writerRow, "SELECT id, seq FROM writers").map(({ id, seq }) => [id, seq]));
}

/** Returns the largest number of any record when the database was written; 0: none was saved. */
export function savedNumber(db: Database): number {
  return db.first(storeRow, "SELECT value FROM store WHERE name = 'seq'")?.value ?? 0;
}

export function saveNumbers(db: Database, applied: ReadonlyMap<string, number>, seq: number): void {
  db.transaction(() => {
    // Includes writers that are gone: if one of their journals reappears, its records are known.
    for (const [writer, last] of applied)
      db.run("INSERT OR REPLACE INTO writers (id, seq) VALUES (?, ?)", [writer, last]);
    db.run("INSERT OR REPLACE INTO store (name, value) VALUES ('seq', ?)", [seq]);
  });
}
