/** `nekode`: the agent in a terminal. */
import path from "node:path";
import { text as readAll } from "node:stream/consumers";
import japanese from "../../l10n/bundle.l10n.ja.json";
import { unifiedDiff } from "../core/edits/regions.ts";
import { messageOf } from "../core/errors.ts";
import type { Editor, Log } from "../core/ports.ts";
import { openSessionStore } from "../core/sessions/sessions.ts";
import { TaskManager } from "../core/task/manager.ts";
import { displayPath } from "../core/tools/paths.ts";
import { createNodeHost } from "../node/compose.ts";
import { defaultDataDir, findProjectStore, registerProjectStore } from "../node/project-store.ts";
import { type Translate, translator } from "../shared/texts.ts";
import { exported, imported, listLines } from "./history.ts";
import { type Options, readOptions, UsageError, usage } from "./options.ts";
import { jsonPrinter, textPrinter } from "./printer.ts";
import { exitCode, runTask } from "./run.ts";
import { personsTerminal } from "./terminal.ts";

declare const NEKODE_VERSION: string;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env, process.cwd());
  if (options.command === "help") return print(usage);
  if (options.command === "version") return print(`${NEKODE_VERSION}\n`);
  const root = path.resolve(options.cwd);
  const t = translator(
    /^ja/i.test(process.env.LC_ALL ?? process.env.LC_MESSAGES ?? process.env.LANG ?? "") ? japanese : {},
  );
  const log: Log = {
    info: () => undefined,
    error: (text, cause) =>
      process.stderr.write(`nekode: ${text}${cause === undefined ? "" : `: ${messageOf(cause)}`}\n`),
  };
  const dataDir = options.dataDir ?? defaultDataDir(process.env);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder to keep sessions in; --data-dir names another");
  const only = options.command === "list" || options.command === "export";
  const place = await (only ? findProjectStore : registerProjectStore)({ dataDir, root, log });
  const { host, storage } = createNodeHost({
    root,
    dataDir: place.folder,
    assetsDir: path.join(__dirname, "wasm"),
    log,
  });
  const diffs = new Map<string, string>();
  host.editor = rememberDiffs(host.editor, (file, diff) =>
    diffs.set(displayPath(host.workspace, file), diff),
  );
  const store = await openSessionStore(storage, host.assets, host.clock, log);
  try {
    const manager = new TaskManager({
      host,
      store,
      settings: () => options.settings,
      apiKey: async () => process.env.NEKODE_API_KEY || undefined,
      // For this run: the terminal host stores no settings.
      allowCommand: async (prefix) => void options.settings.commands.allow.push(prefix),
    });
    try {
      const { library } = manager;
      if (options.command === "list") return await printAll(listLines(library, options, t));
      if (options.command === "export") return await print(await exported(library, options, t));
      if (options.command === "import") return await print(`${await imported(library, options, t)}\n`);
      return await converse(manager, options, t, (file) =>
        file === undefined ? undefined : diffs.get(file),
      );
    } finally {
      await manager.dispose();
    }
  } finally {
    host.shell.dispose();
    await store.close();
  }
}

async function converse(
  manager: TaskManager,
  options: Options,
  t: Translate,
  diffOf: (file: string | undefined) => string | undefined,
): Promise<number> {
  const out = (text: string) => void process.stdout.write(text);
  const err = (text: string) => void process.stderr.write(text);
  const task = options.task === "-" ? await readAll(process.stdin) : options.task;
  const terminal = options.task === "-" ? undefined : personsTerminal(process.stdin, process.stderr);
  if (task?.trim() === "") throw new UsageError("the TASK is empty");
  if (task === undefined && terminal === undefined && options.resume === undefined) {
    throw new UsageError("a TASK is needed when standard input is not a terminal");
  }
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  const output = { out, err };
  const printer = options.json ? jsonPrinter(output) : textPrinter(output, t, () => manager.view);
  try {
    if (options.resume !== undefined) await resume(manager, options.resume, options.takeOver);
    const printing = manager.onEvent((event) => printer.print(event));
    if (options.mode !== undefined) await manager.setMode(options.mode);
    const run = { manager, options, terminal, t, diffOf, err, signal: interrupt.signal };
    const first =
      task ?? (options.resume === undefined ? await terminal?.ask("> ", interrupt.signal) : undefined);
    if (first === undefined && options.resume === undefined) return exitCode.completed;
    const code = await runTask({ ...run }, first);
    printing.dispose();
    // Nobody is to find it open and unattended.
    await manager.newTask();
    return code;
  } catch (error) {
    if (interrupt.signal.aborted) return exitCode.interrupted;
    throw error;
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}

async function resume(
  manager: TaskManager,
  which: NonNullable<Options["resume"]>,
  takeOver: boolean,
): Promise<void> {
  const id = which === "latest" ? (await manager.history())[0]?.id : which.id;
  if (id === undefined) throw new UsageError("there is no session to continue in this project");
  if ((await manager.open(id, { takeOver })).elsewhere) {
    throw new Error(`session ${id} is open in another window or terminal; --take-over goes on with it here`);
  }
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
  await new Promise((resolve) => process.stdout.write(text, resolve));
  return 0;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const wrongUse = error instanceof UsageError;
    process.stderr.write(`nekode: ${messageOf(error)}\n${wrongUse ? "Try nekode --help.\n" : ""}`);
    process.exitCode = wrongUse ? exitCode.usage : exitCode.error;
  },
);
