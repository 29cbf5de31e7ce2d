/** Parses the command line of `nekode import` into one validated object. */
import path from "node:path";
import { type AgentProduct, agentProductSchema } from "../../shared/history/session-origin.ts";
import { commandLine, oneOf } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const IMPORT_USAGE = `Usage: nekode import [--from PRODUCT] [--folder DIR] [--dry-run] [--yes] [--json]
       nekode import settings [--from PRODUCT] [--dry-run] [--json]

Imports the sessions of other agents on this machine: Cline, Roo Code, Zoo Code, Kilo Code, Claude Code, Codex and opencode. It lists
what it finds, asks you, and imports each session into the project of the folder that it worked in. Their files are only read.
nekode import settings --help explains how to take over their settings.

An imported session is read-only: it can be searched and read, and nothing in it runs. A message to it (--resume ID) continues it as
a copy. A session that was imported before is skipped.

  --from PRODUCT         only this product: ${agentProductSchema.options.join(", ")}; can be repeated
  --folder DIR           only sessions that worked in this folder or below it
  --dry-run              read everything and print what would be imported, without writing anything
  --yes                  import without asking
  --json                 print one line of JSON for each session
  --cwd DIR              project folder, which also gets sessions whose folder is not known (default: current folder)
  --data-dir DIR         folder that stores the sessions (NEKODE_DATA_DIR)
  --config-dir DIR       folder of config.json, whose keys are masked in what is imported (NEKODE_CONFIG_DIR)

Where the products keep their sessions follows their own variables: CLAUDE_CONFIG_DIR, CODEX_HOME, CLINE_DATA_DIR, OPENCODE_DB,
XDG_DATA_HOME.

Exit codes: 0 done, 1 a session could not be imported, 2 invalid usage, 4 not imported, because nobody confirmed it.
`;

export interface ImportOptions {
  help: boolean;
  products: readonly AgentProduct[];
  /** Absolute. */
  folder: string | undefined;
  isDryRun: boolean;
  yes: boolean;
  json: boolean;
  /** Absolute. */
  cwd: string;
  dataDir: string | undefined;
  configDir: string | undefined;
}

/** `args`: the arguments after `import`. Throws UsageError. */
export function readImportOptions(args: readonly string[], cwd: string): ImportOptions {
  const { values, positionals } = commandLine(args, {
    from: { type: "string", multiple: true },
    folder: { type: "string" },
    "dry-run": { type: "boolean" },
    yes: { type: "boolean" },
    json: { type: "boolean" },
    cwd: { type: "string" },
    "data-dir": { type: "string" },
    "config-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (positionals.length > 0)
    throw new UsageError("nekode import expects only options; --import FILE imports an exported session");
  const absolute = (folder: string | undefined) =>
    folder === undefined ? undefined : path.resolve(cwd, folder);
  return {
    help: values.help ?? false,
    products: namedProducts(values.from, agentProductSchema.options),
    folder: absolute(values.folder),
    isDryRun: values["dry-run"] ?? false,
    yes: values.yes ?? false,
    json: values.json ?? false,
    cwd: path.resolve(cwd, values.cwd ?? ""),
    dataDir: absolute(values["data-dir"]),
    configDir: absolute(values["config-dir"]),
  };
}

/** The products that `--from` names, each once; all without it. Throws UsageError. */
export function namedProducts<Product extends string>(
  names: readonly string[] | undefined,
  all: readonly Product[],
): readonly Product[] {
  const named = (names ?? []).flatMap((name) => oneOf("--from", name, all) ?? []);
  return named.length === 0 ? all : [...new Set(named)];
}
