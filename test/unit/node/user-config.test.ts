/** The terminal host's configuration file: what it may contain, what is named, and that a change leaves the rest alone. */
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configErrorText } from "../../../src/cli/config/config-words.ts";
import { ConfigError, pathText, readUserConfig } from "../../../src/node/config/user-config.ts";
import { UserConfigFile } from "../../../src/node/config/user-config-file.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

let folder: string;
let file: UserConfigFile;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-config-"));
  file = new UserConfigFile(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (text: string) => writeFile(file.path, text);
const read = () => readFile(file.path, "utf8");
async function fault(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => expect.fail("no error"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConfigError)) throw error;
  return configErrorText(translator({}), error).replace(file.path, "config.json");
}
const faultOf = (text: string) => fault((async () => readUserConfig(text, file.path))());

describe("the configuration", () => {
  it("is empty without a file, and nothing is written by reading it", async () => {
    expect(await file.read()).toEqual({ config: { version: 1 }, unknown: [] });
    await expect(stat(file.path)).rejects.toThrow("ENOENT");
  });

  it("has what the contract says", async () => {
    await write(`{
      "version": 1,
      "connections": [{ "name": "local", "api": "chat", "baseUrl": "http://localhost:11434/v1", "keyEnv": "MY_KEY", "headers": {} }],
      "model": "local/qwen3-coder", "planModel": "", "permission": "ask",
      "commands": { "allow": ["npm test"], "deny": [] }, "web": { "privateHosts": ["intranet"] }, // a comment
    }`);
    const { config, unknown } = await file.read();
    expect(unknown).toEqual([]);
    expect(config).toMatchObject({
      connections: [{ name: "local", keyEnv: "MY_KEY" }],
      model: "local/qwen3-coder",
      permission: "ask",
      commands: { allow: ["npm test"] },
      web: { privateHosts: ["intranet"] },
    });
  });

  it("names unknown keys with their lines, and uses the rest", () => {
    const text =
      '{\n  "version": 1,\n  "modle": "m",\n  "model": "n",\n  "connections": [\n    { "name": "a", "baseUrl": "http://a/v1", "color": 1 }\n  ],\n  "models": { "gpt-4.1": { "widow": 1 } }\n}';
    const { config, unknown } = readUserConfig(text, "f");
    expect(config.model).toBe("n");
    expect(unknown.map(({ path, line }) => [pathText(path), line])).toEqual([
      ["modle", 3],
      ["connections[0].color", 6],
      ['models["gpt-4.1"].widow', 8],
    ]);
  });

  it("that is cut anywhere is named with its line, or means the same", async () => {
    const text = '{\n  "version": 1,\n  "model": "m",\n  "commands": {\n    "allow": ["npm test"]\n  }\n}\n';
    const lines = new Set<number>();
    for (let length = 2; length < text.trimEnd().length; length++) {
      const words = await faultOf(text.slice(0, length));
      const line = Number(/config\.json, line (\d+): /.exec(words)?.[1]);
      expect(words, `cut at ${length}`).toMatch(/ends too early/);
      expect(words).toContain("Nekode did not change it");
      expect(line).toBe(text.slice(0, length).trimEnd().split("\n").length);
      lines.add(line);
    }
    expect(lines.size).toBeGreaterThan(4);
  });

  it.each<[string, string, string]>([
    ['{"version": 2}', "line 1", "later version of Nekode"],
    ['{\n"permission": "yes"}', "line 2", "permission is invalid. Must be one of: ask, edits, safe, all."],
    ['{\n\n"contextWindow": "big"}', "line 3", "contextWindow is invalid. Must be a number."],
    ['{"connections": [\n{"name": "a"}]}', "line 2", "connections[0].baseUrl is invalid. Must be a string."],
    ['{"models": {"m": {"window": 3}}}', "line 1", "models.m.window is invalid. Must be at least 256."],
    ["[]", "line 1", "is invalid. Must be an object."],
  ])("%s names what is wrong", async (text, line, words) => {
    expect(await faultOf(text)).toContain(line);
    expect(await faultOf(text)).toContain(words);
  });

  it.each([
    ["apiKey", '{"connections": [{"name": "a", "baseUrl": "http://a", "apiKey": "xyz"}]}'],
    ["key", '{"key": "xyz"}'],
    [
      "Authorization",
      '{"connections": [{"name": "a", "baseUrl": "http://a", "headers": {"Authorization": "Bearer x"}}]}',
    ],
    ["api-key", '{"connections": [{"name": "a", "baseUrl": "http://a", "headers": {"api-key": "x"}}]}'],
    [
      "keyEnv",
      '{"connections": [{"name": "a", "baseUrl": "http://a", "keyEnv": "sk-proj-0123456789abcdef"}]}',
    ],
    ["baseUrl", '{"connections": [{"name": "a", "baseUrl": "https://user:word@a/v1"}]}'],
    ["baseUrl", '{"connections": [{"name": "a", "baseUrl": "https://a/v1?api-key=abc"}]}'],
    ["model", '{"model": "sk-ant-0123456789abcdef"}'],
  ])("with a key in it (%s) is refused, and the key is not repeated", async (name, text) => {
    const words = await faultOf(text);
    expect(words).toContain("contains a key");
    expect(words).toContain(name);
    expect(words).not.toMatch(/xyz|word|0123456789|=abc/);
  });

  it("may have headers and names that are no keys", () => {
    const text =
      '{"connections": [{"name": "a", "baseUrl": "http://a", "headers": {"x-team": "cats"}, "keyEnv": "A_KEY"}], "models": {"token": {"window": 1000}}}';
    expect(readUserConfig(text, "f").config.connections?.[0]?.headers).toEqual({ "x-team": "cats" });
  });
});

