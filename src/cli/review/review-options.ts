/** Parses the command line of `nekode review`. */
import path from "node:path";
import { type ReviewScope, reviewScope, SEVERITIES, type Severity } from "../../shared/review.ts";
import { AGENT_OPTIONS, commandLine, oneOf } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const REVIEW_USAGE = `Usage: nekode review [--base REV | --staged] [options]

Lets the model review changes, and lists what it finds: each finding on lines that changed, checked by a second request
that tries to refute it. Only reading tools are used, and no file changes. Without --base or --staged, it reviews what is
not committed, with new files. docs/review.md describes REVIEW.md, the limits, and the JSON.

  --base REV             review what is new in the working tree since its last common commit with this commit, branch
                         or tag
  --staged               review what is staged
  --json                 write the report as JSON (docs/review.schema.json)
  --report FILE          also write the outcome to FILE, as runs do, with the report as its output
  --fail-on SEVERITY     exit with code 5 if there is a finding of this severity or a higher one: important, nit or
                         pre-existing
  --max-cost USD         stop when the review has cost this amount
  --timeout SECONDS      stop after this time
  --cwd DIR              project folder (default: current folder)

  --base-url URL, --api API, --model NAME, --protocol P, --context-window N, --max-output-tokens N,
  --temperature T, --max-requests N, --data-dir DIR, --config-dir DIR
                         see nekode --help

Exit codes: 0 reviewed, with or without findings, 1 error, 2 invalid usage, 3 stopped by a limit, 5 findings as
--fail-on names them, 130 interrupted.
`;

export interface ReviewOptions {
  help: boolean;
  scope: ReviewScope;
  json: boolean;
  /** Absolute. */
  report: string | undefined;
  failOn: Severity | undefined;
  timeoutMs: number | undefined;
  /** Absolute. */
  cwd: string;
  /** The options of `nekode` that apply. */
  agentArgs: string[];
}

const TAKEN = {
  ...AGENT_OPTIONS,
  cwd: { type: "string" },
  "max-cost": { type: "string" },
} as const;

/** What says what a session may do, which a review is not asked for. */
const REFUSED = [
  ...["mode", "agent", "approve", "permission", "sandbox", "memory"],
  ...["private-hosts", "search-provider", "search-url"],
] as const;

/** `args`: the arguments after `review`. Throws UsageError. */
export function readReviewOptions(args: readonly string[], cwd: string): ReviewOptions {
  const { values, positionals } = commandLine(args, {
    ...TAKEN,
    base: { type: "string" },
    staged: { type: "boolean" },
    json: { type: "boolean" },
    report: { type: "string" },
    "fail-on": { type: "string" },
    timeout: { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  const given: Readonly<Record<string, string | boolean | undefined>> = values;
  const refused = REFUSED.find((name) => given[name] !== undefined);
  if (refused !== undefined)
    throw new UsageError(`nekode review only reads, so it does not accept --${refused}`);
  if (positionals.length > 0)
    throw new UsageError("nekode review accepts no TASK; name what to review with --base or --staged");
  if (values.base !== undefined && values.staged)
    throw new UsageError("--base and --staged cannot be used together");
  const words =
    values.base === undefined ? (values.staged ? ["--staged"] : []) : ["--base", values.base.trim()];
  const scope = values.base?.trim() === "" ? undefined : reviewScope(words);
  if (!scope) throw new UsageError("--base requires a commit, a branch or a tag");
  const timeout = values.timeout === undefined ? undefined : Number(values.timeout);
  if (timeout !== undefined && !(timeout > 0))
    throw new UsageError(`--timeout must be a number of seconds, not ${JSON.stringify(values.timeout)}`);
  const agentArgs = Object.keys(TAKEN).flatMap((name) => {
    const value = given[name];
    return typeof value === "string" ? [`--${name}=${value}`] : [];
  });
  return {
    help: values.help ?? false,
    scope,
    json: values.json ?? false,
    report: values.report === undefined ? undefined : path.resolve(cwd, values.report),
    failOn: oneOf("--fail-on", values["fail-on"], SEVERITIES),
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    cwd: path.resolve(cwd, values.cwd ?? "."),
    agentArgs,
  };
}
