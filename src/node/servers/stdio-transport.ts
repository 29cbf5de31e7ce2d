/**
 * The transport to a local server: JSON messages, one a line, over the standard streams of a process that this transport starts
 * and ends. The server starts running only after the process guard knows its process, so that it is ended even if this process
 * is killed.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { messageOf } from "../../core/errors.ts";
import { quotedValue } from "../../core/servers/server-error.ts";
import { type Fault, reasonOf } from "../../shared/reason.ts";
import { drained, within } from "../clock.ts";
import { endTree } from "../shell/process-tree.ts";
import { LineReader } from "./line-reader.ts";
import type * as McpSdk from "./mcp-sdk.ts";
import { GATE } from "./process-gate.ts";
import type { ProcessGuard } from "./process-guard.ts";
import { Failed } from "./server-errors.ts";
import type { ServerLog } from "./server-log.ts";

/** Bytes of one message. */
const MOST_MESSAGE = 10 * 1024 * 1024;
/** Bytes of a line on standard error; longer lines are logged in pieces. */
const MOST_PRINTED = 8 * 1024;
/** Bytes on standard output that are not messages; a server that prints more is not an MCP server. */
const MOST_GARBAGE = 1024 * 1024;
/** Bytes that wait for a server to read them. A server that sends requests but reads nothing makes the answers pile up. */
const MOST_UNREAD = 10 * 1024 * 1024;
/** Requests of a server whose answers it has not read yet: each costs far more memory than its few bytes. */
const MOST_UNANSWERED = 1_000;
/** Milliseconds that a server has to exit after its input was closed. */
const EXIT_MS = 1_000;
/** Milliseconds for the last output after the process has ended, in case other processes keep its output open. */
const DRAIN_MS = 200;

/** The reason of an end that this side caused. */
export const CLOSED = reasonOf("mcp-closed");

export interface ServerProcessStart {
  /** Absolute path of the program. */
  program: string;
  args: string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
}

