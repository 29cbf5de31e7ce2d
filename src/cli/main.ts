/** `nekode`: the agent in a terminal. `start/launcher.ts` runs it. */
import "./start/without-generated-code.ts";
import path from "node:path";
import { describeSetup, serveAcp } from "../acp/acp-main.ts";
import { unifiedDiff } from "../core/edits/regions.ts";
import { messageOf } from "../core/errors.ts";
import type { Editor } from "../core/ports/editor.ts";
import { ModelProfiles } from "../core/provider/model-profile.ts";
import { NotSaved } from "../core/sessions/not-saved.ts";
import { displayPath } from "../core/tools/tool-paths.ts";
import { defaultConfigDir } from "../node/config/config-dir.ts";
import { ConfigError } from "../node/config/user-config.ts";
import { openLearnedModels } from "../node/learned-store.ts";
import { installLibraryClasses } from "../node/net/web-classes.ts";
import { createSearchProviders } from "../node/net/web-search/search-providers.ts";
import { openProject } from "../node/project.ts";
import { projectServers } from "../node/servers/project-mcp.ts";
import { defaultDataDir } from "../node/store/project-store.ts";
import { createTerminalHost } from "../node/terminal-host.ts";
import type { Mode } from "../shared/message.ts";
import type { Connection } from "../shared/models/connection.ts";
import type { ErrorView } from "../shared/models/request-error.ts";
import { notSavedText, otherShellText } from "../shared/words/task-words.ts";
import { ACP_USAGE, acpOptions } from "./acp-options.ts";
import { ANSWER_USAGE } from "./answer/answer-options.ts";
import { runTasks, serveQueue } from "./batch/batch-commands.ts";
import { configDirOf, readAnswer, readOptions } from "./command-options.ts";
import { configFailure, runConfig } from "./config/config-command.ts";
import { CONFIG_USAGE, readConfigOptions } from "./config/config-options.ts";
import { keyInEnvironment } from "./config/maker-keys.ts";
import { diagnose } from "./doctor/doctor.ts";
import { DOCTOR_USAGE, readDoctorOptions } from "./doctor/doctor-options.ts";
import { changed, exported, imported, listLines } from "./history.ts";
import { judged } from "./judge.ts";
import { JUDGE_USAGE, readJudgeOptions } from "./judge-options.ts";
import { requiredOutput } from "./output/output-schema.ts";
import { terminalErrorText } from "./printer.ts";
import {
  allowAlways,
  assetsDir,
  configFileIn,
  configOf,
  folderAt,
  log,
  print,
  printAll,
  screen,
  t,
} from "./program.ts";
import { runReplay } from "./replay/replay-main.ts";
import { EXIT_CODE } from "./run.ts";
import { converse } from "./run-conversation.ts";
import { oneLine } from "./screen.ts";
import { mcp, terminalServers } from "./servers/mcp-main.ts";
import { MCP_USAGE, readMcpOptions } from "./servers/mcp-options.ts";
import type { Program } from "./start/launcher.ts";
import { userTerminal } from "./terminal.ts";
import { USAGE } from "./usage.ts";
import { UsageError } from "./usage-error.ts";
import { manageWorktrees } from "./worktree/worktree-main.ts";
import { readWorktreeOptions, WORKTREE_USAGE } from "./worktree/worktree-options.ts";

declare const NEKODE_VERSION: string;

let ranTask = false;

/** What a first argument of this name runs, with the further arguments. Resolves with the exit code. */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  judge,
  mcp: manageServers,
  doctor: checkAModel,
  config: manageConfig,
  acp: serveEditor,
  replay: runReplay,
  batch: runTasks,
  worker: serveQueue,
  worktree: reviewWorktrees,
};

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const [name = ""] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command(args.slice(1));
  return runAgent(args);
}

async function beginTask(): Promise<void> {
  ranTask = true;
  await installLibraryClasses();
}

