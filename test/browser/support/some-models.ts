/** Connections and models as a host may have them. */
import type { ModelEntry } from "../../../src/shared/models/facts.ts";
import type { ListedConnection, OfferedModels } from "../../../src/shared/models/model-protocol.ts";
import type { FakeHost } from "./fake-host.ts";

const connection = (name: string, more: Partial<ListedConnection> = {}): ListedConnection => ({
  name,
  api: "chat",
  baseUrl: `https://api.${name}.example/v1`,
  hasKey: true,
  isLocal: false,
  isRemovable: true,
  ...more,
});

const fromTable = { source: "table", origin: "2026-05-01, https://example.com/models" } as const;
const fromEndpoint = { source: "endpoint", origin: "GET /v1/models" } as const;

export const someModels: Record<string, OfferedModels> = {
  openai: {
    models: [
      {
        name: "openai/gpt-4.1",
        facts: {
          window: { value: 1_047_576, ...fromTable },
          maxOutput: { value: 32_768, ...fromTable },
          inputPrice: { value: 2, ...fromTable },
          outputPrice: { value: 8, ...fromTable },
          tools: { value: true, ...fromTable },
          images: { value: true, ...fromTable },
        },
      },
      {
        name: "openai/o4-mini-with-a-very-long-name-of-a-dated-snapshot-2026-04-16",
        facts: { reasoning: { value: true, ...fromTable }, window: { value: 200_000, ...fromTable } },
      },
    ],
  },
  llamacpp: {
    models: [{ name: "llamacpp/tiny-model", facts: { window: { value: 8_192, ...fromEndpoint } } }],
  },
  groq: {
    models: [],
    problem: {
      code: "bad-key",
      field: "key",
      subject: "https://api.groq.com/openai/v1",
      detail: "401: Invalid API Key",
    },
  },
};

/** A host with three connections, of which one has a bad key. */
export function withModels(host: FakeHost): void {
  host.models = {
    connections: [
      connection("openai", { title: "OpenAI" }),
      connection("llamacpp", { baseUrl: "http://127.0.0.1:8080/v1", hasKey: false, isLocal: true }),
      connection("groq", { title: "Groq" }),
    ],
    favorites: ["openai/gpt-4.1"],
    recents: ["llamacpp/tiny-model"],
    badEntries: [{ entry: "4: baseUrl", expected: "Must be a string." }],
  };
  host.setup = { ...host.setup, connections: ["openai", "llamacpp", "groq"] };
  host.offer = (name) => someModels[name] ?? { models: [] };
}

/** As OpenRouter has them. */
export const manyModels: ModelEntry[] = Array.from({ length: 400 }, (_, index) => ({
  name: `openrouter/maker-${index % 20}/model-${index}`,
  facts: { window: { value: 1_000 * (index + 1), ...fromEndpoint } },
}));
