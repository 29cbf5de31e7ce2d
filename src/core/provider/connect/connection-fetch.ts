/** The network access of a connection. */
import type { Connection } from "../../../shared/models/connection.ts";
import { ProviderError } from "../../errors.ts";
import type { Host } from "../../ports/host.ts";
import type { Fetch } from "../../ports/web.ts";
import { managedFetch } from "./managed-requests.ts";

/** The parts of a host that decide how requests reach an endpoint. */
export type RequestHost = Pick<Host, "fetch" | "fetchVia"> & Partial<Pick<Host, "policy">>;

/**
 * Returns the `fetch` for a connection: through its own proxy if it has one, and never around it. It sends nothing that the administrator
 * does not allow. undefined: the runtime's.
 */
export function fetchFor(host: RequestHost, connection: Connection): Fetch | undefined {
  const send = unmanagedFetch(host, connection);
  return host.policy ? managedFetch(host.policy, send ?? fetch) : send;
}

function unmanagedFetch({ fetch, fetchVia }: RequestHost, { proxy = "" }: Connection): Fetch | undefined {
  const wanted = proxy.trim();
  if (wanted === "") return fetch;
  if (fetchVia) return fetchVia(wanted);
  return async () => {
    const detail = "this host has no proxies for single connections";
    throw new ProviderError({ code: "unreachable", subject: wanted, detail });
  };
}

/** Counts the bytes that a session's requests to models send, in memory. */
export class SentBytes {
  #turns = 0;
  #bytes = 0;

  /** Call when a turn begins. The requests that follow count as part of it. */
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
