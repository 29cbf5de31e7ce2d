/** A command that lists what the files of a folder and of the user define. No session is opened, and no model is asked. */
import path from "node:path";
import { openTerminalHost, type TerminalHost } from "../node/terminal-host.ts";
import type { Translate } from "../shared/words/task-words.ts";
import { commandLine } from "./command-line.ts";
import { assetsDir, folderAt, type ProgramContext, print } from "./program.ts";
import { EXIT_CODE } from "./run.ts";
import { jsonLine } from "./screen.ts";
import { UsageError } from "./usage-error.ts";

export interface ListingCommand<Item> {
  usage: string;
  survey(host: TerminalHost): Promise<readonly Item[]>;
  /** For a terminal; each line ends with a line feed. */
  lines(t: Translate, items: readonly Item[]): string;
}

/** Prints the items of a folder, with `--json` one per line. Resolves with the exit code. */
export async function printListing<Item>(
  run: ProgramContext,
  args: readonly string[],
  { usage, survey, lines }: ListingCommand<Item>,
): Promise<number> {
  const { values, positionals } = commandLine(args, {
    json: { type: "boolean" },
    cwd: { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help) return print(run, usage);
  if (positionals.length > 0) throw new UsageError(`unexpected argument: ${positionals[0]}`);
  const { environment, log, t } = run;
  const root = folderAt(path.resolve(run.cwd, values.cwd ?? "."));
  const host = await openTerminalHost({ root, assetsDir, environment, log });
  try {
    const items = await survey(host);
    const text = values.json ? items.map(jsonLine).join("") : lines(t, items);
    await print(run, text);
    return EXIT_CODE.completed;
  } finally {
    host.shell.dispose();
  }
}
