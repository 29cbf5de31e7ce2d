/** `nekode`: the agent in a terminal. `start/launcher.ts` runs it as a process. */
import "./start/without-generated-code.ts";
import path from "node:path";
import { describeSetup, serveAcp } from "../acp/acp-main.ts";
import { unifiedDiff } from "../core/edits/regions.ts";
import { messageOf } from "../core/errors.ts";
import { PolicyError } from "../core/policy/admin-policy.ts";
import type { Editor } from "../core/ports/editor.ts";
import { ModelProfiles } from "../core/provider/model-profile.ts";
import { NotSaved } from "../core/sessions/problems.ts";
import { displayPath } from "../core/tools/tool-paths.ts";
import { defaultConfigDir } from "../node/config/config-dir.ts";
import { addLanguageServers } from "../node/config/language-server-setup.ts";
import { ConfigError } from "../node/config/user-config.ts";
import { callDirectly } from "../node/files/direct-calls.ts";
import { nodeFiles } from "../node/files/disk-files.ts";
import { installLibraryClasses } from "../node/net/model-fetch.ts";
import { createSearchProviders } from "../node/net/web-search/search-providers.ts";
import { openLearnedModels, openProject } from "../node/open-project.ts";
import { InstalledPlugins } from "../node/plugins/installed-plugins.ts";
import { machinePolicy } from "../node/policy/machine-policy.ts";
import { projectServers } from "../node/servers/project-mcp.ts";
import { createStorage } from "../node/store/folder-storage.ts";
import { defaultDataDir } from "../node/store/project-store.ts";
import { openTerminalHost } from "../node/terminal-host.ts";
import type { Mode } from "../shared/message.ts";
import type { Connection } from "../shared/models/connection.ts";
import type { ErrorView } from "../shared/models/request-error.ts";
import { policyFaultText } from "../shared/words/policy-words.ts";
import { notSavedText, otherShellText, type Translate } from "../shared/words/task-words.ts";
import { ACP_USAGE, acpOptions } from "./acp-options.ts";
import { runTasks, serveQueue } from "./batch/batch-commands.ts";
import { BATCH_USAGE, WORKER_USAGE } from "./batch/batch-options.ts";
import { commandLine } from "./command-line.ts";
import { ANSWER_USAGE, configDirOf, readAnswer, readOptions } from "./command-options.ts";
import { COMPLETION_USAGE, readCompletionFormat } from "./completion/completion-options.ts";
import { configFailure, runConfig } from "./config/config-command.ts";
import { CONFIG_USAGE, readConfigOptions } from "./config/config-options.ts";
import { keyInEnvironment } from "./config/maker-keys.ts";
import { diagnose } from "./doctor/doctor.ts";
import { DOCTOR_USAGE, readDoctorOptions } from "./doctor/doctor-options.ts";
import { printReport } from "./doctor/doctor-report.ts";
import { changed, exported, imported, listLines } from "./history/history.ts";
import { manageHooks } from "./hooks/hooks-main.ts";
import { HOOKS_USAGE, readHooksOptions } from "./hooks/hooks-options.ts";
import { importFromAgents } from "./import/import-main.ts";
import { IMPORT_USAGE, readImportOptions } from "./import/import-options.ts";
import { importSettings } from "./import/setting-main.ts";
import { readSettingOptions, SETTING_USAGE } from "./import/setting-options.ts";
import { judged } from "./judge.ts";
import { JUDGE_USAGE, readJudgeOptions } from "./judge-options.ts";
import { LSP_USAGE } from "./language-servers/lsp-usage.ts";
import { MEMORY_USAGE, manageMemory } from "./memory/memory-command.ts";
import { requiredOutput } from "./output/output-schema.ts";
import { managePlugins } from "./plugins/plugin-main.ts";
import { PLUGIN_USAGE, readPluginOptions } from "./plugins/plugin-options.ts";
import { POLICY_USAGE, showPolicy } from "./policy/policy-command.ts";
import { terminalErrorText } from "./printer.ts";
import {
  allowAlways,
  assetsDir,
  configFileIn,
  configOf,
  folderAt,
  type ProgramContext,
  print,
  printAll,
  programContext,
  programDir,
} from "./program.ts";
import { runReplay } from "./replay/replay-main.ts";
import { REPLAY_USAGE } from "./replay/replay-options.ts";
import { reviewInTerminal } from "./review/review-command.ts";
import { REVIEW_USAGE } from "./review/review-options.ts";
import { listRules, RULES_USAGE } from "./rules/rules-command.ts";
import { EXIT_CODE } from "./run.ts";
import { converse } from "./run-conversation.ts";
import { oneLine } from "./screen.ts";
import { mcp, terminalServers } from "./servers/mcp-main.ts";
import { MCP_USAGE, readMcpOptions } from "./servers/mcp-options.ts";
import { AGENTS_USAGE, showAgents } from "./skills/agents-command.ts";
import { listSkills, SKILLS_USAGE } from "./skills/skills-command.ts";
import type { ProgramIo, ProgramResult } from "./start/program-io.ts";
import { userTerminal } from "./terminal.ts";
import { manageTools, TOOLS_USAGE } from "./tools/tools-command.ts";
import { USAGE } from "./usage.ts";
import { UsageError } from "./usage-error.ts";
import { manageWorktrees } from "./worktree/worktree-main.ts";
import { readWorktreeOptions, WORKTREE_USAGE } from "./worktree/worktree-options.ts";

