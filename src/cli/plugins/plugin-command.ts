/** `nekode plugin`: shows what a plugin adds or changes, asks, and installs, updates, checks and removes it. */
import { PluginError } from "../../core/plugins/plugin-error.ts";
import type { PluginManager, PreparedPlugin } from "../../node/plugins/plugin-manager.ts";
import type {
  ListedPlugin,
  PluginComponent,
  PluginDifference,
  PluginPreview,
} from "../../shared/plugin-list.ts";
import {
  pluginChangeText,
  pluginConsequenceText,
  pluginKindText,
  pluginProblemText,
  pluginStateText,
} from "../../shared/words/plugin-words.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import { EXIT_CODE } from "../run.ts";
import { jsonLine, oneLine, type Screen } from "../screen.ts";
import { askYes, type Terminal } from "../terminal.ts";
import type { PluginOptions } from "./plugin-options.ts";

export interface PluginHost {
  manager: PluginManager;
  screen: Pick<Screen, "out" | "err">;
  t: Translate;
  /** undefined: nobody can be asked. */
  terminal: Pick<Terminal, "ask"> | undefined;
  signal: AbortSignal;
}

/** Files of an update that are listed by name. */
const MOST_FILES_SHOWN = 50;

/** Resolves with the exit code. Rejects with PluginError and Interrupt. */
export async function runPluginCommand(
  { command, yes, json }: PluginOptions,
  host: PluginHost,
): Promise<number> {
  const { manager, signal } = host;
  switch (command.kind) {
    case "help":
      return EXIT_CODE.completed;
    case "list":
      return list(json, host);
    case "add": {
      const { address, plugin } = command;
      return add(
        await manager.prepare({ address, ...(plugin === undefined ? {} : { plugin }) }, signal),
        yes,
        host,
      );
    }
    case "update":
      return update(command.names, yes, host);
    case "check":
      return check(command.names, host);
    case "on":
    case "off":
      await manager.switch(command.name, command.kind === "on");
      return list(json, host);
    case "remove":
      await manager.remove(command.name);
      await host.screen.out(`${host.t("Removed the plugin {0}.", command.name)}\n`);
      return EXIT_CODE.completed;
  }
}

async function list(json: boolean, { manager, screen, t }: PluginHost): Promise<number> {
  const plugins = await manager.list();
  for (const plugin of plugins) await screen.out(json ? jsonLine(plugin) : pluginLines(plugin, t));
  if (plugins.length === 0 && !json) await screen.err(`${t("No plugins are installed.")}\n`);
  return EXIT_CODE.completed;
}

