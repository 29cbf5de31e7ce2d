/** What applies in the terminal: options above the environment above the configuration, and which key goes where. */
import { describe, expect, it } from "vitest";
import { readOptions } from "../../../src/cli/command-options.ts";
import { readConfigOptions } from "../../../src/cli/config/config-options.ts";
import { keyInEnvironment } from "../../../src/cli/config/maker-keys.ts";
import { type UserConfig, userConfigSchema } from "../../../src/node/config/user-config.ts";
import { connectionsOf, modelFor, modelName } from "../../../src/shared/models/connection.ts";

const config = userConfigSchema.parse({
  connections: [{ name: "local", baseUrl: "http://localhost:1/v1" }],
  model: "local/a",
  planModel: "local/b",
  permission: "edits",
  contextWindow: 9_000,
  commands: { allow: ["npm test"], timeout: 9 },
  limits: { maxRequests: 7 },
  web: { privateHosts: ["intranet"] },
});
const settings = (args: string[], env: Record<string, string> = {}, given: UserConfig = config) =>
  readOptions(args, env, "/p", given).settings;
const answering = (args: string[], env: Record<string, string> = {}) =>
  (["act", "plan"] as const).map((mode) => modelName(modelFor(settings(args, env), mode)));

describe("the configuration", () => {
  it("applies where nothing else is said", () => {
    expect(settings([])).toMatchObject({
      provider: { model: "local/a", planModel: "local/b", contextWindow: 9_000 },
      approval: { read: true, edit: true, commandSafe: false, maxRequests: 7, privateHosts: ["intranet"] },
      commands: { allow: ["npm test"], timeout: 9 },
    });
    expect(answering([])).toEqual(["local/a", "local/b"]);
  });

  it("stands below the environment, and that below options", () => {
    expect(answering([], { NEKODE_MODEL: "local/env" })).toEqual(["local/env", "local/env"]);
    expect(answering(["--model", "local/option"], { NEKODE_MODEL: "local/env" })).toEqual([
      "local/option",
      "local/option",
    ]);
    expect(settings(["--max-requests", "3", "--approve", "none", "--context-window", "5000"])).toMatchObject({
      approval: { read: false, edit: false, maxRequests: 3 },
      provider: { contextWindow: 5_000 },
    });
  });

  it("gives the length and the temperature of answers, unless options do", () => {
    const given = userConfigSchema.parse({ temperature: 0.2, maxOutputTokens: 900 });
    expect(settings([]).provider).toMatchObject({ temperature: null, maxOutputTokens: 0 });
    expect(settings([], {}, given).provider).toMatchObject({ temperature: 0.2, maxOutputTokens: 900 });
    const options = ["--temperature", "0", "--max-output-tokens", "4096"];
    expect(settings(options, {}, given).provider).toMatchObject({ temperature: 0, maxOutputTokens: 4_096 });
    expect(() => settings(["--temperature", "2.5"])).toThrow("--temperature must be at most 2");
    expect(() => settings(["--temperature", "warm"])).toThrow("--temperature must be a number");
    expect(() => settings(["--max-output-tokens", "1.5"])).toThrow("--max-output-tokens must be an integer");
  });

  it("has its connections beside that of the command line, which comes first", () => {
    const both = settings(["--base-url", "http://x/v1", "--model", "m"]);
    expect(connectionsOf(both).map(({ name }) => name)).toEqual(["default", "local"]);
    expect(modelName(modelFor(both, "act"))).toBe("default/m");
    expect(settings(["--base-url", "http://x/v1", "--api", "responses"]).provider.api).toBe("responses");
    expect(() => settings(["--api", "soap"])).toThrow("--api must be one of chat, responses");
  });
});