declare const NEKODE_VERSION: string;

/** One run. */
interface Run extends ProgramContext {
  /** Whether a model takes part in it. */
  runsTask: boolean;
}

/** What a first argument of this name runs, with the further arguments. Resolves with the exit code. */
const COMMANDS: Readonly<Record<string, (run: Run, args: readonly string[]) => Promise<number>>> = {
  judge,
  mcp: manageServers,
  hooks: reviewHooks,
  lsp: manageLanguageServers,
  doctor: checkAModel,
  config: manageConfig,
  acp: serveEditor,
  replay: runReplay,
  review: reviewChangesOf,
  batch: runTasks,
  worker: serveQueue,
  worktree: reviewWorktrees,
  import: importOthers,
  skills: listSkills,
  rules: listRules,
  memory: manageMemory,
  tools: manageTools,
  agents: showAgents,
  plugin: reviewPlugins,
  completion: printCompletion,
  policy: showPolicy,
};

/** The help of each command; "": of the program itself. */
const USAGES: Readonly<Record<string, string>> = {
  "": USAGE,
  answer: ANSWER_USAGE,
  judge: JUDGE_USAGE,
  mcp: MCP_USAGE,
  hooks: HOOKS_USAGE,
  skills: SKILLS_USAGE,
  rules: RULES_USAGE,
  memory: MEMORY_USAGE,
  agents: AGENTS_USAGE,
  plugin: PLUGIN_USAGE,
  doctor: DOCTOR_USAGE,
  config: CONFIG_USAGE,
  review: REVIEW_USAGE,
  replay: REPLAY_USAGE,
  worktree: WORKTREE_USAGE,
  import: IMPORT_USAGE,
  "import settings": SETTING_USAGE,
  acp: ACP_USAGE,
  batch: BATCH_USAGE,
  worker: WORKER_USAGE,
  tools: TOOLS_USAGE,
  lsp: LSP_USAGE,
  completion: COMPLETION_USAGE,
  policy: POLICY_USAGE,
};

/** See `Program.main`. */
export async function main(args: readonly string[], io: ProgramIo): Promise<ProgramResult> {
  // The reader may close the pipe early (`| head`): that is not an error, and output that cannot be written does not
  // justify a stack trace.
  for (const stream of [io.stdout, io.stderr]) stream.on("error", () => undefined);
  callDirectly();
  const run: Run = { ...(await programContext(io)), runsTask: false };
  const { screen, t } = run;
  try {
    const [name = ""] = args;
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    // No command works around a policy that cannot be used.
    if (!isHelp(args)) await machinePolicy();
    const code = await (command ? command(run, args.slice(1)) : runAgent(run, args));
    return { code, ranTask: run.runsTask };
  } catch (error) {
    const wrongConfig = error instanceof ConfigError;
    const wrongUse = error instanceof UsageError;
    const words = error instanceof PolicyError ? policyFaultText(t, error.fault) : configWords(t, error);
    void screen.err(`nekode: ${words}\n${wrongUse ? "Run nekode --help for usage.\n" : ""}`);
    return { code: wrongUse || wrongConfig ? EXIT_CODE.usage : EXIT_CODE.error, ranTask: false };
  }
}

