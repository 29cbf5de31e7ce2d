/** A batch over a queue: a repository, a played model and a real Redis. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { RedisServer } from "../../support/redis.ts";
import type { Running, Started } from "../support.ts";
import { BatchPlace, printed, SCRIPT } from "./support.ts";

export class QueuePlace {
  private constructor(
    readonly server: ModelServer,
    readonly batch: BatchPlace,
    readonly redis: RedisServer,
  ) {}

  static async create(): Promise<QueuePlace> {
    const server = await startModelServer({ script: SCRIPT });
    const [batch, redis] = await Promise.all([BatchPlace.create(server), RedisServer.start()]);
    return new QueuePlace(server, batch, redis);
  }

  #feed = (file: string, args: readonly string[]) => ["batch", file, "--queue", this.redis.url, ...args];
  #work = (args: readonly string[]) => {
    const options = ["--permission", "edits", "--missing", "2"];
    return ["worker", "--queue", this.redis.url, ...options, ...args];
  };

  /** In this process. */
  feed(file: string, ...args: string[]): Running {
    return this.batch.begin(this.#feed(file, args));
  }

  /** As a process. */
  startFeed(file: string, ...args: string[]): Started {
    return this.batch.start(this.#feed(file, args));
  }

  /** In this process. */
  work(...args: string[]): Running {
    return this.batch.begin(this.#work(args));
  }

  /** As a process. */
  startWork(...args: string[]): Started {
    return this.batch.start(this.#work(args));
  }

  /** The feeder of a batch, as soon as the queue has its tasks: a worker that is there before may be idle for too long. */
  async fed(file: string): Promise<Running> {
    const feeder = this.feed(file);
    await printed(feeder, "The tasks are in the queue");
    return feeder;
  }

  /** Everything that Redis has stored. */
  async stored(): Promise<string> {
    const folder = path.join(this.redis.folder, "appendonlydir");
    const files = await readdir(folder);
    return (await Promise.all(files.map((name) => readFile(path.join(folder, name), "latin1")))).join("");
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.redis.remove();
    await this.batch.remove();
  }
}
