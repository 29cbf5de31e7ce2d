/** The command line as one checked object. */
import path from "node:path";
import type { Mode } from "../shared/message.ts";
import { type ExportFormat, type HistorySort, historySortSchema } from "../shared/protocol.ts";
import { type Settings, settingsSchema } from "../shared/settings.ts";
import { commandLine } from "./command-line.ts";
import { UsageError } from "./usage-error.ts";

export const usage = `Usage: nekode [options] [TASK]
       nekode judge COMMAND    whether it runs without asking, and why; see nekode judge --help

TASK "-" reads standard input. Without a TASK, on a terminal, nekode asks for one, and then for the next; /help lists
what can be typed there, such as /undo.

  --cwd DIR              project folder (default: here)
  --base-url URL         OpenAI-compatible endpoint (NEKODE_BASE_URL)
  --model NAME           model (NEKODE_MODEL)
  --protocol P           auto, native or xml
  --mode M               plan or act
  --approve LIST         what runs without asking, by comma:
                         read,edit,command-safe,command, or all, or none (default: read)
  --max-requests N       end after so many model requests
  --max-cost USD         end when the task has cost so much
  --timeout SECONDS      end after so long
  --context-window N     tokens, where the endpoint does not say (NEKODE_CONTEXT_WINDOW)
  --json                 one event a line on standard output
  --list                 sessions of this project
  --search TEXT          those of them that contain all of its words, best match first
  --sort ORDER           newest, oldest, cost, tokens or relevance
  --favourites           favourites only
  --all-projects         those of other projects too, to be listed and exported
  --resume ID            go on with a session
  --continue             go on with the latest session
  --take-over            also when it is open in another window or terminal
  --rename ID NAME       give a session another name
  --favourite ID, --unfavourite ID
                         add a session to the favourites, or take it out
  --delete ID            delete a session; within a day --undelete ID brings it back
  --export ID            the session on standard output
  --format F             md or json (default: md)
  --import FILE          take a session in that was exported as JSON
  --data-dir DIR         where sessions are kept (NEKODE_DATA_DIR)
  --help, --version

NEKODE_API_KEY holds the endpoint's key.

Exit: 0 completed, 1 error, 2 usage, 3 a limit ended it, 4 approval was needed and nobody could be asked,
130 interrupted.
`;

export interface Options {
  command: "run" | "list" | "export" | "import" | "change" | "help" | "version";
  cwd: string;
  task: string | undefined;
  /** What is to be done with which session. */
  change: Change | undefined;
  mode: Mode | undefined;
  settings: Settings;
  timeoutMs: number | undefined;
  json: boolean;
  resume: { id: string } | "latest" | undefined;
  takeOver: boolean;
  /** Words to look for in the list; empty: all of it. */
  search: string;
  /** undefined: the newest first, or with words to look for the best match. */
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
}

const changes = ["rename", "favourite", "unfavourite", "delete", "undelete"] as const;

export interface Change {
  kind: (typeof changes)[number];
  id: string;
}

const approvals = ["read", "edit", "command-safe", "command"] as const;
/** Accepted, and not advertised while no tool has such access. */
const approvalsToCome = ["web", "mcp"] as const;

