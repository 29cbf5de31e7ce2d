/** `nekode rules`: lists the instruction files of a folder and whether each applies. No session is opened, and no model is asked. */
import { ruleItem } from "../../core/context/rule-items.ts";
import { surveyRules } from "../../core/instructions/rules.ts";
import type { RuleFile } from "../../shared/rule-file.ts";
import { defaultSettings } from "../../shared/settings.ts";
import { isRuleFault, ruleSourceText, ruleStateText } from "../../shared/words/rule-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { printListing } from "../listing.ts";
import type { ProgramContext } from "../program.ts";
import { oneLine } from "../screen.ts";

export const RULES_USAGE = `Usage: nekode rules [options]

Lists the instruction files of the project and of the user (AGENTS.md, CLAUDE.md, rules of other agents): the source
of each, its size in tokens, and when it applies or why it does not.

  --json                 write JSON, one file per line
  --cwd DIR              project folder (default: current folder)
`;

/** Resolves with the exit code. */
export function listRules(run: ProgramContext, args: readonly string[]): Promise<number> {
  return printListing(run, args, {
    usage: RULES_USAGE,
    survey: async (host) =>
      (await surveyRules(host, defaultSettings.context, new AbortController().signal)).map(ruleItem),
    lines: (t, items) => (items.length === 0 ? `${t("There are no rules yet.")}\n` : ruleLines(t, items)),
  });
}

/** For a terminal; each line ends with a line feed. */
export function ruleLines(t: Translate, items: readonly RuleFile[]): string {
  return items
    .map((item) => {
      const { name, source, tokens = 0 } = item;
      const facts = [
        ruleSourceText(t, source),
        ...(tokens > 0 ? [t("{0} tokens", tokens.toLocaleString("en-US"))] : []),
        ruleStateText(t, item),
      ];
      const mark = isRuleFault(item) ? "! " : "";
      return `${oneLine(name)}\n    ${mark}${oneLine(facts.join(" · "))}\n`;
    })
    .join("");
}
