/** The words for skills, commands and agents: where they are from, and what is wrong with them. */
import type { DefinitionItem } from "../definition-list.ts";
import type { DefinitionScope } from "../definition-origin.ts";
import { rulesFileFaultText } from "./notice-words.ts";
import { wordsOfCode } from "./reasons/reasons.ts";
import type { Translate } from "./task-words.ts";

/** The heading of a list. */
export function definitionsTitle(t: Translate, kind: DefinitionItem["kind"]): string {
  switch (kind) {
    case "skill":
      return t("Skills");
    case "command":
      return t("Commands");
    case "agent":
      return t("Agents");
  }
}

/** Whose folder the file is in, such as `Claude Code, user`. */
export function definitionSourceText(
  t: Translate,
  { source, scope }: { source: string; scope: string },
): string {
  const words: Readonly<Record<string, string>> = {
    project: t("project"),
    user: t("user"),
    system: t("this computer"),
    plugin: t("plugin"),
  } satisfies Record<DefinitionScope, string>;
  return `${source}, ${words[scope] ?? scope}`;
}

/** What is wrong, within a sentence: a code, its value and its detail. See `DefinitionProblem`. */
export function definitionProblemText(
  t: Translate,
  [code = "", value = "", detail = ""]: readonly string[],
): string {
  switch (code) {
    case "hidden-name":
      return t("the name contains characters that are not visible");
    case "empty":
      return t("the file is empty");
    case "shadowed":
      return t("{0} has the same name", value);
    case "name-differs":
      return t("the name is not that of the folder, {0}; other products reject this", value);
    case "name-too-long":
      return t("the name has more than {0} characters; other products reject this", value);
    case "name-changed":
      return t(
        "the name has other characters than letters, digits, “.”, “_” and “-”; it is called as {0}",
        value,
      );
    case "no-description":
      return t("there is no description, so the model cannot choose it");
    case "description-cut":
      return t("only the first {0} characters of the description are used", value);
    case "read-by-line":
      return t("the front matter is not valid YAML; put quotation marks around texts that contain a colon");
    case "field":
      return t("{0} has a value of an unexpected form and is ignored", value);
    case "not-honored":
      return t("{0} has no effect in Nekode", value);
    case "allowed-tools":
      return t("the file asks that these tools run without asking, but your settings apply: {0}", value);
    case "no-match":
      return t("the model does not see it, because no file matches {0}", value);
    case "documentation":
      return t("there is no name in the front matter, so Claude Code takes the file for documentation");
    case "no-tools":
      return t("none of its tools exists here: {0}", value);
    case "no-modes":
      return value === ""
        ? t("the file does not list modes under customModes")
        : t("the file is not valid YAML or JSON: line {0}", value);
    case "unknown-tools":
      return t("these tools do not exist here and are left out: {0}", value);
    case "tool-pattern":
      return t("the pattern in {0} has no effect; all uses of the tool count", value);
    case "denied-pattern":
      return t("{0} denies a part of the tool's uses; here, the agent does not have the tool at all", value);
    case "unusable-pattern":
      return t(
        "the agent cannot edit, because this expression is not valid or could take too long: {0}",
        value,
      );
    case "model-of-project":
      return t("an agent of a project or a plugin does not choose the model: {0}", value);
    case "unknown-model":
      return t("{0} does not name a model here; write it as connection/id", value);
    default:
      return wordsOfCode(t, value, detail) ?? rulesFileFaultText(t, code, detail);
  }
}

/** Whether it is used, or why not; "" if there is nothing to say. */
export function definitionStateText(t: Translate, { kind, state, only }: DefinitionItem): string {
  if (state === "off") return t("Disabled");
  if (state === "untrusted") return t("Not applied: this folder is not trusted");
  if (state === "unusable" || only === "") return "";
  if (kind === "agent") return only === "user" ? t("Only you can choose it") : t("For subtasks only");
  return only === "user" ? t("Only you can call it") : t("Only the model can load it");
}
