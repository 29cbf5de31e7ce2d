/** The list of models of an endpoint that speaks the Messages API. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { Interrupt, ProviderError } from "../../../../../src/core/errors.ts";
import { apis } from "../../../../../src/core/provider/apis.ts";
import { type ModelServer, startModelServer } from "../../../../model-server/server.ts";
import { modelAt } from "../../../../support/connections.ts";

let server: ModelServer;
beforeEach(async () => {
  const big = {
    id: "claude-big",
    display_name: "Claude Big",
    max_input_tokens: 1_000_000,
    max_tokens: 128_000,
  };
  server = await startModelServer({ script: { turns: [], apiKey: "secret", models: [big, "claude-small"] } });
});
afterEach(() => server.close());

function list(baseUrl: string, apiKey = "secret", signal = new AbortController().signal) {
  return apis.anthropic.listModels({ ...modelAt(baseUrl, "", { api: "anthropic" }), apiKey }, signal);
}

it("has names, windows and the longest answers", async () => {
  const models = await list(server.url.replace("/v1", ""));
  const fact = (value: number) => ({ value, source: "endpoint" });
  expect(models).toMatchObject([
    { id: "claude-big", title: "Claude Big", facts: { window: fact(1_000_000), maxOutput: fact(128_000) } },
    { id: "claude-small" },
  ]);
  expect(server.otherRequests[0]).toMatchObject({ path: "/v1/models", headers: { "x-api-key": "secret" } });
});

it("fails with the endpoint's reason", async () => {
  const code = async (promise: Promise<unknown>) => {
    const error: unknown = await promise.catch((reason: unknown) => reason);
    return error instanceof ProviderError ? error.view.code : error;
  };
  expect(await code(list(server.url, "wrong"))).toBe("bad-key");
  expect(await code(list(server.url, ""))).toBe("no-key");
  expect(await code(list("http://127.0.0.1:1"))).toBe("unreachable");
  expect(await code(list(""))).toBe("no-endpoint");
  await expect(list(server.url, "secret", AbortSignal.abort())).rejects.toThrow(Interrupt);
});
