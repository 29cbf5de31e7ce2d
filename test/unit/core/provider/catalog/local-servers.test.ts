/** What servers on the user's machine report beside the compatible API, over real HTTP. */

import http from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Interrupt, ProviderError } from "../../../../../src/core/errors.ts";
import { ModelCatalog } from "../../../../../src/core/provider/catalog/model-catalog.ts";
import { ModelProfiles } from "../../../../../src/core/provider/model-profile.ts";
import { Windows } from "../../../../../src/core/window/model-windows.ts";
import { settingsSchema } from "../../../../../src/shared/settings.ts";
import { listenAnew } from "../../../../model-server/port.ts";
import { answered } from "../../../../support/answered.ts";
import { connectionTo, modelAt } from "../../../../support/connections.ts";

type Answer = (body: string) => unknown;
let server: http.Server;
let answers: Record<string, Answer>;
let asked: string[];
let keys: Set<string | undefined>;
let url: string;
beforeEach(async () => {
  asked = [];
  keys = new Set();
  server = http.createServer(
    answered((request, response, body) => {
      const name = `${request.method} ${request.url}`;
      asked.push(name);
      keys.add(request.headers.authorization);
      const answer = answers[name]?.(body);
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(answer === undefined ? '{"error":"not found"}' : JSON.stringify(answer));
    }),
  );
  url = `http://127.0.0.1:${await listenAnew(server)}/v1`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const constrains = [true, "GET /v1/models"];
const profiles = () => new ModelProfiles();
async function list(known = profiles()) {
  const catalog = new ModelCatalog({ profiles: known, apiKey: async () => "key", host: {} });
  const entries = await catalog.list(connectionTo(url), new AbortController().signal);
  return Object.fromEntries(
    entries.map(({ name, facts }) => [
      name,
      Object.fromEntries(Object.entries(facts).map(([fact, known]) => [fact, [known?.value, known?.origin]])),
    ]),
  );
}

const show: Record<string, unknown> = {
  small: {
    model_info: { "general.architecture": "xyz", "xyz.context_length": 131_072 },
    capabilities: ["completion", "tools"],
  },
  set: {
    model_info: { "xyz.context_length": 131_072 },
    parameters: 'stop "<|end|>"\nnum_ctx                        16384\ntemperature 1',
    capabilities: ["completion", "vision", "thinking"],
  },
};
const ollama = (loaded: unknown[]): Record<string, Answer> => ({
  "GET /v1/models": () => ({
    object: "list",
    data: Object.keys(show).map((id) => ({ id, object: "model", owned_by: "library" })),
  }),
  "GET /api/ps": () => ({ models: loaded }),
  "POST /api/show": (body) => show[JSON.parse(body).model],
});

describe("Ollama", () => {
  it("reports abilities, and the window that is in effect before the one that is possible", async () => {
    answers = ollama([{ name: "small", model: "small", context_length: 4_096 }]);
    expect(await list()).toEqual({
      "default/small": {
        window: [4_096, "GET /api/ps"],
        tools: [true, "POST /api/show"],
        images: [false, "POST /api/show"],
        reasoning: [false, "POST /api/show"],
        constrains,
      },
      "default/set": {
        window: [16_384, "POST /api/show, num_ctx"],
        tools: [false, "POST /api/show"],
        images: [true, "POST /api/show"],
        reasoning: [true, "POST /api/show"],
        constrains,
      },
    });
    expect([...keys]).toEqual(["Bearer key"]);
  });

  it("is asked again after it has loaded the model, because only then its window is known", async () => {
    const loaded: unknown[] = [];
    answers = ollama(loaded);
    const profile = profiles().of(modelAt(url, "small"));
    const clock = { now: () => new Date(0), after: () => ({ dispose: () => undefined }) };
    const log = { info: () => undefined, error: () => undefined };
    const settings = settingsSchema.parse({});
    const windows = new Windows({
      host: { clock, log },
      settings: () => settings,
      apiKey: async () => "key",
    });
    const ask = () => windows.ask(profile, new AbortController().signal);
    expect(await ask()).toBe(131_072);
    loaded.push({ model: "small", context_length: 4_096 });
    expect([await ask(), await ask()]).toEqual([4_096, 4_096]);
    // For one model, no other's details are requested, and what is known for good is not asked for again.
    expect(asked.filter((name) => name === "POST /api/show")).toHaveLength(2);
  });

  it("of a version without these paths is a list of names", async () => {
    answers = { "GET /v1/models": ollama([])["GET /v1/models"] ?? (() => undefined) };
    expect(await list()).toEqual({ "default/small": { constrains }, "default/set": { constrains } });
  });
});

describe("llama.cpp", () => {
  it("reports the window of a slot and what the model sees", async () => {
    answers = {
      "GET /v1/models": () => ({
        data: [{ id: "m.gguf", owned_by: "llamacpp", meta: { n_ctx_train: 131_072 } }],
      }),
      "GET /props": () => ({ default_generation_settings: { n_ctx: 8_192 }, modalities: { vision: true } }),
    };
    expect(await list()).toEqual({
      "default/m.gguf": { window: [8_192, "GET /props"], images: [true, "GET /props"], constrains },
    });
  });

  const windowOf = async (name: string) => {
    const settings = settingsSchema.parse({});
    const clock = { now: () => new Date(0), after: () => ({ dispose: () => undefined }) };
    const log = { info: () => undefined, error: () => undefined };
    const windows = new Windows({
      host: { clock, log },
      settings: () => settings,
      apiKey: async () => "key",
    });
    const profile = profiles().of(modelAt(url, name));
    return { window: await windows.ask(profile, new AbortController().signal), profile };
  };

  it("answers under any name, with its only model", async () => {
    answers = {
      "GET /v1/models": () => ({
        data: [{ id: "m.gguf", owned_by: "llamacpp", meta: { n_ctx_train: 131_072 } }],
      }),
      "GET /props": () => ({
        default_generation_settings: { n_ctx: 8_192 },
        chat_template: "{{ message.reasoning_content }}",
      }),
    };
    const { window, profile } = await windowOf("gpt-4");
    expect(window).toBe(8_192);
    expect([profile.facts.constrains?.value, profile.facts.reasoningBack?.value]).toEqual([true, true]);
    expect(Object.keys(await list())).toEqual(["default/m.gguf"]);
  });

  describe("as a router", () => {
    const entry = (id: string, args: string[]) => ({
      ...{ id, owned_by: "llamacpp", status: { value: "unloaded", args: ["llama-server", ...args] } },
    });
    const router: Record<string, Answer> = {
      "GET /v1/models": () => ({
        data: [
          entry("a", ["--ctx-size", "16384"]),
          entry("b", ["-c", "16384", "-np", "2"]),
          entry("c", ["-c", "16384", "-np", "2", "--kv-unified"]),
          entry("d", ["--ctx-size", "0"]),
        ],
      }),
      "GET /props": () => ({ role: "router", default_generation_settings: { n_ctx: 0 } }),
    };

    it("says how it loads a model", async () => {
      answers = router;
      const windows = Object.entries(await list()).map(([name, { window }]) => [name, window?.[0]]);
      expect(windows).toEqual([
        ["default/a", 16_384],
        ["default/b", 8_192],
        ["default/c", 16_384],
        ["default/d", undefined],
      ]);
    });

    it("is asked for the properties of the model that is used, and does not load it for that", async () => {
      answers = router;
      expect((await windowOf("a")).window).toBe(16_384);
      answers = {
        ...router,
        "GET /props?model=a&autoload=false": () => ({ default_generation_settings: { n_ctx: 4_096 } }),
      };
      expect((await windowOf("a")).window).toBe(4_096);
      // It takes a name as that of one of its models.
      expect((await windowOf("x")).window).toBe(128_000);
    });
  });
});

describe("LM Studio", () => {
  it("reports the window of a loaded model, and abilities", async () => {
    answers = {
      "GET /v1/models": () => ({ data: ["a", "b"].map((id) => ({ id, owned_by: "organization_owner" })) }),
      "GET /api/v0/models": () => ({
        data: [
          { id: "a", type: "vlm", max_context_length: 131_072, loaded_context_length: 4_096 },
          { id: "b", type: "llm", max_context_length: 32_768, capabilities: ["tool_use"] },
        ],
      }),
    };
    const path = "GET /api/v0/models";
    expect(await list()).toEqual({
      "default/a": { window: [4_096, path], images: [true, path], constrains },
      "default/b": { window: [32_768, path], tools: [true, path], constrains },
    });
  });
});

describe("vLLM", () => {
  it("constrains answers", async () => {
    answers = { "GET /v1/models": () => ({ data: [{ id: "m", owned_by: "vllm", max_model_len: 8_192 }] }) };
    expect(await list()).toEqual({ "default/m": { window: [8_192, "GET /v1/models"], constrains } });
  });
});

describe("any other endpoint", () => {
  it("is asked for its list alone", async () => {
    answers = { "GET /v1/models": () => ({ data: [{ id: "m", owned_by: "system" }] }) };
    await list();
    expect(asked).toEqual(["GET /v1/models"]);
  });

  it("passes what it lists on to requests", async () => {
    answers = { "GET /v1/models": () => ({ data: [{ id: "m", context_length: 9_000 }] }) };
    const known = profiles();
    await list(known);
    expect(known.of(modelAt(url, "m")).window(0)).toBe(9_000);
  });

  it("that has no list, or sends something else, is an error that names the address", async () => {
    answers = {};
    const error = await list().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error instanceof ProviderError && error.view).toMatchObject({
      code: "wrong-address",
      subject: url,
    });
    answers = { "GET /v1/models": () => ({ hello: "world" }) };
    await expect(list()).rejects.toThrow(/bad-response/);
  });

  it("is no longer waited for after a Stop", async () => {
    const catalog = new ModelCatalog({ profiles: profiles(), apiKey: async () => "key", host: {} });
    await expect(catalog.list(connectionTo(url), AbortSignal.abort())).rejects.toBeInstanceOf(Interrupt);
  });
});