async function runAgent(args: readonly string[]): Promise<number> {
  const isAnswer = args[0] === "answer";
  const rest = isAnswer ? args.slice(1) : args;
  if (isAnswer && rest.some((arg) => arg === "--help" || arg === "-h")) return print(ANSWER_USAGE);
  const read = isAnswer ? readAnswer : readOptions;
  const configFile = configFileIn(configDirOf(rest));
  const options = read(rest, process.env, process.cwd(), await configOf(rest, configFile));
  if (options.command === "help") return print(USAGE);
  if (options.command === "version") return print(`${NEKODE_VERSION}\n`);
  const root = folderAt(path.resolve(options.cwd));
  const output = options.outputSchema === undefined ? undefined : await requiredOutput(options.outputSchema);
  const dataDir = options.dataDir ?? defaultDataDir(process.env);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder to store sessions in; specify a folder with --data-dir");
  const host = createTerminalHost({ root, assetsDir, dataDir, log });
  const diffs = new Map<string, string>();
  host.editor = rememberDiffs(host.editor, (file, diff) =>
    diffs.set(displayPath({ ...host.workspace, root: workingFolder() }, file), diff),
  );
  const workingFolder = (): string => project.agent.view.session?.worktree?.root ?? root;
  const { searchKey = "" } = options;
  const terminal = options.task === "-" ? undefined : userTerminal(process.stdin, process.stderr);
  const { setup, connector } = terminalServers({
    ...{ host, terminal, screen, programDir: __dirname, version: NEKODE_VERSION, t },
    ...{ configDir: options.configDir, dataDir },
  });
  // What a server printed is part of the error if it fails.
  const servers = projectServers(setup, { host, connector, log: () => undefined });
  const project = await openProject({
    host,
    sessions: { root, onlyReads: options.command === "list" || options.command === "export" },
    dataDir,
    environment: process.env,
    settings: () => options.settings,
    settingsAreFresh: true,
    apiKey: async (connection) => keyInEnvironment(connection, process.env),
    searchProviders: createSearchProviders({
      settings: () => options.settings,
      key: async () => searchKey,
      onChange: () => ({ dispose: () => undefined }),
      fetch: (input, init) => (host.fetch ?? fetch)(input, init),
    }),
    servers,
    otherKeys: async () => (searchKey === "" ? [] : [searchKey]),
    version: NEKODE_VERSION,
    allowCommand: (entry) => allowAlways(entry, options.settings, configFile),
    ...(output ? { output } : {}),
  });
  const { agent: manager } = project;
  try {
    const { library } = manager;
    const err = (text: string) => void screen.err(text);
    if (options.command === "list") return await printAll(listLines(library, options, t));
    if (options.command === "export") return await print(await exported(library, options, t, err));
    if (options.command === "change") return await print(await changed(library, options, t));
    if (options.command === "import") return await print(`${await imported(library, options, t)}\n`);
    const { insteadOf, path: used } = host.shell;
    if (insteadOf) await screen.err(`${otherShellText(t, insteadOf.path, insteadOf.why, used)}\n`);
    const keepModel = async (mode: Mode, name: string) => {
      if (!configFile) throw new Error(t("There is no home folder. Specify a folder with --config-dir."));
      await configFile.set([mode === "plan" ? "planModel" : "model"], name).catch((error: unknown) => {
        throw error instanceof ConfigError ? new Error(configFailure(t, error)) : error;
      });
      return configFile.path;
    };
    const diffOf = (file: string | undefined) => (file === undefined ? undefined : diffs.get(file));
    await beginTask();
    return await converse({
      ...{ manager, screen, options, t, diffOf, root, terminal, servers, keepModel, output },
      version: NEKODE_VERSION,
    }).catch((error: unknown) => {
      throw error instanceof NotSaved ? new Error(`${notSavedText(t)} (${error.message})`) : error;
    });
  } finally {
    // The changes of a command are known once it has ended.
    await manager.stop();
    for (const { command } of host.shell.background())
      await screen.err(`${t("Ended because the session was closed: {0}", oneLine(command))}\n`);
    host.shell.dispose();
    await project.close();
  }
}

async function manageConfig(args: readonly string[]): Promise<number> {
  const { action, configDir = defaultConfigDir(process.env) } = readConfigOptions(args);
  if (action.kind === "help") return print(CONFIG_USAGE);
  if (configDir === undefined)
    throw new UsageError("there is no home folder; specify a folder with --config-dir");
  return runConfig(action, configDir, { screen, t });
}

