/**
 * What servers on the user's own machine report about their models beside the compatible API: the window that is in
 * effect, and abilities. They are recognized by what their list of models says, so no other server is asked.
 */
import type { ModelFacts } from "../../../shared/models/facts.ts";
import * as z from "../../../shared/zod.ts";
import { ProviderError } from "../../errors.ts";
import type { ListedModel } from "../api.ts";
import { type FactValues, withSource } from "../catalog/fact-layers.ts";
import { listedModels } from "../catalog/listed-models.ts";

/** Requests a path of the endpoint's origin, and parses the answer as JSON. Rejects with ProviderError. */
export type GetJson = (
  method: "GET" | "POST",
  path: string,
  body?: Record<string, unknown>,
) => Promise<unknown>;

type ModelDescriptions = Map<string, Pick<ListedModel, "facts" | "provisional">>;

export interface LocalServer {
  /** If the server has only one model, it answers under any name. */
  anyName?: true;
  /** Rejects with ProviderError if the server does not have its own API after all. */
  describe(models: readonly ListedModel[], ask: GetJson): Promise<ModelDescriptions>;
}

/** Models whose details are requested, and how many at a time. */
const MOST_DETAILS = 60;
const AT_A_TIME = 6;

const count = z.catch(z.optional(z.int().check(z.gte(1))), undefined);
const words = z.catch(z.optional(z.array(z.string())), undefined);

/** `owners`: the `owned_by` of the listed models. */
export function localServerOf(owners: readonly (string | undefined)[], url: string): LocalServer | undefined {
  if (owners.includes("llamacpp")) return llamaCpp;
  if (owners.includes("organization_owner") || owners.includes("organization-owner")) return lmStudio;
  return owners.includes("library") || new URL(url).port === "11434" ? ollama : undefined;
}

const shownSchema = z.looseObject({
  /** Keys begin with the name of the architecture. */
  model_info: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
  /** Lines of a name and a value. */
  parameters: z.catch(z.optional(z.string()), undefined),
  capabilities: words,
});
const loadedSchema = z.looseObject({
  models: z.array(
    z.looseObject({ model: z.optional(z.string()), name: z.optional(z.string()), context_length: count }),
  ),
});

/** https://github.com/ollama/ollama/blob/main/docs/api.md */
const ollama: LocalServer = {
  async describe(models, ask) {
    // Older versions do not report the windows of loaded models.
    const loaded = loadedSchema.safeParse(await ask("GET", "/api/ps")).data?.models ?? [];
    const described: ModelDescriptions = new Map();
    const waiting = models.slice(0, MOST_DETAILS);
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { id } = next;
        const shown = shownSchema.safeParse(await ask("POST", "/api/show", { model: id })).data ?? {};
        const inEffect = loaded.find(({ model, name }) => model === id || name === id)?.context_length;
        described.set(id, ollamaModel(shown, inEffect));
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return described;
  },
};

/** `inEffect`: the window of the model as it is loaded. */
function ollamaModel(
  { model_info: info = {}, parameters = "", capabilities }: z.infer<typeof shownSchema>,
  inEffect: number | undefined,
): Pick<ListedModel, "facts" | "provisional"> {
  const trained = Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1];
  const configured = Number(/^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1] ?? Number.NaN);
  const abilities: FactValues = {
    tools: capabilities?.includes("tools"),
    images: capabilities?.includes("vision"),
    reasoning: capabilities?.includes("thinking"),
  };
  const shown = withSource(abilities, "endpoint", "POST /api/show");
  const window = (value: unknown, origin: string) =>
    typeof value === "number" && value >= 256 ? withSource({ window: value }, "endpoint", origin) : {};
  if (inEffect !== undefined) return { facts: { ...shown, ...window(inEffect, "GET /api/ps") } };
  if (configured > 0) return { facts: { ...shown, ...window(configured, "POST /api/show, num_ctx") } };
  // What the model allows. The server decides when it loads the model, and often for less.
  return { facts: { ...shown, ...window(trained, "POST /api/show, context_length") }, provisional: true };
}

const propsSchema = z.looseObject({
  default_generation_settings: z.catch(z.optional(z.looseObject({ n_ctx: count })), undefined),
  n_ctx: count,
  chat_template: z.catch(z.optional(z.string()), undefined),
  modalities: z.catch(
    z.optional(z.looseObject({ vision: z.catch(z.optional(z.boolean()), undefined) })),
    undefined,
  ),
});

/** https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md: the window is that of one slot. */
const llamaCpp: LocalServer = {
  anyName: true,
  async describe(models, ask) {
    const [model, ...others] = models;
    // A router lists many models, and its own properties apply to none of them.
    if (!model || others.length > 0) return new Map();
    const facts = propsOf(await ask("GET", "/props"));
    if (facts.window) return new Map([[model.id, { facts }]]);
    // Asking for the properties of a model does not load it. Until it is loaded, what the list says about it applies.
    const query = new URLSearchParams({ model: model.id, autoload: "false" });
    const loaded = await ask("GET", `/props?${query}`).then(propsOf, (error: unknown): ModelFacts => {
      if (error instanceof ProviderError) return {};
      throw error;
    });
    return new Map([[model.id, loaded.window ? { facts: loaded } : { facts: {}, provisional: true }]]);
  },
};

function propsOf(answer: unknown): ModelFacts {
  const props = propsSchema.safeParse(answer).data ?? {};
  const values: FactValues = {
    window: props.default_generation_settings?.n_ctx ?? props.n_ctx,
    images: props.modalities?.vision,
    // The names under which templates find the reasoning of a message.
    reasoningBack: /\breasoning_content\b|\bmessage\.thinking\b/.test(props.chat_template ?? "") || undefined,
  };
  return withSource(values, "endpoint", "GET /props");
}

/** https://lmstudio.ai/docs/app/api/endpoints/rest */
const lmStudio: LocalServer = {
  async describe(_models, ask) {
    const path = "/api/v0/models";
    const all = listedModels(await ask("GET", path), `GET ${path}`) ?? [];
    return new Map(all.map(({ id, facts }) => [id, { facts }]));
  },
};