function configWords(t: Translate, error: unknown): string {
  return error instanceof ConfigError ? configFailure(t, error) : messageOf(error);
}

/** Whether these arguments only print something about the program. */
function isHelp(args: readonly string[]): boolean {
  const [name = ""] = args;
  return name === "completion" || args.some((arg) => ["--help", "-h", "--version"].includes(arg));
}

async function beginTask(run: Run): Promise<void> {
  run.runsTask = true;
  await installLibraryClasses();
}

async function runAgent(run: Run, args: readonly string[]): Promise<number> {
  const { environment, withKeys, stdin, stdout, stderr, signals, screen, log, t } = run;
  const isAnswer = args[0] === "answer";
  const rest = isAnswer ? args.slice(1) : args;
  if (isAnswer && rest.some((arg) => arg === "--help" || arg === "-h")) return print(run, ANSWER_USAGE);
  const read = isAnswer ? readAnswer : readOptions;
  const configFile = configFileIn(run, configDirOf(rest, run.cwd));
  const options = read(rest, withKeys, run.cwd, await configOf(run, rest, configFile));
  if (options.command === "help") return print(run, USAGE);
  if (options.command === "version") return print(run, `${NEKODE_VERSION}\n`);
  const root = folderAt(path.resolve(run.cwd, options.cwd));
  const output = options.outputSchema === undefined ? undefined : await requiredOutput(options.outputSchema);
  const dataDir = options.dataDir ?? defaultDataDir(environment);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder to store sessions in; specify a folder with --data-dir");
  const host = await openTerminalHost({
    root,
    assetsDir,
    environment,
    dataDir,
    log,
  });
  const diffs = new Map<string, string>();
  host.editor = rememberDiffs(host.editor, (file, diff) =>
    diffs.set(displayPath({ ...host.workspace, root: workingFolder() }, file), diff),
  );
  const workingFolder = (): string => opened.project.view.active.chatView.session?.worktree?.root ?? root;
  const { searchKey = "" } = options;
  const languageServers = await addLanguageServers(host, {
    ...{ configDir: options.configDir, dataDir, environment, programDir, version: NEKODE_VERSION },
  });
  const terminal = options.task === "-" ? undefined : userTerminal(stdin, stderr);
  // What a script gets must not depend on what earlier runs noted.
  if (terminal === undefined && options.memory === undefined) options.settings.memory = false;
  const { setup, connector } = terminalServers({
    host,
    environment,
    withKeys,
    terminal,
    screen,
    programDir,
    version: NEKODE_VERSION,
    t,
    configDir: options.configDir,
    dataDir,
  });
  // What a server printed is part of the error if it fails.
  const servers = projectServers(setup, { host, connector, log: () => undefined });
  const opened = await openProject({
    host,
    sessions: { root, onlyReads: options.command === "list" || options.command === "export" },
    dataDir,
    environment,
    settings: () => options.settings,
    settingsAreFresh: true,
    apiKey: async (connection) => keyInEnvironment(connection, withKeys),
    searchProviders: createSearchProviders({
      settings: () => options.settings,
      key: async () => searchKey,
      onChange: () => ({ dispose: () => undefined }),
      fetch: (input, init) => (host.fetch ?? fetch)(input, init),
    }),
    servers,
    otherKeys: async () => (searchKey === "" ? [] : [searchKey]),
    version: NEKODE_VERSION,
    unattended: true,
    t,
    allowCommand: (entry) => allowAlways(entry, options.settings, configFile),
    ...(output ? { output } : {}),
  });
  const { project } = opened;
  const { view } = project;
  try {
    const { library } = project;
    const err = (text: string) => void screen.err(text);
    if (options.command === "list") return await printAll(run, listLines(library, options, t, err));
    if (options.command === "export") return await print(run, await exported(library, options, t, err));
    if (options.command === "change") return await print(run, await changed(library, options, t));
    if (options.command === "import")
      return await print(run, `${await imported(library, options, t, run.cwd)}\n`);
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
    await beginTask(run);
    return await converse({
      stdin,
      stdout,
      stderr,
      signals,
      project,
      view,
      host,
      screen,
      options,
      t,
      diffOf,
      root,
      terminal,
      servers,
      keepModel,
      output,
      version: NEKODE_VERSION,
    }).catch((error: unknown) => {
      throw error instanceof NotSaved ? new Error(`${notSavedText(t)} (${error.message})`) : error;
    });
  } finally {
    // The changes of a command are known once it has ended.
    await view.stop();
    for (const { command } of host.shell.background())
      await screen.err(`${t("Ended because the session was closed: {0}", oneLine(command))}\n`);
    host.shell.dispose();
    await opened.close();
    await languageServers?.close();
  }
}

