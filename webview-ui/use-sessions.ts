/** The part of the history that is on show: asked for as the person types, one request at a time. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { HistorySort, SessionSummary } from "../src/shared/protocol.ts";
import { type Actions, describe } from "./actions.ts";

/** Sessions of a page. */
const pageSize = 50;

export interface Query {
  text: string;
  /** undefined: by relevance while there is something to look for, else the newest first. */
  sort: HistorySort | undefined;
  favourites: boolean;
}

export interface Sessions {
  /** null: nothing has come yet. */
  list: readonly SessionSummary[] | null;
  more: boolean;
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

export function useSessions(actions: Actions, query: Query): Sessions {
  const [list, setList] = useState<readonly SessionSummary[] | null>(null);
  const [more, setMore] = useState(false);
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
        if (!gone.current) setFailure(describe(error));
      }
    }
    busy.current = false;
  }, []);

  const load = useCallback(
    (offset: number) => {
      wanted.current = async () => {
        const { text, favourites } = query;
        const asked = { text, favourites, sort: sortOf(query), offset, limit: pageSize };
        const answer = await actions.findSessions(asked);
        if (gone.current || wanted.current) return;
        setFailure(null);
        setMore(answer.more ?? false);
        setList((before) => {
          if (offset === 0 || !before) return answer.sessions;
          const known = new Set(before.map((session) => session.id));
          return [...before, ...answer.sessions.filter((session) => !known.has(session.id))];
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
  useEffect(
    () => () => {
      gone.current = true;
    },
    [],
  );

  return {
    list,
    more,
    failure,
    showMore: () => load(list?.length ?? 0),
    refresh: () => load(0),
    change: (id, change) =>
      setList((before) => before?.map((one) => (one.id === id ? { ...one, ...change } : one)) ?? null),
    drop: (id) => setList((before) => before?.filter((one) => one.id !== id) ?? null),
  };
}
