/** The list of a project's sessions: pages of it, in the order that the person asked for, or those that contain words. */
import { z } from "zod";
import type { HistoryQuery, SessionSummary } from "../../shared/protocol.ts";
import type { Database } from "./database.ts";
import { fold, hashesOf, mayContain, termsOf } from "./grams.ts";
import { type Chunk, type Reader, rowsBetween, type SearchIndex } from "./search-index.ts";
import type { Piece } from "./searchable.ts";
import { sessionColumns, sessionRowSchema, summaryOf } from "./session-rows.ts";

export interface HistoryPage {
  sessions: SessionSummary[];
  /** There are more after these. */
  more: boolean;
}

/** Matching sessions, newest first, among which relevance chooses. Titles that match are found beyond them too. */
const relevanceDepth = 50;
/** Sessions that are looked into side by side, for the files that their long texts are in. */
const width = 8;
/** Characters of an excerpt before and after the first hit. */
const excerptBefore = 40;
const excerptAfter = 120;

const tokens = `ifnull(json_extract(totals, '$.inputTokens') + json_extract(totals, '$.outputTokens'), 0)`;
const orders: Record<HistoryQuery["sort"], string> = {
  newest: "touched DESC, id",
  oldest: "started_at, touched, id",
  cost: "ifnull(json_extract(totals, '$.cost'), 0) DESC, touched DESC, id",
  tokens: `${tokens} DESC, touched DESC, id`,
  relevance: "touched DESC, id",
};

const titleSchema = z.object({ id: z.string(), title: z.string() });

interface Term {
  text: string;
  hashes: number[];
}

interface Hit {
  id: string;
  score: number;
  excerpt: string | undefined;
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
    const ids = await this.#reader.fresh((db) => idsOf(db, query, `LIMIT ${limit + 1} OFFSET ${offset}`));
    const page = ids.slice(0, limit);
    return { sessions: await this.#summaries(page.map(({ id }) => ({ id }))), more: ids.length > limit };
  }

  async #search(query: HistoryQuery, terms: Term[]): Promise<HistoryPage> {
    const { offset, limit, sort } = query;
    await this.#index.refresh();
    const { sessions, chunks } = await this.#reader.known((db) => ({
      sessions: idsOf(db, query, ""),
      chunks: possibleChunks(db, terms),
    }));
    const wanted = sort === "relevance" ? Math.max(relevanceDepth, offset + limit + 1) : offset + limit + 1;
    const hits: Hit[] = [];
    for (let at = 0; at < sessions.length && hits.length < wanted; at += width) {
      const some = sessions.slice(at, at + width);
      const found = await Promise.all(
        some.map(({ id, title }) => this.#lookInto(id, fold(title), terms, chunks.get(id) ?? [])),
      );
      for (const hit of found) if (hit) hits.push(hit);
      if (sort === "relevance" && hits.length >= wanted) {
        // Beyond the depth, only titles count.
        for (const { id, title } of sessions.slice(at + width)) {
          if (terms.every((term) => fold(title).includes(term.text)))
            hits.push({ id, score: titleScore, excerpt: undefined });
        }
        break;
      }
    }
    if (sort === "relevance") hits.sort((a, b) => b.score - a.score);
    const page = hits.slice(offset, offset + limit);
    return { sessions: await this.#summaries(page), more: hits.length > offset + limit };
  }

  /** Whether every term is in the title or the messages; undefined: not. */
  async #lookInto(
    id: string,
    title: string,
    terms: readonly Term[],
    chunks: readonly PossibleChunk[],
  ): Promise<Hit | undefined> {
    const missing = new Set(terms.filter((term) => !title.includes(term.text)));
    let score = missing.size === 0 ? titleScore : 0;
    let excerpt: string | undefined;
    if ([...missing].some((term) => !chunks.some((chunk) => chunk.terms.has(term)))) return undefined;
    for (const { chunk, terms: possible } of chunks) {
      // In a title that says it all, one look finds the excerpt.
      if (missing.size === 0 && excerpt !== undefined) break;
      if (missing.size > 0 && ![...missing].some((term) => possible.has(term))) continue;
      const found = await this.#lookIntoChunk(chunk, [...possible]);
      for (const term of found.terms) missing.delete(term);
      score += found.score;
      excerpt ??= found.excerpt;
    }
    return missing.size > 0 ? undefined : { id, score, excerpt };
  }

  async #lookIntoChunk(
    chunk: Chunk,
    terms: readonly Term[],
  ): Promise<{ terms: Set<Term>; score: number; excerpt: string | undefined }> {
    const rows = await this.#reader.known((db) => rowsBetween(db, chunk.session, chunk.first, chunk.last));
    const messages = await this.#index.piecesOf(rows);
    const pieces = messages.flatMap((message) => message.pieces);
    const found = new Set<Term>();
    let score = 0;
    let best: { rank: number; excerpt: string } | undefined;
    const look = (text: string, by: Piece["by"]): void => {
      const folded = fold(text);
      for (const term of terms) {
        const at = folded.indexOf(term.text);
        if (at < 0) continue;
        found.add(term);
        score += scores[by];
        if (!best || scores[by] > best.rank)
          best = { rank: scores[by], excerpt: excerptOf(text, folded, at, term.text.length) };
      }
    };
    for (const { text, by } of pieces) if (typeof text === "string") look(text, by);
    const long = pieces.filter(({ text }) => typeof text !== "string");
    // Files are read only for what was not found without them, some at a time.
    for (let at = 0; at < long.length && found.size < terms.length; at += width) {
      const some = long.slice(at, at + width);
      const texts = await this.#index.texts(some);
      for (const [index, { by }] of some.entries()) look(texts[index] ?? "", by);
    }
    return { terms: found, score, excerpt: best?.excerpt };
  }

  async #summaries(hits: readonly { id: string; excerpt?: string | undefined }[]): Promise<SessionSummary[]> {
    return this.#reader.known((db) =>
      hits.flatMap(({ id, excerpt }) => {
        const row = db.first(sessionRowSchema, `SELECT ${sessionColumns} FROM sessions WHERE id = ?`, [id]);
        if (!row) return [];
        return [{ ...summaryOf(row), ...(excerpt === undefined ? {} : { excerpt }) }];
      }),
    );
  }
}

/** A title with all the words is worth more than any number of tool results. */
const titleScore = 10_000;
const scores: Record<Piece["by"], number> = { person: 100, agent: 10, tool: 1 };

function idsOf(db: Database, query: HistoryQuery, end: string): z.infer<typeof titleSchema>[] {
  const only = query.favourites ? "AND favourite = 1" : "";
  const sql = `SELECT id, title FROM sessions WHERE deleted_at IS NULL ${only} ORDER BY ${orders[query.sort]} ${end}`;
  return db.all(titleSchema, sql);
}

interface PossibleChunk {
  chunk: Chunk;
  terms: Set<Term>;
}

/** Chunks that may contain a term, by session, the latest first. */
function possibleChunks(db: Database, terms: readonly Term[]): Map<string, PossibleChunk[]> {
  const chunks = new Map<string, PossibleChunk[]>();
  db.each("SELECT session_id, first, last, bits FROM search_chunks", [], ([id, first, last, bits]) => {
    if (!(bits instanceof Uint8Array)) return;
    const possible = terms.filter((term) => mayContain(bits, term.hashes));
    if (possible.length === 0) return;
    const session = String(id);
    const found = { chunk: { session, first: Number(first), last: Number(last) }, terms: new Set(possible) };
    const list = chunks.get(session);
    if (list) list.unshift(found);
    else chunks.set(session, [found]);
  });
  return chunks;
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
