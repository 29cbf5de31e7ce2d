/** Parses the command line of `nekode mcp` into one validated object. */
import path from "node:path";
import { serverName } from "../../core/servers/server-identity.ts";
import { commandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const MCP_USAGE = `Usage: nekode mcp list [--json]
       nekode mcp add NAME [--env NAME=VALUE]... -- COMMAND [ARGUMENT]...
       nekode mcp add NAME --url URL [--header "NAME: VALUE"]... [--type http|sse]
       nekode mcp add [NAME] --from FILE
       nekode mcp add --project NAME
       nekode mcp remove NAME
       nekode mcp login NAME | logout NAME
       nekode mcp test NAME

Manages MCP servers, which give the agent more tools.

  list                   list the servers of your configuration and of the project
  add                    add a server to your configuration (mcp.json in the configuration folder)
    --env NAME=VALUE     set an environment variable of the command; can be repeated
    --url URL            connect to a remote server
    --header "N: V"      send an HTTP header to the remote server; can be repeated
    --type T             transport of the remote server: http or sse (default: http, then sse)
    --timeout SECONDS    time for one call (default: 60)
    --from FILE          add the servers of a JSON text, as a README shows it; - reads standard input
    --project            approve the project's server NAME with its current configuration
  remove                 remove a server from your configuration, or the approval of a project's server
  login, logout          sign in to or out of a remote server; logout also deletes the values that you entered for it
  test                   connect to a server, and list what it offers

  --cwd DIR              project folder (default: current folder)
  --config-dir DIR       configuration folder (NEKODE_CONFIG_DIR)
  --data-dir DIR         folder that stores approvals and the sign-in (NEKODE_DATA_DIR)
  --json                 write the list as JSON, one server per line

A project's servers come from .mcp.json and .vscode/mcp.json. They start only after you have approved them.
`;

/** An entry for the user's file. */
export type NewEntry =
  | { command: string; args?: string[]; env?: Record<string, string>; timeout?: number }
  | { type?: string; url: string; headers?: Record<string, string>; timeout?: number };

export type McpAction =
  | { kind: "help" }
  | { kind: "list" }
  | { kind: "add"; name: string; entry: NewEntry }
  /** `file`: as the user wrote it; `-` is standard input. */
  | { kind: "add-from"; name: string | undefined; file: string }
  | { kind: "approve" | "remove" | "login" | "logout" | "test"; name: string };

export interface McpOptions {
  action: McpAction;
  /** Absolute. */
  cwd: string;
  configDir: string | undefined;
  dataDir: string | undefined;
  json: boolean;
}

/** `args`: the arguments after `mcp`. Throws UsageError. */
export function readMcpOptions(args: readonly string[], cwd: string): McpOptions {
  const { values, positionals } = parse(args);
  const [command, ...rest] = positionals;
  const folder = (given: string | undefined) => (given === undefined ? undefined : path.resolve(cwd, given));
  return {
    action: values.help || command === undefined ? { kind: "help" } : actionOf(command, rest, values),
    cwd: path.resolve(cwd, values.cwd ?? "."),
    configDir: folder(values["config-dir"]),
    dataDir: folder(values["data-dir"]),
    json: values.json ?? false,
  };
}

const parse = (args: readonly string[]) =>
  commandLine(args, {
    cwd: { type: "string" },
    "config-dir": { type: "string" },
    "data-dir": { type: "string" },
    env: { type: "string", multiple: true },
    url: { type: "string" },
    header: { type: "string", multiple: true },
    type: { type: "string" },
    timeout: { type: "string" },
    from: { type: "string" },
    project: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  });

type Values = ReturnType<typeof parse>["values"];

/** Options of `add` alone. */
const OF_ADD = ["env", "url", "header", "type", "timeout", "from", "project"] as const;

function actionOf(command: string, rest: readonly string[], values: Values): McpAction {
  if (command === "add") return addOf(rest, values);
  const surplus = OF_ADD.find((name) => values[name] !== undefined);
  if (surplus !== undefined) throw new UsageError(`--${surplus} can be used with mcp add only`);
  switch (command) {
    case "list":
      if (rest.length > 0) throw new UsageError("mcp list accepts no NAME");
      return { kind: "list" };
    case "remove":
    case "login":
    case "logout":
    case "test":
      return { kind: command, name: onlyName(command, rest) };
    default:
      throw new UsageError(
        `mcp accepts list, add, remove, login, logout and test, not ${JSON.stringify(command)}`,
      );
  }
}

function addOf(rest: readonly string[], values: Values): McpAction {
  if (values.project) return approveOf(rest, values);
  if (values.from !== undefined) return addFromFile(values.from, rest, values);
  const { url } = values;
  const [name, ...command] = rest;
  if (name === undefined) throw new UsageError("mcp add requires a NAME");
  if ((url === undefined) === (command.length === 0))
    throw new UsageError("mcp add requires either -- COMMAND or --url URL");
  const timeout = values.timeout === undefined ? {} : { timeout: seconds(values.timeout) };
  const server = url === undefined ? localServer(command, values) : remoteServer(url, values);
  return { kind: "add", name: usableName(name), entry: { ...server, ...timeout } };
}

function approveOf(rest: readonly string[], values: Values): McpAction {
  if (OF_ADD.some((option) => option !== "project" && values[option] !== undefined))
    throw new UsageError("--project approves a server as the project configures it, without other options");
  return { kind: "approve", name: onlyName("add --project", rest) };
}

function addFromFile(
  file: string,
  [name, ...command]: readonly string[],
  { url, env, header, type }: Values,
): McpAction {
  if (url !== undefined || command.length > 0 || env || header || type)
    throw new UsageError("--from cannot be used with a command, a URL or their options");
  return { kind: "add-from", name: name === undefined ? undefined : usableName(name), file };
}

function localServer([command = "", ...args]: readonly string[], { env, header, type }: Values): NewEntry {
  if (header || type) throw new UsageError("--header and --type require --url");
  return {
    command,
    ...(args.length > 0 ? { args } : {}),
    ...(env ? { env: pairs("--env", env, "=") } : {}),
  };
}

function remoteServer(url: string, { env, header, type }: Values): NewEntry {
  if (env) throw new UsageError("--env requires -- COMMAND");
  if (type !== undefined && type !== "http" && type !== "sse")
    throw new UsageError(`--type must be http or sse, not ${JSON.stringify(type)}`);
  return {
    ...(type === undefined ? {} : { type }),
    url,
    ...(header ? { headers: pairs("--header", header, ":") } : {}),
  };
}

function onlyName(command: string, [name, ...more]: readonly string[]): string {
  if (name === undefined || more.length > 0) throw new UsageError(`mcp ${command} requires exactly one NAME`);
  return name;
}

function usableName(name: string): string {
  const usable = serverName(name);
  if (usable === name) return name;
  const hint = usable === undefined ? "" : `, such as ${usable}`;
  throw new UsageError(
    `NAME may contain up to 32 letters from a to z, digits, - and _${hint}, not ${JSON.stringify(name)}`,
  );
}

function pairs(option: string, texts: readonly string[], separator: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      const key = text.slice(0, at).trim();
      if (at < 1 || key === "")
        throw new UsageError(`${option} requires NAME${separator === "=" ? "=" : ": "}VALUE`);
      const value = text.slice(at + 1);
      return [key, separator === ":" ? value.trim() : value];
    }),
  );
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 1 && value <= 3600))
    throw new UsageError(`--timeout must be a number from 1 to 3600, not ${JSON.stringify(text)}`);
  return value;
}
