/** Parses the command line into one validated object. */
import path from "node:path";
import type { UserConfig } from "../node/config/user-config.ts";
import {
  type ExportFormat,
  exportFormatSchema,
  type HistorySort,
  historySortSchema,
} from "../shared/history/history-protocol.ts";
import type { Mode } from "../shared/message.ts";
import { apiKindSchema } from "../shared/models/connection.ts";
import { SANDBOX_MODES, type Settings, settingsSchema } from "../shared/settings.ts";
import { AGENT_OPTIONS, commandLine, oneOf } from "./command-line.ts";
import { makerConnections } from "./config/maker-keys.ts";
import { approvesAll, permissionOptions } from "./config/permission-options.ts";
import { UsageError } from "./usage-error.ts";

export interface Options {
  command: "run" | "list" | "export" | "import" | "change" | "help" | "version";
  cwd: string;
  task: string | undefined;
  /** The change to make, and the session to make it to. */
  change: Change | undefined;
  mode: Mode | undefined;
  /** The name of the session's agent; undefined: as it is. */
  agent: string | undefined;
  settings: Settings;
  /** Whether the run uses memory; undefined: only if somebody can be asked. */
  memory: boolean | undefined;
  /** The search provider's key; "": none. */
  searchKey: string;
  timeoutMs: number | undefined;
  json: boolean;
  /** The file to write the report of the run to. */
  report: string | undefined;
  /** The file with the JSON schema that final answers must fit. */
  outputSchema: string | undefined;
  resume: { id: string } | "latest" | undefined;
  /** The answer to the pending call of the resumed session. */
  answer?: GivenAnswer;
  takeOver: boolean;
  /** The first message creates a worktree. */
  worktree: boolean;
  /** Search words for the list; empty: the whole list. */
  search: string;
  /** undefined: newest first, or best match when searching. */
  sort: HistorySort | undefined;
  favorites: boolean;
  allProjects: boolean;
  /** The session to export. */
  exported: string;
  format: ExportFormat;
  /** The folder to write the export and the files beside it to; absolute. undefined: standard output. */
  exportDir: string | undefined;
  /** The file to import. */
  imported: string;
  /** Absolute. */
  dataDir: string | undefined;
  configDir: string | undefined;
}

const CHANGES = ["rename", "favorite", "unfavorite", "delete", "undelete"] as const;

interface Change {
  kind: (typeof CHANGES)[number];
  id: string;
}

/** Returns the folder that --config-dir names, which is needed before the options can be read. */
export function configDirOf(args: readonly string[], cwd: string): string | undefined {
  return absolute(cwd, commandLine(withAmericanSpelling(args), ANSWER_OPTIONS).values["config-dir"]);
}

/** `config`: what applies without an option or an environment variable. Throws UsageError. */
export function readOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  config: UserConfig = {},
): Options {
  const { values, positionals } = parse(withAmericanSpelling(args));
  return optionsOf(values, positionals, { env, cwd, config });
}

/** The options of `nekode answer`; `args` without that word. Throws UsageError. */
export function readAnswer(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  config: UserConfig = {},
): Options {
  const { values, positionals } = commandLine(withAmericanSpelling(args), ANSWER_OPTIONS);
  const { shown, ...run } = values;
  const { id, answer } = givenAnswer(positionals, shown);
  if (run.resume !== undefined || run.continue)
    throw new UsageError("nekode answer cannot be used with --resume or --continue");
  const options = optionsOf({ ...run, resume: id }, [], { env, cwd, config });
  if (options.command !== "run")
    throw new UsageError(`--${options.command} cannot be used with nekode answer`);
  return { ...options, answer };
}

/** Help uses the American spelling; the British one is accepted too. */
function withAmericanSpelling(args: readonly string[]): string[] {
  return args.map((arg) => arg.replace(/^--(un)?favourite(?=s?(?:=|$))/, "--$1favorite"));
}

interface Surroundings {
  env: NodeJS.ProcessEnv;
  cwd: string;
  config: UserConfig;
}

