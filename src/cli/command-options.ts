/** Parses the command line into one validated object. */
import path from "node:path";
import type { Mode } from "../shared/message.ts";
import { type ExportFormat, type HistorySort, historySortSchema } from "../shared/protocol.ts";
import { type Settings, settingsSchema } from "../shared/settings.ts";
import { commandLine } from "./command-line.ts";
import { UsageError } from "./usage-error.ts";

export const USAGE = `Usage: nekode [options] [TASK]
       nekode judge COMMAND    show whether a command runs without asking, and why; see nekode judge --help
       nekode mcp COMMAND      manage MCP servers; see nekode mcp --help

If TASK is "-", nekode reads it from standard input. Without TASK, nekode asks for tasks on the terminal, one after
another. Type /help there to list commands such as /undo.

  --cwd DIR              project folder (default: current folder)
  --base-url URL         base URL of an OpenAI-compatible endpoint (NEKODE_BASE_URL)
  --model NAME           name of the model (NEKODE_MODEL)
  --protocol P           how the model calls tools: auto, native or xml (default: auto)
  --mode M               plan or act
  --approve LIST         what runs without asking, separated by commas:
                         read,edit,command-safe,command,web,mcp, or all, or none (default: read)
  --private-hosts LIST   hosts on this computer or a private network that pages may be fetched from, separated by
                         commas, such as localhost:3000
  --search-provider P    whose search the model may use: brave, tavily or searxng (NEKODE_SEARCH_PROVIDER)
  --search-url URL       address of the SearXNG server (NEKODE_SEARCH_URL)
  --max-requests N       stop after N model requests
  --max-cost USD         stop when the task has cost this amount
  --timeout SECONDS      stop after this time
  --context-window N     context window in tokens, if the endpoint does not report it (NEKODE_CONTEXT_WINDOW)
  --json                 write events to standard output as JSON, one per line
  --list                 list the sessions of this project
  --search TEXT          list the sessions that contain all words of TEXT, best match first
  --sort ORDER           order of the list: newest, oldest, cost, tokens or relevance
  --favorites            list favorites only
  --all-projects         list and export sessions of other projects too
  --resume ID            continue a session
  --continue             continue the latest session
  --take-over            continue the session even if it is open in another window or terminal
  --rename ID NAME       rename a session
  --favorite ID, --unfavorite ID
                         add a session to the favorites, or remove it
  --delete ID            delete a session; --undelete ID restores it within a day
  --export ID            write a session to standard output
  --format F             format of the export: md or json (default: md)
  --import FILE          import a session that was exported as JSON
  --data-dir DIR         folder that stores the sessions (NEKODE_DATA_DIR)
  --config-dir DIR       folder of your configuration, such as mcp.json (NEKODE_CONFIG_DIR)
  --help, --version

Set NEKODE_API_KEY to the API key of the endpoint, and NEKODE_SEARCH_API_KEY to that of the search provider.

Exit codes: 0 completed, 1 error, 2 invalid usage, 3 stopped by a limit, 4 an approval or an answer was required and
nobody could be asked, 130 interrupted.
`;

