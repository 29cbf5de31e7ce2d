/** Parses the command line of `nekode doctor` into one validated object. */
import path from "node:path";
import { type ApiKind, apiKindSchema } from "../../shared/models/connection.ts";
import { commandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const DOCTOR_USAGE = `Usage: nekode doctor [options] [URL | CONNECTION | CONNECTION/MODEL]
       nekode doctor --report  print a report about this installation, for an issue

Sends about 25 short requests to check what a model can do: streaming, token counts, tool calls, images, the real context
window and more. The command shows the results, and Nekode uses them from then on. Without an argument, it checks the
configured model. Before it sends anything, it shows how many tokens it uses at most.

With --report, nothing is sent. The report has versions, the system, the kinds of connections and servers, the names of
changed settings, and the last errors. It leaves out keys, addresses, names, values of settings and paths.

  --model NAME           the model, if the argument does not name it (NEKODE_MODEL)
  --api API              the API of URL: ${apiKindSchema.options.join(", ")} (default: chat)
  --budget TOKENS        tokens for measuring the context window (0: do not measure)
  --yes                  do not ask
  --report               print a report about this installation
  --json                 write the report as JSON
  --config-dir DIR       configuration folder (NEKODE_CONFIG_DIR)
  --data-dir DIR         data folder, which stores the results (NEKODE_DATA_DIR)

Exit codes: 0 Nekode can work with the model, 1 it cannot, 2 invalid usage.
`;

export interface DoctorOptions {
  help: boolean;
  /** An address, or a name. undefined: the configured model. */
  target: string | undefined;
  model: string | undefined;
  api: ApiKind | undefined;
  /** Tokens for the window. */
  budget: number | undefined;
  yes: boolean;
  /** Prints a report about the installation; nothing is checked. */
  report: boolean;
  json: boolean;
  /** Absolute. */
  configDir: string | undefined;
  dataDir: string | undefined;
}

/** `args`: the arguments after `doctor`. Throws UsageError. */
export function readDoctorOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): DoctorOptions {
  const { values, positionals } = commandLine(args, {
    model: { type: "string" },
    api: { type: "string" },
    budget: { type: "string" },
    yes: { type: "boolean" },
    report: { type: "boolean" },
    json: { type: "boolean" },
    "config-dir": { type: "string" },
    "data-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (positionals.length > 1) throw new UsageError("doctor accepts one URL, connection or model");
  if (values.report && positionals.length > 0) throw new UsageError("doctor --report accepts no model");
  const api = apiKindSchema.options.find((each) => each === values.api);
  if (values.api !== undefined && api === undefined)
    throw new UsageError(`--api must be one of ${apiKindSchema.options.join(", ")}, not ${values.api}`);
  const budget = values.budget === undefined ? undefined : Number(values.budget);
  if (budget !== undefined && !(Number.isInteger(budget) && budget >= 0))
    throw new UsageError(`--budget must be an integer of at least 0, not ${values.budget}`);
  const absolute = (folder: string | undefined) =>
    folder === undefined ? undefined : path.resolve(cwd, folder);
  return {
    help: values.help ?? false,
    target: positionals[0],
    model: values.model ?? (env.NEKODE_MODEL || undefined),
    api,
    budget,
    yes: values.yes ?? false,
    report: values.report ?? false,
    json: values.json ?? false,
    configDir: absolute(values["config-dir"]),
    dataDir: absolute(values["data-dir"]),
  };
}
