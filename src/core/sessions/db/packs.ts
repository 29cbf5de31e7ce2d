/**
 * A large database stores its older messages as packs. A pack is a file next to the database, like the files of long texts,
 * with consecutive messages of one session. The rows of these messages stay in the database and refer to the pack, so that
 * memory contains only recent messages and references to the others. A small project has no packs. With 20,000 messages of 2
 * KB, packs make the database 7 MB instead of 40 MB and a checkpoint four times as fast.
 */
import * as z from "../../../shared/zod.ts";
import type { Database } from "./database.ts";
import type { PayloadStore } from "./payloads.ts";
import type { MessageRow } from "./rows.ts";

/** Bytes of a database above which messages are packed. */
export const PACK_ABOVE = 32 * 1024 * 1024;

/** Minimum number of characters in a pack, except for the rest at a session's end. */
const PACK_SIZE = 1 << 16;
/**
 * Maximum number of packs that are made at once while working, and while the process is closing. The next call makes the rest.
 */
export const MOST_PACKS = { working: 512, closing: 64 };
/**
 * Number of recently changed sessions for which only full packs are made, because their last messages are likely to be followed
 * by more.
 */
const RECENT_SESSIONS = 10;
/** Number of files that are written in parallel. */
const WIDTH = 8;

const packedSchema = z.object({ pack: z.string() });
const itemSchema = z.object({
  id: z.string(),
  content: z.string(),
  tool_calls: z.nullable(z.string()),
  tool_results: z.nullable(z.string()),
  body: z.string(),
});
type Item = z.infer<typeof itemSchema>;
const idSchema = z.object({ id: z.string() });

/** How the body of a packed row begins. The body of any other row begins with its blocks. */
const MARK = '{"pack":"';

function packOf({ body }: { body: string }): string | undefined {
  return body.startsWith(MARK) ? packedSchema.safeParse(JSON.parse(body)).data?.pack : undefined;
}

/** The rows completed from their packs. A row whose pack is lost stays unchanged, and is then not a valid message. */
export async function unpacked<R extends MessageRow>(
  rows: readonly R[],
  payloads: PayloadStore,
): Promise<R[]> {
  const packs = new Set(rows.flatMap((row) => packOf(row) ?? []));
  if (packs.size === 0) return rows.slice();
  const items = new Map<string, Item>();
  for (const text of (await payloads.texts(packs)).values()) {
    for (const item of itemsOf(text)) items.set(item.id, item);
  }
  return rows.map((row) => {
    const item = packOf(row) === undefined ? undefined : items.get(row.id);
    return item ? { ...row, ...item } : row;
  });
}

function itemsOf(text: string): Item[] {
  try {
    return z.array(itemSchema).parse(JSON.parse(text));
  } catch {
    // The file is missing or not Nekode's, which reading it has already reported.
    return [];
  }
}

interface Pack {
  session: string;
  items: Item[];
}

/**
 * Packs messages of a database larger than `above` bytes, starting with the sessions that have not changed for the longest
 * time.
 */
export async function packMessages(
  db: Database,
  payloads: PayloadStore,
  above: number,
  most: number,
): Promise<void> {
  if (sizeInPages(db) <= above) return;
  const packs = packsOf(db, most);
  for (let at = 0; at < packs.length; at += WIDTH) {
    const some = packs.slice(at, at + WIDTH);
    const names = await Promise.all(some.map(({ items }) => payloads.put(JSON.stringify(items))));
    db.transaction(() => {
      for (const [index, { session, items }] of some.entries())
        putRows(db, session, items, names[index] ?? "");
    });
  }
  // Shortened rows leave free space in their database pages but do not free the pages.
  if (packs.length > 0) db.execute("VACUUM");
}

function putRows(db: Database, session: string, items: readonly Item[], pack: string): void {
  const body = JSON.stringify({ pack });
  for (const { id } of items) {
    db.run(
      "UPDATE messages SET content = '', tool_calls = NULL, tool_results = NULL, body = ? WHERE id = ?",
      [body, id],
    );
  }
  db.run("INSERT OR IGNORE INTO payload_uses (payload, session_id) VALUES (?, ?)", [pack, session]);
}

function packsOf(db: Database, most: number): Pack[] {
  const sessions = db.all(idSchema, "SELECT id FROM sessions ORDER BY touched, id").map(({ id }) => id);
  const recent = new Set(sessions.slice(-RECENT_SESSIONS));
  const packs: Pack[] = [];
  for (const session of sessions) {
    if (packs.length >= most) break;
    const rows = db.all(
      itemSchema,
      `SELECT id, content, tool_calls, tool_results, body FROM messages
       WHERE session_id = ? AND substr(body, 1, ${MARK.length}) <> ? ORDER BY position, timestamp, id`,
      [session, MARK],
    );
    let items: Item[] = [];
    let size = 0;
    for (const row of rows) {
      items.push(row);
      size += sizeOf(row);
      if (size < PACK_SIZE) continue;
      packs.push({ session, items });
      items = [];
      size = 0;
    }
    if (items.length > 0 && !recent.has(session)) packs.push({ session, items });
  }
  return packs;
}

function sizeOf({ content, tool_calls, tool_results, body }: Item): number {
  return content.length + (tool_calls?.length ?? 0) + (tool_results?.length ?? 0) + body.length;
}

/** Bytes of the database without its free pages. */
function sizeInPages(db: Database): number {
  const pragma = (name: string) => Number(db.dump(`PRAGMA ${name}`)[0]?.[0] ?? 0);
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}
