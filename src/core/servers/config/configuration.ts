/**
 * Parses a configuration file of MCP servers. A bad entry is reported with its line and does not affect the others. Never
 * throws, whatever the text.
 */

import { findNodeAtLocation, getNodeValue, type Node } from "jsonc-parser";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { ServerSource } from "../../../shared/server-list.ts";
import type * as z from "../../../shared/zod.ts";
import type { PluginOrigin } from "../../ports/plugins.ts";
import { serverName } from "../server-identity.ts";
import type { ConfigProblem, LoadedServers, ServerDefinition, ServerInput } from "../server-types.ts";
import { type ConfigText, type Property, propertiesOf, propertyOf, readConfigText } from "./config-text.ts";
import { pluginLaunchFault } from "./plugin-launch.ts";
import {
  type ConfiguredEntry,
  DEFAULT_TIMEOUT,
  LONGEST_TIMEOUT,
  serverEntrySchema,
  serverInputSchema,
} from "./server-schema.ts";
import { inputsIn, isServerUrl } from "./variables.ts";

/** Keys that contain the entries of servers: VS Code's, and that of all other agents. */
export const SERVER_KEYS = ["servers", "mcpServers"] as const;
/** Other top-level keys are reported. */
const TOP_LEVEL = new Set<string>([...SERVER_KEYS, "inputs", "$schema"]);
/** What each type of an entry stands for. */
export const SERVER_TRANSPORTS: Readonly<
  Record<NonNullable<ConfiguredEntry["type"]>, "stdio" | "http" | "sse">
> = {
  stdio: "stdio",
  local: "stdio",
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  sse: "sse",
};

/**
 * The key for a file of variables. Its content would decide what runs, and would be neither shown nor part of what the user
 * approves; without it, a server would start without its settings.
 */
const ENV_FILE = "envFile";

/** Problems reported for one file. */
const MOST_PROBLEMS = 50;

export interface ServerFile {
  source: ServerSource;
  /** Absolute. */
  file: string;
  text: string;
  /** See `ServerDefinition.folder`. */
  folder?: string;
  /** The plugin that the file is from. */
  plugin?: PluginOrigin;
}

export function parseServerFile(file: ServerFile): LoadedServers {
  return new FileParser(file).parse();
}

type Launch = ServerDefinition["launch"];
type Report = (reason: Reason, node?: Node) => void;

class FileParser {
  readonly #file: ServerFile;
  readonly #config: ConfigText;
  readonly #problems: ConfigProblem[] = [];

  constructor(file: ServerFile) {
    this.#file = file;
    // A byte-order mark is a syntax error in JSON.
    this.#config = readConfigText(file.text.replace(/^\uFEFF/, ""));
  }

  parse(): LoadedServers {
    const { root, errorAt } = this.#config;
    const problems = this.#problems;
    if (errorAt !== undefined || (root && root.type !== "object")) {
      this.#report(errorAt ?? root?.offset ?? 0, reasonOf("not-json"));
      return { servers: [], problems };
    }
    if (!root) return { servers: [], problems };
    if (!this.#file.plugin)
      for (const { key, offset } of propertiesOf(root))
        if (!TOP_LEVEL.has(key)) this.#report(offset, reasonOf("unknown-key", key));
    const inputs = this.#inputs(propertyOf(root, "inputs"));
    const servers = new Map<string, ServerDefinition>();
    const offsets = new Map<string, number>();
    const containers = SERVER_KEYS.flatMap((key) => propertyOf(root, key) ?? []);
    // Plugins of Claude Code may have the entries alone in the file.
    const properties =
      this.#file.plugin?.format === "claude" && containers.length === 0
        ? propertiesOf(root)
        : containers.flatMap((container) => this.#entries(container));
    for (const property of properties) {
      const server = this.#server(property, inputs);
      if (!server) continue;
      const earlier = offsets.get(server.name);
      if (earlier !== undefined) this.#report(earlier, reasonOf("server-repeated"), server.name);
      // If a key occurs several times in JSON, the last one applies.
      servers.set(server.name, server);
      offsets.set(server.name, property.offset);
    }
    return { servers: [...servers.values()], problems };
  }

  #report(offset: number, reason: Reason, server?: string): void {
    if (this.#problems.length >= MOST_PROBLEMS) return;
    const { file } = this.#file;
    const line = this.#config.lineAt(offset);
    this.#problems.push({ file, line, ...(server === undefined ? {} : { server }), reason });
  }

  #entries(container: Property): Property[] {
    if (container.value.type === "object") return propertiesOf(container.value);
    this.#report(container.offset, reasonOf("must-be-object", container.key));
    return [];
  }

  #inputs(container: Property | undefined): Map<string, ServerInput> {
    const inputs = new Map<string, ServerInput>();
    if (!container) return inputs;
    if (container.value.type !== "array") this.#report(container.offset, reasonOf("must-be-list", "inputs"));
    for (const [index, node] of (container.value.children ?? []).entries()) {
      const report: Report = (reason, at = node) => this.#report(at.offset, reason);
      const input = parsedNode(serverInputSchema, node, `inputs[${index}]`, report);
      if (!input) continue;
      const options = input.options?.map((each) => (typeof each === "string" ? each : each.value));
      if (input.type === "pickString" && !options?.length) {
        report(reasonOf("must-not-be-empty", `inputs[${index}].options`));
        continue;
      }
      inputs.set(input.id, {
        id: input.id,
        description: input.description ?? input.id,
        password: input.password ?? false,
        ...(input.default === undefined ? {} : { default: input.default }),
        ...(input.type === "pickString" && options ? { options } : {}),
      });
    }
    return inputs;
  }

