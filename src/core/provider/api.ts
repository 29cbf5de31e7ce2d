/**
 * The interface of an API: how a request is sent, and how its endpoints report what they do not support. Each API is a
 * folder next to this file and a line in `apis.ts`.
 */
import type { Connection } from "../../shared/models/connection.ts";
import type { ModelFacts } from "../../shared/models/facts.ts";
import type { Settings } from "../../shared/settings.ts";
import type { ProviderError } from "../errors.ts";
import type { EditorModels } from "../ports/editor-models.ts";
import type { RequestPurpose } from "../ports/request-observer.ts";
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
  /** What the request is for, for observers. Default: a check of the endpoint. */
  reason?: { purpose: RequestPurpose; session?: string };
  /** What is known of the model. */
  facts?: ModelFacts;
  clock: Clock;
  /** The host's own network access; if absent, the runtime's. */
  fetch?: Fetch | undefined;
  /** The models that the editor offers; absent: the host is not an editor. */
  editorModels?: EditorModels | undefined;
}

/** Where a list of models is requested. `model`: the only one that is needed, or "". */
export type ListingEndpoint = Omit<Endpoint, "clock" | "provider" | "reason">;

/** A model as its endpoint describes it. */
export interface ListedModel {
  id: string;
  /** A name for people. */
  title?: string;
  /** Facts from the source `endpoint`. */
  facts: ModelFacts;
  /** The window depends on how the server loads the model, which it has not done yet. */
  provisional?: boolean;
}

/**
 * Something that an endpoint that claims compatibility does not accept, or requires in addition. It is learned from the
 * endpoint's own refusal, which costs nothing.
 */
export interface Quirk {
  name: string;
  /** Matches the text of such a refusal. */
  words: RegExp;
  /** Endpoints may take it for a prompt that is too long. */
  ofLength?: boolean;
  /** It is due to the conversation rather than the endpoint, so it is forgotten when the next task begins. */
  passing?: boolean;
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
  /**
   * Returns the models that the endpoint offers for chat, in its order, with what it reports about each. If the
   * endpoint's `model` is not empty, only that one is needed, and a request for each other model is not worth it. Rejects
   * with ProviderError; with Interrupt when `signal` aborts.
   */
  listModels(endpoint: ListingEndpoint, signal: AbortSignal): Promise<ListedModel[]>;
  /** Whether the endpoint does not support native tool calling for the model. */
  refusesTools(error: ProviderError): boolean;
  /** Whether the endpoint refused images: those of this request, all images, or their number. */
  refusesImages(error: ProviderError): "these" | "all" | "many" | undefined;
  /**
   * Returns the window size and prompt size, in tokens, that an endpoint stated when it refused a prompt as too long.
   */
  statedLengths(error: ProviderError): { limit?: number; used?: number };
}
