import type { IncomingHttpHeaders } from "node:http";
import type { Outcome } from "./exchange.ts";
import type { ChatRequest } from "./wire.ts";

/** One request as it came, and what became of it. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw body. */
  text: string;
  /** The body as JSON; undefined where it is none. */
  body: unknown;
  /** The body as a chat completion request; undefined where it was refused. */
  chat: ChatRequest | undefined;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** Digest of the first user message without environment details: the same for all requests of one task. */
  conversation: string | undefined;
  /** Name or number (`#0`) of the turn that answered. */
  turn: string | undefined;
  /** Message of the 4xx that the server's own checks gave, naming the fault; undefined for scripted faults. */
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
  private waiters: Waiter[] = [];

  add(record: RecordedRequest): void {
    this.records.push(record);
    this.changed();
  }

  /** To be called when a record has changed, so that predicates are tried again. */
  changed(): void {
    this.waiters = this.waiters.filter((waiter) => {
      const record = waiter.wants(this.records);
      if (record !== undefined) waiter.resolve(record);
      return record === undefined;
    });
  }

  /** The nth request (from 1), or the first that fulfils the predicate; resolves at once if it came already. */
  wait(wanted: number | ((record: RecordedRequest) => boolean)): Promise<RecordedRequest> {
    const promise = new Promise<RecordedRequest>((resolve, reject) => {
      this.waiters.push({
        wants: (records) => (typeof wanted === "number" ? records[wanted - 1] : records.find(wanted)),
        resolve,
        reject,
        what: typeof wanted === "number" ? `request ${wanted}` : `a request where ${String(wanted)}`,
      });
    });
    // A test that has failed elsewhere no longer awaits this; the rejection at close is then nobody's.
    promise.catch(() => undefined);
    this.changed();
    return promise;
  }

  /** The next request is the first again. */
  forget(): void {
    this.records.length = 0;
  }

  /** Rejects all who still wait. */
  close(): void {
    for (const { reject, what } of this.waiters) {
      reject(
        new Error(
          `The model server was closed while waiting for ${what}; it saw ${this.records.length} requests.`,
        ),
      );
    }
    this.waiters = [];
  }
}
