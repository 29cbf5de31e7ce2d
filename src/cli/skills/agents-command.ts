/** `nekode agents`: lists the agents that sessions in a folder can have. No session is opened, and no model is asked. */
import path from "node:path";
import { surveyAgentFiles } from "../../core/context/definition-survey.ts";
import { BUILT_IN_AGENTS } from "../../core/instructions/built-in-agents.ts";
import { createTerminalHost } from "../../node/terminal-host.ts";
import { agentItemText } from "../../shared/words/agent-words.ts";
import { commandLine } from "../command-line.ts";
import { assetsDir, folderAt, type ProgramContext, print } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { oneLine } from "../screen.ts";
import { UsageError } from "../usage-error.ts";
import { definitionLines } from "./skills-command.ts";

export const AGENTS_USAGE = `Usage: nekode agents [options]

Lists the agents of the project and of the user, and those that come with Nekode: the name to choose each by with
--agent NAME, its source, its size in tokens, its file, and what is wrong with it.

  --json                 write JSON, one agent of a file per line
  --cwd DIR              project folder (default: current folder)
`;

/** Resolves with the exit code. */
export async function showAgents(run: ProgramContext, args: readonly string[]): Promise<number> {
  const { values, positionals } = commandLine(args, {
    json: { type: "boolean" },
    cwd: { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help) return print(run, AGENTS_USAGE);
  if (positionals.length > 0) throw new UsageError(`unexpected argument: ${positionals[0]}`);
  const { environment, log, t } = run;
  const root = folderAt(path.resolve(run.cwd, values.cwd ?? "."));
  const host = createTerminalHost({ root, assetsDir, environment, log });
  try {
    const items = (await surveyAgentFiles(host, { rulesOff: [] })).map(({ item }) => item);
    if (values.json) return await print(run, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
    const used = new Set(items.map(({ usage }) => usage.toLowerCase()));
    const others = BUILT_IN_AGENTS.filter(({ name }) => !used.has(name)).map(({ name, description }) => {
      const item = { name, description, file: "", source: "", scope: "" };
      return `  ${name}\n    ${oneLine(agentItemText(t, item))}\n`;
    });
    await print(run, `${definitionLines(t, items)}${t("Built in")}\n${others.join("")}`);
    return EXIT_CODE.completed;
  } finally {
    host.shell.dispose();
  }
}
