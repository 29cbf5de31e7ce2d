/**
 * The tables of the database. A released version is never edited: a change is a new migration at the end.
 * `user_version` is the number of migrations that a database has been through.
 */
import type { Database } from "./database.ts";

export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    started_at TEXT NOT NULL,
    -- NULL: not closed by the person; the one to restore.
    ended_at TEXT,
    project_path TEXT NOT NULL,
    model_used TEXT NOT NULL,
    title TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    mode TEXT NOT NULL,
    todo TEXT NOT NULL,
    -- JSON, see totalsSchema.
    totals TEXT,
    -- Number of the last change; orders sessions whatever the clock did.
    touched INTEGER NOT NULL
  );
  CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions(id),
    timestamp TEXT NOT NULL,
    role TEXT NOT NULL,
    -- Its short texts, a line break between them.
    content TEXT NOT NULL,
    -- JSON arrays of the blocks, long texts replaced by references to payloads.
    tool_calls TEXT,
    tool_results TEXT,
    position INTEGER NOT NULL,
    -- JSON: the order of its blocks, and all the rest.
    body TEXT NOT NULL
  );
  CREATE INDEX messages_by_session ON messages(session_id, position);
  -- Calls that began to run and have no result yet.
  CREATE TABLE started_calls (session_id TEXT NOT NULL, call_id TEXT NOT NULL);
  CREATE UNIQUE INDEX started_calls_once ON started_calls(session_id, call_id);
  -- Which session needs which payload.
  CREATE TABLE payload_uses (payload TEXT NOT NULL, session_id TEXT NOT NULL);
  CREATE UNIQUE INDEX payload_uses_once ON payload_uses(payload, session_id);
  CREATE INDEX payload_uses_by_session ON payload_uses(session_id);
  -- Sessions that the person deleted: whatever a journal still says of them is void.
  CREATE TABLE removed_sessions (id TEXT PRIMARY KEY, removed_at TEXT NOT NULL);
  -- Number of the last record taken in from each writer of journals: what came before is not replayed.
  CREATE TABLE writers (id TEXT PRIMARY KEY, seq INTEGER NOT NULL);
  -- "generation": how often the file was written. "seq": the largest number of any record taken in.
  CREATE TABLE store (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
  `,
  `
  ALTER TABLE sessions ADD COLUMN favourite INTEGER NOT NULL DEFAULT 0;
  -- Set: the person deleted it and can still undo that.
  ALTER TABLE sessions ADD COLUMN deleted_at TEXT;
  -- A branch: the messages of that session up to that position, "forked_count" of them, come before its own.
  ALTER TABLE sessions ADD COLUMN forked_from TEXT;
  ALTER TABLE sessions ADD COLUMN forked_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN forked_count INTEGER NOT NULL DEFAULT 0;
  -- What runs of messages may contain, made from them: see search-index.ts.
  CREATE TABLE search_chunks (session_id TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    size INTEGER NOT NULL, bits BLOB NOT NULL);
  CREATE INDEX search_chunks_by_session ON search_chunks(session_id, first);
  `,
  `
  -- The like of "bits" for what people and what the agent said in it, by which results are put in order; NULL: nothing.
  ALTER TABLE search_chunks ADD COLUMN person BLOB;
  ALTER TABLE search_chunks ADD COLUMN agent BLOB;
  -- They are made anew.
  DELETE FROM search_chunks;
  `,
  // The tables are unchanged. From this version on the file is sealed (see seal.ts); older versions would remove the
  // seal.
  "",
  `
  -- JSON, see sessionPermissionSchema; NULL: the settings alone decide.
  ALTER TABLE sessions ADD COLUMN permission TEXT;
  `,
  `
  -- The session whose task started this one; NULL: the user did.
  ALTER TABLE sessions ADD COLUMN parent TEXT;
  -- JSON, see worktreeSchema; NULL: it works in the project's folder.
  ALTER TABLE sessions ADD COLUMN worktree TEXT;
  `,
  `
  -- JSON, see sessionOriginSchema: it is imported and read-only; NULL: it began here.
  ALTER TABLE sessions ADD COLUMN origin TEXT;
  `,
  `
  -- JSON, see sessionAgentSchema; NULL: the user chose no agent.
  ALTER TABLE sessions ADD COLUMN agent TEXT;
  `,
];

/** The first version whose files are sealed. */
export const SEALED_SINCE = 4;

/** Migrates a database to the current version, one transaction per step. Returns true if it changed. */
export function migrate(db: Database, steps: readonly string[] = MIGRATIONS): boolean {
  const from = db.userVersion();
  for (let version = from; version < steps.length; version++) {
    db.transaction(() => {
      db.execute(steps[version] ?? "");
      db.execute(`PRAGMA user_version = ${version + 1}`);
    });
  }
  return from < steps.length;
}
