/** The models of the connections. Each list appears when it arrives, so that a slow endpoint does not delay the others. */
import { useCallback, useEffect, useState } from "react";
import type { ModelEntry } from "../../src/shared/models/facts.ts";
import type { OfferedModels } from "../../src/shared/models/model-protocol.ts";
import type { Result } from "../../src/shared/protocol.ts";
import { usePanel } from "../panel.ts";
import type { ModelGroup } from "./model-search.ts";

export interface Models {
  /** null: not known yet. */
  known: Result<"models/list"> | null;
  /** By connection; absent: the list has not arrived yet. */
  offered: ReadonlyMap<string, OfferedModels>;
  /** Asks one connection again, or all. */
  refresh(connection?: string): void;
  setFavorite(name: string, favorite: boolean): void;
}

export function useModels(): Models {
  const { actions } = usePanel();
  const [known, setKnown] = useState<Result<"models/list"> | null>(null);
  const [offered, setOffered] = useState<ReadonlyMap<string, OfferedModels>>(new Map());
  const ask = useCallback(
    async (connection: string, fresh: boolean) => {
      setOffered((before) => new Map([...before].filter(([name]) => !fresh || name !== connection)));
      const answer = await actions.ask("models/offered", { connection, fresh });
      setOffered((before) => new Map(before).set(connection, answer ?? { models: [] }));
    },
    [actions],
  );
  const load = useCallback(
    async (fresh: boolean) => {
      const answer = await actions.ask("models/list", {});
      if (!answer) return;
      setKnown(answer);
      for (const { name } of answer.connections) void ask(name, fresh);
    },
    [actions, ask],
  );
  useEffect(() => void load(false), [load]);
  return {
    known,
    offered,
    refresh: (connection) => void (connection === undefined ? load(true) : ask(connection, true)),
    setFavorite(name, favorite) {
      actions.run("models/favorite", { name, favorite });
      setKnown((before) => {
        if (!before) return before;
        const others = before.favorites.filter((each) => each !== name);
        return { ...before, favorites: favorite ? [...others, name] : others };
      });
    },
  };
}

function headingOf(name: string, title: string | undefined): string {
  if (title === undefined) return name;
  return title.toLowerCase() === name ? title : `${title} (${name})`;
}

/** Favorites, then recent models, then those of each connection. */
export function groupsOf(
  { known, offered }: Models,
  headings: { favorites: string; recents: string },
): ModelGroup[] {
  if (!known) return [];
  const all = new Map(
    [...offered.values()].flatMap(({ models }) => models).map((model) => [model.name, model]),
  );
  const connections = new Set(known.connections.map(({ name }) => name));
  const named = (names: readonly string[]): ModelEntry[] =>
    names
      .filter((name) => connections.has(name.slice(0, name.indexOf("/"))))
      .map((name) => all.get(name) ?? { name, facts: {} });
  const recents = known.recents.filter((name) => !known.favorites.includes(name));
  return [
    { heading: headings.favorites, models: named(known.favorites) },
    { heading: headings.recents, models: named(recents) },
    ...known.connections.map(({ name, title }) => ({
      heading: headingOf(name, title),
      models: offered.get(name)?.models ?? [],
      isConnection: true,
    })),
  ].filter(({ models }) => models.length > 0);
}
