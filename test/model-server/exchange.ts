import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** How an exchange ended: `aborted` by the client, `cut` by a fault. */
export type Outcome = "finished" | "aborted" | "cut";

/** A response in progress: ordered writes, backpressure, and a signal that aborts when the connection closes. */
export class Exchange {
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
  readonly closed: Promise<Outcome>;
  readonly #writeSize: () => number | undefined;
  #wasCut = false;

  constructor(response: ServerResponse, writeSize: () => number | undefined) {
    const controller = new AbortController();
    this.response = response;
    this.signal = controller.signal;
    this.#writeSize = writeSize;
    // A write that races with the client's disconnection is not a server error.
    response.on("error", () => undefined);
    this.closed = new Promise((resolve) => {
      response.once("close", () => {
        controller.abort(new Error("the connection was closed"));
        resolve(this.#wasCut ? "cut" : response.writableFinished ? "finished" : "aborted");
      });
    });
  }

  head(status: number, headers: Record<string, string>): void {
    this.signal.throwIfAborted();
    this.response.writeHead(status, headers);
    this.response.flushHeaders();
  }

  /** Writes text or bytes, in pieces of the write size if there is one; resolves when more can be written. */
  async write(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
    const size = this.#writeSize() ?? bytes.length;
    for (let start = 0; start < bytes.length; start += size) {
      this.signal.throwIfAborted();
      if (!this.response.write(bytes.subarray(start, start + size))) {
        await once(this.response, "drain", { signal: this.signal });
      }
    }
  }

  end(): void {
    this.response.end();
  }

  /** Sends a complete response. */
  reply(status: number, headers: Record<string, string>, body: string): void {
    if (this.signal.aborted) return;
    this.response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(body)) });
    this.response.end(body);
  }

  json(status: number, body: unknown, headers: Record<string, string> = {}): void {
    this.reply(status, { "content-type": "application/json", ...headers }, JSON.stringify(body));
  }

  /** Writes the last bytes, if any, waits until they are sent, and destroys the connection. */
  async cut(last?: Uint8Array): Promise<void> {
    this.signal.throwIfAborted();
    this.#wasCut = true;
    if (last !== undefined) {
      await new Promise<void>((resolve) => {
        this.response.write(last, () => resolve());
      });
    }
    this.response.destroy();
  }

  /** Resolves when the client has disconnected. */
  async untilClosed(): Promise<void> {
    await this.closed;
  }
}
