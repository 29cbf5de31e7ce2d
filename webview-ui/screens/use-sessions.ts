/** The part of the history that is on show: asked for as the person types, one request at a time. */

import { useCallback, useEffect, useRef, useState } from "react";
import { messageOf } from "../../src/shared/message-of.ts";
import type { HistorySort, IndexProgress, SessionSummary } from "../../src/shared/protocol.ts";
import type { Actions } from "../actions.ts";

/** Sessions of a page. */
const pageSize = 50;
/** Milliseconds between two looks at what a search finds while the host still takes messages in. */
const lookAgainMs = 1500;

export interface Query {
  text: string;
  /** undefined: by relevance while there is something to look for, else the newest first. */
  sort: HistorySort | undefined;
  favourites: boolean;
  /** Those of the person's other projects as well. */
  allProjects: boolean;
}

export interface Sessions {
  /** null: nothing has come yet. */
  list: readonly SessionSummary[] | null;
  more: boolean;
  /** Not everything could be searched yet; null: it was. */
  indexing: IndexProgress | null;
  failure: string | null;
  showMore(): void;
  /** Asks for the list again from its beginning. */
  refresh(): void;
  change(id: string, change: Partial<SessionSummary>): void;
  drop(id: string): void;
}

export function sortOf({ sort, text }: Query): HistorySort {
  return sort ?? (text.trim() === "" ? "newest" : "relevance");
}

/** What tells one session from all others, those of other projects included: a copied store has the same ids. */
export function keyOf({ id, project }: SessionSummary): string {
  return project === undefined ? id : `${project.key}/${id}`;
}

/** `indexed`: how far the host has said that it is. */
export function useSessions(actions: Actions, query: Query, indexed: IndexProgress | null): Sessions {
  const [list, setList] = useState<readonly SessionSummary[] | null>(null);
  const [more, setMore] = useState(false);
  const [indexing, setIndexing] = useState<IndexProgress | null>(null);
  /** When an answer came last, in milliseconds. */
  const answered = useRef(0);
  const [failure, setFailure] = useState<string | null>(null);
  /** What is wanted and not asked for yet; a request that is out is not followed by more than one. */
  const wanted = useRef<(() => Promise<void>) | null>(null);
  const busy = useRef(false);
  const gone = useRef(false);

  const run = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    while (wanted.current && !gone.current) {
      const work = wanted.current;
      wanted.current = null;
      try {
        await work();
      } catch (error) {
        if (!gone.current) setFailure(messageOf(error));
      }
    }
    busy.current = false;
  }, []);

  const load = useCallback(
    (offset: number) => {
      wanted.current = async () => {
        const { text, favourites, allProjects } = query;
        const asked = { text, favourites, allProjects, sort: sortOf(query), offset, limit: pageSize };
        const answer = await actions.findSessions(asked);
        if (gone.current || wanted.current) return;
        setFailure(null);
        setMore(answer.more ?? false);
        setIndexing(answer.indexing ?? null);
        answered.current = performance.now();
        setList((before) => {
          if (offset === 0 || !before) return answer.sessions;
          const known = new Set(before.map(keyOf));
          return [...before, ...answer.sessions.filter((session) => !known.has(keyOf(session)))];
        });
      };
      void run();
    },
    [actions, query, run],
  );

  useEffect(() => {
    gone.current = false;
    load(0);
  }, [load]);
  const isPartial = indexing !== null;
  useEffect(() => {
    if (!isPartial || !indexed) return;
    const isDone = indexed.done >= indexed.total;
    if (isDone || performance.now() - answered.current > lookAgainMs) load(0);
  }, [isPartial, indexed, load]);
  useEffect(
    () => () => {
      gone.current = true;
    },
    [],
  );

  return {
    list,
    more,
    indexing: indexing && (indexed ?? indexing),
    failure,
    showMore: () => load(list?.length ?? 0),
    refresh: () => load(0),
    change: (id, change) =>
      setList((before) => before?.map((one) => (one.id === id ? { ...one, ...change } : one)) ?? null),
    drop: (id) => setList((before) => before?.filter((one) => one.id !== id) ?? null),
  };
}
