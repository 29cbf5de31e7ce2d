/**
 * The small file that says which store this is, how far its database is, and what belongs to the generation before. It
 * is written after the database, so it never claims more than there is. Without it nothing is lost: it only helps to
 * notice what is missing, or does not belong here.
 */
import * as z from "zod";
import { crc32 } from "../../checksums.ts";
import type { Storage } from "../../ports/storage.ts";

const headFile = "store.json";

const headSchema = z.object({
  /** UUID; every record and every database of the store names it. */
  store: z.uuid(),
  /** Generation of the database when this was written; 0: there was none. */
  generation: z.number().int().nonnegative(),
  /** Generation of the database that is kept from before; 0: there was none. */
  before: z.number().int().nonnegative(),
  /** Journals that lead from that one to this one. */
  journals: z.array(z.string()),
});
export type Head = z.infer<typeof headSchema>;

const fileSchema = z.object({ head: headSchema, check: z.number() });

/** undefined: there is none, or it is damaged. */
export async function readHead(storage: Storage): Promise<Head | undefined> {
  const bytes = await storage.read(headFile);
  if (!bytes) return undefined;
  try {
    const { head, check } = fileSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return check === checkOf(head) ? head : undefined;
  } catch {
    // Damaged: the database and the journals say themselves what they are.
    return undefined;
  }
}

export async function writeHead(storage: Storage, head: Head): Promise<void> {
  const file = { head, check: checkOf(head) };
  await storage.replace(headFile, new TextEncoder().encode(`${JSON.stringify(file)}\n`));
}

function checkOf({ store, generation, before, journals }: Head): number {
  return crc32(new TextEncoder().encode(JSON.stringify([store, generation, before, journals])));
}
