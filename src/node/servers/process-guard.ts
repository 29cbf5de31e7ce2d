/**
 * The host's side of the process guard. The guard starts with the first entry, ends when the last one is removed, and ends
 * everything that is still registered when this process ends, even if it is killed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { messageOf, ToolError } from "../../core/errors.ts";
import { reasonOf } from "../../shared/reason.ts";
import { within } from "../clock.ts";
import { addLine, type GuardEntry, READY, removeLine } from "./guard-lines.ts";

/** Milliseconds for the guard to start on a busy machine. */
const START_MS = 20_000;
/** Times that a guard which was ended from outside is started again. */
const MOST_RESTARTS = 3;

/** The guard has one process for all entries of this process, whoever adds them. */
const guards = new Map<string, ProcessGuard>();

/** The guard of this process. `folder`: the product's dist/, which contains guard.js. */
export function processGuard(folder: string): ProcessGuard {
  const file = path.join(folder, "guard.js");
  const known = guards.get(file);
  if (known) return known;
  const guard = new ProcessGuard(file);
  guards.set(file, guard);
  return guard;
}

interface Running {
  child: ChildProcess;
  /** Resolves when everything that was registered before is in its input. */
  spawned: Promise<void>;
  /** Resolves when it reads its input. */
  ready: Promise<void>;
  /** Resolves when it has ended. */
  ended: Promise<void>;
}

export class ProcessGuard {
  readonly #file: string;
  readonly #entries = new Map<number, GuardEntry>();
  #lastId = 0;
  #restarts = 0;
  #running: Running | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** The id of the guard's process; undefined: it does not run. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  /**
   * Registers a process tree. Once resolved, the guard has started and has the entry in its input, which it reads even if this
   * process is killed. The returned function removes the entry. Rejects with ToolError if the guard cannot be started.
   */
  async add(entry: GuardEntry): Promise<() => void> {
    const id = ++this.#lastId;
    this.#entries.set(id, entry);
    try {
      await this.#tell(id, entry);
    } catch (error) {
      this.#entries.delete(id);
      throw error;
    }
    return () => this.#remove(id);
  }

  /** Resolves when the guard reads its input. Rejects with ToolError if it does not. */
  async ready(): Promise<void> {
    if (this.#running) await this.#retried(({ ready }) => ready);
  }

  async #tell(id: number, entry: GuardEntry): Promise<void> {
    await this.#retried(async ({ child, spawned }) => {
      await spawned;
      await write(child, addLine(id, entry));
    });
  }

  /** If something ended the guard, another one is started with all entries, unless that happens too often. */
  async #retried(work: (running: Running) => Promise<void>): Promise<void> {
    for (;;) {
      const running = this.#running ?? this.#start();
      try {
        await work(running);
        return;
      } catch (error) {
        await within(running.ended, START_MS);
        if (this.#running === undefined || this.#running === running) throw error;
      }
    }
  }

  #remove(id: number): void {
    if (!this.#entries.delete(id)) return;
    const running = this.#running;
    if (this.#entries.size > 0) {
      // A guard that ended reads nothing, and the next guard does not receive this entry.
      if (running) void write(running.child, removeLine(id)).catch(() => {});
      return;
    }
    this.#running = undefined;
    this.#restarts = 0;
    running?.child.stdin?.end(removeLine(id));
  }

  #start(): Running {
    if (!existsSync(this.#file))
      throw new ToolError(
        "This installation does not include the program that ends servers.",
        reasonOf("mcp-guard-missing"),
      );
    const { PATH, SystemRoot } = process.env;
    const child = spawn(process.execPath, [this.#file], {
      cwd: path.dirname(this.#file),
      // In an editor, the runtime is Electron.
      env: { ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }), ELECTRON_RUN_AS_NODE: "1" },
      stdio: ["pipe", "pipe", "ignore"],
      // Separate from the host's process group, so that signals to that group do not reach it.
      detached: true,
      windowsHide: true,
    });
    const known = [...this.#entries];
    const spawned = once(child, "spawn").then(
      () => write(child, known.map(([id, entry]) => addLine(id, entry)).join("")),
      (error) => Promise.reject(cannotStart(messageOf(error))),
    );
    const ready = within(greeting(child), START_MS).then((greeted) => {
      if (greeted !== "late") return;
      child.kill("SIGKILL");
      throw cannotStart(`it did not answer within ${START_MS / 1000} s`);
    });
    // Each caller handles the rejections itself.
    for (const promise of [spawned, ready]) promise.catch(() => {});
    const ended = new Promise<void>((resolve) => {
      const onEnd = () => {
        this.#onExit(running);
        resolve();
      };
      child.once("exit", onEnd);
      child.once("error", onEnd);
    });
    const running: Running = { child, spawned, ready, ended };
    this.#running = running;
    // It must not keep this process running.
    child.unref();
    return running;
  }

  /** Starts the guard again if it was ended from outside. */
  #onExit(running: { child: ChildProcess }): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    const again = this.#entries.size > 0 && ++this.#restarts <= MOST_RESTARTS && existsSync(this.#file);
    if (again) this.#start();
  }
}

function cannotStart(why: string): ToolError {
  return new ToolError(
    `The program that ends servers could not be started: ${why}.`,
    reasonOf("mcp-guard-failed", why),
  );
}

/** Resolves when the guard reads its input. */
function greeting(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(cannotStart(error.message)));
    child.once("exit", (code) => reject(cannotStart(`it exited with code ${code}`)));
    // Reported by the exit.
    child.stdin?.on("error", () => {});
    if (!child.stdout) return;
    const lines = createInterface({ input: child.stdout });
    lines.once("line", (line) => {
      if (line !== READY) return;
      lines.close();
      child.stdout?.destroy();
      resolve();
    });
  });
}

/** Resolves when the text is in the pipe, from which the guard reads it even if this process ends. */
function write(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!child.stdin?.writable) {
      reject(cannotStart("it has ended"));
      return;
    }
    child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
