/** `nekode rules`: lists the instruction files of a folder and whether each applies. No session is opened, and no model is asked. */
import path from "node:path";
import { ruleItem } from "../../core/context/rule-items.ts";
import { surveyRules } from "../../core/instructions/rules.ts";
import { createTerminalHost } from "../../node/terminal-host.ts";
import type { RuleFile } from "../../shared/rule-file.ts";
import { defaultSettings } from "../../shared/settings.ts";
import { isRuleFault, ruleSourceText, ruleStateText } from "../../shared/words/rule-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { commandLine } from "../command-line.ts";
import { assetsDir, folderAt, type ProgramContext, print } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { oneLine } from "../screen.ts";
import { UsageError } from "../usage-error.ts";

export const RULES_USAGE = `Usage: nekode rules [options]

Lists the instruction files of the project and of the user (AGENTS.md, CLAUDE.md, rules of other agents): the source
of each, its size in tokens, and when it applies or why it does not.

  --json                 write JSON, one file per line
  --cwd DIR              project folder (default: current folder)
`;

/** Resolves with the exit code. */
export async function listRules(run: ProgramContext, args: readonly string[]): Promise<number> {
  const { values, positionals } = commandLine(args, {
    json: { type: "boolean" },
    cwd: { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help) return print(run, RULES_USAGE);
  if (positionals.length > 0) throw new UsageError(`unexpected argument: ${positionals[0]}`);
  const { environment, log, t } = run;
  const root = folderAt(path.resolve(run.cwd, values.cwd ?? "."));
  const host = createTerminalHost({ root, assetsDir, environment, log });
  try {
    const found = await surveyRules(host, defaultSettings.context, new AbortController().signal);
    const items = found.map(ruleItem);
    if (values.json) return await print(run, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
    await print(run, items.length === 0 ? `${t("There are no rules yet.")}\n` : ruleLines(t, items));
    return EXIT_CODE.completed;
  } finally {
    host.shell.dispose();
  }
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
