/** The command line of `nekode judge` as one checked object. */
import path from "node:path";
import { commandLine } from "./command-line.ts";
import { UsageError } from "./usage-error.ts";

export const judgeUsage = `Usage: nekode judge [options] COMMAND
       nekode judge [options] --read PATH | --write PATH

Whether the command runs, or the file is read or written, without asking, and why. Nothing is run, and nothing is
written. COMMAND "-" reads standard input.

  --cwd DIR              project folder (default: here)
  --shell S              bash, zsh, sh, fish, powershell or cmd (default: your own)
  --allow PREFIX         counts as allowed, instead of the configured list; again for more
  --deny PREFIX          counts as denied, instead of the configured list; again for more
  --json                 {"verdict": "allow"|"ask"|"deny", "reason": {"code", "values"}, "text", ...}
`;

const shells = ["bash", "zsh", "sh", "fish", "powershell", "cmd"] as const;

export interface JudgeOptions {
  help: boolean;
  /** Absolute. */
  cwd: string;
  shell: (typeof shells)[number] | undefined;
  /** undefined: the configured list. */
  allow: string[] | undefined;
  deny: string[] | undefined;
  json: boolean;
  what: { command: string } | { path: string; access: "read" | "write" } | { stdin: true };
}

/** `args`: what stands behind `judge`. Throws UsageError. */
export function readJudgeOptions(args: readonly string[], cwd: string): JudgeOptions {
  const { values, positionals } = parse(args);
  const shell = shells.find((name) => name === values.shell);
  if (values.shell !== undefined && shell === undefined)
    throw new UsageError(`--shell takes ${shells.join(", ")}, not ${JSON.stringify(values.shell)}`);
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
    throw new UsageError(`one COMMAND is expected, in quotes; ${positionals.length} came`);
  const [command] = positionals;
  const given = [command, read, write].filter((each) => each !== undefined);
  if (given.length !== 1) throw new UsageError("judge takes one of COMMAND, --read PATH and --write PATH");
  if (read === "" || write === "") throw new UsageError("judge takes a PATH that is not empty");
  if (read !== undefined) return { path: read, access: "read" };
  if (write !== undefined) return { path: write, access: "write" };
  return command === "-" ? { stdin: true } : { command: command ?? "" };
}
