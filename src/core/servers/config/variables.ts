/**
 * Variables in the configuration of MCP servers: `${env:NAME}`, `${NAME}` and `${NAME:-default}` (environment), `${input:ID}`,
 * `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}` and `${pathSeparator}`, and in a plugin those of its folders. An
 * unset variable is an error: a server would receive an empty text in its place.
 */
import { basename, resolve, sep } from "node:path";
import { type Fault, reasonOf } from "../../../shared/reason.ts";
import { ToolError } from "../../errors.ts";
import { pluginVariables } from "../../ports/plugins.ts";
import type { ServerLaunch } from "../../ports/servers.ts";
import type { ServerDefinition, ServerInput } from "../server-types.ts";
import { agentPluginLaunch, pluginCommand } from "./plugin-launch.ts";

const VARIABLE = /\$\{([^{}]*)\}/g;
const ENVIRONMENT = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;
/** Windows has variables with other characters, such as `ProgramFiles(x86)`. */
const EXPLICIT_ENVIRONMENT = /^env:([^:=]+)$/;

type Launch = ServerDefinition["launch"];

export interface VariableSources {
  environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  home: string;
  /** The value that the user enters now or entered earlier. Rejects with ToolError or Interrupt. */
  input(server: ServerDefinition, input: ServerInput, signal: AbortSignal): Promise<string>;
}

/** The texts of a launch that may contain variables. */
function textsOf(launch: Launch): string[] {
  if (launch.type === "stdio")
    return [launch.command, ...launch.args, ...Object.values(launch.env), launch.cwd ?? ""];
  return [launch.url, ...Object.values(launch.headers)];
}

/** The ids of the inputs that a launch refers to. */
export function inputsIn(launch: Launch): string[] {
  const ids = textsOf(launch).flatMap((text) =>
    [...text.matchAll(VARIABLE)].flatMap(([, name = ""]) => inputId(name) ?? []),
  );
  return [...new Set(ids)];
}

function inputId(name: string): string | undefined {
  return name.startsWith("input:") ? name.slice("input:".length) : undefined;
}

/** Whether a URL is usable, as far as it can be judged before its variables are resolved. */
export function isServerUrl(url: string): boolean {
  if (url.startsWith("${")) return true;
  const probe = url.replace(VARIABLE, "1");
  return /^https?:\/\//i.test(probe) && URL.canParse(probe);
}

/**
 * How to reach the server, with all variables resolved. Rejects with ToolError that names what is missing, or with Interrupt.
 */
export async function resolveLaunch(
  server: ServerDefinition,
  sources: VariableSources,
  signal: AbortSignal,
): Promise<ServerLaunch> {
  const { launch, plugin } = server;
  if (plugin?.format === "agent-plugins") return agentPluginLaunch(launch, plugin);
  const values = await valuesOf(server, sources, signal);
  const resolved = (text: string) => text.replace(VARIABLE, (_, name: string) => values.get(name) ?? "");
  const all = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, resolved(text)]));
  if (launch.type === "stdio") {
    const { command, args, env, cwd } = launch;
    const folder = server.folder ?? sources.home;
    return {
      type: "stdio",
      command: plugin ? pluginCommand(resolved(command), plugin) : resolved(command),
      args: args.map(resolved),
      env: { ...all(env), ...(plugin ? pluginVariables(plugin) : {}) },
      cwd: cwd === undefined ? folder : resolve(folder, resolved(cwd)),
    };
  }
  const url = resolved(launch.url);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw failure(server, "its URL is not an http or https URL", reasonOf("server-url"));
  return { type: launch.type, url, headers: all(launch.headers) };
}

/** The value of each variable in the launch, by what is between the braces. The user is asked last. */
async function valuesOf(
  server: ServerDefinition,
  sources: VariableSources,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const names = textsOf(server.launch).flatMap((text) =>
    [...text.matchAll(VARIABLE)].map(([, name = ""]) => name),
  );
  const values = new Map<string, string>();
  const unset: string[] = [];
  const unsupported: string[] = [];
  for (const name of new Set(names)) {
    if (inputId(name) !== undefined) continue;
    const value = known(server, name, sources);
    if (value === "unset") unset.push(ENVIRONMENT.exec(name)?.[1] ?? name);
    else if (value === "unsupported") unsupported.push(`\${${name}}`);
    else values.set(name, value.text);
  }
  if (unsupported.length > 0) {
    const list = unsupported.join(", ");
    throw failure(server, `its configuration contains ${list}`, reasonOf("variable-unsupported", list));
  }
  if (unset.length > 0) {
    const list = [...new Set(unset)].join(", ");
    throw failure(server, `its configuration requires ${list}`, reasonOf("variable-unset", list));
  }
  for (const input of server.inputs)
    values.set(`input:${input.id}`, await sources.input(server, input, signal));
  return values;
}

function known(
  server: ServerDefinition,
  name: string,
  { environment, home }: VariableSources,
): { text: string } | "unset" | "unsupported" {
  const { folder, plugin } = server;
  const ofPlugin = plugin ? pluginVariables(plugin)[name] : undefined;
  if (ofPlugin !== undefined) return { text: ofPlugin };
  if (name === "userHome") return { text: home };
  if (name === "pathSeparator" || name === "/") return { text: sep };
  if (name === "workspaceFolder" || name === "workspaceFolderBasename") {
    if (folder === undefined)
      throw failure(
        server,
        `\${${name}} requires an open folder`,
        reasonOf("variable-needs-folder", `\${${name}}`),
      );
    return { text: name === "workspaceFolder" ? folder : basename(folder) };
  }
  const match = ENVIRONMENT.exec(name) ?? EXPLICIT_ENVIRONMENT.exec(name);
  if (!match) return "unsupported";
  const [, variable = "", otherwise] = match;
  const value = environment[variable];
  // As in a shell, an empty variable has the default of `:-`.
  if (otherwise !== undefined) return { text: value || otherwise };
  return value === undefined ? "unset" : { text: value };
}

function failure(server: ServerDefinition, why: string, fault: Fault): ToolError {
  return new ToolError(
    `The MCP server ${server.name} cannot start: ${why}. Ask the user to correct the configuration or to set what is missing.`,
    fault,
  );
}
