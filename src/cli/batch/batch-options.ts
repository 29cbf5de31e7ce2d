/** Parses the command lines of `nekode batch` and `nekode worker`. */
import path from "node:path";
import { AGENT_OPTIONS, commandLine } from "../command-line.ts";
import { UsageError } from "../usage-error.ts";

export const BATCH_USAGE = `Usage: nekode batch FILE.jsonl [options]

Runs many tasks, each in its own Git worktree and process. FILE contains one task per line:

  {"id": "1", "cwd": "FOLDER", "task": "..."}
  {"id": "2", "repo": "URL or PATH", "rev": "v1.2", "task": "...", "check": "npm test", "model": "...", "timeout": 600}

Results are added to a file as tasks end. If you run the same command again, it runs only the tasks without a result.
docs/batch.md describes the files.

  --jobs N               tasks at once (default: 4)
  --out FILE             results file (default: FILE.results.jsonl); changes are in the folder FILE.results.patches
  --queue URL            put the tasks into a queue on Redis, and collect the results of the workers (NEKODE_QUEUE)
  --wait SECONDS         how long to wait for a queue that is not available (default: 600)
  --shard I/N            run only every Nth task, beginning with task I
  --max-cost USD         stop when all tasks together have cost this amount
  --timeout SECONDS      time for each task, and for its check (default: 3600)
  --keep-worktrees       do not remove the worktrees of the tasks
  --take-over            use the results file even if another process seems to be writing to it
  --json                 write the report at the end as JSON

  --base-url URL, --api API, --model NAME, --protocol P, --context-window N, --max-output-tokens N,
  --temperature T, --mode M or --agent NAME, --approve LIST, --permission LEVEL, --private-hosts LIST,
  --search-provider P, --search-url URL, --memory on|off, --max-requests N, --data-dir DIR,
  --config-dir DIR
                         apply to each task; see nekode --help. Nobody can be asked during a batch, so a task that needs
                         an approval pauses.

Exit codes: 0 all tasks are done and their checks passed, 1 a task or a check failed, 2 invalid usage or an invalid FILE,
3 stopped by a limit, 4 tasks need approval, 130 interrupted.
`;

export const WORKER_USAGE = `Usage: nekode worker --queue URL [options]

Takes tasks that nekode batch --queue put into a queue, and runs them on this machine, until it is stopped. API keys come
from the environment of the worker, never from the queue. Whoever can write to the queue can give tasks to its workers
and, with --checks, run commands on their machines.

  --queue URL            redis://[USER:PASSWORD@]HOST[:PORT][/NUMBER], or rediss:// (NEKODE_QUEUE)
  --jobs N               tasks at once (default: 1)
  --idle SECONDS         exit after this time without a task, unless another worker still has one (default: never)
  --wait SECONDS         how long to wait for a queue that is not available (default: 600)
  --missing SECONDS      time after which another worker takes the tasks of one that does not respond (default: 30)
  --timeout SECONDS      time for each task, and for its check (default: 3600)
  --checks               run the checks of tasks, which are commands from the queue
  --keep-worktrees       do not remove the worktrees of the tasks

  --base-url URL, --api API, --model NAME, --protocol P, --context-window N, --max-output-tokens N,
  --temperature T, --mode M or --agent NAME, --approve LIST, --permission LEVEL, --private-hosts LIST,
  --search-provider P, --search-url URL, --memory on|off, --max-requests N, --data-dir DIR,
  --config-dir DIR
                         apply to each task; see nekode --help

Exit codes: 0 no more tasks (--idle), 1 error, 2 invalid usage, 130 interrupted.
`;

interface Shared {
  help: boolean;
  jobs: number;
  /** undefined: none. */
  queue: string | undefined;
  waitMs: number;
  timeoutMs: number;
  keepWorktrees: boolean;
  /** The options of `nekode` that apply to each task. */
  agentArgs: string[];
}

export interface BatchOptions extends Shared {
  file: string;
  /** Absolute. */
  out: string;
  maxCost: number | undefined;
  shard: { index: number; of: number } | undefined;
  json: boolean;
  takeOver: boolean;
}

export interface WorkerOptions extends Shared {
  takeOverMs: number;
  idleMs: number | undefined;
  checks: boolean;
}

/** Longest time in seconds: what a timer can wait. */
const LONGEST = 604_800;

