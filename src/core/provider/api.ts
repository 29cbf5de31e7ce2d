/**
 * What an API is to all that ask a model: how a request goes out, and how its endpoints name what they do not take. Each
 * API is a folder beside this file, and a line in `apis.ts`.
 */
import type { Settings } from "../../shared/settings.ts";
import type { ProviderError } from "../errors.ts";
import type { Clock } from "../ports/system.ts";
import type { Fetch } from "../ports/web.ts";
import type { ModelRequest, StreamPart } from "./provider.ts";

/** Where a request goes, and with what key. */
export interface Endpoint {
  provider: Settings["provider"];
  model: string;
  apiKey: string | undefined;
  clock: Clock;
  /** The host's own way to the network; absent: that of the runtime. */
  fetch?: Fetch | undefined;
}

/**
 * What an endpoint that calls itself compatible does not take, or wants in addition. It is learnt from the endpoint's own
 * refusal, which costs nothing.
 */
export interface Quirk {
  name: string;
  /** The words of such a refusal. */
  words: RegExp;
}

export interface Api {
  /** What its endpoints are known to want otherwise; the first whose words are found counts. */
  readonly quirks: readonly Quirk[];
  /** One request and its answer. Rejects with ProviderError; with Interrupt when `signal` aborts. Never retries. */
  stream(
    endpoint: Endpoint,
    request: ModelRequest,
    quirks: ReadonlySet<Quirk>,
    signal: AbortSignal,
  ): AsyncIterable<StreamPart>;
  /** Tokens of the model's window; undefined where the endpoint's list of models does not say. */
  listedWindow(endpoint: Omit<Endpoint, "clock">, signal: AbortSignal): Promise<number | undefined>;
  /** Whether the endpoint has no native tool calling for the model. */
  refusesTools(error: ProviderError): boolean;
  /** Whether the endpoint refused images: those of the request, or all that there ever may be. */
  refusesImages(error: ProviderError): "these" | "all" | undefined;
  /** What an endpoint that refused a prompt as too long said of its window and of the prompt, in tokens. */
  statedLengths(error: ProviderError): { limit?: number; used?: number };
}
