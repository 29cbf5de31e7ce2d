/** Which models the list shows for a query, and in which order. */
import { Fzf } from "fzf";
import type { ModelEntry } from "../../src/shared/models/facts.ts";

export interface ModelGroup {
  heading: string;
  models: readonly ModelEntry[];
  /** The models of the connection that the heading names. */
  isConnection?: boolean;
}

/** An option of the list. The same model can be an option of several groups. */
export interface ModelOption {
  key: string;
  heading: string;
  model: ModelEntry;
  /** The heading does not name the connection. */
  showsConnection?: boolean;
  /** Not in any list: named by the query. */
  isTyped?: boolean;
}

/** Showing more options would take longer than typing a longer query. */
const MAX_OPTIONS = 200;

/** Without a query, all groups in order; otherwise the best matches, each model once, under one heading. */
export function optionsFor(groups: readonly ModelGroup[], query: string, matches: string): ModelOption[] {
  const wanted = query.trim();
  if (wanted === "") {
    return groups
      .flatMap(({ heading, models, isConnection = false }) =>
        models.map((model) => ({
          key: `${heading}\n${model.name}`,
          heading,
          model,
          showsConnection: !isConnection,
        })),
      )
      .slice(0, MAX_OPTIONS);
  }
  const all = [
    ...new Map(groups.flatMap(({ models }) => models).map((model) => [model.name, model])).values(),
  ];
  const fzf = new Fzf(all, {
    selector: ({ name, title = "" }) => `${name} ${title}`,
    casing: "case-insensitive",
    limit: MAX_OPTIONS,
  });
  // Each word on its own, in any order.
  const words = wanted.split(/\s+/);
  const ranked = fzf.find(words[0] ?? "").map(({ item }) => item);
  const rest = words.slice(1).map((word) => new Set(fzf.find(word).map(({ item }) => item)));
  return ranked
    .filter((model) => rest.every((found) => found.has(model)))
    .map((model) => ({ key: model.name, heading: matches, model, showsConnection: true }));
}