const SHARED_OPTIONS = {
  ...AGENT_OPTIONS,
  jobs: { type: "string" },
  queue: { type: "string" },
  wait: { type: "string" },
  timeout: { type: "string" },
  "keep-worktrees": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** `args`: the arguments after `batch`. Throws UsageError. */
export function readBatchOptions(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): BatchOptions {
  const { values, positionals } = commandLine(args, {
    ...SHARED_OPTIONS,
    out: { type: "string" },
    shard: { type: "string" },
    "max-cost": { type: "string" },
    "take-over": { type: "boolean" },
    json: { type: "boolean" },
  });
  const [file = ""] = positionals;
  const help = values.help ?? false;
  if (!help && (positionals.length !== 1 || file === ""))
    throw new UsageError(`nekode batch requires one FILE; got ${positionals.length}`);
  const out = values.out ?? `${file.replace(/\.jsonl?$/i, "")}.results.jsonl`;
  if (!help && path.resolve(cwd, out) === path.resolve(cwd, file))
    throw new UsageError("--out must not be the file with the tasks");
  const maxCost = values["max-cost"];
  return {
    ...shared(values, { queue: values.queue ?? (env.NEKODE_QUEUE || undefined), jobs: 4, cwd }),
    help,
    file,
    out: path.resolve(cwd, out),
    maxCost: maxCost === undefined ? undefined : amount("--max-cost", maxCost, 0, Number.MAX_VALUE),
    shard: shardIn(values.shard),
    json: values.json ?? false,
    takeOver: values["take-over"] ?? false,
  };
}

/** `args`: the arguments after `worker`. Throws UsageError. */
export function readWorkerOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): WorkerOptions {
  const { values, positionals } = commandLine(args, {
    ...SHARED_OPTIONS,
    idle: { type: "string" },
    missing: { type: "string" },
    checks: { type: "boolean" },
  });
  const help = values.help ?? false;
  if (positionals.length > 0)
    throw new UsageError("nekode worker accepts no TASK; it takes tasks from the queue");
  const queue = values.queue ?? (env.NEKODE_QUEUE || undefined);
  if (!help && queue === undefined) throw new UsageError("nekode worker requires --queue URL");
  return {
    ...shared(values, { queue, jobs: 1, cwd }),
    help,
    takeOverMs: 1000 * amount("--missing", values.missing ?? "30", 1, LONGEST),
    idleMs: values.idle === undefined ? undefined : 1000 * amount("--idle", values.idle, 0, LONGEST),
    checks: values.checks ?? false,
  };
}

type Values = Readonly<Partial<Record<keyof typeof SHARED_OPTIONS, string | boolean>>>;

function shared(
  values: Values,
  { queue, jobs, cwd }: { queue: string | undefined; jobs: number; cwd: string },
): Shared {
  const text = (name: keyof Values) => (typeof values[name] === "string" ? values[name] : undefined);
  const given: Readonly<Record<string, string | boolean | undefined>> = values;
  const agentArgs = Object.keys(AGENT_OPTIONS).flatMap((name) => {
    const value = given[name];
    // A path is relative to where this program was started, not to a worktree.
    const isFolder = name === "data-dir" || name === "config-dir";
    return typeof value !== "string" ? [] : [`--${name}=${isFolder ? path.resolve(cwd, value) : value}`];
  });
  const many = text("jobs");
  return {
    help: false,
    queue,
    agentArgs,
    jobs: many === undefined ? jobs : whole("--jobs", many),
    waitMs: 1000 * amount("--wait", text("wait") ?? "600", 0, LONGEST),
    timeoutMs: 1000 * amount("--timeout", text("timeout") ?? "3600", 0, LONGEST),
    keepWorktrees: values["keep-worktrees"] === true,
  };
}

function shardIn(text: string | undefined): BatchOptions["shard"] {
  if (text === undefined) return undefined;
  const [, index = "0", of = "0"] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index < 1 || shard.index > shard.of)
    throw new UsageError(`--shard must be I/N with 1 <= I <= N, not ${JSON.stringify(text)}`);
  return shard;
}

/** The largest number of tasks at once. */
const MOST_JOBS = 256;

function whole(name: string, text: string): number {
  const value = amount(name, text, 1, MOST_JOBS);
  if (!Number.isInteger(value))
    throw new UsageError(`${name} must be an integer, not ${JSON.stringify(text)}`);
  return value;
}

function amount(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < least || value > most)
    throw new UsageError(
      most === Number.MAX_VALUE
        ? `${name} must be a number of at least ${least}, not ${JSON.stringify(text)}`
        : `${name} must be a number from ${least} to ${most}, not ${JSON.stringify(text)}`,
    );
  return value;
}
