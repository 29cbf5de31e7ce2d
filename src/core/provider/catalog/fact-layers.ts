/** Combines what several sources say about a model. */
import type { FactSource, ModelFacts } from "../../../shared/models/facts.ts";

/** Facts without their source. */
export type FactValues = { [Name in keyof ModelFacts]?: NonNullable<ModelFacts[Name]>["value"] | undefined };

/** Returns the facts with their source. `origin`: see `ModelFacts`. */
export function withSource(values: FactValues, source: FactSource, origin?: string): ModelFacts {
  const from = origin === undefined ? { source } : { source, origin };
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, { value, ...from }]));
}

/** Returns each fact as the last layer that has it states it. `layers`: the least trusted first. */
export function mergedFacts(...layers: readonly ModelFacts[]): ModelFacts {
  return Object.assign({}, ...layers);
}
