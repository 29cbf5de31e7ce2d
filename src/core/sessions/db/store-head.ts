/**
 * The small file that identifies the store and records the generation of its database and what belongs to the previous
 * generations. It is written after the database, so it never claims more than exists. Losing it loses no data: it only
 * helps to detect files that are missing or do not belong here.
 */
import * as z from "../../../shared/zod.ts";
import { crc32 } from "../../bytes.ts";
import type { Storage } from "../../ports/storage.ts";

const HEAD_FILE = "store.json";

const step = {
  /** Generation of the previous database that is kept; 0: there is none. */
  before: z.int().check(z.nonnegative()),
  /** Journals that lead from that generation to the next. */
  journals: z.array(z.string()),
};
const stepSchema = z.object(step);
/** What leads from one generation to the next. */
export type GenerationStep = z.infer<typeof stepSchema>;

const factsSchema = z.object({
  /** The version that the storage gave the file. One that was copied, restored or written by others has another. */
  version: z.string(),
  /** How many migrations the database has been through. */
  migrations: z.int(),
  /** The largest number of any record that it took in. */
  seq: z.int().check(z.nonnegative()),
});
/** What a process that only writes must know of the database. */
export type DatabaseFacts = z.infer<typeof factsSchema>;

const headSchema = z.object({
  /** UUID; every record and every database of the store contains it. */
  store: z.uuid(),
  /** Generation of the database when this file was written; 0: there was no database. */
  generation: z.int().check(z.nonnegative()),
  ...step,
  /** The step before that, if it is kept. Versions that kept one generation did not write it. */
  older: z.optional(stepSchema),
});
/** `database`: of the file of this generation. Absent: a version wrote it that did not need it. */
export type StoreHead = z.infer<typeof headSchema> & { database?: DatabaseFacts };

/** Earlier versions check the head alone, so the facts have a check of their own. */
const fileSchema = z.object({
  head: headSchema,
  check: z.number(),
  database: z.catch(z.optional(z.object({ facts: factsSchema, check: z.number() })), undefined),
});

/** undefined: the file is missing or damaged. */
export async function readHead(storage: Storage): Promise<StoreHead | undefined> {
  const bytes = await storage.read(HEAD_FILE);
  if (!bytes) return undefined;
  try {
    const { head, check, database } = fileSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    if (check !== checkOf(head)) return undefined;
    const isIntact = database !== undefined && database.check === factsCheck(database.facts);
    return isIntact ? { ...head, database: database.facts } : head;
  } catch {
    // Damaged: the database and the journals identify themselves.
    return undefined;
  }
}

/** Without `synced`, a power failure may leave no file, or an empty one. */
export async function writeHead(
  storage: Storage,
  { database: facts, ...head }: StoreHead,
  synced = true,
): Promise<void> {
  const database = facts && { facts, check: factsCheck(facts) };
  const file = { head, check: checkOf(head), ...(database ? { database } : {}) };
  const bytes = new TextEncoder().encode(`${JSON.stringify(file)}\n`);
  await storage.replace(HEAD_FILE, bytes, undefined, synced);
}

function checkOf({ store, generation, before, journals, older }: z.infer<typeof headSchema>): number {
  const fields = [store, generation, before, journals, ...(older ? [older.before, older.journals] : [])];
  return crc32(new TextEncoder().encode(JSON.stringify(fields)));
}

function factsCheck({ version, migrations, seq }: DatabaseFacts): number {
  return crc32(new TextEncoder().encode(JSON.stringify([version, migrations, seq])));
}
