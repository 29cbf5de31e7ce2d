/** Parses the command line of `nekode judge` into one validated object. */
import path from "node:path";
import { commandLine } from "./command-line.ts";
import { UsageError } from "./usage-error.ts";

export const JUDGE_USAGE = `Usage: nekode judge [options] COMMAND
       nekode judge [options] --read PATH | --write PATH

Shows whether the command runs, or the file is read or written, without asking, and why. Runs and writes nothing. If
COMMAND is "-", nekode reads it from standard input.

  --cwd DIR              project folder (default: current folder)
  --shell S              bash, zsh, sh, fish, powershell or cmd (default: your shell)
  --allow PREFIX         allow commands with this prefix, instead of the configured list; can be repeated
  --deny PREFIX          deny commands with this prefix, instead of the configured list; can be repeated
  --json                 write JSON: {"verdict": "allow"|"ask"|"deny", "reason": {"code", "values"}, "text", ...}
`;

const SHELLS = ["bash", "zsh", "sh", "fish", "powershell", "cmd"] as const;

export interface JudgeOptions {
  help: boolean;
  /** Absolute. */
  cwd: string;
  shell: (typeof SHELLS)[number] | undefined;
  /** undefined: the configured list. */
  allow: string[] | undefined;
  deny: string[] | undefined;
  json: boolean;
  what: { command: string } | { path: string; access: "read" | "write" } | { stdin: true };
}

/** `args`: the arguments after `judge`. Throws UsageError. */
export function readJudgeOptions(args: readonly string[], cwd: string): JudgeOptions {
  const { values, positionals } = parse(args);
  const shell = SHELLS.find((name) => name === values.shell);
  if (values.shell !== undefined && shell === undefined)
    throw new UsageError(`--shell must be one of ${SHELLS.join(", ")}, not ${JSON.stringify(values.shell)}`);
  return {
    help: values.help ?? false,
    cwd: path.resolve(cwd, values.cwd ?? "."),
    shell,
    allow: values.allow,
    deny: values.deny,
    json: values.json ?? false,
    what: values.help ? { command: "" } : whatOf(values, positionals),
  };
}

const parse = (args: readonly string[]) =>
  commandLine(args, {
    cwd: { type: "string" },
    shell: { type: "string" },
    allow: { type: "string", multiple: true },
    deny: { type: "string", multiple: true },
    read: { type: "string" },
    write: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  });

function whatOf(
  values: ReturnType<typeof parse>["values"],
  positionals: readonly string[],
): JudgeOptions["what"] {
  const { read, write } = values;
  if (positionals.length > 1)
    throw new UsageError(`expected one COMMAND in quotes; got ${positionals.length}`);
  const [command] = positionals;
  const given = [command, read, write].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw new UsageError("judge requires exactly one of COMMAND, --read PATH and --write PATH");
  if (read === "" || write === "") throw new UsageError("PATH must not be empty");
  if (read !== undefined) return { path: read, access: "read" };
  if (write !== undefined) return { path: write, access: "write" };
  return command === "-" ? { stdin: true } : { command: command ?? "" };
}
