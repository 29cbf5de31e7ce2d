/** A real Redis for tests, on a port of its own, which can be killed and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";

export class RedisServer {
  readonly port: number;
  readonly folder: string;
  #child: ChildProcess | undefined;

  private constructor(port: number, folder: string) {
    this.port = port;
    this.folder = folder;
  }

  static async start(): Promise<RedisServer> {
    const folder = await mkdtemp(path.join(tmpdir(), "nekode-redis-"));
    const server = new RedisServer(await freePort(), folder);
    await server.again();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it with what it had stored. */
  async again(): Promise<void> {
    const options = { bind: "127.0.0.1", port: this.port, dir: this.folder, save: "", rdbcompression: "no" };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn("redis-server", [...args, "--appendonly", "yes", "--appendfsync", "always"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.once("error", () =>
        reject(new Error("redis-server is missing; install it: apt-get install redis-server")),
      );
      child.once("exit", (code) => reject(new Error(`redis-server exited with ${code}`)));
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (/Ready to accept connections/.test(line)) resolve();
      });
    });
  }

  /** As by a crash or a machine that is switched off. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
