/** All skills and commands with what is known of them, for the lists that users see. */
import type { DefinitionItem, DefinitionProblem } from "../../shared/definition-list.ts";
import { SOURCE_TITLES } from "../instruction-kinds.ts";
import { type CatalogueSettings, surveyCatalogue } from "../instructions/catalogue.ts";
import type { Command } from "../instructions/commands.ts";
import type { Skill } from "../instructions/skills.ts";
import type { Host } from "../ports/host.ts";
import { boundedLine } from "../servers/server-text.ts";
import { usageOfDefinition } from "./expand-definition.ts";
import { estimateTokens } from "./tokens.ts";

/** Characters of a description in the list. */
const DESCRIPTION_LENGTH = 300;
const HINT_LENGTH = 120;

export interface SurveyedDefinition {
  item: DefinitionItem;
  /** Absolute. */
  path: string;
}

export async function surveyDefinitions(
  host: Host,
  settings: CatalogueSettings,
  signal: AbortSignal,
): Promise<SurveyedDefinition[]> {
  const judged = await surveyCatalogue(host, settings, signal);
  return judged.map(({ kind, file, definition, state, problems }) => {
    const hint = boundedLine(usageOfDefinition(definition), HINT_LENGTH);
    const item: DefinitionItem = {
      isSkill: kind === "skill",
      usage: [definition.name, hint].filter((part) => part !== "").join(" "),
      file: file.name,
      source: SOURCE_TITLES[file.source],
      scope: file.scope,
      description: boundedLine(definition.description, DESCRIPTION_LENGTH),
      tokens: estimateTokens(definition.body),
      state,
      only: onlyFor(definition),
      problems: problems.map(problemTexts),
    };
    return { item, path: file.path };
  });
}

function onlyFor({ kind, byModel, byUser }: Skill | Command): DefinitionItem["only"] {
  if (kind === "command" || byModel === byUser) return "";
  return byUser ? "user" : "model";
}

/** A problem as lists have it. */
export function problemTexts({ code, value, detail }: DefinitionProblem): string[] {
  return [code, value, ...(detail === undefined ? [] : [detail])];
}
