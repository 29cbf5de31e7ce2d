/**
 * The built terminal host in a project. `run` and `converse` run it in this process, for tests of what it does and says; `spawn`,
 * `start` and `converseOnTerminal` start it as a user does, for tests of its process: signals, its end, a real terminal, and what
 * Node is told.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { type EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
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

/** A run in this process. */
export interface Running {
  /** Where it hears signals. */
  signals: EventEmitter;
  stdout: Readable;
  stderr: Readable;
  ended: Promise<Ended>;
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

/** What tests run, and what they may do without. */
const PROGRAMS = ["node", "npm", "git", "bash", "sleep", "make", "bwrap"];

/**
 * The folders of the machine's PATH in which these programs are found. Each task looks for programs in every folder, of which a
 * developer's machine, and npm, have many more.
 */
const SEARCHED = foldersOf(PROGRAMS);

function foldersOf(programs: readonly string[]): string {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const used = programs.map((name) => folders.find((folder) => existsSync(path.join(folder, name))));
  return folders
    .filter((folder, index) => used.includes(folder) && folders.indexOf(folder) === index)
    .join(path.delimiter);
}

function environment(home: string, dataDir: string): Record<string, string> {
  return {
    ...{ PATH: SEARCHED, HOME: home, SHELL: "/bin/bash", LANG: "C.UTF-8" },
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

type Turn = readonly [wait: string, type: string];

/** A user at a terminal. */
class Conversation {
  readonly #turns: readonly Turn[];
  readonly #type: (text: string) => void;
  #screen = "";
  #seen = 0;
  #turn = 0;

  constructor(turns: readonly Turn[], type: (text: string) => void) {
    this.#turns = turns;
    this.#type = type;
  }

  print(text: string): void {
    this.#screen += text;
    for (let next = this.#next(); next; next = this.#next()) {
      this.#seen = this.#screen.indexOf(next[0], this.#seen) + next[0].length;
      this.#turn++;
      // The program may have ended after its last words: then even writing nothing fails, with EPIPE.
      if (next[1] !== "") this.#type(next[1]);
    }
  }

  #next(): Turn | undefined {
    const next = this.#turns[this.#turn];
    return next && this.#screen.indexOf(next[0], this.#seen) >= 0 ? next : undefined;
  }

  /** What was printed. Throws if a text did not appear. */
  screen(): string {
    const next = this.#turns[this.#turn];
    if (next) throw new Error(`"${next[0]}" did not appear in:\n${this.#screen}`);
    return this.#screen;
  }
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

  /**
   * Makes the project's folder a repository with one commit of all its files, on the branch main. By one process of this one: git has
   * less to copy when a shell starts it.
   */
  commit(): void {
    const who = "-c user.name=T -c user.email=t@example.org -c maintenance.auto=false";
    const script = `git init -q -b main --template= && git add -A && git ${who} commit -qm begin`;
    execFileSync("sh", ["-c", script], { cwd: this.folder });
  }

  /** In this process, without a terminal: standard input is `input`, or empty. */
  run(args: readonly string[], env: Record<string, string> = {}, input = ""): Promise<Ended> {
    return this.runIn(this.folder, args, env, input);
  }

  /** In this process, without a terminal and without waiting for its end. */
  begin(args: readonly string[], env: Record<string, string> = {}): Running {
    const environment = { ...this.environment, ...env };
    const { stdin, stdout, stderr, signals, ended } = runProgram(args, { environment, cwd: this.folder });
    stdin.end();
    return { signals, stdout, stderr, ended: collected(stdout, stderr, ended) };
  }

  /** The same as `run` in another folder, with the sessions of this project. */
  runIn(cwd: string, args: readonly string[], env: Record<string, string> = {}, input = ""): Promise<Ended> {
    const environment = { ...this.environment, ...env };
    const { stdin, stdout, stderr, ended } = runProgram(args, { environment, cwd });
    stdin.end(input);
    return collected(stdout, stderr, ended);
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
   * In this process, with a user who answers: each `[text, answer]` waits for the text to appear, then types the answer; ""
   * types nothing. What a terminal itself does is not played: its signals, and the echo between two questions.
   */
  async converse(
    args: readonly string[],
    env: Record<string, string>,
    turns: readonly Turn[],
  ): Promise<Ended> {
    const environment = { ...this.environment, ...env };
    const program = runProgram(args, { environment, cwd: this.folder, isTerminal: true });
    // As from a keyboard, never while the program is still printing.
    const type = (text: string) => void setImmediate(() => program.stdin.write(text));
    const conversation = new Conversation(turns, type);
    program.stdout
      .setEncoding("utf8")
      .on("data", (text: string) => conversation.print(text.replaceAll("\n", "\r\n")));
    const timer = setTimeout(() => program.signals.emit("SIGTERM", "SIGTERM"), CONVERSATION_MS);
    const [code] = await Promise.all([program.ended, once(program.stdout, "end")]);
    clearTimeout(timer);
    return { code, stdout: conversation.screen(), stderr: "" };
  }

  /** The same as a process, on a terminal of its own. */
  async converseOnTerminal(
    args: readonly string[],
    env: Record<string, string>,
    turns: readonly Turn[],
  ): Promise<Ended> {
    const command = [process.execPath, program, ...args]
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(" ");
    const child = this.#spawn("script", ["-qefc", command, "/dev/null"], env);
    if (!child.stdin || !child.stdout) throw new Error("no pipes");
    const conversation = new Conversation(turns, (text) => void child.stdin?.write(text));
    child.stdout.setEncoding("utf8").on("data", (text: string) => conversation.print(text));
    let untyped: Error | undefined;
    child.stdin.on("error", (error) => {
      untyped ??= error;
    });
    // What it waits for then is in the message.
    const timer = setTimeout(() => child.kill("SIGKILL"), CONVERSATION_MS);
    const result = await ended(child);
    clearTimeout(timer);
    const screen = conversation.screen();
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

function ended(child: ChildProcess): Promise<Ended> {
  if (!child.stdout || !child.stderr) throw new Error("no pipes");
  const code = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return collected(child.stdout, child.stderr, code);
}

async function collected(stdout: Readable, stderr: Readable, ended: Promise<number | null>): Promise<Ended> {
  const [out, err] = [stdout, stderr].map((stream) => {
    const all = { text: "" };
    stream.setEncoding("utf8").on("data", (text: string) => {
      all.text += text;
    });
    return { all, isRead: new Promise<void>((resolve) => stream.once("close", resolve)) };
  });
  const code = await ended;
  await Promise.all([out?.isRead, err?.isRead]);
  return { code, stdout: out?.all.text ?? "", stderr: err?.all.text ?? "" };
}