  #server(
    { key, offset, value }: Property,
    inputs: ReadonlyMap<string, ServerInput>,
  ): ServerDefinition | undefined {
    const { source, file, folder, plugin } = this.#file;
    // As in Claude Code, so that hooks for its tools fit.
    const name = serverName(plugin ? `plugin_${plugin.name}_${key}` : key);
    if (name === undefined) {
      this.#report(offset, reasonOf("server-name-unusable", key), key);
      return undefined;
    }
    const report: Report = (reason, node) => this.#report(node?.offset ?? offset, reason, name);
    const entry = parsedNode(serverEntrySchema, value, undefined, report);
    const launch = entry && launchOf(entry, source, report);
    if (!launch) return undefined;
    const fault = plugin && pluginLaunchFault(launch, plugin);
    if (fault) {
      report(fault);
      return undefined;
    }
    const envFile = propertyOf(value, ENV_FILE);
    if (envFile) {
      report(reasonOf("server-env-file"), envFile.value);
      return undefined;
    }
    const used = inputsIn(launch);
    const missing = used.find((id) => !inputs.has(id));
    if (missing !== undefined) {
      report(reasonOf("input-undefined", missing));
      return undefined;
    }
    if (name !== key && !plugin) report(reasonOf("server-renamed", name));
    return {
      name,
      ...(name === key ? {} : { configuredName: key }),
      ...(plugin ? { plugin } : {}),
      source,
      file,
      line: this.#config.lineAt(offset),
      launch,
      inputs: used.flatMap((id) => inputs.get(id) ?? []),
      ...(folder === undefined ? {} : { folder }),
      disabled: entry.disabled ?? false,
      ...(entry.importedFrom === undefined ? {} : { importedFrom: entry.importedFrom }),
      autoApprove: this.#autoApprove(entry, report),
      timeoutMs: Math.round((entry.timeout ?? DEFAULT_TIMEOUT) * 1000),
    };
  }

  #autoApprove({ autoApprove = [], alwaysAllow = [] }: ConfiguredEntry, report: Report): string[] {
    const tools = [...new Set([...autoApprove, ...alwaysAllow])];
    if (this.#file.source === "user" || tools.length === 0) return tools;
    report(reasonOf("project-approves-tools"));
    return [];
  }
}

function launchOf(entry: ConfiguredEntry, source: ServerSource, report: Report): Launch | undefined {
  const { command, args = [], env = {}, cwd, headers = {} } = entry;
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  const given = entry.type ?? entry.transport ?? entry.transportType;
  const type = given && SERVER_TRANSPORTS[given];
  if (command !== undefined && url !== undefined) {
    report(reasonOf("server-command-and-url"));
  } else if (type === "stdio" && command === undefined) {
    report(reasonOf("server-key-missing", "command", type));
  } else if (type !== undefined && type !== "stdio" && url === undefined) {
    report(reasonOf("server-key-missing", "url", type));
  } else if (command !== undefined) {
    const where = cwd === undefined || cwd === "" ? {} : { cwd };
    return { type: "stdio", command, args: args.map(String), env: texts(env), ...where };
  } else if (url === undefined) {
    report(reasonOf("server-incomplete"));
  } else if (!isServerUrl(url)) {
    report(reasonOf("server-url"));
  } else {
    // In VS Code's file, http means either of the two transports.
    const isSure = type === "sse" || (type === "http" && source !== "vscode");
    return { type: isSure ? type : "auto", url, headers: texts(headers) };
  }
  return undefined;
}

function texts(values: Readonly<Record<string, string | number | boolean>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
}

/** Parses a value. `prefix` is its place, for the texts of problems. undefined: the value is unusable. */
function parsedNode<S extends z.ZodMiniObject>(
  schema: S,
  node: Node,
  prefix: string | undefined,
  report: Report,
): z.infer<S> | undefined {
  const value: unknown = getNodeValue(node);
  const { data, error } = schema.safeParse(value);
  for (const { key, value: part } of node.type === "object" ? propertiesOf(node) : []) {
    if (Object.hasOwn(schema.shape, key) || key === ENV_FILE) continue;
    report(reasonOf("unknown-key", placeOf([key], prefix)), part);
  }
  for (const issue of error?.issues ?? []) {
    const path = issue.path.flatMap((part) => (typeof part === "symbol" ? [] : [part]));
    report(
      issueReason(issue, placeOf(path, prefix)),
      path.length === 0 ? undefined : findNodeAtLocation(node, path),
    );
  }
  return data;
}

/** The place of a value, such as `args[0]`, or `entry` for the whole entry. */
function placeOf(path: readonly (string | number)[], prefix: string | undefined): string {
  const place = path.reduce<string>(
    (before, part) =>
      typeof part === "number" ? `${before}[${part}]` : before === "" ? part : `${before}.${part}`,
    prefix ?? "",
  );
  return place === "" ? "{}" : place;
}

function issueReason(issue: z.core.$ZodIssue, place: string): Reason {
  switch (issue.code) {
    case "invalid_type":
      return typeReason(issue.expected, place);
    case "invalid_value":
      return reasonOf("must-be-one-of", place, issue.values.map(String).join(", "));
    case "invalid_union":
      return reasonOf("must-be-scalar", place);
    case "too_small":
    case "too_big":
      return issue.origin === "string"
        ? reasonOf("must-not-be-empty", place)
        : reasonOf("must-be-between", place, "1", String(LONGEST_TIMEOUT));
    default:
      return reasonOf("invalid-value", place);
  }
}

function typeReason(expected: string, place: string): Reason {
  switch (expected) {
    case "string":
      return reasonOf("must-be-string", place);
    case "number":
      return reasonOf("must-be-number", place);
    case "boolean":
      return reasonOf("must-be-boolean", place);
    case "array":
      return reasonOf("must-be-list", place);
    default:
      return reasonOf("must-be-object", place);
  }
}
