/** Parses the command line of `nekode config` into one validated object. */
import path from "node:path";
import type { KeyPath } from "../../node/config/user-config-file.ts";
import { commandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const CONFIG_USAGE = `Usage: nekode config                   show the configuration
       nekode config get KEY
       nekode config set KEY VALUE
       nekode config unset KEY

The configuration is config.json in the configuration folder. Options and environment variables take precedence. Do not
put API keys in it: keyEnv names the environment variable that contains the key.

KEY is a name such as model, permission, commands.allow or connections.local.baseUrl; write a name that contains a dot in
brackets, as in 'models["gpt-4.1"].window'. VALUE is text or JSON. Set the baseUrl of a new connection first. Examples:

  nekode config set connections.local.baseUrl http://localhost:11434/v1
  nekode config set model local/qwen3-coder
  nekode config set commands.allow '["npm test"]'

  --config-dir DIR       configuration folder (NEKODE_CONFIG_DIR)
`;

export type ConfigAction =
  | { kind: "help" }
  | { kind: "show" }
  | { kind: "get" | "unset"; key: KeyPath }
  | { kind: "set"; key: KeyPath; value: string };

export interface ConfigOptions {
  action: ConfigAction;
  /** Absolute. */
  configDir: string | undefined;
}

/** `args`: the arguments after `config`. Throws UsageError. */
export function readConfigOptions(args: readonly string[], cwd: string): ConfigOptions {
  const { values, positionals } = commandLine(args, {
    "config-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  const dir = values["config-dir"];
  return {
    action: values.help ? { kind: "help" } : actionOf(positionals),
    configDir: dir === undefined ? undefined : path.resolve(cwd, dir),
  };
}

function actionOf([kind, key, value, ...more]: readonly string[]): ConfigAction {
  if (kind === undefined) return { kind: "show" };
  if (kind !== "get" && kind !== "set" && kind !== "unset")
    throw new UsageError(`config accepts get, set or unset, not ${JSON.stringify(kind)}`);
  if (key === undefined) throw new UsageError(`config ${kind} requires a KEY`);
  if (kind === "set") {
    if (value === undefined) throw new UsageError("config set requires a VALUE");
    if (more.length > 0) throw new UsageError("config set accepts one VALUE; put it in quotes");
    return { kind, key: keyOf(key), value };
  }
  if (value !== undefined) throw new UsageError(`config ${kind} accepts one KEY`);
  return { kind, key: keyOf(key) };
}

/** Splits `a.b["c.d"]` into its parts. */
function keyOf(text: string): KeyPath {
  const steps: string[] = [];
  const part = /\.?(?:\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+))/y;
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (!found) throw new UsageError(`${JSON.stringify(text)} is not a KEY`);
    steps.push(found[1] === undefined ? (found[2] ?? "") : found[1].replace(/\\(.)/g, "$1"));
  }
  if (steps.length === 0) throw new UsageError("KEY is empty");
  return steps;
}
