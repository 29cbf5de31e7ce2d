/** Whether a connection works, over real HTTP: each fault is named, and the address that works is found. */
import { afterEach, describe, expect, it } from "vitest";
import { ModelCatalog } from "../../../../src/core/provider/catalog/model-catalog.ts";
import { checkConnection } from "../../../../src/core/provider/connect/check-connection.ts";
import { findServers } from "../../../../src/core/provider/connect/find-servers.ts";
import { ModelProfiles } from "../../../../src/core/provider/model-profile.ts";
import { createProxiedFetch } from "../../../../src/node/net/model-fetch.ts";
import { connectionTo } from "../../../support/connections.ts";
import { listOf, type OddAnswer, type OddServer, startOddServer } from "../../../support/odd-server.ts";

const running: OddServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function serve(...args: Parameters<typeof startOddServer>): Promise<OddServer> {
  const server = await startOddServer(...args);
  running.push(server);
  return server;
}

const never = new AbortController().signal;
const catalog = new ModelCatalog({ apiKey: async () => undefined, profiles: new ModelProfiles(), host: {} });
const host = { fetchVia: createProxiedFetch() };
const deps = { catalog, host };
const check = (baseUrl: string, key?: string) => checkConnection(connectionTo(baseUrl), key, deps, never);

const PAGE: OddAnswer = { type: "text/html", body: "<!doctype html><title>Welcome</title>" };
const MISSING: OddAnswer = { status: 404, body: '{"error":{"message":"no such route"}}' };

describe("an endpoint that works", () => {
  it("gives its models, and gets the key", async () => {
    const server = await serve((path) => (path === "/v1/models" ? listOf("a", "b") : MISSING));
    const checked = await check(`${server.origin}/v1`, "secret");
    expect(checked).toMatchObject({ models: [{ name: "default/a" }, { name: "default/b" }] });
    expect(server.asked).toEqual([{ path: "/v1/models", key: "Bearer secret" }]);
  });
});

describe("a connection with a proxy of its own", () => {
  it("is reached through it, and not around it", async () => {
    const proxy = await serve(() => listOf("behind"));
    const server = await serve(() => listOf("direct"));
    const connection = connectionTo(`${server.origin}/v1`, { proxy: proxy.origin });
    expect(await checkConnection(connection, "key", deps, never)).toMatchObject({
      models: [{ name: "default/behind" }],
    });
    expect(server.asked).toEqual([]);
    expect(proxy.asked).toEqual([{ path: `${server.origin}/v1/models`, key: "Bearer key" }]);
    const without = await checkConnection(connection, "key", { catalog, host: {} }, never);
    expect(without).toMatchObject({ problem: { code: "unreachable" } });
    expect(server.asked).toEqual([]);
  });

  it("that cannot be used is named", async () => {
    const connection = connectionTo("http://127.0.0.1:9/v1", { proxy: "socks5://127.0.0.1:9" });
    expect(await checkConnection(connection, "key", deps, never)).toMatchObject({
      problem: { code: "unreachable", detail: expect.stringContaining("socks5") },
    });
  });
});

describe("an endpoint that does not work", () => {
  it.each<[string, string, OddAnswer, string, string]>([
    ["a web page for everything", "/v1", PAGE, "web-page", "baseUrl"],
    ["no list", "/v1", MISSING, "no-list", "baseUrl"],
    ["JSON that is no list", "/v1", { body: '{"status":"ok"}' }, "no-list", "baseUrl"],
    ["an empty list", "/v1", listOf(), "no-models", "model"],
    [
      "the list of an Ollama without models",
      "/v1",
      { body: '{"object":"list","data":null}' },
      "no-models",
      "model",
    ],
    [
      "a key that is refused",
      "/v1",
      { status: 401, body: '{"error":{"message":"bad key"}}' },
      "bad-key",
      "key",
    ],
    [
      "a key that Google refuses",
      "/v1beta/openai",
      { status: 400, body: '[{"error":{"code":400,"message":"API key not valid."}}]' },
      "bad-key",
      "key",
    ],
    ["a server error", "/v1", { status: 500, body: "{}" }, "refused", "baseUrl"],
    [
      "another place",
      "/v1",
      { status: 302, headers: { location: "https://example.com/v1/models" } },
      "redirected",
      "baseUrl",
    ],
  ])("%s: %s", async (_, path, answer, code, field) => {
    const server = await serve(() => answer);
    const { problem } = { problem: undefined, ...(await check(`${server.origin}${path}`, "key")) };
    expect(problem).toMatchObject({ code, field });
  });

  it("a server that wants a key and got none", async () => {
    const server = await serve(() => ({ status: 401, body: '{"error":{"message":"who?"}}' }));
    expect(await check(`${server.origin}/v1`)).toMatchObject({ problem: { code: "no-key", field: "key" } });
  });

  it("a server that does not run", async () => {
    const server = await serve(() => listOf("a"));
    await server.close();
    expect(await check(`${server.origin}/v1`)).toMatchObject({ problem: { code: "unreachable" } });
  });

  it("a certificate that nobody vouches for", async () => {
    const server = await serve(() => listOf("a"), { secure: true });
    expect(await check(`${server.origin}/v1`)).toMatchObject({ problem: { code: "untrusted-certificate" } });
  });

  it("says nothing that contains the key", async () => {
    const body = '{"error":{"message":"the key my-secret-key is not known"}}';
    const server = await serve(() => ({ status: 401, body }));
    expect(JSON.stringify(await check(`${server.origin}/v1`, "my-secret-key"))).not.toContain("my-secret");
  });
});

