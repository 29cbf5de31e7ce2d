/** The list of a project's sessions: pages of it, in the order that the person asked for, or those that contain words. */
import * as z from "zod";
import type { Totals } from "../../../shared/event.ts";
import type { HistoryQuery, IndexProgress, SessionSummary } from "../../../shared/protocol.ts";
import type { Database } from "../db/database.ts";
import { isDeleted, sessionRows, summaryOf, totalsOf } from "../db/session-rows.ts";
import { fold, hashesOf, mayContain, termsOf } from "./grams.ts";
import { type Chunk, type Reader, rowsBetween, type SearchIndex } from "./search-index.ts";
import type { Piece } from "./searchable.ts";

export interface HistoryPage {
  sessions: SessionSummary[];
  /** There are more after these. */
  more: boolean;
  /** Not everything has been taken in yet, so not everything was looked at. */
  indexing?: IndexProgress;
}

/** Milliseconds that a search waits for what is new to be taken in. */
const indexWaitMs = 100;
/** Sessions that are looked into side by side, for the files that their long texts are in. */
const width = 8;
/** Characters of an excerpt before and after the first hit. */
const excerptBefore = 40;
const excerptAfter = 120;

const newest = "touched DESC, id";
const orders: Record<HistoryQuery["sort"], string> = {
  newest,
  oldest: "started_at, touched, id",
  // By figures that SQL would have to trust to be there: see `figures`.
  cost: newest,
  tokens: newest,
  relevance: newest,
};
/** What the largest of comes first, by the order asked for. */
const figures: Partial<Record<HistoryQuery["sort"], (totals: Totals) => number>> = {
  cost: ({ cost }) => cost ?? 0,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
};

const titleSchema = z.object({ id: z.string(), title: z.string(), totals: z.string().nullable() });
type Titled = z.infer<typeof titleSchema>;
const untitledSchema: z.ZodType<Titled> = z.object({
  id: z.string(),
  title: z.string().catch(""),
  totals: z.string().nullable().catch(null),
});

interface Term {
  text: string;
  hashes: number[];
}

interface Hit {
  id: string;
  excerpt?: string;
  /** Id of the row that the excerpt is from. */
  found?: string;
}

interface Found {
  excerpt: string;
  row: string;
}

export class History {
  readonly #reader: Reader;
  readonly #index: SearchIndex;

  constructor(reader: Reader, index: SearchIndex) {
    this.#reader = reader;
    this.#index = index;
  }

  async find(query: HistoryQuery): Promise<HistoryPage> {
    const { offset, limit } = query;
    const terms = termsOf(query.text).map((text) => ({ text, hashes: hashesOf(text) }));
    if (terms.length > 0) return this.#search(query, terms);
    // Whoever looks at the list may search it next.
    if (offset === 0) void this.#index.refresh(0);
    const ids = await this.#reader.fresh((db) => idsOf(db, query, offset, limit + 1));
    const page = ids.slice(0, limit);
    return { sessions: await this.#summaries(page.map(({ id }) => ({ id }))), more: ids.length > limit };
  }

  async #search(query: HistoryQuery, terms: Term[]): Promise<HistoryPage> {
    const { offset, limit, sort } = query;
    const indexing = await this.#index.refresh(indexWaitMs);
    const { sessions, chunks } = await this.#reader.known((db) => ({
      sessions: idsOf(db, query),
      chunks: possibleChunks(db, terms, sort === "relevance"),
    }));
    const candidates = sessions.flatMap(
      ({ id, title }) => candidateOf(id, title, terms, chunks.get(id) ?? []) ?? [],
    );
    // The sort is stable: among equals the newest comes first.
    if (sort === "relevance") candidates.sort((a, b) => b.score - a.score);
    const wanted = offset + limit + 1;
    const hits: Hit[] = [];
    for (let at = 0; at < candidates.length && hits.length < wanted; at += width) {
      const some = candidates.slice(at, at + width);
      for (const hit of await Promise.all(some.map((candidate) => this.#lookInto(candidate)))) {
        if (hit) hits.push(hit);
      }
    }
    const page = await this.#summaries(hits.slice(offset, offset + limit));
    return { sessions: page, more: hits.length > offset + limit, ...(indexing ? { indexing } : {}) };
  }

  /** Whether every term is in the title or the messages; undefined: not. */
  async #lookInto({ id, missing: terms, chunks }: Candidate): Promise<Hit | undefined> {
    const missing = new Set(terms);
    let found: Found | undefined;
    for (const { chunk, terms: possible } of chunks) {
      // In a title that says it all, one look finds the excerpt.
      if (missing.size === 0 && found !== undefined) break;
      if (missing.size > 0 && ![...missing].some((term) => possible.has(term))) continue;
      const here = await this.#lookIntoChunk(chunk, possible);
      for (const term of here.terms) missing.delete(term);
      found ??= here.best;
    }
    if (missing.size > 0) return undefined;
    return { id, ...(found ? { excerpt: found.excerpt, found: found.row } : {}) };
  }

  async #lookIntoChunk(
    chunk: Chunk,
    worth: ReadonlyMap<Term, number>,
  ): Promise<{ terms: Set<Term>; best: Found | undefined }> {
    const rows = await this.#reader.known((db) => rowsBetween(db, chunk.session, chunk.first, chunk.last));
    const terms = [...worth.keys()];
    const most = Math.max(...worth.values());
    const found = new Set<Term>();
    let best: (Found & { rank: number }) | undefined;
    const look = (text: string, { by, row }: Piece): void => {
      const folded = fold(text);
      for (const term of terms) {
        const at = folded.indexOf(term.text);
        if (at < 0) continue;
        found.add(term);
        const rank = scores[by];
        if (!best || rank > best.rank)
          best = { rank, row, excerpt: excerptOf(text, folded, at, term.text.length) };
      }
    };
    const long: Piece[] = [];
    for (const { pieces } of await this.#index.messagesOf(rows)) {
      for (const piece of pieces) {
        if (typeof piece.text === "string") look(piece.text, piece);
        else long.push(piece);
      }
      // Nothing better is to be found.
      if (found.size === terms.length && best && best.rank >= most) break;
    }
    // Files are read only for what was not found without them, some at a time.
    for (let at = 0; at < long.length && found.size < terms.length; at += width) {
      const some = long.slice(at, at + width);
      const texts = await this.#index.texts(some);
      for (const [index, piece] of some.entries()) look(texts[index] ?? "", piece);
    }
    return { terms: found, best };
  }

  async #summaries(hits: readonly Hit[]): Promise<SessionSummary[]> {
    return this.#reader.known((db) =>
      hits.flatMap(({ id, ...place }) => {
        const [row] = sessionRows(db, "WHERE id = ?", [id]);
        if (!row) return [];
        return [{ ...summaryOf(row), ...place }];
      }),
    );
  }
}

