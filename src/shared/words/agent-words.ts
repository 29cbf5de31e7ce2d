/** The words for agents where the user chooses one. */
import type { AgentItem } from "../agent-list.ts";
import type { Mode } from "../message.ts";
import { definitionSourceText } from "./definition-words.ts";
import type { Translate } from "./task-words.ts";

/** The modes as two of the choices. */
export function modeItems(t: Translate): { name: Mode; title: string; text: string }[] {
  return [
    { name: "act", title: t("Act"), text: t("Act mode: changes are made with your approval.") },
    { name: "plan", title: t("Plan"), text: t("Plan mode: nothing is changed.") },
  ];
}

/** The names of the built-in ones, which are the same in every language, with a capital letter. */
export function agentItemTitle({ name, file }: AgentItem): string {
  return file === "" ? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}` : name;
}

/** Its description, and where it is from. */
export function agentItemText(t: Translate, item: AgentItem): string {
  if (item.file === "") return builtInText(t, item);
  return [item.description, definitionSourceText(t, item)].filter((part) => part !== "").join(" · ");
}

function builtInText(t: Translate, { name, description }: AgentItem): string {
  const texts: Readonly<Record<string, string>> = {
    ask: t("Answers questions about the project. It only reads."),
    review: t("Reviews changes. It reads files and what git shows, and changes nothing."),
    test: t("Writes and runs tests. It changes test files only."),
  };
  return texts[name] ?? description;
}
