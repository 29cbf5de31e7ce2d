/** Parses the command line of `nekode replay` into one validated object. */
import path from "node:path";
import type { ReplayLevel } from "../../core/agent/replay/run-replay.ts";
import { commandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const REPLAY_USAGE = `Usage: nekode replay [options] SESSION

Runs the tool calls of a session again, in a copy of the project in a temporary folder, and lists the results and files
that differ from the session. The model's answers come from the session: no request is sent. Your files do not change.
Ignored files, such as installed dependencies, are not in the copy.

  --against REV          use the files as of this commit, branch or tag (default: the files as they are)
  --permission LEVEL     what runs: edits (reading and editing in the copy; default), safe (also safe commands and your
                         list of allowed commands) or all (also all commands). What you approved in the session runs
                         only if this permission covers it. Commands run as you, outside of the copy too.
  --json                 write the report as JSON
  --cwd DIR              project folder (default: current folder)
  --data-dir DIR         folder that stores the sessions (NEKODE_DATA_DIR)
  --config-dir DIR       folder of your configuration

Exit codes: 0 everything that ran is the same, 1 error, 2 invalid usage, 5 something differs, 130 interrupted.
`;

const LEVELS: readonly ReplayLevel[] = ["edits", "safe", "all"];

export interface ReplayOptions {
  help: boolean;
  session: string;
  revision: string | undefined;
  level: ReplayLevel;
  json: boolean;
  /** Absolute. */
  cwd: string;
  dataDir: string | undefined;
  configDir: string | undefined;
}

/** `args`: the arguments after `replay`. Throws UsageError. */
export function readReplayOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): ReplayOptions {
  const { values, positionals } = commandLine(args, {
    against: { type: "string" },
    permission: { type: "string" },
    json: { type: "boolean" },
    cwd: { type: "string" },
    "data-dir": { type: "string" },
    "config-dir": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  const [session = ""] = positionals;
  if (!values.help && (positionals.length !== 1 || session === ""))
    throw new UsageError(`nekode replay expects the ID of one session; nekode --list shows them`);
  const level = LEVELS.find((each) => each === (values.permission ?? "edits"));
  if (level === undefined)
    throw new UsageError(
      `--permission must be one of ${LEVELS.join(", ")}, not ${JSON.stringify(values.permission)}; a replay asks nothing`,
    );
  if (values.against?.trim() === "") throw new UsageError("--against must not be empty");
  const absolute = (folder: string | undefined) =>
    folder === undefined ? undefined : path.resolve(cwd, folder);
  return {
    help: values.help ?? false,
    session,
    revision: values.against,
    level,
    json: values.json ?? false,
    cwd: path.resolve(cwd, values.cwd ?? "."),
    dataDir: absolute(values["data-dir"] ?? (env.NEKODE_DATA_DIR || undefined)),
    configDir: absolute(values["config-dir"]),
  };
}
