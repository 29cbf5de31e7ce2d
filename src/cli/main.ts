/** `nekode`: the agent in a terminal. */
import { statSync } from "node:fs";
import path from "node:path";
import japanese from "../../l10n/bundle.l10n.ja.json";
import { unifiedDiff } from "../core/edits/regions.ts";
import { messageOf } from "../core/errors.ts";
import type { Editor } from "../core/ports/editor.ts";
import type { Log } from "../core/ports/system.ts";
import { NotSaved } from "../core/sessions/not-saved.ts";
import { displayPath } from "../core/tools/tool-paths.ts";
import { openProject } from "../node/project.ts";
import { defaultDataDir, findProjectStore, registerProjectStore } from "../node/store/project-store.ts";
import { createTerminalHost } from "../node/terminal-host.ts";
import { notSavedText, otherShellText, translator } from "../shared/words/task-words.ts";
import { readOptions, usage } from "./command-options.ts";
import { changed, exported, imported, listLines } from "./history.ts";
import { judged } from "./judge.ts";
import { judgeUsage, readJudgeOptions } from "./judge-options.ts";
import { exitCode } from "./run.ts";
import { converse } from "./run-conversation.ts";
import { createScreen, oneLine } from "./screen.ts";
import { UsageError } from "./usage-error.ts";

declare const NEKODE_VERSION: string;

const assetsDir = path.join(__dirname, "wasm");
const screen = createScreen(process.stdout, process.stderr);

const t = translator(
  /^ja/i.test(process.env.LC_ALL ?? process.env.LC_MESSAGES ?? process.env.LANG ?? "") ? japanese : {},
);
const log: Log = {
  info: () => undefined,
  error: (text, cause) =>
    void screen.err(`nekode: ${text}${cause === undefined ? "" : `: ${messageOf(cause)}`}\n`),
};

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args[0] === "judge") return judge(args.slice(1));
  const options = readOptions(args, process.env, process.cwd());
  if (options.command === "help") return print(usage);
  if (options.command === "version") return print(`${NEKODE_VERSION}\n`);
  const root = folderAt(path.resolve(options.cwd));
  const dataDir = options.dataDir ?? defaultDataDir(process.env);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder to keep sessions in; --data-dir names another");
  const only = options.command === "list" || options.command === "export";
  const place = await (only ? findProjectStore : registerProjectStore)({ dataDir, root, log });
  const host = createTerminalHost({ root, assetsDir, log });
  const diffs = new Map<string, string>();
  host.editor = rememberDiffs(host.editor, (file, diff) =>
    diffs.set(displayPath(host.workspace, file), diff),
  );
  const project = await openProject({
    host,
    sessionsDir: place.folder,
    dataDir,
    environment: process.env,
    settings: () => options.settings,
    settingsAreFresh: true,
    apiKey: async () => process.env.NEKODE_API_KEY || undefined,
    // For this run: the terminal host stores no settings.
    allowCommand: async (prefix) => void options.settings.commands.allow.push(prefix),
  });
  const { agent: manager, checkpoints } = project;
  try {
    const { library } = manager;
    if (options.command === "list") return await printAll(listLines(library, options, t));
    if (options.command === "export") return await print(await exported(library, options, t));
    if (options.command === "change") return await print(await changed(library, options, t));
    if (options.command === "import") return await print(`${await imported(library, options, t)}\n`);
    const { insteadOf, path: used } = host.shell;
    if (insteadOf) await screen.err(`${otherShellText(t, insteadOf.path, insteadOf.why, used)}\n`);
    const diffOf = (file: string | undefined) => (file === undefined ? undefined : diffs.get(file));
    return await converse({ manager, screen, options, t, diffOf, root, checkpoints }).catch(
      (error: unknown) => {
        throw error instanceof NotSaved ? new Error(`${notSavedText(t)} (${error.message})`) : error;
      },
    );
  } finally {
    // What a command changed is known once it has ended.
    await manager.stop();
    for (const { command } of host.shell.background())
      await screen.err(`${t("Ended with the session: {0}", oneLine(command))}\n`);
    host.shell.dispose();
    await project.close();
  }
}

async function judge(args: readonly string[]): Promise<number> {
  const options = readJudgeOptions(args, process.cwd());
  if (options.help) return print(judgeUsage);
  folderAt(options.cwd);
  return print(await judged(options, { assetsDir, log, stdin: process.stdin, t }));
}

function folderAt(root: string): string {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--cwd names no folder: ${root}`);
  return root;
}

async function printAll(parts: AsyncIterable<string>): Promise<number> {
  for await (const part of parts) await print(part);
  return exitCode.completed;
}

function rememberDiffs(editor: Editor, keep: (file: string, diff: string) => void): Editor {
  return {
    ...editor,
    preview(file, original, shown) {
      const preview = editor.preview(file, original, shown);
      const finish = preview.finish.bind(preview);
      preview.finish = async (text) => {
        if (shown.show) keep(file, unifiedDiff(original?.text ?? "", text));
        await finish(text);
      };
      return preview;
    },
  };
}

async function print(text: string): Promise<number> {
  await screen.out(text);
  return exitCode.completed;
}

// Who reads may have had enough (`| head`): that is no fault, and what cannot be said is not worth a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const wrongUse = error instanceof UsageError;
    void screen.err(`nekode: ${messageOf(error)}\n${wrongUse ? "Try nekode --help.\n" : ""}`);
    process.exitCode = wrongUse ? exitCode.usage : exitCode.error;
  },
);
