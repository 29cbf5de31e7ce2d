/** Parses the command line of `nekode import settings` into one validated object. */
import path from "node:path";
import { type SettingProduct, settingProductSchema } from "../../shared/setting-proposals.ts";
import { commandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";
import { namedProducts } from "./import-options.ts";

export const SETTING_USAGE = `Usage: nekode import settings [--from PRODUCT] [--dry-run] [--json]
       nekode import settings --undo [--from PRODUCT]

Proposes the settings of other agents on this machine one by one: MCP servers, custom modes and agents, rules, allowed and denied
commands, and the model. For each, it shows what would change in your own settings, and asks you. Their files are only read. Keys and
what may be one are not copied: you enter them when the server first starts. Settings in files of the project allow nothing.

What cannot be taken over is listed with the reason.

  --from PRODUCT         only this product: ${settingProductSchema.options.join(", ")}; can be repeated
  --dry-run              only list
  --undo                 ask for everything that you took over whether to remove it
  --json                 only list, with a line of JSON for each proposal and for each setting that is left out
  --cwd DIR              project folder (default: current folder)
  --data-dir DIR         folder that stores what you took over (NEKODE_DATA_DIR)
  --config-dir DIR       folder of config.json and mcp.json (NEKODE_CONFIG_DIR)

Exit codes: 0 done, 1 something changed meanwhile and was not taken over, 2 invalid usage, 4 there are proposals, and nobody to ask.
`;

export interface SettingOptions {
  help: boolean;
  products: readonly SettingProduct[];
  isDryRun: boolean;
  undo: boolean;
  json: boolean;
  /** Absolute. */
  cwd: string;
  dataDir: string | undefined;
  configDir: string | undefined;
}

/** `args`: the arguments after `import settings`. Throws UsageError. */
export function readSettingOptions(args: readonly string[], cwd: string): SettingOptions {
  const { values, positionals } = commandLine(args, {
    from: { type: "string", multiple: true },
    "dry-run": { type: "boolean" },
    undo: { type: "boolean" },
    json: { type: "boolean" },
    cwd: { type: "string" },
    "data-dir": { type: "string" },
    "config-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (positionals.length > 0) throw new UsageError(`unexpected argument: ${positionals[0]}`);
  const { undo = false, json = false } = values;
  const isDryRun = values["dry-run"] ?? false;
  if (undo && (json || isDryRun)) throw new UsageError("--undo cannot be combined with --dry-run or --json");
  const absolute = (folder: string | undefined) =>
    folder === undefined ? undefined : path.resolve(cwd, folder);
  return {
    help: values.help ?? false,
    products: namedProducts(values.from, settingProductSchema.options),
    isDryRun,
    undo,
    json,
    cwd: path.resolve(cwd, values.cwd ?? ""),
    dataDir: absolute(values["data-dir"]),
    configDir: absolute(values["config-dir"]),
  };
}
