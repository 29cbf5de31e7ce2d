/**
 * The built-in slash commands and what they do. To add one, add its name and words here, and its instructions to the model in
 * `slash-prompts.ts`.
 */
import type { SlashCommand } from "../rule-list.ts";
import type { Translate } from "./task-words.ts";

/** In the order of their list. */
export const BUILT_IN_COMMANDS = [
  "newtask",
  "compact",
  "smol",
  "newrule",
  "deep-planning",
  "init",
  "verify-page",
  "pr",
  "review",
  "fix-tests",
  "reportbug",
] as const;
export type BuiltInCommand = (typeof BUILT_IN_COMMANDS)[number];

/** Carried out by the panel itself. */
export const PANEL_COMMANDS = ["help", "model", "clear"] as const;
export type PanelCommand = (typeof PANEL_COMMANDS)[number];

export function isPanelCommand(name: string): name is PanelCommand {
  return PANEL_COMMANDS.some((own) => own === name);
}

/** The name that a command had before. It works, and is not listed. */
export const OLD_COMPACT: BuiltInCommand = "smol";

/** A message for another model, which is no instruction to this one. */
export const ASK_COMMAND = "ask";

export function isBuiltInCommand(name: string): name is BuiltInCommand {
  return BUILT_IN_COMMANDS.some((own) => own === name);
}

/** Many people have commands of these names of their own, which take the place of ours. */
const YIELDING: readonly BuiltInCommand[] = ["pr", "review", "fix-tests"];

/** No file takes the place of this command. */
export function isReservedCommand(name: string): boolean {
  return name === ASK_COMMAND || isPanelCommand(name) || (isBuiltInCommand(name) && !YIELDING.includes(name));
}

/** What a slash command does; "" if nobody described it. */
export function slashCommandText(t: Translate, { kind, name, description }: SlashCommand): string {
  if (kind !== "command") return description;
  return isBuiltInCommand(name) || isPanelCommand(name) || name === ASK_COMMAND
    ? commandText(t, name)
    : description;
}

function commandText(t: Translate, name: BuiltInCommand | PanelCommand | typeof ASK_COMMAND): string {
  switch (name) {
    case "help":
      return t("Show keys, commands and screens");
    case "model":
      return t("Choose the model");
    case "clear":
      return t("Start a new task");
    case "newtask":
      return t("Continue in a new task with the key points of this one");
    case "compact":
    case "smol":
      return t("Condense the conversation into a summary");
    case "newrule":
      return t("Create a project rule from the conversation");
    case "deep-planning":
      return t("Analyze the project and write a full plan before coding");
    case "init":
      return t("Create AGENTS.md: how to work in this project");
    case "verify-page":
      return t("Open a page in the browser and report whether it works");
    case "pr":
      return t("Describe this branch for a pull request");
    case "review":
      return t("Review the changes and verify each finding");
    case "fix-tests":
      return t("Run the tests and fix what fails");
    case ASK_COMMAND:
      return t("Let another model answer this message");
    case "reportbug":
      return t("Write a bug report about Nekode");
  }
}