function pluginLines(plugin: ListedPlugin, t: Translate): string {
  return [
    ...headLines(plugin, [pluginStateText(t, plugin.state)]),
    ...plugin.changed.map((file) => `  ! ${oneLine(file)}`),
    ...componentLines(plugin.components, t),
    ...problemLines(plugin, t),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

type Described = Pick<PluginPreview, "name" | "version" | "description" | "source" | "commit" | "problems">;

function headLines(
  { name, version, description, source, commit }: Described,
  more: readonly string[],
): string[] {
  const facts = [...more, source, ...(commit === undefined ? [] : [commit.slice(0, 12)])];
  return [
    oneLine(version === undefined ? name : `${name} ${version}`),
    `  ${oneLine(facts.join(" · "))}`,
    ...(description === undefined ? [] : [`  ${oneLine(description)}`]),
  ];
}

/** The components by their kind; a command line is shown whole. */
function componentLines(components: readonly PluginComponent[], t: Translate): string[] {
  const kinds = [...new Set(components.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => [
    `  ${pluginKindText(t, kind)}`,
    ...components.filter((each) => each.kind === kind).map((each) => `    ${componentLine(each)}`),
  ]);
}

function componentLine({ name, detail }: PluginComponent): string {
  return oneLine(detail === "" ? name : `${name}: ${detail}`);
}

function problemLines({ problems }: Pick<Described, "problems">, t: Translate): string[] {
  return problems.map((problem) => `  ! ${oneLine(pluginProblemText(t, problem))}`);
}

async function add(prepared: PreparedPlugin, yes: boolean, host: PluginHost): Promise<number> {
  const { screen, t, manager } = host;
  const { preview } = prepared;
  const lines = [
    ...headLines(preview, [t("Files: {0}, {1} KB", preview.files, Math.ceil(preview.bytes / 1024))]),
    ...componentLines(preview.components, t),
    ...problemLines(preview, t),
    pluginConsequenceText(t, preview),
  ];
  await screen.out(lines.map((line) => `${line}\n`).join(""));
  const refused = await unlessAgreed(t("Install the plugin {0}?", preview.name), yes, host);
  if (refused !== undefined) return refused;
  await manager.install(prepared);
  await screen.out(`${t("Installed the plugin {0}.", preview.name)}\n`);
  return EXIT_CODE.completed;
}

/** The exit code if the user does not agree. */
async function unlessAgreed(
  question: string,
  yes: boolean,
  { screen, t, terminal, signal }: PluginHost,
): Promise<number | undefined> {
  if (yes) return undefined;
  if (!terminal) {
    await screen.err(`${t("Nobody can be asked. Run the command again with --yes to agree.")}\n`);
    return EXIT_CODE.unanswered;
  }
  return (await askYes(terminal, t, question, signal)) ? undefined : EXIT_CODE.completed;
}

async function update(names: readonly string[], yes: boolean, host: PluginHost): Promise<number> {
  const { manager, screen, t, signal } = host;
  const wanted = await chosen(names, host);
  let code: number = EXIT_CODE.completed;
  for (const { name, state } of wanted) {
    const prepared = await manager.prepareUpdate(name, signal).catch(failed);
    if (prepared instanceof PluginError) {
      await screen.err(`${oneLine(name)}: ${oneLine(pluginProblemText(t, prepared.problem))}\n`);
      code = EXIT_CODE.error;
      continue;
    }
    const { difference } = prepared.preview;
    if (state !== "changed" && difference?.files.length === 0) {
      await screen.out(`${t("The plugin {0} is up to date.", name)}\n`);
      continue;
    }
    const lines = [
      ...headLines(prepared.preview, []),
      ...(difference ? differenceLines(difference, t) : []),
      ...problemLines(prepared.preview, t),
      // Files that changed on the disk become again what the user approved.
      ...(difference?.files.length === 0
        ? []
        : [t("Everything of the plugin that you approved asks again.")]),
    ];
    await screen.out(lines.map((line) => `${line}\n`).join(""));
    const refused = await unlessAgreed(t("Update the plugin {0}?", name), yes, host);
    if (refused === undefined) {
      await manager.install(prepared);
      await screen.out(`${t("Updated the plugin {0}.", name)}\n`);
    } else if (code === EXIT_CODE.completed) code = refused;
  }
  return code;
}

/** One plugin that cannot be had does not keep the others from their updates. */
function failed(error: unknown): PluginError {
  if (error instanceof PluginError) return error;
  throw error;
}

function differenceLines({ components, files }: PluginDifference, t: Translate): string[] {
  const rest = files.length - MOST_FILES_SHOWN;
  return [
    ...components.map(
      ({ change, component }) =>
        `  ${pluginChangeText(t, change)}: ${pluginKindText(t, component.kind)}: ${componentLine(component)}`,
    ),
    ...files
      .slice(0, MOST_FILES_SHOWN)
      .map(({ change, path }) => `  ${pluginChangeText(t, change)}: ${oneLine(path)}`),
    ...(rest > 0 ? [`  ${t("and {0} more files", rest)}`] : []),
  ];
}

async function check(names: readonly string[], host: PluginHost): Promise<number> {
  const { screen, t } = host;
  const wanted = await chosen(names, host);
  for (const { name, changed } of wanted) {
    if (changed.length === 0) await screen.out(`${t("The plugin {0} is as it was installed.", name)}\n`);
    else
      await screen.out(
        [
          `${t("The plugin {0} is not used, because these files changed. To install it again, run: {1}", name, `nekode plugin update ${name}`)}\n`,
          ...changed.map((file) => `  ${oneLine(file)}\n`),
        ].join(""),
      );
  }
  return wanted.some(({ changed }) => changed.length > 0) ? EXIT_CODE.unanswered : EXIT_CODE.completed;
}

async function chosen(names: readonly string[], { manager }: PluginHost): Promise<ListedPlugin[]> {
  const all = await manager.list();
  const missing = names.find((name) => !all.some((plugin) => plugin.name === name));
  if (missing !== undefined) throw new PluginError("not-installed", missing);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