export interface Options {
  command: "run" | "list" | "export" | "import" | "change" | "help" | "version";
  cwd: string;
  task: string | undefined;
  /** The change to make, and the session to make it to. */
  change: Change | undefined;
  mode: Mode | undefined;
  settings: Settings;
  /** The search provider's key; "": none. */
  searchKey: string;
  timeoutMs: number | undefined;
  json: boolean;
  resume: { id: string } | "latest" | undefined;
  takeOver: boolean;
  /** Search words for the list; empty: the whole list. */
  search: string;
  /** undefined: newest first, or best match when searching. */
  sort: HistorySort | undefined;
  favourites: boolean;
  allProjects: boolean;
  /** The session to export. */
  exported: string;
  format: ExportFormat;
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

const APPROVALS = ["read", "edit", "command-safe", "command", "web", "mcp"] as const;

export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Options {
  // Help uses the American spelling; the British one is accepted too.
  const spelled = args.map((arg) => arg.replace(/^--(un)?favourite(?=s?(?:=|$))/, "--$1favorite"));
  const { values, positionals } = parse(spelled);
  if (positionals.length > 1) throw new UsageError(`expected one TASK in quotes; got ${positionals.length}`);
  if (values.resume !== undefined && values.continue)
    throw new UsageError("--resume and --continue cannot be used together");
  const timeout = number("--timeout", values.timeout, false);
  return {
    command: commandOf(values),
    cwd: values.cwd ?? cwd,
    task: positionals[0],
    mode: oneOf("--mode", values.mode, ["plan", "act"]),
    settings: settingsOf(values, env),
    searchKey: env.NEKODE_SEARCH_API_KEY?.trim() ?? "",
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    json: values.json ?? false,
    resume: values.resume !== undefined ? { id: values.resume } : values.continue ? "latest" : undefined,
    takeOver: values["take-over"] ?? false,
    search: values.search ?? "",
    sort: oneOf("--sort", values.sort, historySortSchema.options),
    favourites: values.favorites ?? false,
    allProjects: values["all-projects"] ?? false,
    change: changeOf(values, positionals),
    exported: values.export ?? "",
    format: oneOf("--format", values.format, ["md", "json"]) ?? "md",
    imported: values.import ?? "",
    dataDir: absolute(values["data-dir"]),
    configDir: absolute(values["config-dir"]),
  };
}

const parse = (args: readonly string[]) =>
  commandLine(args, {
    cwd: { type: "string" },
    "base-url": { type: "string" },
    model: { type: "string" },
    protocol: { type: "string" },
    mode: { type: "string" },
    approve: { type: "string" },
    "private-hosts": { type: "string" },
    "search-provider": { type: "string" },
    "search-url": { type: "string" },
    "max-requests": { type: "string" },
    "max-cost": { type: "string" },
    timeout: { type: "string" },
    "context-window": { type: "string" },
    json: { type: "boolean" },
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
    import: { type: "string" },
    "take-over": { type: "boolean" },
    resume: { type: "string" },
    continue: { type: "boolean" },
    "data-dir": { type: "string" },
    "config-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
    version: { type: "boolean" },
  });

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

function absolute(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : path.resolve(folder);
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

function oneOf<T extends string>(
  name: string,
  text: string | undefined,
  values: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const value = values.find((candidate) => candidate === text);
  if (value === undefined)
    throw new UsageError(`${name} must be one of ${values.join(", ")}, not ${JSON.stringify(text)}`);
  return value;
}

function settingsOf(values: Values, env: NodeJS.ProcessEnv): Settings {
  const maxRequests = number("--max-requests", values["max-requests"], true);
  const maxCost = number("--max-cost", values["max-cost"], false);
  const window = number("--context-window", values["context-window"] ?? env.NEKODE_CONTEXT_WINDOW, true);
  return settingsSchema.parse({
    provider: {
      baseUrl: values["base-url"] ?? env.NEKODE_BASE_URL ?? "",
      model: values.model ?? env.NEKODE_MODEL ?? "",
      protocol: oneOf("--protocol", values.protocol, ["auto", "native", "xml"]) ?? "auto",
      ...(window === undefined ? {} : { contextWindow: window }),
    },
    approval: {
      ...approvalOf(values.approve ?? "read"),
      privateHosts: listOf(values["private-hosts"]),
      ...(maxRequests === undefined ? {} : { maxRequests }),
      ...(maxCost === undefined ? {} : { maxCost }),
    },
    search: searchOf(values, env),
  });
}

/** A provider that lacks what it requires is an error here: the user asked for it in this very command. */
function searchOf(values: Values, env: NodeJS.ProcessEnv): Partial<Settings["search"]> {
  const named = values["search-provider"] ?? (env.NEKODE_SEARCH_PROVIDER || undefined);
  const provider = oneOf("--search-provider", named, ["none", "brave", "tavily", "searxng"]);
  const url = values["search-url"] ?? env.NEKODE_SEARCH_URL ?? "";
  if (provider === "searxng" && !/^https?:\/\//i.test(url))
    throw new UsageError("--search-provider searxng requires --search-url with an http or https URL");
  if ((provider === "brave" || provider === "tavily") && !env.NEKODE_SEARCH_API_KEY?.trim())
    throw new UsageError(`--search-provider ${provider} requires a key in NEKODE_SEARCH_API_KEY`);
  return { ...(provider === undefined ? {} : { provider }), url };
}

function listOf(text: string | undefined): string[] {
  return (text ?? "").split(",").flatMap((entry) => entry.trim() || []);
}

function approvalOf(list: string): Partial<Settings["approval"]> {
  const names = list.split(",").map((name) => name.trim());
  if (list.trim() === "none") return { read: false };
  const all = list.trim() === "all";
  const accepted: readonly string[] = APPROVALS;
  const unknown = all ? undefined : names.find((name) => !accepted.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--approve accepts ${APPROVALS.join(", ")}, all or none, not ${JSON.stringify(unknown)}`,
    );
  }
  const has = (name: (typeof APPROVALS)[number]) => all || names.includes(name);
  return {
    read: has("read"),
    readOutside: all,
    edit: has("edit"),
    editOutside: all,
    commandSafe: has("command-safe") || has("command"),
    commandAll: has("command"),
    // There is no user to ask, so a user who names commands means all of them.
    ignoreRequiresApproval: has("command"),
    web: has("web"),
    mcp: has("mcp"),
  };
}
