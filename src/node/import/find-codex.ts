/** Finds the sessions of Codex: one file each, in folders by date, and those that were archived. */
import path from "node:path";
import { codexReader } from "../../core/sessions/import/codex.ts";
import { entriesOf, fileStats } from "./folder-entries.ts";
import type { FindOptions, FoundProduct } from "./found-session.ts";
import { lineSession } from "./line-session.ts";

/** Folders of years, months and days. */
const DEPTH = 4;

export async function findCodex({ environment, home }: FindOptions): Promise<FoundProduct> {
  const top = environment.CODEX_HOME || path.join(home, ".codex");
  const found: FoundProduct = { product: "codex", places: [], sessions: [], problems: [] };
  for (const name of ["sessions", "archived_sessions"]) {
    const place = path.join(top, name);
    const before = found.sessions.length;
    await findIn(place, found, DEPTH);
    if (found.sessions.length > before) found.places.push(place);
  }
  return found;
}

async function findIn(folder: string, found: FoundProduct, depth: number): Promise<void> {
  for (const entry of await entriesOf(folder, found.problems)) {
    const { name } = entry;
    const file = path.join(folder, name);
    if (entry.isDirectory() && depth > 0) await findIn(file, found, depth - 1);
    if (!entry.isFile() || !/^rollout-.*\.jsonl$/.test(name)) continue;
    const stats = await fileStats(file);
    const id = name.slice(0, -".jsonl".length);
    const session =
      stats && (await lineSession({ product: "codex", id, file, stats, reader: () => codexReader(id) }));
    // An archived session may also be in the folder of its date.
    if (session && !found.sessions.some((other) => other.id === session.id)) found.sessions.push(session);
  }
}