type Parts = Pick<typeof McpSdk, "crossSpawn" | "deserializeMessage" | "serializeMessage">;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The SDK recognizes the transport of a local server by the presence of this property and `pid`. */
  readonly stderr = null;
  /** Resolves with the reason when the server has ended or the connection to it was closed. */
  readonly ended: Promise<Fault>;
  readonly #sdk: Parts;
  readonly #start: ServerProcessStart;
  readonly #guard: ProcessGuard;
  readonly #log: ServerLog;
  /** Identifies the environments of all processes that the server starts. */
  readonly #session = randomUUID();
  readonly #exited: Promise<void>;
  #onExited = () => {};
  #onEnded: (reason: Fault) => void = () => {};
  #child: ChildProcess | undefined;
  #hasEnded = false;
  #exitedByItself = false;
  #closing: Promise<void> | undefined;
  #unguard = () => {};
  #garbage = 0;
  #unanswered = 0;

  constructor(sdk: Parts, start: ServerProcessStart, guard: ProcessGuard, log: ServerLog) {
    this.#sdk = sdk;
    this.#start = start;
    this.#guard = guard;
    this.#log = log;
    this.ended = new Promise((resolve) => {
      this.#onEnded = resolve;
    });
    this.#exited = new Promise((resolve) => {
      this.#onExited = resolve;
    });
  }

  /** The process started and then exited by itself. */
  get exitedByItself(): boolean {
    return this.#exitedByItself;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Rejects with Failed if the process cannot be started. */
  async start(): Promise<void> {
    if (this.#hasEnded) throw new Failed(CLOSED);
    const child = await this.#spawn();
    try {
      this.#unguard = await this.#guard.add({ leader: child.pid, mark: this.#mark });
      const gate = child.stdio[3];
      if (gate instanceof Writable) gate.end("go\n");
      // While the server starts.
      await this.#guard.ready();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.#child?.stdin;
      if (this.#hasEnded || !stdin?.writable) {
        reject(new Failed(reasonOf("mcp-connection-lost")));
        return;
      }
      const isAnswer = !("method" in message);
      stdin.write(this.#sdk.serializeMessage(message), (error) => {
        if (isAnswer) this.#unanswered--;
        if (error) void this.#whyNotSent().then(reject);
        else resolve();
      });
      if (stdin.writableLength > MOST_UNREAD) this.#end(reasonOf("mcp-not-reading"));
    });
  }

  /** A server that exits closes its input first. Its exit code is more informative. */
  async #whyNotSent(): Promise<Failed> {
    const reason = await within(this.ended, EXIT_MS);
    return new Failed(reason === "late" ? reasonOf("mcp-connection-lost") : reason);
  }

  /** Resolves when no process of the server is left. */
  close(): Promise<void> {
    this.#end(CLOSED);
    return this.#closing ?? Promise.resolve();
  }

  get #mark(): string {
    return `NEKODE_SERVER=${this.#session}`;
  }

  #spawn(): Promise<ChildProcess> {
    const { program, args, cwd, environment } = this.#start;
    const options: SpawnOptions = {
      cwd,
      env: { ...environment, NEKODE_SERVER: this.#session },
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      windowsHide: true,
    };
    // Windows has no such gate, and there scripts such as npx.cmd need an interpreter, which cross-spawn finds.
    const child =
      process.platform === "win32"
        ? this.#sdk.crossSpawn(program, args, options)
        : spawn("/bin/sh", ["-c", GATE, "sh", program, ...args], { ...options, detached: true });
    this.#child = child;
    this.#read(child);
    return new Promise((resolve, reject) => {
      child.once("spawn", () => resolve(child));
      child.once("error", (error) => {
        this.#onExited();
        const reason = reasonOf("mcp-start-failed", quotedValue(error.message));
        this.#end(reason);
        reject(new Failed(reason));
      });
    });
  }

  #read(child: ChildProcess): void {
    // Reported by the exit, or by the write that failed.
    for (const stream of [child.stdin, child.stdio[3]]) stream?.on("error", () => {});
    const output = new LineReader(
      MOST_MESSAGE,
      (line) => this.#onLine(line),
      () => this.#end(reasonOf("mcp-too-much")),
    );
    child.stdout?.on("data", (chunk: Buffer) => output.add(chunk));
    const printed = new LineReader(MOST_PRINTED, (line) => this.#log.printed(line));
    child.stderr?.on("data", (chunk: Buffer) => printed.add(chunk));
    child.stderr?.once("end", () => printed.flush());
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.once("exit", (code, signal) => {
      // Codes of the shell in front of the server, which could not start it.
      this.#exitedByItself = !this.#hasEnded && code !== 126 && code !== 127;
      this.#onExited();
      // A message may still be in the pipe.
      void drained(closed, DRAIN_MS).then(() => this.#end(exitReason(code, signal)));
    });
  }

  #onLine(line: string): void {
    if (this.#hasEnded || line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = this.#sdk.deserializeMessage(line);
    } catch (error) {
      this.#garbage += line.length;
      this.#log.printed(line);
      this.onerror?.(new Error(`The server printed a line that is not a message: ${messageOf(error)}`));
      if (this.#garbage > MOST_GARBAGE) this.#end(reasonOf("mcp-not-messages"));
      return;
    }
    if ("method" in message && "id" in message && ++this.#unanswered > MOST_UNANSWERED) {
      // The remaining content of the pipe is no longer read.
      this.#child?.stdout?.destroy();
      this.#end(reasonOf("mcp-not-reading"));
      return;
    }
    this.onmessage?.(message);
  }

  #end(reason: Fault): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#closing = this.#endProcesses();
    this.#onEnded(reason);
    this.onclose?.();
  }

  async #endProcesses(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    // The closed input asks the server to exit by itself.
    child.stdin?.end();
    child.stdio[3]?.destroy();
    await within(this.#exited, EXIT_MS);
    await endTree({ leader: child.pid, mark: this.#mark }, this.#exited);
    for (const stream of child.stdio) stream?.destroy();
    this.#unguard();
  }
}

function exitReason(code: number | null, signal: NodeJS.Signals | null): Fault {
  if (signal !== null) return reasonOf("mcp-ended-by", signal);
  if (code === 127) return reasonOf("mcp-nothing-to-run");
  return code === 0 ? reasonOf("mcp-exited") : reasonOf("mcp-exit-code", String(code));
}
