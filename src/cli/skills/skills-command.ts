/** `nekode skills`: lists the skills and commands that tasks in a folder can use. No session is opened, and no model is asked. */
import { surveyDefinitions } from "../../core/context/definition-survey.ts";
import type { DefinitionItem } from "../../shared/definition-list.ts";
import {
  definitionProblemText,
  definitionSourceText,
  definitionStateText,
  definitionsTitle,
} from "../../shared/words/definition-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { printListing } from "../listing.ts";
import type { ProgramContext } from "../program.ts";
import { oneLine } from "../screen.ts";

export const SKILLS_USAGE = `Usage: nekode skills [options]

Lists the skills and commands of the project and of the user: the name to call each by, its source, its size in tokens,
its file, and what is wrong with it. The same files work in VS Code and in the terminal.

  --json                 write JSON, one skill or command per line
  --cwd DIR              project folder (default: current folder)
`;

/** Resolves with the exit code. */
export function listSkills(run: ProgramContext, args: readonly string[]): Promise<number> {
  return printListing(run, args, {
    usage: SKILLS_USAGE,
    survey: async (host) => {
      const found = await surveyDefinitions(host, { rulesOff: [] }, new AbortController().signal);
      return found.map(({ item }) => item);
    },
    lines: (t, items) =>
      items.length === 0 ? `${t("There are no skills or commands.")}\n` : definitionLines(t, items),
  });
}

/** For a terminal; each line ends with a line feed. */
export function definitionLines(t: Translate, items: readonly DefinitionItem[]): string {
  return (["skill", "command", "agent"] as const)
    .flatMap((kind) => {
      const ofKind = items.filter((item) => item.kind === kind);
      if (ofKind.length === 0) return [];
      return [`${definitionsTitle(t, kind)}\n`, ...ofKind.map((item) => itemLines(t, item))];
    })
    .join("");
}

function itemLines(t: Translate, item: DefinitionItem): string {
  const { kind, usage, file, tokens, description, state, problems } = item;
  const called = usage === "" ? file : `${kind === "agent" ? "" : "/"}${usage}`;
  const facts = [
    definitionSourceText(t, item),
    ...(tokens > 0 ? [t("{0} tokens", tokens.toLocaleString("en-US"))] : []),
    definitionStateText(t, item),
    file,
  ].filter((fact) => fact !== "");
  const texts = problems.map((problem, index) => {
    const text = definitionProblemText(t, problem);
    return `! ${state === "unusable" && index === 0 ? t("Not applied: {0}", text) : text}`;
  });
  const details = [facts.join(" · "), ...(description === "" ? [] : [description]), ...texts];
  return [`  ${oneLine(called)}\n`, ...details.map((line) => `    ${oneLine(line)}\n`)].join("");
}