describe("--permission", () => {
  it.each<[string, Record<string, boolean>]>([
    [
      "ask",
      {
        read: true,
        edit: false,
        commandRead: true,
        commandSafe: false,
        commandAll: false,
        web: false,
        mcp: false,
      },
    ],
    [
      "edits",
      {
        read: true,
        edit: true,
        commandRead: true,
        commandSafe: false,
        commandAll: false,
        web: false,
        mcp: false,
      },
    ],
    [
      "safe",
      {
        read: true,
        edit: true,
        commandRead: true,
        commandSafe: true,
        commandAll: false,
        web: false,
        mcp: false,
      },
    ],
  ])("%s", (level, approval) => {
    expect(settings(["--permission", level], {}, {}).approval).toMatchObject(approval);
  });

  it("all is what --approve all is", () => {
    const all = settings(["--permission", "all"], {}, {}).approval;
    expect(all).toEqual(settings(["--approve", "all"], {}, {}).approval);
    expect(() => settings(["--permission", "most"])).toThrow("must be one of ask, edits, safe, all");
    expect(() => settings(["--permission", "ask", "--approve", "read"])).toThrow("cannot be used together");
  });
});

describe("a key in the environment", () => {
  const makers: [string, string][] = [
    ["OPENAI_API_KEY", "https://api.openai.com/v1"],
    ["ANTHROPIC_API_KEY", "https://api.anthropic.com/v1"],
    ["GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai"],
    ["OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"],
    ["MISTRAL_API_KEY", "https://api.mistral.ai/v1"],
    ["DEEPSEEK_API_KEY", "https://api.deepseek.com"],
    ["GROQ_API_KEY", "https://api.groq.com/openai/v1"],
    ["XAI_API_KEY", "https://api.x.ai/v1"],
  ];
  const env = Object.fromEntries(makers.map(([name]) => [name, `key of ${name}`]));
  const key = (baseUrl: string, more: Record<string, string> = {}, name = "default", keyEnv?: string) =>
    keyInEnvironment({ name, baseUrl, ...(keyEnv ? { keyEnv } : {}) }, { ...env, ...more });

  it.each(makers)("%s is used for %s", (name, url) => {
    expect(key(url)).toBe(`key of ${name}`);
  });

  it.each(
    makers.flatMap(([, url]) => {
      const { hostname, pathname } = new URL(url);
      return [
        `http://${hostname}${pathname}`,
        `https://${hostname}.evil.example${pathname}`,
        `https://evil.example/${hostname}${pathname}`,
        `https://${hostname}:8443${pathname}`,
        `https://${hostname}@evil.example${pathname}`,
        `https://x${hostname}${pathname}`,
      ];
    }),
  )("of a maker is not used for %s", (url) => {
    expect(key(url)).toBeUndefined();
  });

  it("NEKODE_API_KEY is used for the address of the command line alone", () => {
    const more = { NEKODE_API_KEY: "own" };
    expect(key("http://x/v1", more)).toBe("own");
    expect(key("https://api.openai.com/v1", more)).toBe("own");
    expect(key("http://x/v1", more, "local")).toBeUndefined();
    expect(key("http://x/v1", { ...more, MY: "mine" }, "local", "MY")).toBe("mine");
    expect(key("https://api.openai.com/v1", more, "local", "UNSET")).toBeUndefined();
  });

  it("makes its maker's models available, after the configured ones", () => {
    const all = connectionsOf(settings([], { OPENAI_API_KEY: "k", XAI_API_KEY: " " }));
    expect(all.map(({ name, baseUrl }) => [name, baseUrl])).toEqual([
      ["local", "http://localhost:1/v1"],
      ["openai", "https://api.openai.com/v1"],
    ]);
    const own = userConfigSchema.parse({ connections: [{ name: "openai", baseUrl: "http://proxy/v1" }] });
    expect(connectionsOf(settings([], { OPENAI_API_KEY: "k" }, own)).map(({ baseUrl }) => baseUrl)).toEqual([
      "http://proxy/v1",
    ]);
  });
});

describe("nekode config", () => {
  it.each([
    ["model", ["model"]],
    ["commands.allow", ["commands", "allow"]],
    ["connections.local.baseUrl", ["connections", "local", "baseUrl"]],
    ['models["gpt-4.1"].window', ["models", "gpt-4.1", "window"]],
    ['models["a\\"b"]', ["models", 'a"b']],
  ])("reads the key %s", (text, key) => {
    expect(readConfigOptions(["get", text], "/p").action).toEqual({ kind: "get", key });
  });

  it.each([
    [["get"]],
    [["set", "model"]],
    [["set", "model", "a", "b"]],
    [["put", "a"]],
    [["get", "a[b"]],
    [["get", ""]],
  ])("refuses %j", (args) => {
    expect(() => readConfigOptions(args, "/p")).toThrow();
  });
});
