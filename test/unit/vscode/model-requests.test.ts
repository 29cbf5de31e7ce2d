/** The panel's requests about models, over real HTTP and with settings in memory. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ModelCatalog } from "../../../src/core/provider/catalog/model-catalog.ts";
import { ModelProfiles } from "../../../src/core/provider/model-profile.ts";
import type { Mode } from "../../../src/shared/message.ts";
import { modelName, modelNamed } from "../../../src/shared/models/connection.ts";
import { type Settings, settingsSchema } from "../../../src/shared/settings.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import {
  type ModelHandlers,
  type ModelStore,
  modelRequests,
} from "../../../src/vscode/models/model-requests.ts";
import { listOf, type OddServer, startOddServer } from "../../support/odd-server.ts";

let server: OddServer;
let settings: Settings;
let keys: Map<string, string>;
let memory: { favorites: readonly string[]; recents: readonly string[] };
let chosen: [Mode, string][];
let now: number;
let isDamaged: boolean;
let requests: ModelHandlers;

beforeEach(async () => {
  server = await startOddServer((path) => (path === "/v1/models" ? listOf("big", "small") : { status: 404 }));
  keys = new Map();
  memory = { favorites: [], recents: [] };
  chosen = [];
  now = 0;
  isDamaged = false;
  start({});
});
afterEach(() => server.close());

function start(given: unknown): void {
  settings = settingsSchema.parse(given);
  const apiKey: ModelStore["apiKey"] = async ({ name }) => keys.get(name);
  const store: ModelStore = {
    settings: () => settings,
    badEntries: () => [],
    apiKey,
    storeKey: async (name, key) => void (key === "" ? keys.delete(name) : keys.set(name, key)),
    askKey: async (name) => void keys.set(name, "asked"),
    async addConnection(connection) {
      if (isDamaged) throw new Error("the settings file is damaged");
      settings = { ...settings, connections: [...settings.connections, connection] };
    },
    async removeConnection(name) {
      settings = { ...settings, connections: settings.connections.filter((each) => each.name !== name) };
    },
    async setAddress(name, baseUrl) {
      const connections = settings.connections.map((each) =>
        each.name === name ? { ...each, baseUrl } : each,
      );
      settings = { ...settings, connections };
    },
    async setModel(mode, name) {
      const changed = mode === "act" ? { model: name } : { planModel: name };
      settings = { ...settings, provider: { ...settings.provider, ...changed } };
    },
    async setEffort(effort) {
      settings = { ...settings, provider: { ...settings.provider, reasoningEffort: effort } };
    },
    remembered: (which) => memory[which],
    async remember(which, names) {
      memory = { ...memory, [which]: names };
    },
  };
  requests = modelRequests({
    store,
    catalog: new ModelCatalog({ apiKey, profiles: new ModelProfiles(), host: {} }),
    host: {},
    choose: async (mode, name) => void chosen.push([mode, name]),
    check: async (name) => ({ name, verdict: "good", findings: [], tokens: 1 }),
    localPorts: [{ preset: "ollama", port: server.port }],
    now: () => now,
    t: translator({}),
  });
}

const add = (more: Partial<Parameters<ModelHandlers["connections/add"]>[0]> = {}) =>
  requests["connections/add"]({ preset: "other", api: "chat", baseUrl: `${server.origin}/v1`, ...more });

describe("adding a connection", () => {
  it("stores the key apart from the connection, and offers the models", async () => {
    const added = await add({ key: " Bearer my-key\n" });
    expect(added).toMatchObject({
      name: "local",
      models: [{ name: "local/big" }, { name: "local/small" }],
    });
    expect(keys).toEqual(new Map([["local", "my-key"]]));
    expect(JSON.stringify(settings)).not.toContain("my-key");
    expect(settings.connections).toMatchObject([{ name: "local", baseUrl: `${server.origin}/v1` }]);
    await requests["models/offered"]({ connection: "local" });
    expect(server.asked).toEqual([{ path: "/v1/models", key: "Bearer my-key" }]);
  });

  it("adds nothing if something is wrong", async () => {
    expect(await add({ baseUrl: server.origin })).toMatchObject({
      problem: { code: "no-version" },
      models: [],
    });
    expect(
      await add({ preset: "openai", baseUrl: "https://api.openai.com/v1", key: "sk-ant-1" }),
    ).toMatchObject({
      problem: { code: "key-of-another" },
    });
    expect(settings.connections).toEqual([]);
    expect(keys.size).toBe(0);
  });

  it("keeps no key if the settings cannot be written, and says so", async () => {
    isDamaged = true;
    await expect(add({ key: "my-key" })).rejects.toThrow("damaged");
    expect(keys.size).toBe(0);
  });

  it("with a model is complete, in one request", async () => {
    await add({ preset: "ollama", model: "small" });
    expect(chosen).toEqual([["act", "ollama/small"]]);
    expect(modelName(modelNamed(settings.provider.model, settings))).toBe("ollama/small");
    expect(memory.recents).toEqual(["ollama/small"]);
  });

  it("uses the connection that has the address already, also that of the first settings", async () => {
    start({ provider: { baseUrl: `${server.origin}/v1/`, model: "old" } });
    expect(await add({ model: "big" })).toMatchObject({ name: "default" });
    expect(settings.connections).toEqual([]);
    expect(settings.provider).toMatchObject({ baseUrl: `${server.origin}/v1/`, model: "default/big" });
  });

  it("gives each connection a name of its own", async () => {
    start({ connections: [{ name: "local", baseUrl: "http://127.0.0.1:9/v1" }] });
    expect(await add()).toMatchObject({ name: "local-2" });
  });

  it("accepts an endpoint without a list only if the user says so", async () => {
    const bare = await startOddServer(() => ({ status: 404, body: "{}" }));
    const baseUrl = `${bare.origin}/v1`;
    expect(await add({ baseUrl })).toMatchObject({ problem: { code: "no-list" } });
    expect(await add({ baseUrl, unlisted: true })).toEqual({ name: "local", models: [] });
    await bare.close();
  });
});

describe("choosing a model", () => {
  it("chooses for the session, keeps it as the default, and remembers it", async () => {
    start({ connections: [{ name: "a", baseUrl: `${server.origin}/v1` }] });
    for (const name of ["a/big", "a/small", "a/big"]) await requests["models/choose"]({ name, mode: "act" });
    await requests["models/choose"]({ name: "a/small", mode: "plan" });
    expect(chosen.at(-1)).toEqual(["plan", "a/small"]);
    expect(settings.provider).toMatchObject({ model: "a/big", planModel: "a/small" });
    expect(memory.recents).toEqual(["a/small", "a/big"]);
    await requests["models/choose"]({ name: "", mode: "plan" });
    expect(chosen.at(-1)).toEqual(["plan", ""]);
    expect(settings.provider.planModel).toBe("");
  });

  it("refuses a connection that is gone, whose model another endpoint would get", async () => {
    start({ provider: { baseUrl: `${server.origin}/v1` } });
    await expect(requests["models/choose"]({ name: "gone/x", mode: "act" })).rejects.toThrow(
      "no connection named gone",
    );
    expect(chosen).toEqual([]);
  });
});

describe("a list of models", () => {
  it("is asked for once in a while, and at once when the user wants it", async () => {
    start({ connections: [{ name: "a", baseUrl: `${server.origin}/v1` }] });
    const offered = (fresh = false) => requests["models/offered"]({ connection: "a", fresh });
    expect((await offered()).models.map(({ name }) => name)).toEqual(["a/big", "a/small"]);
    await offered();
    expect(server.asked).toHaveLength(1);
    await offered(true);
    expect(server.asked).toHaveLength(2);
    now = 60 * 60_000;
    await offered();
    expect(server.asked).toHaveLength(3);
  });

  it("is asked for again after the key or the address changed", async () => {
    start({ connections: [{ name: "a", baseUrl: `${server.origin}/v1` }] });
    await requests["models/offered"]({ connection: "a" });
    await requests["connections/set-key"]({ name: "a" });
    await requests["models/offered"]({ connection: "a" });
    expect(server.asked.at(-1)?.key).toBe("Bearer asked");
    await requests["connections/set-address"]({ name: "a", baseUrl: `${server.origin}/other` });
    expect(await requests["models/offered"]({ connection: "a" })).toMatchObject({
      problem: { fix: { baseUrl: `${server.origin}/v1` } },
    });
  });

  it("is not asked for with the key of another maker", async () => {
    start({ connections: [{ name: "openai", baseUrl: "https://api.openai.com/v1" }] });
    keys.set("openai", "sk-ant-1");
    expect(await requests["models/offered"]({ connection: "openai" })).toMatchObject({
      problem: { code: "key-of-another", fix: { preset: "anthropic" } },
    });
    keys.clear();
    expect(await requests["models/offered"]({ connection: "openai" })).toMatchObject({
      problem: { code: "no-key" },
    });
  });

  it("of a connection that is gone is a problem", async () => {
    expect(await requests["models/offered"]({ connection: "x" })).toMatchObject({
      problem: { code: "no-connection" },
    });
  });

  it("is asked for again after a check, which learns more", async () => {
    start({ connections: [{ name: "a", baseUrl: `${server.origin}/v1` }] });
    await requests["models/offered"]({ connection: "a" });
    expect(await requests["models/check"]({ name: "a/big" })).toMatchObject({
      name: "a/big",
      verdict: "good",
    });
    await requests["models/offered"]({ connection: "a" });
    expect(server.asked).toHaveLength(2);
  });

  it("tells a model that is gone from a connection that fails", async () => {
    start({ connections: [{ name: "a", baseUrl: `${server.origin}/v1` }] });
    const test = (model?: string) => requests["connections/test"]({ name: "a", ...(model ? { model } : {}) });
    expect(await test()).toEqual({ count: 2 });
    expect(await test("big")).toEqual({ count: 2 });
    expect(await test("gone")).toMatchObject({
      problem: { code: "unknown-model", field: "model", subject: "gone" },
    });
    await server.close();
    expect(await test("big")).toMatchObject({ count: 0, problem: { code: "unreachable" } });
  });
});

describe("removing a connection", () => {
  it("removes its key and every mention of its models", async () => {
    start({
      connections: [
        { name: "a", baseUrl: `${server.origin}/v1` },
        { name: "b", baseUrl: `${server.origin}/v1` },
      ],
      provider: { model: "a/big", planModel: "b/small" },
    });
    keys.set("a", "key");
    memory = { favorites: ["a/big", "b/big"], recents: ["a/big"] };
    await requests["connections/remove"]({ name: "a" });
    expect(keys.size).toBe(0);
    expect(settings.connections.map(({ name }) => name)).toEqual(["b"]);
    expect(settings.provider).toMatchObject({ model: "", planModel: "b/small" });
    expect(chosen).toEqual([["act", ""]]);
    expect(memory).toEqual({ favorites: ["b/big"], recents: [] });
  });
});

describe("what the panel is told of connections", () => {
  it("never contains a key", async () => {
    start({
      connections: [{ name: "a", baseUrl: "https://api.openai.com/v1", headers: { "x-key": "hidden" } }],
    });
    keys.set("a", "hidden");
    const { connections } = await requests["models/list"]({});
    expect(connections).toEqual([
      {
        name: "a",
        title: "OpenAI",
        api: "chat",
        baseUrl: "https://api.openai.com/v1",
        hasKey: true,
        isLocal: false,
        isRemovable: true,
      },
    ]);
  });

  it("finds local servers where it is told to look", async () => {
    const { servers } = await requests["connections/find"]({});
    expect(servers).toEqual([{ preset: "ollama", baseUrl: `${server.origin}/v1`, models: ["big", "small"] }]);
  });
});
