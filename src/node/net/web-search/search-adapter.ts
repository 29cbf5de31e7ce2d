/** What differs between search providers. */
import type { SearchHit } from "../../../core/ports/web.ts";

export interface SearchRequest {
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; without it, the request is a GET. */
  body?: unknown;
}

export interface SearchAdapter {
  /** For people. */
  name: string;
  request(query: string, count: number): SearchRequest;
  /** The hits of a response's JSON. Throws if it is something else; throws ToolError for a failure that it reports. */
  hits(json: unknown): SearchHit[];
  /** For the model: why the provider refused; undefined: the status says it. */
  refusal?(status: number, body: string): string | undefined;
}

export interface SearchAddress {
  /** Origin of the provider, and the path below which its API is. */
  base: string;
  /** "": the provider needs none. */
  key: string;
}

/** What every provider says about a key that it does not accept. */
export const KEY_REJECTED = "rejected the API key. Only the user can set another one";
