/** Loads the visible part of the history as the user types, one request at a time. */

import { useCallback, useEffect, useRef, useState } from "react";
import { patchSessions, withoutSession } from "../../src/shared/history/session-lists.ts";
import { messageOf } from "../../src/shared/message-of.ts";
import type { HistorySort, IndexProgress, SessionSummary } from "../../src/shared/protocol.ts";
import type { Actions } from "../actions.ts";

/** Sessions per page. */
const PAGE_SIZE = 50;
/** Milliseconds between two requests for search results while the host is still indexing. */
const LOOK_AGAIN_MS = 1500;

export interface Query {
  text: string;
  /** undefined: by relevance for a search, else newest first. */
  sort: HistorySort | undefined;
  favorites: boolean;
  /** Includes the sessions of the user's other projects. */
  allProjects: boolean;
}

export interface SessionListState {
  /** null: nothing has arrived yet. */
  list: readonly SessionSummary[] | null;
  more: boolean;
  /** Progress while the search does not cover all sessions; null once it does. */
  indexing: IndexProgress | null;
  failure: string | null;
  showMore(): void;
  /** Requests the list again from the start. */
  refresh(): void;
  change(id: string, change: Pick<SessionSummary, "title"> | Pick<SessionSummary, "favourite">): void;
  /** The sessions listed under it return with `refresh`. */
  drop(id: string): void;
}

export function sortOf({ sort, text }: Query): HistorySort {
  return sort ?? (text.trim() === "" ? "newest" : "relevance");
}

/** Identifies a session among all projects: a copied store contains the same ids. */
export function sessionKey({ id, project }: SessionSummary): string {
  return project === undefined ? id : `${project.key}/${id}`;
}

/** `indexed`: the progress that the host last reported. */
export function useSessions(actions: Actions, query: Query, indexed: IndexProgress | null): SessionListState {
  const [list, setList] = useState<readonly SessionSummary[] | null>(null);
  const [more, setMore] = useState(false);
  const [indexing, setIndexing] = useState<IndexProgress | null>(null);
  /** Time of the last answer, in milliseconds. */
  const answered = useRef(0);
  const [failure, setFailure] = useState<string | null>(null);
  /** The next request to send. At most one waits while another is in progress. */
  const queued = useRef<(() => Promise<void>) | null>(null);
  const busy = useRef(false);
  const gone = useRef(false);

  const run = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    while (queued.current && !gone.current) {
      const work = queued.current;
      queued.current = null;
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
      queued.current = async () => {
        const { text, favorites, allProjects } = query;
        const filters = { text, favorites, allProjects, sort: sortOf(query), offset, limit: PAGE_SIZE };
        const answer = await actions.findSessions({ ...filters, grouped: true });
        if (gone.current || queued.current) return;
        setFailure(null);
        setMore(answer.more ?? false);
        setIndexing(answer.indexing ?? null);
        answered.current = performance.now();
        setList((before) => {
          if (offset === 0 || !before) return answer.sessions;
          const known = new Set(before.map(sessionKey));
          return [...before, ...answer.sessions.filter((session) => !known.has(sessionKey(session)))];
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
    if (isDone || performance.now() - answered.current > LOOK_AGAIN_MS) load(0);
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
      setList((before) => before && patchSessions(before, (one) => (one.id === id ? change : undefined))),
    drop: (id) => setList((before) => before && withoutSession(before, id)),
  };
}
