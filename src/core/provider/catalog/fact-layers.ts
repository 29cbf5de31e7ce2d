/** Combines what several sources say about a model; one of them is the user, in the settings. */

import { type ModelChoice, modelName } from "../../../shared/models/connection.ts";
import type { FactSource, ModelFacts } from "../../../shared/models/facts.ts";
import type { ModelOverrides } from "../../../shared/models/overrides.ts";

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

/**
 * Returns the facts of all entries whose name matches. An entry for `connection/id` is trusted more than one for an id,
 * that more than a pattern, and a later pattern more than an earlier one.
 */
export function overridesFor(choice: ModelChoice, overrides: ModelOverrides): ModelFacts {
  const names = [choice.model.trim(), modelName(choice)];
  const applicable = Object.entries(overrides)
    .filter(([key]) => names.some((name) => matches(key, name)))
    .sort(([a], [b]) => names.indexOf(a) - names.indexOf(b));
  return mergedFacts(
    ...applicable.map(([key, values]) => withSource(values, "settings", `nekode.models: ${key}`)),
  );
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "is").test(name);
}
