/** A session that is one file of JSON lines. */
import type { Stats } from "node:fs";
import { type SessionReader, UnreadableSession } from "../../core/sessions/import/foreign-session.ts";
import { foreignTitle } from "../../core/sessions/import/stored-session.ts";
import type { AgentProduct } from "../../shared/history/session-origin.ts";
import type { FoundSession } from "./found-session.ts";
import { readLines } from "./read-lines.ts";

/** Bytes of the beginning that are read to list a session. */
const HEAD = 256 * 1024;

interface LineFile {
  product: AgentProduct;
  id: string;
  file: string;
  stats: Pick<Stats, "size" | "mtime">;
  reader(): SessionReader;
}

/** undefined: the whole file contains no message. */
export async function lineSession(given: LineFile): Promise<FoundSession | undefined> {
  const { product, file, stats, reader } = given;
  const head = reader();
  await readLines(file, head, { bytes: HEAD });
  const begun = head.end();
  if (!begun && stats.size < HEAD) return undefined;
  return {
    product,
    id: begun?.id ?? given.id,
    title: begun ? foreignTitle(begun) : "",
    ...(begun?.folder === undefined ? {} : { folder: begun.folder }),
    bytes: stats.size,
    updatedAt: stats.mtime.toISOString(),
    async read(progress) {
      const whole = reader();
      await readLines(file, whole, progress);
      const session = whole.end();
      if (!session) throw new UnreadableSession("no-messages", file);
      return session;
    },
  };
}
