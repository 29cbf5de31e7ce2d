/** The list of a project's sessions: pages in the requested order, or of the sessions that contain the search text. */
import type { HistoryQuery, IndexProgress, SessionSummary } from "../../../shared/protocol.ts";
import type { Totals } from "../../../shared/totals.ts";
import * as z from "../../../shared/zod.ts";
import type { Database } from "../db/database.ts";
import {
  IS_LISTED,
  IS_NESTED,
  nestedSessions,
  reportOrphans,
  sessionRows,
  summaryOf,
  totalsOf,
} from "../db/session-rows.ts";
import { fold, hashesOf, mayContain, termsOf } from "./grams.ts";
import { type Chunk, type QueryRunner, rowsBetween, type SearchIndex } from "./search-index.ts";
import type { SearchablePiece } from "./searchable.ts";

export interface HistoryPage {
  sessions: SessionSummary[];
  /** More sessions follow. */
  more: boolean;
  /** Set if the index is incomplete, so that not everything was searched. */
  indexing?: IndexProgress;
}

/** Milliseconds that a search waits for new messages to be indexed. */
const INDEX_WAIT_MS = 100;
/** Sessions that are searched concurrently, because their long texts are in files. */
const WIDTH = 8;
/** Characters of an excerpt before and after the first hit. */
const EXCERPT_BEFORE = 40;
const EXCERPT_AFTER = 120;

const NEWEST = "touched DESC, id";
const orders: Record<HistoryQuery["sort"], string> = {
  newest: NEWEST,
  oldest: "started_at, touched, id",
  // Sorted in JavaScript, because SQL cannot rely on these figures to exist: see `figures`.
  cost: NEWEST,
  tokens: NEWEST,
  relevance: NEWEST,
};
/** The figure that determines the order, largest first. */
const figures: Partial<Record<HistoryQuery["sort"], (totals: Totals) => number>> = {
  cost: ({ cost }) => cost ?? 0,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
};

const titleSchema = z.object({ id: z.string(), title: z.string(), totals: z.nullable(z.string()) });
type Titled = z.infer<typeof titleSchema>;
const untitledSchema: z.ZodMiniType<Titled> = z.object({
  id: z.string(),
  title: z.catch(z.string(), ""),
  totals: z.catch(z.nullable(z.string()), null),
});

interface Term {
  text: string;
  hashes: number[];
}

interface Hit {
  id: string;
  excerpt?: string;
  /** Id of the row that contains the excerpt. */
  found?: string;
}

interface Excerpt {
  excerpt: string;
  row: string;
}

export class SessionHistory {
  readonly #reader: QueryRunner;
  readonly #index: SearchIndex;
  /** Databases whose messages were checked for their sessions. Once is enough: this program writes both together. */
  readonly #checked = new WeakSet<Database>();

  constructor(reader: QueryRunner, index: SearchIndex) {
    this.#reader = reader;
    this.#index = index;
  }

