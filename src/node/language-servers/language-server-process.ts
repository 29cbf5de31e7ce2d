/**
 * The process of a language server. It starts running only after the process guard knows it, so that it is ended together with
 * everything that it started, even if this process is killed.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { type Readable, Writable } from "node:stream";
import crossSpawn from "cross-spawn";
import { messageOf } from "../../shared/message-of.ts";
import { drained, within } from "../clock.ts";
import { LineReader } from "../servers/line-reader.ts";
import { GATE } from "../servers/process-gate.ts";
import type { ProcessGuard } from "../servers/process-guard.ts";
import { endTree } from "../shell/process-tree.ts";

/** Milliseconds that a server has to exit after it was asked to. */
const EXIT_MS = 1_000;
/** Milliseconds for the last output after the process has ended, in case other processes keep its output open. */
const DRAIN_MS = 200;
/** Bytes of a line on standard error, and lines that an error quotes. */
const MOST_LINE = 1_000;
const QUOTED_LINES = 3;

export interface LanguageServerStart {
  /** Absolute path of the program. */
  program: string;
  args: readonly string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
}

export class LanguageServerProcess {
  /** Resolves with what happened when the server has ended, such as `exited with code 1`, and the last lines that it printed. */
  readonly ended: Promise<string>;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly #child: ChildProcess;
  readonly #mark: string;
  readonly #exited: Promise<string>;
  #printed: string[] = [];
  #unguard = () => {};
  #closing: Promise<void> | undefined;

  private constructor({ program, args, cwd, environment }: LanguageServerStart) {
    const session = randomUUID();
    this.#mark = `NEKODE_SERVER=${session}`;
    const options: SpawnOptions = {
      cwd,
      env: { ...environment, NEKODE_SERVER: session },
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      windowsHide: true,
    };
    // Windows has no such gate, and there scripts such as npx.cmd need an interpreter, which cross-spawn finds.
    const child =
      process.platform === "win32"
        ? crossSpawn(program, args, options)
        : spawn("/bin/sh", ["-c", GATE, "sh", program, ...args], { ...options, detached: true });
    const { stdin, stdout, stderr } = child;
    if (!stdin || !stdout || !stderr) throw new Error("a process without its streams");
    this.#child = child;
    [this.stdin, this.stdout] = [stdin, stdout];
    // Reported by the exit.
    for (const stream of [stdin, child.stdio[3]]) stream?.on("error", () => {});
    const lines = new LineReader(MOST_LINE, (line) => {
      if (line.trim() !== "") this.#printed = [...this.#printed, line.trim()].slice(-QUOTED_LINES);
    });
    stderr.on("data", (chunk: Buffer) => lines.add(chunk));
    stderr.once("end", () => lines.flush());
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    this.#exited = new Promise((resolve) => {
      child.once("error", (error) => resolve(`could not be started: ${messageOf(error)}`));
      child.once("exit", (code, signal) =>
        resolve(signal === null ? `exited with code ${code}` : `was ended by ${signal}`),
      );
    });
    this.ended = this.#exited.then(async (how) => {
      await drained(closed, DRAIN_MS);
      void this.close();
      return this.#printed.length === 0 ? how : `${how}, after it printed: ${this.#printed.join(" | ")}`;
    });
  }

  /** Rejects with the guard's error if that cannot be started. */
  static async start(start: LanguageServerStart, guard: ProcessGuard): Promise<LanguageServerProcess> {
    const started = new LanguageServerProcess(start);
    const { pid } = started.#child;
    // The end says why.
    if (pid === undefined) return started;
    try {
      started.#unguard = await guard.add({ leader: pid, mark: started.#mark });
      const gate = started.#child.stdio[3];
      if (gate instanceof Writable) gate.end("go\n");
      await guard.ready();
    } catch (error) {
      await started.close();
      throw error;
    }
    return started;
  }

  /** Ends the server and all that it started, now if it does not exit by itself. Resolves when no process is left. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.stdin.end();
    child.stdio[3]?.destroy();
    if (child.pid !== undefined) {
      await within(this.#exited, EXIT_MS);
      await endTree({ leader: child.pid, mark: this.#mark }, this.#exited);
    }
    for (const stream of child.stdio) stream?.destroy();
    this.#unguard();
  }
}
