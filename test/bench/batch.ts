/** How many played tasks worker processes complete over a queue, and whether a result is lost or doubled when workers are killed. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { RedisServer } from "../support/redis.ts";

const PROGRAM = path.resolve("dist/cli.js");
/** Fewer by hand, on a machine that is busy. */
const TASKS = Number(process.env.NEKODE_BATCH_TASKS ?? 200);
const KILLS = Number(process.env.NEKODE_BATCH_KILLS ?? 20);
const WORKERS = [1, 2, 4];

export interface BatchRound {
  workers: number;
  kills: number;
  tasks: number;
  seconds: number;
  /** Tasks without a result, and results beyond the first one of a task. */
  lost: number;
  doubled: number;
  /** Tasks that did not end as `done`. */
  failed: number;
}

/** Each number of workers without kills, then four workers of which one is killed at each of the moments. */
export async function batchRounds(): Promise<BatchRound[]> {
  const rounds: BatchRound[] = [];
  for (const workers of WORKERS) rounds.push(await round(workers, 0));
  rounds.push(await round(4, KILLS));
  return rounds;
}

export function batchText(rounds: readonly BatchRound[]): string {
  const lines = rounds.map(
    ({ workers, kills, tasks, seconds, lost, doubled, failed }) =>
      `${workers} workers, ${kills} killed: ${tasks} tasks in ${seconds.toFixed(1)} s (${((tasks / seconds) * 60).toFixed(0)} a minute), ${lost} lost, ${doubled} doubled, ${failed} not done`,
  );
  return ["Batches over a queue", ...lines].join("\n");
}

async function round(workers: number, kills: number): Promise<BatchRound> {
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-bench-batch-"));
  const server = await startModelServer({ script: SCRIPT });
  const redis = await RedisServer.start();
  const running: ChildProcess[] = [];
  try {
    const tasks = await prepared(folder);
    const start = (args: readonly string[]) => program(args, folder, server);
    const queue = ["--queue", redis.url];
    const worker = () => start(["worker", ...queue, "--permission", "edits", "--missing", "2"]);
    for (let at = 0; at < workers; at++) running.push(worker());
    const from = performance.now();
    const feeder = start(["batch", tasks, ...queue]);
    let results = 0;
    let killed = 0;
    feeder.stderr?.setEncoding("utf8").on("data", (text: string) => {
      results += text.match(/^\[/gm)?.length ?? 0;
      // The moments are spread over the batch, each at whatever the worker was doing.
      while (killed < kills && results >= ((killed + 1) * TASKS) / (kills + 1)) {
        running[killed++ % workers]?.kill("SIGKILL");
        running[(killed - 1) % workers] = worker();
      }
    });
    await once(feeder, "close");
    const seconds = (performance.now() - from) / 1000;
    const lines = (await readFile(tasks.replace(".jsonl", ".results.jsonl"), "utf8")).trimEnd().split("\n");
    const found: { id: string; status: string }[] = lines.map((line) => JSON.parse(line));
    const ids = new Set(found.map(({ id }) => id));
    const failed = found.filter(({ status }) => status !== "done").length;
    const [lost, doubled] = [TASKS - ids.size, found.length - ids.size];
    return { workers, kills: killed, tasks: TASKS, seconds, lost, doubled, failed };
  } finally {
    const ended = running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const closed = ended.map((child) => once(child, "close"));
    for (const child of ended) child.kill("SIGTERM");
    await Promise.all(closed);
    await redis.remove();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const SCRIPT = {
  turns: [
    {
      match: { request: 1 },
      times: true as const,
      answer: [{ tool: "write_to_file", params: { path: "out.txt", content: "made\n" } }],
    },
    { times: true as const, answer: [{ tool: "attempt_completion", params: { result: "Finished." } }] },
  ],
};

/** A repository, and a file of tasks for it. */
async function prepared(folder: string): Promise<string> {
  const repository = path.join(folder, "repository");
  await mkdir(repository);
  await writeFile(path.join(repository, "neko.txt"), "cat\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=n@example.com", ...args], {
      cwd: repository,
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "one");
  const tasks = path.join(folder, "tasks.jsonl");
  const line = (at: number) => ({
    id: String(at),
    repo: "repository",
    task: `Task ${at}`,
    check: "cat out.txt",
  });
  const lines = Array.from({ length: TASKS }, (_, at) => `${JSON.stringify(line(at))}\n`);
  await writeFile(tasks, lines.join(""));
  return tasks;
}

function program(args: readonly string[], folder: string, server: ModelServer): ChildProcess {
  const { PATH = "" } = process.env;
  const own = { PATH, HOME: folder, SHELL: "/bin/bash", LANG: "C.UTF-8" };
  const model = { NEKODE_BASE_URL: server.url, NEKODE_MODEL: "scripted", NEKODE_CONTEXT_WINDOW: "200000" };
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: { ...own, ...model, NEKODE_DATA_DIR: path.join(folder, "data") },
    stdio: ["ignore", "ignore", args[0] === "batch" ? "pipe" : "ignore"],
  });
}