export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Options {
  const { values, positionals } = parse(args);
  if (positionals.length > 1)
    throw new UsageError(`one TASK is expected, in quotes; ${positionals.length} came`);
  if (values.resume !== undefined && values.continue)
    throw new UsageError("--resume and --continue exclude each other");
  const maxRequests = number("--max-requests", values["max-requests"], true);
  const maxCost = number("--max-cost", values["max-cost"], false);
  const timeout = number("--timeout", values.timeout, false);
  const window = number("--context-window", values["context-window"] ?? env.NEKODE_CONTEXT_WINDOW, true);
  const settings = settingsSchema.parse({
    provider: {
      baseUrl: values["base-url"] ?? env.NEKODE_BASE_URL ?? "",
      model: values.model ?? env.NEKODE_MODEL ?? "",
      protocol: oneOf("--protocol", values.protocol, ["auto", "native", "xml"]) ?? "auto",
      ...(window === undefined ? {} : { contextWindow: window }),
    },
    approval: {
      ...approvalOf(values.approve ?? "read"),
      ...(maxRequests === undefined ? {} : { maxRequests }),
      ...(maxCost === undefined ? {} : { maxCost }),
    },
  });
  return {
    command: commandOf(values),
    cwd: values.cwd ?? cwd,
    task: positionals[0],
    mode: oneOf("--mode", values.mode, ["plan", "act"]),
    settings,
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    json: values.json ?? false,
    resume: values.resume !== undefined ? { id: values.resume } : values.continue ? "latest" : undefined,
    takeOver: values["take-over"] ?? false,
    search: values.search ?? "",
    sort: oneOf("--sort", values.sort, historySortSchema.options),
    favourites: values.favourites ?? false,
    allProjects: values["all-projects"] ?? false,
    change: changeOf(values, positionals),
    exported: values.export ?? "",
    format: oneOf("--format", values.format, ["md", "json"]) ?? "md",
    imported: values.import ?? "",
    dataDir: values["data-dir"] === undefined ? undefined : path.resolve(values["data-dir"]),
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
    "max-requests": { type: "string" },
    "max-cost": { type: "string" },
    timeout: { type: "string" },
    "context-window": { type: "string" },
    json: { type: "boolean" },
    list: { type: "boolean" },
    search: { type: "string" },
    sort: { type: "string" },
    favourites: { type: "boolean" },
    "all-projects": { type: "boolean" },
    rename: { type: "string" },
    favourite: { type: "string" },
    unfavourite: { type: "string" },
    delete: { type: "string" },
    undelete: { type: "string" },
    export: { type: "string" },
    format: { type: "string" },
    import: { type: "string" },
    "take-over": { type: "boolean" },
    resume: { type: "string" },
    continue: { type: "boolean" },
    "data-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
    version: { type: "boolean" },
  });

type Values = ReturnType<typeof parse>["values"];

function commandOf(values: Values): Options["command"] {
  if (values.help) return "help";
  if (values.version) return "version";
  const commands = ["list", "export", "import", ...changes] as const;
  const asked = commands.filter((name) => values[name] !== undefined);
  if (asked.length > 1)
    throw new UsageError(`${asked.map((name) => `--${name}`).join(" and ")} exclude each other`);
  const [command] = asked;
  if (values.search !== undefined && command !== undefined && command !== "list")
    throw new UsageError(`--search goes with --list, not with --${command}`);
  if (command === undefined) return values.search === undefined ? "run" : "list";
  return command === "list" || command === "export" || command === "import" ? command : "change";
}

function changeOf(values: Values, [name]: readonly string[]): Change | undefined {
  for (const kind of changes) {
    const id = values[kind];
    if (id === undefined) continue;
    if (kind === "rename" && !name?.trim())
      throw new UsageError("--rename takes an ID and a NAME, in quotes");
    if (kind !== "rename" && name !== undefined) throw new UsageError(`--${kind} takes no TASK`);
    return { kind, id };
  }
  return undefined;
}

function number(name: string, text: string | undefined, whole: boolean): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0 || (whole && !Number.isInteger(value))) {
    throw new UsageError(
      `${name} takes a ${whole ? "whole " : ""}number from 0, not ${JSON.stringify(text)}`,
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
    throw new UsageError(`${name} takes ${values.join(", ")}, not ${JSON.stringify(text)}`);
  return value;
}

function approvalOf(list: string): Partial<Settings["approval"]> {
  const names = list.split(",").map((name) => name.trim());
  if (list.trim() === "none") return { read: false };
  const all = list.trim() === "all";
  const accepted: readonly string[] = [...approvals, ...approvalsToCome];
  const unknown = all ? undefined : names.find((name) => !accepted.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--approve takes ${approvals.join(", ")}, all or none, not ${JSON.stringify(unknown)}`,
    );
  }
  const has = (name: (typeof approvals | typeof approvalsToCome)[number]) => all || names.includes(name);
  return {
    read: has("read"),
    readOutside: all,
    edit: has("edit"),
    editOutside: all,
    commandSafe: has("command-safe") || has("command"),
    commandAll: has("command"),
    // Nobody is there to be asked: whoever names commands means all of them.
    ignoreRequiresApproval: has("command"),
    web: has("web"),
    mcp: has("mcp"),
  };
}
