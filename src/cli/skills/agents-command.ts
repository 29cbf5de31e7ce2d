/** `nekode agents`: lists the agents that sessions in a folder can have. No session is opened, and no model is asked. */
import { surveyAgentFiles } from "../../core/context/definition-survey.ts";
import { BUILT_IN_AGENTS } from "../../core/instructions/built-in-agents.ts";
import { agentItemText } from "../../shared/words/agent-words.ts";
import { printListing } from "../listing.ts";
import type { ProgramContext } from "../program.ts";
import { oneLine } from "../screen.ts";
import { definitionLines } from "./skills-command.ts";

export const AGENTS_USAGE = `Usage: nekode agents [options]

Lists the agents of the project and of the user, and those that come with Nekode: the name to choose each by with
--agent NAME, its source, its size in tokens, its file, and what is wrong with it.

  --json                 write JSON, one agent of a file per line
  --cwd DIR              project folder (default: current folder)
`;

/** Resolves with the exit code. */
export function showAgents(run: ProgramContext, args: readonly string[]): Promise<number> {
  return printListing(run, args, {
    usage: AGENTS_USAGE,
    survey: async (host) => (await surveyAgentFiles(host, { rulesOff: [] })).map(({ item }) => item),
    lines: (t, items) => {
      const used = new Set(items.map(({ usage }) => usage.toLowerCase()));
      const others = BUILT_IN_AGENTS.filter(({ name }) => !used.has(name)).map(({ name, description }) => {
        const item = { name, description, file: "", source: "", scope: "" };
        return `  ${name}\n    ${oneLine(agentItemText(t, item))}\n`;
      });
      return `${definitionLines(t, items)}${t("Built in")}\n${others.join("")}`;
    },
  });
}