function optionsOf(
  values: Values,
  positionals: readonly string[],
  { env, cwd, config }: Surroundings,
): Options {
  if (positionals.length > 1) throw new UsageError(`expected one TASK in quotes; got ${positionals.length}`);
  if (values.resume !== undefined && values.continue)
    throw new UsageError("--resume and --continue cannot be used together");
  if (values.worktree && (values.resume !== undefined || values.continue))
    throw new UsageError("--worktree starts a new task, so it cannot be used with --resume or --continue");
  if (values.agent !== undefined && values.mode !== undefined)
    throw new UsageError("--agent and --mode cannot be used together; plan and act are agents too");
  const timeout = number("--timeout", values.timeout, false);
  return {
    command: commandOf(values),
    cwd: values.cwd ?? cwd,
    task: positionals[0],
    mode: oneOf("--mode", values.mode, ["plan", "act"]),
    agent: values.agent,
    settings: settingsOf(values, env, config),
    memory: memoryOf(values),
    searchKey: env.NEKODE_SEARCH_API_KEY?.trim() ?? "",
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    json: values.json ?? false,
    report: values.report === undefined ? undefined : path.resolve(cwd, values.report),
    outputSchema: outputSchemaOf(values, positionals[0], cwd),
    resume: values.resume !== undefined ? { id: values.resume } : values.continue ? "latest" : undefined,
    takeOver: values["take-over"] ?? false,
    worktree: values.worktree ?? false,
    search: values.search ?? "",
    sort: oneOf("--sort", values.sort, historySortSchema.options),
    favorites: values.favorites ?? false,
    allProjects: values["all-projects"] ?? false,
    change: changeOf(values, positionals),
    exported: values.export ?? "",
    format: oneOf("--format", values.format, exportFormatSchema.options) ?? "md",
    exportDir: values["export-dir"] === undefined ? undefined : path.resolve(cwd, values["export-dir"]),
    imported: values.import ?? "",
    dataDir: absolute(cwd, values["data-dir"]),
    configDir: absolute(cwd, values["config-dir"]),
  };
}

const RUN_OPTIONS = {
  ...AGENT_OPTIONS,
  cwd: { type: "string" },
  "max-cost": { type: "string" },
  timeout: { type: "string" },
  json: { type: "boolean" },
  report: { type: "string" },
  "output-schema": { type: "string" },
  list: { type: "boolean" },
  search: { type: "string" },
  sort: { type: "string" },
  favorites: { type: "boolean" },
  "all-projects": { type: "boolean" },
  rename: { type: "string" },
  favorite: { type: "string" },
  unfavorite: { type: "string" },
  delete: { type: "string" },
  undelete: { type: "string" },
  export: { type: "string" },
  format: { type: "string" },
  "export-dir": { type: "string" },
  import: { type: "string" },
  "take-over": { type: "boolean" },
  worktree: { type: "boolean" },
  resume: { type: "string" },
  continue: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

const ANSWER_OPTIONS = { ...RUN_OPTIONS, shown: { type: "string" } } as const;

const parse = (args: readonly string[]) => commandLine(args, RUN_OPTIONS);

type Values = ReturnType<typeof parse>["values"];

function commandOf(values: Values): Options["command"] {
  if (values.help) return "help";
  if (values.version) return "version";
  const commands = ["list", "export", "import", ...CHANGES] as const;
  const asked = commands.filter((name) => values[name] !== undefined);
  if (asked.length > 1)
    throw new UsageError(`${asked.map((name) => `--${name}`).join(" and ")} cannot be used together`);
  const [command] = asked;
  if (values.search !== undefined && command !== undefined && command !== "list")
    throw new UsageError(`--search can be used with --list, not with --${command}`);
  if (command === undefined) return values.search === undefined ? "run" : "list";
  return command === "list" || command === "export" || command === "import" ? command : "change";
}

function changeOf(values: Values, [name]: readonly string[]): Change | undefined {
  for (const kind of CHANGES) {
    const id = values[kind];
    if (id === undefined) continue;
    if (kind === "rename" && !name?.trim())
      throw new UsageError("--rename requires an ID, and a NAME in quotes");
    if (kind !== "rename" && name !== undefined) throw new UsageError(`--${kind} does not accept a TASK`);
    return { kind, id };
  }
  return undefined;
}

function absolute(cwd: string, folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : path.resolve(cwd, folder);
}

function number(name: string, text: string | undefined, whole: boolean): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0 || (whole && !Number.isInteger(value))) {
    throw new UsageError(
      `${name} must be ${whole ? "an integer" : "a number"} of at least 0, not ${JSON.stringify(text)}`,
    );
  }
  return value;
}

/** The largest value that the APIs accept. */
const MOST_TEMPERATURE = 2;

function temperatureOf(text: string | undefined): number | undefined {
  const value = number("--temperature", text, false);
  if (value !== undefined && value > MOST_TEMPERATURE)
    throw new UsageError(`--temperature must be at most ${MOST_TEMPERATURE}, not ${JSON.stringify(text)}`);
  return value;
}