/** A title with all the words is worth more than whatever is in the messages. */
const titleScore = 1_000_000_000;
/** Of a chunk that a word is in, by whose words it is among. */
const scores: Record<Piece["by"], number> = { person: 10_000, agent: 100, tool: 1 };

function idsOf(db: Database, query: HistoryQuery, from = 0, count?: number): Titled[] {
  const where = `WHERE NOT ${isDeleted} ${query.favourites ? "AND favourite = 1" : ""}`;
  const columns = "SELECT id, title, totals FROM sessions";
  const figure = figures[query.sort];
  const part = count === undefined || figure ? "" : `LIMIT ${count} OFFSET ${from}`;
  const sql = `${columns} ${where} ORDER BY ${orders[query.sort]} ${part}`;
  const rows = db.all(titleSchema, sql, [], untitledSchema);
  if (!figure) return rows;
  const weighed = rows.map((row) => ({ row, weight: figure(totalsOf(row)) }));
  // The sort is stable: among equals the newest comes first.
  weighed.sort((a, b) => b.weight - a.weight);
  return weighed.slice(from, count === undefined ? undefined : from + count).map(({ row }) => row);
}

interface PossibleChunk {
  chunk: Chunk;
  /** What it may contain, and what that would be worth. */
  terms: Map<Term, number>;
}

/** Chunks that may contain a term, by session. */
function possibleChunks(
  db: Database,
  terms: readonly Term[],
  isRanked: boolean,
): Map<string, PossibleChunk[]> {
  const chunks = new Map<string, PossibleChunk[]>();
  // Each is copied out of the database: those that only the order needs are left there where there is none.
  const columns = isRanked ? "person, agent" : "NULL, NULL";
  const sql = `SELECT session_id, first, last, bits, ${columns} FROM search_chunks`;
  db.each(sql, [], ([id, first, last, bits, person, agent]) => {
    const holds = (value: unknown, term: Term) =>
      value instanceof Uint8Array && mayContain(value, term.hashes);
    const possible = new Map<Term, number>();
    for (const term of terms) {
      if (!holds(bits, term)) continue;
      const by = holds(person, term) ? "person" : holds(agent, term) ? "agent" : "tool";
      possible.set(term, scores[by]);
    }
    if (possible.size === 0) return;
    const session = String(id);
    const found = { chunk: { session, first: Number(first), last: Number(last) }, terms: possible };
    const list = chunks.get(session);
    if (list) list.push(found);
    else chunks.set(session, [found]);
  });
  return chunks;
}

/** A session that may contain every term. */
interface Candidate {
  id: string;
  score: number;
  /** Terms that are not in its title. */
  missing: Term[];
  /** The one that is worth most comes first, and the latest of those. */
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
    const worth = [...chunk.terms.values()];
    return { chunk, best: Math.max(...worth), sum: worth.reduce((sum, one) => sum + one, 0) };
  });
  ranked.sort((a, b) => b.best - a.best || b.chunk.chunk.first - a.chunk.chunk.first);
  const sum = ranked.reduce((total, chunk) => total + chunk.sum, 0);
  return {
    id,
    score: sum + (missing.length === 0 ? titleScore : 0),
    missing,
    chunks: ranked.map(({ chunk }) => chunk),
  };
}

/** The text around a hit, in one line. */
function excerptOf(text: string, folded: string, at: number, length: number): string {
  // Folding may change a text's length, and then its places are not those of the original.
  const source = folded.length === text.length ? text : folded;
  const from = Math.max(0, at - excerptBefore);
  const to = Math.min(source.length, at + length + excerptAfter);
  const middle = source
    .slice(from, to)
    .replace(/\p{Surrogate}/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${middle}${to < source.length ? "…" : ""}`;
}
