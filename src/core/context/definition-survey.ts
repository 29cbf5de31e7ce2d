/** All skills, commands and agents with what is known of them, for the lists that users see. */
import type { DefinitionItem, DefinitionProblem } from "../../shared/definition-list.ts";
import { SOURCE_TITLES } from "../instruction-kinds.ts";
import { surveyAgents } from "../instructions/agent-catalogue.ts";
import type { Agent } from "../instructions/agents.ts";
import { type CatalogueSettings, type JudgedDefinition, surveyCatalogue } from "../instructions/catalogue.ts";
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
  return judged.map((each) => {
    const hint = boundedLine(usageOfDefinition(each.definition), HINT_LENGTH);
    return surveyed(each, [each.definition.name, hint].filter((part) => part !== "").join(" "));
  });
}

/** The agents of files. */
export async function surveyAgentFiles(
  host: Host,
  settings: CatalogueSettings,
): Promise<SurveyedDefinition[]> {
  const judged = await surveyAgents(host, settings);
  return judged.map((each) => surveyed(each, each.definition.name));
}

function surveyed(
  { kind, file, definition, state, problems }: JudgedDefinition<Skill | Command | Agent>,
  usage: string,
): SurveyedDefinition {
  const item: DefinitionItem = {
    kind,
    usage,
    file: file.name,
    source: file.plugin?.name ?? SOURCE_TITLES[file.source],
    scope: file.scope,
    description: boundedLine(definition.description, DESCRIPTION_LENGTH),
    tokens: estimateTokens(definition.body),
    state,
    only: onlyFor(definition),
    problems: problems.map(problemTexts),
  };
  return { item, path: file.path };
}

function onlyFor({ kind, byModel, byUser }: Skill | Command | Agent): DefinitionItem["only"] {
  if (kind === "command" || byModel === byUser) return "";
  return byUser ? "user" : "model";
}

/** A problem as lists have it. */
export function problemTexts({ code, value, detail }: DefinitionProblem): string[] {
  return [code, value, ...(detail === undefined ? [] : [detail])];
}
