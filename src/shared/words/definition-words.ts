/** The words for skills and commands: where they are from, and what is wrong with them. */
import type { DefinitionItem } from "../definition-list.ts";
import type { DefinitionScope } from "../definition-origin.ts";
import { rulesFileFaultText } from "./notice-words.ts";
import { wordsOfCode } from "./reasons/reasons.ts";
import type { Translate } from "./task-words.ts";

/** Whose folder the file is in, such as `Claude Code, user`. */
export function definitionSourceText(
  t: Translate,
  { source, scope }: { source: string; scope: string },
): string {
  const words: Readonly<Record<string, string>> = {
    project: t("project"),
    user: t("user"),
    system: t("this computer"),
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
    default:
      return wordsOfCode(t, value, detail) ?? rulesFileFaultText(t, code, detail);
  }
}

/** Whether it is used, or why not; "" if there is nothing to say. */
export function definitionStateText(t: Translate, { state, only }: DefinitionItem): string {
  if (state === "off") return t("Disabled");
  if (state === "untrusted") return t("Not applied: this folder is not trusted");
  if (state === "unusable" || only === "") return "";
  return only === "user" ? t("Only you can call it") : t("Only the model can load it");
}