describe("the address that works is offered", () => {
  const at = (wanted: string, other: OddAnswer) => (path: string) => (path === wanted ? listOf("a") : other);

  it.each<[string, string, string, OddAnswer, string]>([
    ["without a version", "", "/v1", MISSING, "no-version"],
    ["without a version, where a page is", "", "/v1", PAGE, "no-version"],
    ["with a path of its own", "/proxy", "/proxy/v1", MISSING, "no-version"],
    ["with a path too many", "/v1/engines/big", "/v1", MISSING, "extra-path"],
    ["of Ollama's own API", "/api", "/v1", MISSING, "no-version"],
  ])("%s", async (_, entered, right, other, code) => {
    const server = await serve(at(`${right}/models`, other));
    expect(await check(`${server.origin}${entered}`, "key")).toEqual({
      problem: {
        code,
        field: "baseUrl",
        subject: `${server.origin}${entered}`,
        fix: { type: "address", baseUrl: `${server.origin}${right}` },
      },
    });
  });

  it("also if the API there refuses the key", async () => {
    const server = await serve((path) => (path === "/v1/models" ? { status: 401, body: "{}" } : MISSING));
    expect(await check(server.origin, "key")).toMatchObject({ problem: { code: "no-version" } });
  });

  it("without encryption, for a server on this machine that has none", async () => {
    const server = await serve(at("/v1/models", MISSING));
    const secure = server.origin.replace("http:", "https:");
    expect(await check(`${secure}/v1`)).toMatchObject({
      problem: { code: "wants-http", fix: { baseUrl: `${server.origin}/v1` } },
    });
  });
});

describe("local servers", () => {
  it("are found at their ports, without a key; what is no model server is not", async () => {
    const ollama = await serve(() => listOf("qwen3:8b", "llama3"));
    const empty = await serve(() => listOf());
    const page = await serve(() => PAGE);
    const dead = await serve(() => listOf("a"));
    await dead.close();
    const found = await findServers(
      [
        { preset: "ollama", port: ollama.port },
        { preset: "lmstudio", port: empty.port },
        { preset: "llamacpp", port: page.port },
        { preset: "vllm", port: dead.port },
      ],
      deps,
      never,
    );
    expect(found).toEqual([
      { preset: "ollama", baseUrl: `${ollama.origin}/v1`, models: ["qwen3:8b", "llama3"] },
      { preset: "lmstudio", baseUrl: `${empty.origin}/v1`, models: [] },
    ]);
    expect(page.asked.length).toBeLessThanOrEqual(2);
    for (const { key } of [...ollama.asked, ...empty.asked, ...page.asked])
      expect([undefined, "Bearer none"]).toContain(key);
  });

  it("that never answer hold up nothing for long", async () => {
    const silent = await serve(() => undefined);
    const ollama = await serve(() => listOf("a"));
    const found = await findServers(
      [
        { preset: "vllm", port: silent.port },
        { preset: "ollama", port: ollama.port },
      ],
      deps,
      never,
    );
    expect(found.map(({ preset }) => preset)).toEqual(["ollama"]);
  });
});