  async find(query: HistoryQuery): Promise<HistoryPage> {
    const { offset, limit } = query;
    const terms = termsOf(query.text).map((text) => ({ text, hashes: hashesOf(text) }));
    if (terms.length > 0) return this.#search(query, terms);
    const ids = await this.#reader.fresh((db) => {
      if (!this.#checked.has(db)) reportOrphans(db);
      this.#checked.add(db);
      return idsOf(db, query, offset, limit + 1);
    });
    const page = ids.slice(0, limit);
    const hits = page.map(({ id }) => ({ id }));
    const sessions = await this.#summaries(hits, isGrouped(query));
    // A user who opens the list may search it next. The list itself does not wait for the first messages.
    if (offset === 0) void this.#index.refresh(0);
    return { sessions, more: ids.length > limit };
  }

  async #search(query: HistoryQuery, terms: Term[]): Promise<HistoryPage> {
    const { offset, limit, sort } = query;
    const indexing = await this.#index.refresh(INDEX_WAIT_MS);
    const { sessions, chunks } = await this.#reader.known((db) => ({
      sessions: idsOf(db, query),
      chunks: possibleChunks(db, terms, sort === "relevance"),
    }));
    const candidates = sessions.flatMap(
      ({ id, title }) => candidateOf(id, title, terms, chunks.get(id) ?? []) ?? [],
    );
    // The sort is stable: among equal scores, the newest comes first.
    if (sort === "relevance") candidates.sort((a, b) => b.score - a.score);
    const wanted = offset + limit + 1;
    const hits: Hit[] = [];
    for (let at = 0; at < candidates.length && hits.length < wanted; at += WIDTH) {
      const some = candidates.slice(at, at + WIDTH);
      for (const hit of await Promise.all(some.map((candidate) => this.#searchSession(candidate)))) {
        if (hit) hits.push(hit);
      }
    }
    const page = await this.#summaries(hits.slice(offset, offset + limit));
    return { sessions: page, more: hits.length > offset + limit, ...(indexing ? { indexing } : {}) };
  }

  /** Returns a hit if every term is in the title or the messages; otherwise undefined. */
  async #searchSession({ id, missing: terms, chunks }: Candidate): Promise<Hit | undefined> {
    const missing = new Set(terms);
    let best: Excerpt | undefined;
    for (const { chunk, terms: possible } of chunks) {
      // If the title contains all terms, one chunk is enough to find the excerpt.
      if (missing.size === 0 && best !== undefined) break;
      if (missing.size > 0 && ![...missing].some((term) => possible.has(term))) continue;
      const here = await this.#searchChunk(chunk, possible);
      for (const term of here.terms) missing.delete(term);
      best ??= here.best;
    }
    if (missing.size > 0) return undefined;
    return { id, ...(best ? { excerpt: best.excerpt, found: best.row } : {}) };
  }

  async #searchChunk(
    chunk: Chunk,
    scores: ReadonlyMap<Term, number>,
  ): Promise<{ terms: Set<Term>; best: Excerpt | undefined }> {
    const rows = await this.#reader.known((db) => rowsBetween(db, chunk.session, chunk.first, chunk.last));
    const terms = [...scores.keys()];
    const highest = Math.max(...scores.values());
    const matched = new Set<Term>();
    let best: (Excerpt & { rank: number }) | undefined;
    const searchText = (text: string, { by, row }: SearchablePiece): void => {
      const folded = fold(text);
      for (const term of terms) {
        const at = folded.indexOf(term.text);
        if (at < 0) continue;
        matched.add(term);
        const rank = SCORES[by];
        if (!best || rank > best.rank)
          best = { rank, row, excerpt: excerptOf(text, folded, at, term.text.length) };
      }
    };
    const long: SearchablePiece[] = [];
    for (const { pieces } of await this.#index.messagesOf(rows)) {
      for (const piece of pieces) {
        if (typeof piece.text === "string") searchText(piece.text, piece);
        else long.push(piece);
      }
      // No better excerpt can follow.
      if (matched.size === terms.length && best && best.rank >= highest) break;
    }
    // Files are read only for terms not found without them, a few at a time.
    for (let at = 0; at < long.length && matched.size < terms.length; at += WIDTH) {
      const some = long.slice(at, at + WIDTH);
      const texts = await this.#index.texts(some);
      for (const [index, piece] of some.entries()) searchText(texts[index] ?? "", piece);
    }
    return { terms: matched, best };
  }

  /** `grouped`: with the sessions that are listed under them. */
  async #summaries(hits: readonly Hit[], grouped = false): Promise<SessionSummary[]> {
    return this.#reader.known((db) => {
      const ids = hits.map(({ id }) => id);
      const nested = grouped ? nestedSessions(db, ids) : new Map<string, SessionSummary[]>();
      return hits.flatMap(({ id, ...place }) => {
        const [row] = sessionRows(db, "WHERE id = ?", [id]);
        if (!row) return [];
        const children = nested.get(id);
        return [{ ...summaryOf(row), ...place, ...(children ? { children } : {}) }];
      });
    });
  }
}

/** A title that contains all words outranks any match in the messages. */
const TITLE_SCORE = 1_000_000_000;
/** The score of a chunk that contains a word, by who wrote it. */
const SCORES: Record<SearchablePiece["by"], number> = { person: 10_000, agent: 100, tool: 1 };

/** What matches a search or is a favorite is listed by itself, because under another session it would not be seen. */
function isGrouped({ grouped, favorites, text }: HistoryQuery): boolean {
  return grouped && !favorites && termsOf(text).length === 0;
}

