/** A task's requests share a client, which belongs to one address, one key and one way to send. */
import { expect, it } from "vitest";
import type { Endpoint } from "../../../../src/core/provider/api.ts";
import { openAiClient } from "../../../../src/core/provider/openai/openai-client.ts";
import { systemClock } from "../../../../src/node/clock.ts";
import { connectionSchema } from "../../../../src/shared/models/connection.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";

const connectionTo = (baseUrl: string) => connectionSchema.parse({ name: "home", api: "chat", baseUrl });

it("a client is kept for the same connection, key and fetch, and for no other", () => {
  const { provider } = settingsSchema.parse({});
  const connection = connectionTo("http://127.0.0.1:1/v1");
  const endpoint: Endpoint = { connection, provider, model: "m", apiKey: "one", clock: systemClock, fetch };
  const client = openAiClient(endpoint);
  expect(openAiClient({ ...endpoint, model: "another" })).toBe(client);
  const others = [
    openAiClient({ ...endpoint, apiKey: "two" }),
    openAiClient({ ...endpoint, apiKey: undefined }),
    openAiClient({ ...endpoint, fetch: (...args) => fetch(...args) }),
    openAiClient({ ...endpoint, connection: connectionTo("http://127.0.0.1:2/v1") }),
  ];
  expect(new Set([client, ...others]).size).toBe(5);
  expect(others.map(({ apiKey, baseURL }) => [apiKey, baseURL])).toEqual([
    ["two", "http://127.0.0.1:1/v1"],
    ["none", "http://127.0.0.1:1/v1"],
    ["one", "http://127.0.0.1:1/v1"],
    ["one", "http://127.0.0.1:2/v1"],
  ]);
});