async function checkAModel(args: readonly string[]): Promise<number> {
  const options = readDoctorOptions(args, process.env);
  if (options.help) return print(DOCTOR_USAGE);
  const config = await configOf([], configFileIn(options.configDir));
  const { settings } = readOptions([], process.env, process.cwd(), config);
  const host = createTerminalHost({ root: process.cwd(), assetsDir, log });
  const dataDir = options.dataDir ?? defaultDataDir(process.env);
  const learned = dataDir === undefined ? undefined : await openLearnedModels(dataDir, host.clock, log);
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  try {
    return await diagnose(options, {
      ...{ host, settings, screen, t, signal: interrupt.signal },
      terminal: userTerminal(process.stdin, process.stderr),
      profiles: new ModelProfiles({ overrides: () => settings.models, learned }),
      apiKey: async (connection) => keyInEnvironment(connection, process.env),
    });
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT_CODE.interrupted;
    throw error;
  } finally {
    await learned?.flush();
    host.shell.dispose();
  }
}

async function judge(args: readonly string[]): Promise<number> {
  const options = readJudgeOptions(args, process.cwd());
  if (options.help) return print(JUDGE_USAGE);
  folderAt(options.cwd);
  const { commands = {} } = await configOf([], configFileIn());
  const lists = { allow: options.allow ?? commands.allow, deny: options.deny ?? commands.deny };
  return print(await judged({ ...options, ...lists }, { assetsDir, log, stdin: process.stdin, t }));
}

async function manageServers(args: readonly string[]): Promise<number> {
  const options = readMcpOptions(args, process.cwd());
  if (options.action.kind === "help") return print(MCP_USAGE);
  const host = createTerminalHost({ root: folderAt(options.cwd), assetsDir, log });
  return mcp(options, { host, programDir: __dirname, version: NEKODE_VERSION, screen, t });
}

async function reviewWorktrees(args: readonly string[]): Promise<number> {
  const options = readWorktreeOptions(args, process.cwd());
  if (options.action.kind === "help") return print(WORKTREE_USAGE);
  folderAt(options.cwd);
  return manageWorktrees(options, { screen, t });
}

/** Standard output belongs to the protocol. The editor names the folders. */
async function serveEditor(args: readonly string[]): Promise<number> {
  const [setup, rest] = [args.includes("--setup"), args.filter((arg) => arg !== "--setup")];
  const file = configFileIn(configDirOf(rest));
  const options = acpOptions(readOptions(rest, process.env, process.cwd(), await configOf(rest, file)));
  if (options.command === "help") return print(ACP_USAGE);
  if (options.command === "version") return print(`${NEKODE_VERSION}\n`);
  const dataDir = options.dataDir ?? defaultDataDir(process.env);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder to store sessions in; specify a folder with --data-dir");
  const { settings, mode, takeOver, searchKey } = options;
  const parts = {
    ...{ settings, mode, takeOver, searchKey, dataDir, log, t },
    apiKey: (connection: Connection) => keyInEnvironment(connection, process.env),
    allowCommand: (entry: string) => allowAlways(entry, settings, file),
    errorText: (error: ErrorView) => terminalErrorText(t, error),
    cwd: path.resolve(options.cwd),
    configDir: options.configDir ?? defaultConfigDir(process.env) ?? path.join(dataDir, "config"),
    programDir: __dirname,
    environment: process.env,
    version: NEKODE_VERSION,
  };
  if (setup) {
    const { text, isReady } = describeSetup(parts);
    await print(`${text}\n`);
    return isReady ? EXIT_CODE.completed : EXIT_CODE.error;
  }
  if (process.stdin.isTTY)
    await screen.err(`${t("nekode acp is started by an editor and waits for it. See nekode acp --help.")}\n`);
  await beginTask();
  await serveAcp(parts);
  return EXIT_CODE.completed;
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

// The reader may close the pipe early (`| head`): that is not an error, and output that cannot be written does not
// justify a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

/** Whether the run ended, and whether it was one that a model took part in. */
export const ended: Program["ended"] = main().then(
  (code) => {
    process.exitCode = code;
    return { ranTask };
  },
  (error: unknown) => {
    const wrongConfig = error instanceof ConfigError;
    const wrongUse = error instanceof UsageError;
    const words = wrongConfig ? configFailure(t, error) : messageOf(error);
    void screen.err(`nekode: ${words}\n${wrongUse ? "Run nekode --help for usage.\n" : ""}`);
    process.exitCode = wrongUse || wrongConfig ? EXIT_CODE.usage : EXIT_CODE.error;
    return { ranTask: false };
  },
);