function idsOf(db: Database, query: HistoryQuery, from = 0, count?: number): Titled[] {
  const top = isGrouped(query) ? `AND NOT ${IS_NESTED}` : "";
  const where = `WHERE ${IS_LISTED} ${query.favorites ? "AND favourite = 1" : ""} ${top}`;
  const columns = "SELECT id, title, totals FROM sessions";
  const figure = figures[query.sort];
  const part = count === undefined || figure ? "" : `LIMIT ${count} OFFSET ${from}`;
  const sql = `${columns} ${where} ORDER BY ${orders[query.sort]} ${part}`;
  const rows = db.all(titleSchema, sql, [], untitledSchema);
  if (!figure) return rows;
  const weighed = rows.map((row) => ({ row, weight: figure(totalsOf(row)) }));
  // The sort is stable: among equal figures, the newest comes first.
  weighed.sort((a, b) => b.weight - a.weight);
  return weighed.slice(from, count === undefined ? undefined : from + count).map(({ row }) => row);
}

interface PossibleChunk {
  chunk: Chunk;
  /** The terms that the chunk may contain, with their scores. */
  terms: Map<Term, number>;
}

/** Returns the chunks that may contain a term, by session. */
function possibleChunks(
  db: Database,
  terms: readonly Term[],
  isRanked: boolean,
): Map<string, PossibleChunk[]> {
  const chunks = new Map<string, PossibleChunk[]>();
  // Each selected column is copied out of the database, so columns that only ranking needs are selected only for
  // ranking.
  const columns = isRanked ? "person, agent" : "NULL, NULL";
  const sql = `SELECT session_id, first, last, bits, ${columns} FROM search_chunks`;
  db.each(sql, [], ([id, first, last, bits, person, agent]) => {
    const possible = possibleTerms(terms, { bits, person, agent });
    if (possible.size === 0) return;
    const session = String(id);
    const chunk = { session, first: Number(first), last: Number(last) };
    const ofSession = chunks.get(session) ?? [];
    ofSession.push({ chunk, terms: possible });
    chunks.set(session, ofSession);
  });
  return chunks;
}

/** The terms that a chunk may contain, with their scores. `bits`: of all of its texts; the others by who wrote them. */
function possibleTerms(
  terms: readonly Term[],
  { bits, person, agent }: Record<"bits" | "person" | "agent", unknown>,
): Map<Term, number> {
  const isIn = (value: unknown, term: Term) => value instanceof Uint8Array && mayContain(value, term.hashes);
  const possible = new Map<Term, number>();
  for (const term of terms) {
    if (!isIn(bits, term)) continue;
    const by = isIn(person, term) ? "person" : isIn(agent, term) ? "agent" : "tool";
    possible.set(term, SCORES[by]);
  }
  return possible;
}

/** A session that may contain every term. */
interface Candidate {
  id: string;
  score: number;
  /** Terms that are not in its title. */
  missing: Term[];
  /** The highest-scoring chunk first; among equals, the latest. */
  chunks: PossibleChunk[];
}

function candidateOf(
  id: string,
  title: string,
  terms: readonly Term[],
  chunks: PossibleChunk[],
): Candidate | undefined {
  const folded = fold(title);
  const missing = terms.filter((term) => !folded.includes(term.text));
  if (missing.some((term) => !chunks.some((chunk) => chunk.terms.has(term)))) return undefined;
  const ranked = chunks.map((chunk) => {
    const scores = [...chunk.terms.values()];
    return { chunk, best: Math.max(...scores), sum: scores.reduce((sum, one) => sum + one, 0) };
  });
  ranked.sort((a, b) => b.best - a.best || b.chunk.chunk.first - a.chunk.chunk.first);
  const sum = ranked.reduce((total, chunk) => total + chunk.sum, 0);
  return {
    id,
    score: sum + (missing.length === 0 ? TITLE_SCORE : 0),
    missing,
    chunks: ranked.map(({ chunk }) => chunk),
  };
}

/** Returns the text around a hit, on one line. */
function excerptOf(text: string, folded: string, at: number, length: number): string {
  // Folding may change a text's length, and then offsets do not match the original.
  const source = folded.length === text.length ? text : folded;
  const from = Math.max(0, at - EXCERPT_BEFORE);
  const to = Math.min(source.length, at + length + EXCERPT_AFTER);
  const middle = source
    .slice(from, to)
    .replace(/\p{Surrogate}/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${middle}${to < source.length ? "…" : ""}`;
}
