/** The built terminal host, and programs to compare it with, as processes whose time and memory are measured. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ModelServer, type Script, startModelServer } from "../../model-server/server.ts";

const PROGRAM = path.resolve("dist/cli.js");
const WATCH = path.resolve("test/fixtures/watched-process.cjs");

export interface Ran {
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number;
  /** Milliseconds of the processor that the process and all that it started used, in the kernel too. */
  cpuMs: number;
}

export interface Watched {
  /** Bytes, of the largest process. */
  peak: number;
  /** Synchronizations of a file with the disk. */
  syncs: number;
}

/** A project, its sessions and a model, each on a place of its own. */
export interface Place {
  root: string;
  dataDir: string;
  server: ModelServer;
  close(): Promise<void>;
}

export async function openPlace(script: Script): Promise<Place> {
  if (!existsSync(PROGRAM)) throw new Error(`There is no ${PROGRAM}. Run npm run build first.`);
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-bench-"));
  const [root, dataDir] = [path.join(folder, "project"), path.join(folder, "data")];
  await mkdir(root);
  await mkdir(dataDir);
  const server = await startModelServer({ script });
  return {
    ...{ root, dataDir, server },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a command line; rejects if it fails. */
export async function run(
  place: Pick<Place, "root" | "dataDir">,
  [file, ...args]: readonly [string, ...string[]],
  env: Record<string, string> = {},
): Promise<Ran> {
  const { PATH = "" } = process.env;
  const startedAt = Date.now();
  // Only a shell tells what all processes together used.
  const timed = 'TIMEFORMAT="%3U %3S"; time "$0" "$@" > /dev/null';
  const child = spawn("/bin/bash", ["-c", timed, file, ...args], {
    cwd: place.root,
    env: { PATH, HOME: place.dataDir, LANG: "C.UTF-8", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    told += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const endedAt = Date.now();
  const seconds = /(\d+\.\d+) (\d+\.\d+)\s*$/.exec(told);
  if (code !== 0 || !seconds) throw new Error(`${[file, ...args].join(" ")} ended with ${code}: ${told}`);
  return { startedAt, endedAt, cpuMs: 1000 * (Number(seconds[1]) + Number(seconds[2])) };
}

/** A task of the terminal host. */
export function runTask(
  place: Place,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  return run(place, [process.execPath, PROGRAM, "--approve", "all", ...args], {
    ...{ NEKODE_DATA_DIR: place.dataDir, NEKODE_BASE_URL: place.server.url, NEKODE_MODEL: "scripted" },
    // Of a window that is not known, the endpoint is asked first.
    ...{ NEKODE_API_KEY: "key-of-the-bench", NEKODE_CONTEXT_WINDOW: "200000" },
    ...env,
  });
}

/** Bare Node that asks the model's server for one thing. */
export function runBare(place: Place, env: Record<string, string> = {}): Promise<Ran> {
  const ask = `require("node:http").get(${JSON.stringify(`${place.server.url}/models`)}, (answer) => answer.resume())`;
  return run(place, [process.execPath, "-e", ask], env);
}

/** What a process that is run with the variables that it receives used beside time. */
export async function watched(
  place: Place,
  start: (env: Record<string, string>) => Promise<Ran>,
): Promise<Watched> {
  const record = path.join(place.dataDir, "record.txt");
  await writeFile(record, "");
  await start({ NEKODE_TEST_RECORD: record, NODE_OPTIONS: `--require=${WATCH}` });
  const lines = (await readFile(record, "utf8")).split("\n");
  const peaks = lines.filter((line) => line.startsWith("peak ")).map((line) => Number(line.slice(5)));
  return { peak: Math.max(...peaks), syncs: lines.filter((line) => line.startsWith("sync ")).length };
}
