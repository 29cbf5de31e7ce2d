/** The connection to the queue's Redis. Handles a connection that is lost for a while, or permanently. */
import type { Redis } from "ioredis";
import { messageOf } from "../../core/errors.ts";
import { Emitter } from "../../core/lifecycle.ts";
import type { QueueAddress } from "./queue-address.ts";
import type * as QueueSdk from "./queue-sdk.ts";

/** Milliseconds between two attempts to connect again: more each time, up to this. */
const LONGEST_PAUSE_MS = 2_000;
const PAUSE_STEP_MS = 100;

/** The queue cannot be used. */
export class QueueError extends Error {
  /** `phase`: at the start, or after it was gone for as long as the user allows. */
  constructor(
    readonly phase: "start" | "gone",
    readonly shown: string,
    readonly why: string,
  ) {
    super(`${shown}: ${why}`);
  }
}

export interface QueueLinkOptions {
  /** Milliseconds to wait for a queue that is not available. */
  waitMs: number;
  /** Called once each time that the connection is lost. */
  onLost(shown: string, why: string): void;
  onFound(shown: string): void;
}

export class QueueLink {
  readonly redis: Redis;
  /** Resolves when the queue was gone for too long. */
  readonly gone: Promise<QueueError>;
  /** The connections that BullMQ makes of `redis`, to wait on. */
  readonly #copies: Redis[] = [];
  readonly #found = new Emitter<void>();
  readonly onFound = this.#found.on;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isLost = false;
  readonly #address: QueueAddress;
  #why = "";

  private constructor(redis: Redis, address: QueueAddress, options: QueueLinkOptions) {
    this.redis = redis;
    this.#address = address;
    const duplicate = redis.duplicate.bind(redis);
    // A copy that BullMQ had to connect would reject if the queue is lost meanwhile; one that connects by itself tries again.
    redis.duplicate = (options) => {
      const copy = duplicate({ ...options, lazyConnect: false });
      this.#copies.push(copy);
      return copy;
    };
    redis.on("error", (error: unknown) => {
      this.#why = address.masked(messageOf(error));
    });
    this.gone = new Promise((resolve) => {
      redis.on("close", () => {
        if (this.#isClosed || this.#isLost) return;
        this.#isLost = true;
        options.onLost(address.shown, this.#why);
        this.#timer = setTimeout(() => resolve(this.#goneError()), options.waitMs);
      });
    });
    redis.on("ready", () => {
      if (!this.#isLost) return;
      this.#isLost = false;
      clearTimeout(this.#timer);
      this.#why = "";
      options.onFound(address.shown);
      this.#found.emit();
    });
  }

  /** Rejects with QueueError if the queue cannot be reached now, which is usually a mistake in the address. */
  static async connect(
    { Redis: Client }: typeof QueueSdk,
    address: QueueAddress,
    options: QueueLinkOptions,
  ): Promise<QueueLink> {
    let mayRetry = false;
    const redis = new Client(address.url, {
      lazyConnect: true,
      // Commands wait while the queue is gone.
      maxRetriesPerRequest: null,
      retryStrategy: (times) => (mayRetry ? Math.min(times * PAUSE_STEP_MS, LONGEST_PAUSE_MS) : null),
    });
    let why = "";
    const onError = (error: unknown) => {
      why = address.masked(messageOf(error));
    };
    redis.on("error", onError);
    try {
      await redis.connect();
      // Only the first command reports that the password is missing or wrong.
      await redis.ping();
    } catch (error) {
      redis.disconnect();
      const text = why || address.masked(messageOf(error));
      throw new QueueError("start", address.shown, text.replace(/\.+$/, ""));
    }
    redis.off("error", onError);
    mayRetry = true;
    return new QueueLink(redis, address, options);
  }

  /** The error to report if a lost connection caused this one; undefined: it has another cause. */
  lost(error: unknown): QueueError | undefined {
    return this.#isLost || /connection is closed/i.test(messageOf(error)) ? this.#goneError() : undefined;
  }

  #goneError(): QueueError {
    return new QueueError("gone", this.#address.shown, this.#why);
  }

  /** Rejects everything that still waits for the queue. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const each of [this.redis, ...this.#copies]) each.disconnect();
  }
}

/** A promise that is settled from outside; only the first time counts. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  resolve: (value: T) => void = () => {};
  reject: (error: unknown) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Whoever waits handles a rejection. If nobody waits any more, it must not count as unhandled.
    this.promise.catch(() => undefined);
  }
}
