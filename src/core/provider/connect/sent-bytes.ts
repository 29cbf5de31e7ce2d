/** Counts the bytes that a session's requests to models send, in memory. */
import type { Fetch } from "../../ports/web.ts";

export class SentBytes {
  #turns = 0;
  #bytes = 0;

  /** A turn begins: its requests count with it. */
  turn(): void {
    this.#turns++;
  }

  /** Bytes of request bodies for each turn; undefined: nothing was sent that can be counted. */
  get perTurn(): number | undefined {
    return this.#turns > 0 && this.#bytes > 0 ? Math.round(this.#bytes / this.#turns) : undefined;
  }

  /** Returns a `fetch` that counts what it sends. `send`: undefined is the runtime's. */
  counted(send: Fetch | undefined): Fetch {
    return (input, init) => {
      // The requests of all APIs are JSON text.
      if (typeof init?.body === "string") this.#bytes += new TextEncoder().encode(init.body).byteLength;
      return (send ?? fetch)(input, init);
    };
  }
}
