/**
 * llama.cpp's server as the scripted model plays it: what it says of its models beside the compatible API, and how it refuses. Paths, fields
 * and words are those of the server of September 2026 (`tools/server` of its sources) and of what was recorded from one.
 */
import { ApiError } from "../api-error.ts";
import type { LlamaCppOptions, ModelEntry } from "../script.ts";
import { type Slot, Slots } from "./slots.ts";

/** A response of a path that the compatible API does not have. */
interface Answer {
  status: number;
  body: unknown;
}

const TYPES: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  501: "not_supported_error",
  503: "unavailable_error",
};

/** The JSON body of an error: its code is the status. */
export function llamaCppError({ status, message, details }: ApiError): unknown {
  const { type = TYPES[status] ?? "server_error" } = details;
  return { error: { code: status, message, type } };
}

/** A prompt that does not fit in a slot's window, which is refused before anything is evaluated. */
export function exceedsWindow(tokens: number, window: number): Answer {
  const message = `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`;
  const error = { code: 400, message, type: "exceed_context_size_error" };
  return { status: 400, body: { error: { ...error, n_prompt_tokens: tokens, n_ctx: window } } };
}

/** One server, or a router that starts one for each of its models with the first request for it. */
export class LlamaCpp {
  readonly #options: LlamaCppOptions;
  readonly #models: readonly string[];
  readonly #loaded = new Map<string, Slots>();

  constructor(options: LlamaCppOptions, models: readonly ModelEntry[]) {
    this.#options = options;
    this.#models = models.map((entry) => (typeof entry === "string" ? entry : entry.id));
    const [only] = this.#models;
    if (!options.router && only !== undefined) this.#load(only);
  }

  /** What GET says; undefined for a path that the server does not have. */
  get(path: string, query: URLSearchParams): Answer | undefined {
    switch (path) {
      case "/health":
        return { status: 200, body: { status: "ok" } };
      case "/models":
      case "/v1/models":
        return { status: 200, body: this.#list() };
      case "/props":
        return this.#props(query);
      case "/slots":
        return this.#asked(query, (slots) => slots.map(describedSlot(this.#options.window)));
      default:
        return undefined;
    }
  }

  /** Takes a slot for a prompt as soon as one is free. One server takes any name for its model; a router throws a 400 for another. */
  async begin(model: string, pieces: readonly string[], signal: AbortSignal): Promise<Slot> {
    const [only = model] = this.#models;
    if (this.#options.router && !this.#models.includes(model))
      throw new ApiError(400, `model '${model}' not found`);
    const name = this.#options.router ? model : only;
    return (this.#loaded.get(name) ?? this.#load(name)).begin(pieces, signal);
  }

  #load(model: string): Slots {
    const slots = new Slots(this.#options.slots);
    this.#loaded.set(model, slots);
    return slots;
  }

  #list(): unknown {
    const { router, window, slots } = this.#options;
    const data = this.#models.map((id) => {
      const isLoaded = this.#loaded.has(id);
      const args = ["llama-server", "--ctx-size", `${window * slots}`, "--parallel", `${slots}`];
      return {
        ...{ id, aliases: [], tags: [], object: "model", created: 1_700_000_000, owned_by: "llamacpp" },
        ...(router ? { status: { value: isLoaded ? "loaded" : "unloaded", args } } : {}),
        ...(isLoaded ? { meta: { vocab_type: 2, n_vocab: 512, n_ctx: window, n_ctx_train: 131_072 } } : {}),
      };
    });
    return { object: "list", data };
  }

  #props(query: URLSearchParams): Answer {
    const { router, template, images } = this.#options;
    if (router && !query.get("model")) {
      const settings = { params: null, n_ctx: 0 };
      const own = { role: "router", max_instances: 4, models_autoload: true, model_path: "none" };
      return { status: 200, body: { ...own, default_generation_settings: settings } };
    }
    return this.#asked(query, (slots, model) => ({
      default_generation_settings: { params: {}, n_ctx: this.#options.window },
      total_slots: slots.length,
      model_alias: model,
      model_path: `/models/${model}`,
      modalities: { vision: images, video: false, audio: false },
      ...{ endpoint_slots: true, endpoint_props: false, endpoint_metrics: false },
      chat_template: template,
      ...{ bos_token: "<s>", eos_token: "</s>", build_info: "b9000-80fb11a", is_sleeping: false },
    }));
  }

  /** What the server of one model says. A router loads a model to ask it, unless the request forbids that. */
  #asked(query: URLSearchParams, say: (slots: readonly Slot[], model: string) => unknown): Answer {
    const [only = ""] = this.#models;
    const model = this.#options.router ? (query.get("model") ?? "") : only;
    const refuse = (message: string) => ({
      status: 400,
      body: llamaCppError(new ApiError(400, message)),
    });
    if (model === "") return refuse("model name is missing from the request");
    if (!this.#models.includes(model)) return refuse(`model '${model}' not found`);
    const isLoaded = this.#loaded.has(model);
    if (!isLoaded && !["true", "1"].includes(query.get("autoload") ?? "true"))
      return refuse("model is not loaded");
    return { status: 200, body: say((this.#loaded.get(model) ?? this.#load(model)).all, model) };
  }
}

const describedSlot = (window: number) => (slot: Slot) => ({
  ...{ id: slot.id, n_ctx: window, speculative: false, is_processing: slot.isProcessing },
  n_prompt_tokens: slot.tokens,
  n_prompt_tokens_processed: slot.tokens - slot.cached,
  n_prompt_tokens_cache: slot.cached,
});
