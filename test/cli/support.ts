/**
 * The built terminal host in a project. `run` runs it in this process, for tests of what it does; `spawn`, `start` and
 * `converse` start it as a user does, for tests of its process: signals, its end, a real terminal, and what Node is told.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { runProgram } from "./program.ts";

const repository = path.join(import.meta.dirname, "../..");
const program = path.join(repository, "dist/cli.js");
/** Its compiled code, which the runs of all tests share. */
const CACHE = path.join(repository, ".cache/cli");

/** A conversation that takes longer waits for something that does not come. */
const CONVERSATION_MS = 100_000;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  child: ChildProcess;
  ended: Promise<Ended>;
}

/** The terminal host in a folder, without a terminal; sessions are in `dataDir`. */
export function startCli(
  folder: string,
  dataDir: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Started {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...environment(folder, dataDir), ...env },
  });
  child.stdin.end();
  return { child, ended: ended(child) };
}

function environment(home: string, dataDir: string): Record<string, string> {
  const { PATH = "" } = process.env;
  return {
    ...{ PATH, HOME: home, SHELL: "/bin/bash", LANG: "C.UTF-8" },
    ...{ NEKODE_DATA_DIR: dataDir, XDG_CACHE_HOME: CACHE },
  };
}

/** Variables of a program whose time limit of so many seconds is over as soon as it has printed this; undefined: never. */
export function overAt(seconds: number, text?: string): Record<string, string> {
  return {
    ...{
      NEKODE_TEST_LIMIT: String(seconds * 1000),
      ...(text === undefined ? {} : { NEKODE_TEST_UNTIL: text }),
    },
    NODE_OPTIONS: `--require=${path.join(import.meta.dirname, "../fixtures/time-limit.cjs")}`,
  };
}

export class Project {
  readonly #scratch: string;

  private constructor(
    readonly folder: string,
    readonly dataDir: string,
    scratch: string,
  ) {
    this.#scratch = scratch;
  }

  static async create(files: Record<string, string>): Promise<Project> {
    const scratch = await mkdtemp(path.join(tmpdir(), "nekode-cli-"));
    const project = new Project(path.join(scratch, "project"), path.join(scratch, "data"), scratch);
    await mkdir(project.folder);
    await project.write(files);
    return project;
  }

  /** What a program of this project is started with. */
  get environment(): Record<string, string> {
    return environment(this.#scratch, this.dataDir);
  }

  async write(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(this.folder, name), text);
  }

  read(name: string): Promise<string> {
    return readFile(path.join(this.folder, name), "utf8");
  }

  remove(): Promise<void> {
    return rm(this.#scratch, { recursive: true, force: true });
  }

  /** In this process, without a terminal: standard input is `input`, or empty. */
  async run(args: readonly string[], env: Record<string, string> = {}, input = ""): Promise<Ended> {
    const environment = { ...this.environment, ...env };
    const { stdin, stdout, stderr, ended } = runProgram(args, { environment, cwd: this.folder });
    stdin.end(input);
    const [out, err, code] = await Promise.all([textOf(stdout), textOf(stderr), ended]);
    return { code, stdout: out, stderr: err };
  }

  /** As a process, without a terminal: standard input is `input`, or empty. */
  async spawn(args: readonly string[], env: Record<string, string> = {}, input = ""): Promise<Ended> {
    const child = this.#spawn(process.execPath, [program, ...args], env);
    child.stdin?.end(input);
    return ended(child);
  }

  /** As a process that the test does not wait for. */
  start(args: readonly string[], env: Record<string, string> = {}): Started {
    const child = this.#spawn(process.execPath, [program, ...args], env);
    child.stdin?.end();
    return { child, ended: ended(child) };
  }

  /**
   * On a terminal of its own: each `[text, answer]` waits for the text to appear, then types the answer; "" types
   * nothing.
   */
  async converse(
    args: readonly string[],
    env: Record<string, string>,
    turns: readonly (readonly [wait: string, type: string])[],
  ): Promise<Ended> {
    const command = [process.execPath, program, ...args]
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(" ");
    const child = this.#spawn("script", ["-qefc", command, "/dev/null"], env);
    let screen = "";
    let seen = 0;
    let turn = 0;
    child.stdout?.on("data", (data: Buffer) => {
      screen += data.toString();
      for (let next = turns[turn]; next && screen.indexOf(next[0], seen) >= 0; next = turns[turn]) {
        seen = screen.indexOf(next[0], seen) + next[0].length;
        turn++;
        // The program may have ended after its last words: then even writing nothing fails, with EPIPE.
        if (next[1] !== "") child.stdin?.write(next[1]);
      }
    });
    let untyped: Error | undefined;
    child.stdin?.on("error", (error) => {
      untyped ??= error;
    });
    // What it waits for then is in the message.
    const timer = setTimeout(() => child.kill("SIGKILL"), CONVERSATION_MS);
    const result = await ended(child);
    clearTimeout(timer);
    if (turn < turns.length) throw new Error(`"${turns[turn]?.[0]}" did not appear in:\n${screen}`);
    if (untyped) throw new Error(`not all could be typed before the end of:\n${screen}`, { cause: untyped });
    return { ...result, stdout: screen };
  }

  #spawn(file: string, args: readonly string[], env: Record<string, string>): ChildProcess {
    return spawn(file, args, {
      cwd: this.folder,
      env: { ...environment(this.#scratch, this.dataDir), ...env },
    });
  }
}

async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { code, stdout, stderr };
}
