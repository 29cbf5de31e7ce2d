import type { IncomingHttpHeaders } from "node:http";
import type { ChatRequest } from "./chat/wire.ts";
import type { Outcome } from "./exchange.ts";

/** One request as received, and its outcome. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw body. */
  text: string;
  /** The body as JSON; undefined if it is not JSON. */
  body: unknown;
  /** The body as a chat completion request; undefined if it was rejected. */
  chat: ChatRequest | undefined;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** Digest of the first user message without environment details: the same for all requests of one task. */
  conversation: string | undefined;
  /** Name or number (`#0`) of the turn that answered. */
  turn: string | undefined;
  /** Message of the 4xx from the server's own checks, which names the error; undefined for scripted faults. */
  refusal: string | undefined;
  /** The client closed the connection before the answer was complete. */
  abortedByClient: boolean;
  /** Resolves when the exchange is over. */
  closed: Promise<Outcome>;
}

interface Waiter {
  wants: (records: readonly RecordedRequest[]) => RecordedRequest | undefined;
  resolve: (record: RecordedRequest) => void;
  reject: (error: Error) => void;
  what: string;
}

/** The requests in order of arrival, and the tests that wait for one. */
export class Recorder {
  readonly records: RecordedRequest[] = [];
  #waiters: Waiter[] = [];

  add(record: RecordedRequest): void {
    this.records.push(record);
    this.changed();
  }

  /** Must be called when a record has changed, so that predicates are evaluated again. */
  changed(): void {
    this.#waiters = this.#waiters.filter((waiter) => {
      const record = waiter.wants(this.records);
      if (record !== undefined) waiter.resolve(record);
      return record === undefined;
    });
  }

  /** The nth request (from 1), or the first that satisfies the predicate; resolves at once if it has already arrived. */
  wait(wanted: number | ((record: RecordedRequest) => boolean)): Promise<RecordedRequest> {
    const promise = new Promise<RecordedRequest>((resolve, reject) => {
      this.#waiters.push({
        wants: (records) => (typeof wanted === "number" ? records[wanted - 1] : records.find(wanted)),
        resolve,
        reject,
        what: typeof wanted === "number" ? `request ${wanted}` : `a request where ${String(wanted)}`,
      });
    });
    // A test that failed elsewhere no longer awaits this promise, so nobody handles the rejection at close.
    promise.catch(() => undefined);
    this.changed();
    return promise;
  }

  /** Restarts the numbering of requests. */
  forget(): void {
    this.records.length = 0;
  }

  /** Rejects all pending waits. */
  close(): void {
    for (const { reject, what } of this.#waiters) {
      reject(
        new Error(
          `The model server was closed while waiting for ${what}; it saw ${this.records.length} requests.`,
        ),
      );
    }
    this.#waiters = [];
  }
}
