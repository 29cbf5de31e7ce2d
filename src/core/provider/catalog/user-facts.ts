/** Finds the user's own facts about a model in the settings. */
import { type ModelChoice, modelName } from "../../../shared/models/connection.ts";
import type { ModelFacts } from "../../../shared/models/facts.ts";
import type { ModelOverrides } from "../../../shared/models/overrides.ts";
import { mergedFacts, withSource } from "./fact-layers.ts";

/**
 * Returns the facts of all entries whose name matches. An entry for `connection/id` is trusted more than one for an id,
 * that more than a pattern, and a later pattern more than an earlier one.
 */
export function overridesFor(choice: ModelChoice, overrides: ModelOverrides): ModelFacts {
  const names = [choice.model.trim(), modelName(choice)];
  const found = Object.entries(overrides)
    .filter(([key]) => names.some((name) => matches(key, name)))
    .sort(([a], [b]) => names.indexOf(a) - names.indexOf(b));
  return mergedFacts(
    ...found.map(([key, values]) => withSource(values, "settings", `nekode.models: ${key}`)),
  );
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "is").test(name);
}