describe("a change", () => {
  it("creates the file for its owner alone", async () => {
    expect(await file.set(["model"], "m")).toEqual([]);
    expect(await read()).toBe('{\n  "version": 1,\n  "model": "m"\n}\n');
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
  });

  it("leaves all other text as it is", async () => {
    const text =
      '{\n\t// mine\n\t"version": 1,\n\t"model": "a", // the good one\n\t"commands": { "allow": ["x"] }, /* end */\n}\n';
    await write(text);
    await file.set(["model"], "b");
    expect(await read()).toBe(text.replace('"a"', '"b"'));
    await file.set(["commands", "deny"], ["rm"]);
    expect(await read()).toBe(
      text.replace('"a"', '"b"').replace('["x"] }', '["x"], "deny": [\n\t\t"rm"\n\t] }'),
    );
    expect(await file.unset(["commands", "deny"])).toBe(true);
    expect((await read()).replace("]  }", "] }")).toBe(text.replace('"a"', '"b"'));
  });

  it("of a connection finds it by its name, and creates it with its name", async () => {
    await file.set(["connections", "local", "baseUrl"], "http://localhost:1/v1");
    await file.set(["connections", "b", "baseUrl"], "http://b/v1");
    await file.set(["connections", "local", "keyEnv"], "MY_KEY");
    const { config } = await file.read();
    expect(config.connections).toEqual([
      { name: "local", api: "chat", baseUrl: "http://localhost:1/v1", headers: {}, keyEnv: "MY_KEY" },
      { name: "b", api: "chat", baseUrl: "http://b/v1", headers: {} },
    ]);
    expect(await file.get(["connections", "b", "baseUrl"])).toBe("http://b/v1");
    expect(await file.unset(["connections", "local"])).toBe(true);
    expect((await file.read()).config.connections?.map(({ name }) => name)).toEqual(["b"]);
    expect(await file.unset(["connections", "local"])).toBe(false);
  });

  it.each<[string, readonly string[], unknown, RegExp]>([
    ["to a wrong value", ["permission"], "yes", /permission is invalid/],
    ["with a key", ["connections", "a", "apiKey"], "xyz", /contains a key/],
    ["without an address", ["connections", "a", "api"], "chat", /baseUrl is invalid/],
  ])("%s is refused, and nothing is written", async (_, key, value, words) => {
    await write('{ "model": "m" }');
    expect(await fault(file.set(key, String(value)))).toMatch(words);
    expect(await read()).toBe('{ "model": "m" }');
  });

  it("of an unknown key is named, and nothing is written", async () => {
    await write('{ "model": "m" }');
    expect(await file.set(["modle"], "x")).toEqual([["modle"]]);
    expect(await read()).toBe('{ "model": "m" }');
  });

  it("of a file that is cut in half loses nothing", async () => {
    const text = '{ "model": "m", "commands": { "allow": ["npm t';
    await write(text);
    expect(await fault(file.set(["model"], "x"))).toMatch(/ends too early|not valid JSON/);
    expect(await fault(file.unset(["model"]))).toMatch(/ends too early|not valid JSON/);
    expect(await read()).toBe(text);
  });

  it("is not lost by others at the same time", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `c${index}`);
    await Promise.all(
      names.map((name) =>
        new UserConfigFile(folder).set(["connections", name, "baseUrl"], `http://${name}/v1`),
      ),
    );
    expect((await file.read()).config.connections?.map(({ name }) => name).sort()).toEqual(names);
  });
});
