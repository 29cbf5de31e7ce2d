/** `nekode skills`: lists the skills and commands that tasks in a folder can use. No session is opened, and no model is asked. */
import path from "node:path";
import { surveyDefinitions } from "../../core/context/definition-survey.ts";
import { createTerminalHost } from "../../node/terminal-host.ts";
import type { DefinitionItem } from "../../shared/definition-list.ts";
import {
  definitionProblemText,
  definitionSourceText,
  definitionStateText,
  definitionsTitle,
} from "../../shared/words/definition-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { commandLine } from "../command-line.ts";
import { assetsDir, folderAt, type ProgramContext, print } from "../program.ts";
import { EXIT_CODE } from "../run.ts";
import { oneLine } from "../screen.ts";
import { UsageError } from "../usage-error.ts";

export const SKILLS_USAGE = `Usage: nekode skills [options]

Lists the skills and commands of the project and of the user: the name to call each by, its source, its size in tokens,
its file, and what is wrong with it. The same files work in VS Code and in the terminal.

  --json                 write JSON, one skill or command per line
  --cwd DIR              project folder (default: current folder)
`;

/** Resolves with the exit code. */
export async function listSkills(run: ProgramContext, args: readonly string[]): Promise<number> {
  const { values, positionals } = commandLine(args, {
    json: { type: "boolean" },
    cwd: { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help) return print(run, SKILLS_USAGE);
  if (positionals.length > 0) throw new UsageError(`unexpected argument: ${positionals[0]}`);
  const { environment, log, t } = run;
  const root = folderAt(path.resolve(run.cwd, values.cwd ?? "."));
  const host = createTerminalHost({ root, assetsDir, environment, log });
  try {
    const found = await surveyDefinitions(host, { rulesOff: [] }, new AbortController().signal);
    const items = found.map(({ item }) => item);
    if (values.json) return await print(run, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
    await print(
      run,
      items.length === 0 ? `${t("There are no skills or commands.")}\n` : definitionLines(t, items),
    );
    return EXIT_CODE.completed;
  } finally {
    host.shell.dispose();
  }
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