function settingsOf(values: Values, env: NodeJS.ProcessEnv, config: UserConfig): Settings {
  const { limits = {}, commands = {}, web = {}, models = {}, connections = [], planModel = "" } = config;
  const permission = permissionOptions(values, config);
  const maxRequests =
    number("--max-requests", values["max-requests"], true) ??
    limits.maxRequests ??
    // A run that never asks cannot ask at the default limit either, so it has no limit.
    (approvesAll(permission) ? 0 : undefined);
  const maxCost = number("--max-cost", values["max-cost"], false) ?? limits.maxCost;
  const window =
    number("--context-window", values["context-window"] ?? env.NEKODE_CONTEXT_WINDOW, true) ??
    config.contextWindow;
  const { protocol, reasoningEffort } = config;
  const temperature = temperatureOf(values.temperature) ?? config.temperature;
  const maxOutputTokens =
    number("--max-output-tokens", values["max-output-tokens"], true) ?? config.maxOutputTokens;
  const named = values.model ?? (env.NEKODE_MODEL || undefined);
  return settingsSchema.parse({
    provider: withoutUnset({
      baseUrl: values["base-url"] ?? env.NEKODE_BASE_URL,
      api: oneOf("--api", values.api, apiKindSchema.options),
      model: named ?? config.model,
      // A model on the command line applies to the whole run, also in plan mode.
      planModel: named === undefined ? planModel : "",
      protocol: oneOf("--protocol", values.protocol, ["auto", "native", "xml"]) ?? protocol,
      contextWindow: window,
      reasoningEffort,
      temperature,
      maxOutputTokens,
    }),
    connections: [...connections, ...makerConnections(env, connections)],
    models,
    approval: withoutUnset({
      ...permission,
      privateHosts:
        values["private-hosts"] === undefined ? web.privateHosts : listOf(values["private-hosts"]),
      maxRequests,
      maxCost,
    }),
    sandbox: oneOf("--sandbox", values.sandbox, SANDBOX_MODES) ?? config.sandbox,
    commands,
    search: searchOf(values, env, config.search),
    ...withoutUnset({
      preferredLanguage: config.preferredLanguage,
      customInstructions: config.customInstructions,
      memory: memoryOf(values) ?? config.memory,
      worktrees: config.worktrees,
      telemetry: config.telemetry,
    }),
  });
}

function memoryOf({ memory }: Values): boolean | undefined {
  const named = oneOf("--memory", memory, ["on", "off"]);
  return named === undefined ? undefined : named === "on";
}

/** Leaves out the values that are not set, so that their defaults apply. */
function withoutUnset(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** If the provider's key or URL is missing, that is an error here, because the user named the provider in this command. */
function searchOf(
  values: Values,
  env: NodeJS.ProcessEnv,
  config: UserConfig["search"] = {},
): Partial<Settings["search"]> {
  const named = values["search-provider"] ?? (env.NEKODE_SEARCH_PROVIDER || config.provider);
  const provider = oneOf("--search-provider", named, ["none", "brave", "tavily", "searxng"]);
  const url = values["search-url"] ?? env.NEKODE_SEARCH_URL ?? config.url ?? "";
  if (provider === "searxng" && !/^https?:\/\//i.test(url))
    throw new UsageError("--search-provider searxng requires --search-url with an http or https URL");
  if ((provider === "brave" || provider === "tavily") && !env.NEKODE_SEARCH_API_KEY?.trim())
    throw new UsageError(`--search-provider ${provider} requires a key in NEKODE_SEARCH_API_KEY`);
  return { ...(provider === undefined ? {} : { provider }), url };
}

function listOf(text: string | undefined): string[] {
  return (text ?? "").split(",").flatMap((entry) => entry.trim() || []);
}

/** The options that decide whether an answer can have a schema. */
interface OutputOptions {
  "output-schema"?: string | undefined;
  resume?: string | undefined;
  continue?: boolean | undefined;
}

/** The absolute path of the file. Throws UsageError: a conversation has many answers, and no end that a program could read. */
function outputSchemaOf(values: OutputOptions, task: string | undefined, cwd: string): string | undefined {
  const { "output-schema": file, resume, continue: latest } = values;
  if (file === undefined) return undefined;
  if (task === undefined && resume === undefined && !latest)
    throw new UsageError("--output-schema requires a TASK, --resume or --continue");
  return path.resolve(cwd, file);
}

/** The options of `nekode answer`, which approves or rejects the pending call of a paused session. */
export const ANSWER_USAGE = `Usage: nekode answer ID yes --shown CODE [WORDS] [options]
       nekode answer ID no [WORDS] [options]

Approves or rejects the call that session ID is waiting for, and continues the task. A run that ends with exit code 4 prints
this command. CODE identifies exactly what was shown. Without CODE, or if the call or a file that it changes has changed since,
nothing is approved: the call is shown again with a new code. WORDS are a comment for the model. The options are those of a
run.
`;

export interface GivenAnswer {
  approved: boolean;
  words: string | undefined;
  /** The code of what the user was shown; see `shownCode`. */
  shown: string | undefined;
}

/** Throws UsageError. */
function givenAnswer(
  [id, verdict, words, ...more]: readonly string[],
  shown: string | undefined,
): { id: string; answer: GivenAnswer } {
  if (id === undefined || (verdict !== "yes" && verdict !== "no") || more.length > 0)
    throw new UsageError("nekode answer expects a session's ID, yes or no, and at most one text in quotes");
  if (verdict === "no" && shown !== undefined) throw new UsageError("--shown can be used only with yes");
  return { id, answer: { approved: verdict === "yes", words, shown } };
}
