/** Parses the command line of `nekode plugin` into one validated object. */
import path from "node:path";
import { commandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const PLUGIN_USAGE = `Usage: nekode plugin add SOURCE [--plugin NAME] [--yes]
       nekode plugin list [--json]
       nekode plugin update [NAME...] [--yes]
       nekode plugin remove NAME
       nekode plugin check [NAME...]
       nekode plugin on NAME | off NAME

Manages plugins: packages of skills, commands, agents, hooks and MCP servers, in the format of Agent Plugins or of Claude
Code. Nothing of a plugin runs when it is installed. Its hooks and servers run only after you have approved each of them.

  add       show what a plugin adds, ask, and copy its files
  list      list the installed plugins, and what each of them adds
  update    get the plugins again from their sources, show what differs, ask, and replace them
  remove    remove a plugin with everything that it stored, and your approvals of it
  check     compare the files with those that were installed
  on, off   use a plugin again, or stop using it

SOURCE is a folder, an https or ssh address of a Git repository, or owner/repository for GitHub. To install a certain
branch, tag or commit, add it to the address: https://example.com/plugins.git#v1.2. If SOURCE is a marketplace
(.claude-plugin/marketplace.json), --plugin names the plugin.

  --plugin NAME    plugin of a marketplace
  --yes            do not ask
  --json           list as JSON, one plugin per line
  --cwd DIR        folder that relative paths begin in (default: current folder)
  --data-dir DIR   folder that stores the plugins (NEKODE_DATA_DIR)

Exit codes: 0 done, 1 error, 2 invalid usage, 4 nobody could be asked; check: files changed.
`;

export type PluginCommand =
  | { kind: "help" | "list" }
  | { kind: "add"; address: string; plugin: string | undefined }
  /** No names: every plugin. */
  | { kind: "update" | "check"; names: readonly string[] }
  | { kind: "remove" | "on" | "off"; name: string };

export interface PluginOptions {
  command: PluginCommand;
  yes: boolean;
  json: boolean;
  /** Absolute. */
  cwd: string;
  dataDir: string | undefined;
}

/** `args`: the arguments after `plugin`. Throws UsageError. */
export function readPluginOptions(args: readonly string[], cwd: string): PluginOptions {
  const { values, positionals } = commandLine(args, {
    plugin: { type: "string" },
    yes: { type: "boolean", short: "y" },
    json: { type: "boolean" },
    cwd: { type: "string" },
    "data-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  const dataDir = values["data-dir"];
  const command: PluginCommand = values.help ? { kind: "help" } : commandOf(positionals, values.plugin);
  if (values.plugin !== undefined && command.kind !== "add")
    throw new UsageError("--plugin can be used with plugin add only");
  return {
    command,
    yes: values.yes ?? false,
    json: values.json ?? false,
    cwd: path.resolve(cwd, values.cwd ?? ""),
    dataDir: dataDir === undefined ? undefined : path.resolve(cwd, dataDir),
  };
}

function commandOf([kind = "list", ...rest]: readonly string[], plugin: string | undefined): PluginCommand {
  switch (kind) {
    case "list":
      if (rest.length > 0) throw new UsageError("plugin list accepts no NAME");
      return { kind };
    case "add":
      return { kind, address: only(kind, rest, "a SOURCE"), plugin };
    case "update":
    case "check":
      return { kind, names: rest };
    case "remove":
    case "on":
    case "off":
      return { kind, name: only(kind, rest, "the NAME of a plugin") };
    default:
      throw new UsageError(
        `plugin accepts add, list, update, remove, check, on and off, not ${JSON.stringify(kind)}`,
      );
  }
}

function only(kind: string, [value, ...more]: readonly string[], what: string): string {
  if (value === undefined || value === "" || more.length > 0)
    throw new UsageError(`plugin ${kind} requires ${what}`);
  return value;
}
