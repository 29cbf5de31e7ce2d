/** Reports what a damaged file of the store means for the user: which sessions lost something, if any. */
import * as z from "../../../shared/zod.ts";
import type { Database } from "../db/database.ts";
import type { OpenedGeneration } from "../db/generations.ts";
import type { Problems } from "../problems.ts";
import type { JournalLoss } from "./journal-files.ts";

/** Sessions that a notice names; the rest are only counted. */
const MAX_NAMED = 5;

const gapSchema = z.object({ title: z.string(), id: z.string(), missing: z.number() });
const titleSchema = z.object({ id: z.string(), title: z.string() });

export class DamageReporter {
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Must be called after the journals were applied, because only then is it known what is missing. */
  reportDatabase(db: Database, { fault, isPartial = false }: OpenedGeneration, isIncomplete: boolean): void {
    if (fault === undefined) return;
    if (!isPartial && !isIncomplete) {
      this.#problems.add("database-restored", fault);
      return;
    }
    const sessions = db.count("sessions");
    const messages = db.count("messages");
    const gaps = gapsOf(db).map(({ title, id, missing }) => `${title || id}: ${missing} missing`);
    const found = `${fault}; ${sessions} sessions and ${messages} messages were recovered`;
    this.#problems.add("database-damaged", [found, ...named(gaps)].join("; "));
  }

  /** Reports the sessions that a payload belongs to, including their branches. */
  reportPayload(db: Database, payload: string): void {
    const users = `WITH RECURSIVE users(id) AS (SELECT session_id FROM payload_uses WHERE payload = ?
      UNION SELECT sessions.id FROM sessions JOIN users ON sessions.forked_from = users.id)
      SELECT id, title FROM sessions WHERE id IN (SELECT id FROM users) ORDER BY touched DESC, id`;
    const titles = db.all(titleSchema, users, [payload]).map(({ id, title }) => title || id);
    this.#problems.add("payload-lost", named(titles).join("; "));
  }

  reportForeign(records: number): void {
    this.#problems.add("journal-foreign", `${records}`);
  }

  reportRestored(records: number): void {
    this.#problems.add("journal-restored", `${records}`);
  }

  reportLoss(db: Database, { writer, content }: JournalLoss): void {
    const titles = [...content.damagedSessions].map((id) => {
      const title = db.first(titleSchema, "SELECT id, title FROM sessions WHERE id = ?", [id])?.title;
      return title || id;
    });
    const lost = `${writer}: ${content.damagedBytes} bytes and ${content.unknown} records could not be read, ${content.records.length} records could`;
    this.#problems.add("journal-damaged", [lost, ...named(titles)].join("; "));
  }
}

function named(sessions: readonly string[]): string[] {
  const more = sessions.length - MAX_NAMED;
  return [...sessions.slice(0, MAX_NAMED), ...(more > 0 ? [`+${more}`] : [])];
}

/** Returns sessions whose message numbers have gaps; those of complete sessions have none. */
function gapsOf(db: Database): z.infer<typeof gapSchema>[] {
  return db.all(
    gapSchema,
    `SELECT id, title, last - forked_at - there AS missing FROM (SELECT id, title, forked_at, touched,
       (SELECT max(position) FROM messages WHERE session_id = sessions.id) AS last,
       (SELECT count(*) FROM messages WHERE session_id = sessions.id) AS there FROM sessions)
     WHERE last - forked_at > there ORDER BY touched DESC, id`,
  );
}
