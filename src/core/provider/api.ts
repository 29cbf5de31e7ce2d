/**
 * The interface of an API: how a request is sent, and how its endpoints report what they do not support. Each API is a
 * folder next to this file and a line in `apis.ts`.
 */
import type { Connection } from "../../shared/models/connection.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ProviderError } from "../errors.ts";
import type { Clock } from "../ports/system.ts";
import type { Fetch } from "../ports/web.ts";
import type { ModelRequest, StreamPart } from "./provider.ts";

/** Where a request is sent, and with which key. */
export interface Endpoint {
  connection: Connection;
  /** How to ask; its address, headers and model are not used. */
  provider: Pick<
    Settings["provider"],
    "temperature" | "maxOutputTokens" | "reasoningEffort" | "firstTokenTimeout" | "idleTimeout"
  >;
  /** The id that the endpoint knows. */
  model: string;
  apiKey: string | undefined;
  clock: Clock;
  /** The host's own network access; if absent, the runtime's. */
  fetch?: Fetch | undefined;
}

/**
 * Something that an endpoint that claims compatibility does not accept, or requires in addition. It is learned from the
 * endpoint's own refusal, which costs nothing.
 */
export interface Quirk {
  name: string;
  /** Matches the text of such a refusal. */
  words: RegExp;
}

export interface Api {
  /** Known deviations of its endpoints. The first whose pattern matches applies. */
  readonly quirks: readonly Quirk[];
  /**
   * Sends one request and streams its answer. Rejects with ProviderError; with Interrupt when `signal` aborts. Never
   * retries.
   */
  stream(
    endpoint: Endpoint,
    request: ModelRequest,
    quirks: ReadonlySet<Quirk>,
    signal: AbortSignal,
  ): AsyncIterable<StreamPart>;
  /** Returns the model's context window in tokens; undefined if the endpoint's model list does not contain it. */
  listedWindow(
    endpoint: Omit<Endpoint, "clock" | "provider">,
    signal: AbortSignal,
  ): Promise<number | undefined>;
  /** Whether the endpoint does not support native tool calling for the model. */
  refusesTools(error: ProviderError): boolean;
  /** Whether the endpoint refused images: those of this request, or all images. */
  refusesImages(error: ProviderError): "these" | "all" | undefined;
  /**
   * Returns the window size and prompt size, in tokens, that an endpoint stated when it refused a prompt as too long.
   */
  statedLengths(error: ProviderError): { limit?: number; used?: number };
}