async function printCompletion(run: Run, args: readonly string[]): Promise<number> {
  const format = readCompletionFormat(args);
  if (format === "help") return print(run, COMPLETION_USAGE);
  const { completionText } = await import("./completion/completions.ts");
  return print(run, completionText(format, USAGES, NEKODE_VERSION));
}

async function manageConfig(run: Run, args: readonly string[]): Promise<number> {
  const { environment, cwd, screen, t } = run;
  const { action, configDir = defaultConfigDir(environment) } = readConfigOptions(args, cwd);
  if (action.kind === "help") return print(run, CONFIG_USAGE);
  if (configDir === undefined)
    throw new UsageError("there is no home folder; specify a folder with --config-dir");
  return runConfig(action, configDir, { screen, t });
}

async function checkAModel(run: Run, args: readonly string[]): Promise<number> {
  const { environment, withKeys, cwd, stdin, stderr, signals, screen, log, t } = run;
  const options = readDoctorOptions(args, environment, cwd);
  if (options.help) return print(run, DOCTOR_USAGE);
  if (options.report) return printReport(run, options, NEKODE_VERSION);
  const config = await configOf(run, [], configFileIn(run, options.configDir));
  const { settings } = readOptions([], withKeys, cwd, config);
  const host = await openTerminalHost({ root: cwd, assetsDir, environment, log });
  const dataDir = options.dataDir ?? defaultDataDir(environment);
  const learned = dataDir === undefined ? undefined : await openLearnedModels(dataDir, host.clock, log);
  const interrupt = new AbortController();
  signals.once("SIGINT", () => interrupt.abort());
  try {
    return await diagnose(options, {
      host,
      settings,
      screen,
      t,
      signal: interrupt.signal,
      terminal: userTerminal(stdin, stderr),
      profiles: new ModelProfiles({ overrides: () => settings.models, learned }),
      apiKey: async (connection) => keyInEnvironment(connection, withKeys),
    });
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT_CODE.interrupted;
    throw error;
  } finally {
    await learned?.flush();
    host.shell.dispose();
  }
}

async function reviewChangesOf(run: Run, args: readonly string[]): Promise<number> {
  return reviewInTerminal(run, args, () => beginTask(run));
}

async function judge(run: Run, args: readonly string[]): Promise<number> {
  const { environment, stdin, log, t } = run;
  const options = readJudgeOptions(args, run.cwd);
  if (options.help) return print(run, JUDGE_USAGE);
  folderAt(options.cwd);
  const { commands = {} } = await configOf(run, [], configFileIn(run));
  const lists = { allow: options.allow ?? commands.allow, deny: options.deny ?? commands.deny };
  return print(run, await judged({ ...options, ...lists }, { assetsDir, environment, log, stdin, t }));
}

