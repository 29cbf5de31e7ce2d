/** What the built-in slash commands do. */
import { ASK_COMMAND, BUILT_IN_COMMANDS, type BuiltInCommand } from "../rule-list.ts";
import type { Translate } from "./task-words.ts";

type Described = BuiltInCommand | typeof ASK_COMMAND;
const DESCRIBED: readonly Described[] = [...BUILT_IN_COMMANDS, ASK_COMMAND];

/** What a built-in slash command does; "" for any other. */
export function slashCommandText(t: Translate, name: string): string {
  const described = DESCRIBED.find((own) => own === name);
  return described === undefined ? "" : descriptionOf(t, described);
}

function descriptionOf(t: Translate, command: Described): string {
  switch (command) {
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
    case "ask":
      return t("Let another model answer once without changing anything");
    case "reportbug":
      return t("Write a bug report about Nekode");
  }
}