async function manageServers(run: Run, args: readonly string[]): Promise<number> {
  const { environment, log } = run;
  const options = readMcpOptions(args, run.cwd);
  if (options.action.kind === "help") return print(run, MCP_USAGE);
  const { dataDir } = options;
  const host = await openTerminalHost({
    root: folderAt(options.cwd),
    assetsDir,
    environment,
    dataDir,
    log,
  });
  return mcp(options, { ...run, host, programDir, version: NEKODE_VERSION });
}

async function reviewHooks(run: Run, args: readonly string[]): Promise<number> {
  const options = readHooksOptions(args, run.cwd);
  if (options.action.kind === "help") return print(run, HOOKS_USAGE);
  return manageHooks({ ...options, cwd: folderAt(options.cwd) }, run);
}

async function manageLanguageServers(run: Run, args: readonly string[]): Promise<number> {
  const { runLanguageServersCommand } = await import("./language-servers/lsp-command.ts");
  return runLanguageServersCommand(run, args, {
    ...{ commandLine, UsageError, createStorage, InstalledPlugins, machinePolicy, defaultDataDir },
    files: nodeFiles,
  });
}

async function reviewPlugins(run: Run, args: readonly string[]): Promise<number> {
  const options = readPluginOptions(args, run.cwd);
  if (options.command.kind === "help") return print(run, PLUGIN_USAGE);
  return managePlugins({ ...options, cwd: folderAt(options.cwd) }, run);
}

async function reviewWorktrees(run: Run, args: readonly string[]): Promise<number> {
  const options = readWorktreeOptions(args, run.cwd);
  if (options.action.kind === "help") return print(run, WORKTREE_USAGE);
  folderAt(options.cwd);
  return manageWorktrees(options, run);
}

async function importOthers(run: Run, args: readonly string[]): Promise<number> {
  if (args[0] === "settings") {
    const settings = readSettingOptions(args.slice(1), run.cwd);
    return settings.help ? print(run, SETTING_USAGE) : importSettings(settings, run);
  }
  const options = readImportOptions(args, run.cwd);
  if (options.help) return print(run, IMPORT_USAGE);
  return importFromAgents(options, run);
}

/** Standard output belongs to the protocol. The editor names the folders. */
async function serveEditor(run: Run, args: readonly string[]): Promise<number> {
  const { environment, withKeys, stdin, stdout, signals, screen, log, t } = run;
  const [setup, rest] = [args.includes("--setup"), args.filter((arg) => arg !== "--setup")];
  const file = configFileIn(run, configDirOf(rest, run.cwd));
  const options = acpOptions(readOptions(rest, withKeys, run.cwd, await configOf(run, rest, file)));
  if (options.command === "help") return print(run, ACP_USAGE);
  if (options.command === "version") return print(run, `${NEKODE_VERSION}\n`);
  const dataDir = options.dataDir ?? defaultDataDir(environment);
  if (dataDir === undefined)
    throw new UsageError("there is no home folder to store sessions in; specify a folder with --data-dir");
  const { settings, mode, agent, takeOver, searchKey } = options;
  const parts = {
    settings,
    mode,
    agent,
    takeOver,
    searchKey,
    dataDir,
    log,
    t,
    apiKey: (connection: Connection) => keyInEnvironment(connection, withKeys),
    allowCommand: (entry: string) => allowAlways(entry, settings, file),
    errorText: (error: ErrorView) => terminalErrorText(t, error),
    cwd: path.resolve(run.cwd, options.cwd),
    configDir: options.configDir ?? defaultConfigDir(environment) ?? path.join(dataDir, "config"),
    programDir,
    environment,
    input: stdin,
    output: stdout,
    signals,
    version: NEKODE_VERSION,
  };
  if (setup) {
    const { text, isReady } = describeSetup(parts);
    await print(run, `${text}\n`);
    return isReady ? EXIT_CODE.completed : EXIT_CODE.error;
  }
  if (stdin.isTTY)
    await screen.err(`${t("nekode acp is started by an editor and waits for it. See nekode acp --help.")}\n`);
  await beginTask(run);
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
