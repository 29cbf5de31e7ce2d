// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of configuration files
/** Configuration files of MCP servers, as Nekode and other agents write them. */

import { describe, expect, it } from "vitest";
import { parseServerFile, type ServerFile } from "../../../../src/core/servers/config/configuration.ts";
import { serverName } from "../../../../src/core/servers/server-identity.ts";
import type { ServerSource } from "../../../../src/shared/server-list.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";

function parse(text: string, source: ServerSource = "user") {
  const file: ServerFile = { source, file: "/home/me/mcp.json", text, folder: "/project" };
  return parseServerFile(file);
}

/** Problems as `line server code values`. */
function problemsOf(text: string, source?: ServerSource): string[] {
  return parse(text, source).problems.map(({ line, server, reason }) =>
    [line, ...(server === undefined ? [] : [server]), reason.code, ...reason.values].join(" "),
  );
}

const entry = (json: string, source?: ServerSource) => {
  const { servers, problems } = parse(`{"mcpServers": {"one": ${json}}}`, source);
  expect(problems.map(({ reason }) => reason)).toEqual([]);
  return servers[0];
};

describe("an entry", () => {
  it("starts a command", () => {
    expect(
      entry(
        '{"command": "npx", "args": ["-y", 1, true], "env": {"A": "x", "B": 2}, "cwd": "sub", "timeout": 1.5}',
      ),
    ).toEqual({
      name: "one",
      source: "user",
      file: "/home/me/mcp.json",
      line: 1,
      launch: {
        type: "stdio",
        command: "npx",
        args: ["-y", "1", "true"],
        env: { A: "x", B: "2" },
        cwd: "sub",
      },
      inputs: [],
      folder: "/project",
      disabled: false,
      autoApprove: [],
      timeoutMs: 1500,
    });
  });

  it("connects to a URL, in every agent's spelling", () => {
    const launch = (json: string, source?: ServerSource) => entry(json, source)?.launch;
    const url = "https://example.com/mcp";
    expect(launch(`{"url": "${url}"}`)).toEqual({ type: "auto", url, headers: {} });
    expect(launch(`{"serverUrl": "${url}"}`)).toMatchObject({ type: "auto", url });
    expect(launch(`{"httpUrl": "${url}"}`)).toMatchObject({ type: "auto", url });
    for (const type of ["http", "streamable-http", "streamableHttp"])
      expect(launch(`{"type": "${type}", "url": "${url}"}`)).toMatchObject({ type: "http" });
    expect(launch(`{"type": "sse", "url": "${url}"}`)).toMatchObject({ type: "sse" });
    expect(launch(`{"transportType": "sse", "url": "${url}"}`)).toMatchObject({ type: "sse" });
    expect(launch(`{"type": "http", "url": "${url}"}`, "vscode")).toMatchObject({ type: "auto" });
    expect(launch(`{"url": "${url}", "headers": {"X-Number": 5}}`)).toMatchObject({
      headers: { "X-Number": "5" },
    });
    expect(launch('{"type": "local", "command": "node"}')).toMatchObject({ type: "stdio" });
    expect(launch('{"url": "${BASE}/mcp"}')).toMatchObject({ url: "${BASE}/mcp" });
  });

  it("can be disabled, and has a minute for a call by default", () => {
    expect(entry('{"command": "a", "disabled": true}')).toMatchObject({ disabled: true, timeoutMs: 60_000 });
  });

  it("allows tools in the user's file, under both names, and nowhere else", () => {
    const json = '{"command": "a", "autoApprove": ["x"], "alwaysAllow": ["y", "x"]}';
    expect(entry(json)?.autoApprove).toEqual(["x", "y"]);
    for (const source of ["project", "vscode"] as const) {
      const { servers, problems } = parse(`{"mcpServers": {"one": ${json}}}`, source);
      expect(servers[0]?.autoApprove).toEqual([]);
      expect(problems).toMatchObject([{ server: "one", reason: { code: "project-approves-tools" } }]);
    }
    expect(entry('{"command": "a", "alwaysAllow": []}', "project")?.autoApprove).toEqual([]);
  });
});

describe("a bad entry is named with its line, and the others apply", () => {
  const around = (bad: string) => `{
  // A comment.
  "mcpServers": {
    "good": {"command": "a"},
    "bad": ${bad},
    "last": {"url": "http://localhost:1/mcp",},
  },
}`;
  const cases: [name: string, json: string, problem: string][] = [
    ["no command", "{}", "5 bad server-incomplete"],
    ["both", '{"command": "a", "url": "http://a"}', "5 bad server-command-and-url"],
    ["stdio without command", '{"type": "stdio"}', "5 bad server-key-missing command stdio"],
    ["http without url", '{"type": "http", "args": []}', "5 bad server-key-missing url http"],
    [
      "an unknown type",
      '{\n"type": "ws", "url": "http://a"}',
      "6 bad must-be-one-of type stdio, local, http, streamable-http, streamableHttp, sse",
    ],
    [
      "an argument that is a list",
      '{"command": "a",\n "args": [\n"x",\n[]]}',
      "8 bad must-be-scalar args[1]",
    ],
    ["a command that is a number", '{\n\n"command": 5}', "7 bad must-be-string command"],
    ["an empty command", '{"command": ""}', "5 bad must-not-be-empty command"],
    ["arguments that are a text", '{"command": "a", "args": "x"}', "5 bad must-be-list args"],
    ["an environment with null", '{"command": "a", "env": {"A": null}}', "5 bad must-be-scalar env.A"],
    ["an environment that is a list", '{"command": "a", "env": []}', "5 bad must-be-object env"],
    ["disabled as a text", '{"command": "a", "disabled": "yes"}', "5 bad must-be-boolean disabled"],
    ["milliseconds", '{"command": "a", "timeout": 60000}', "5 bad must-be-between timeout 1 3600"],
    ["a timeout as a text", '{"command": "a", "timeout": "5"}', "5 bad must-be-number timeout"],
    ["another protocol", '{"url": "file:///etc/passwd"}', "5 bad server-url"],
    [
      "an input that does not exist",
      '{"command": "a", "args": ["${input:key}"]}',
      "5 bad input-undefined key",
    ],
    ["a file of variables", '{"command": "a",\n"envFile": ".env"}', "6 bad server-env-file"],
    ["a list", "[]", "5 bad must-be-object {}"],
    ["null", "null", "5 bad must-be-object {}"],
  ];
  it.each(cases)("%s", (_, json, problem) => {
    const text = around(json);
    expect(problemsOf(text)).toEqual([problem]);
    expect(parse(text).servers.map(({ name }) => name)).toEqual(["good", "last"]);
  });
});

describe("a file", () => {
  it("that is no JSON is one problem with its line", () => {
    expect(problemsOf('{\n  "mcpServers": {\n    "a": {"command": "x"}\n    "b": 1\n')).toEqual([
      "4 not-json",
    ]);
    expect(problemsOf("hello")).toEqual(["1 not-json"]);
    expect(problemsOf("[]")).toEqual(["1 not-json"]);
    expect(problemsOf(`${"[".repeat(100_000)}`)).toEqual(["1 not-json"]);
    expect(parse('{"mcpServers": {"a": {"command": "x"}}').servers).toEqual([]);
  });

  it("may be empty, or have a byte-order mark", () => {
    for (const text of ["", "  \n", "// nothing yet\n"])
      expect(parse(text)).toEqual({ servers: [], problems: [] });
    expect(parse('\uFEFF{"mcpServers": {"a": {"command": "x"}}}').servers).toHaveLength(1);
  });

  it("names unknown keys, which have no effect", () => {
    const text =
      '{"mcpServers": {"a": {"command": "x",\n"toString": 1, "oauth": {}}},\n"extra": 1, "$schema": "x"}';
    expect(problemsOf(text)).toEqual([
      "3 unknown-key extra",
      "2 a unknown-key toString",
      "2 a unknown-key oauth",
    ]);
    expect(parse(text).servers).toHaveLength(1);
  });

  it("may use the keys of both formats; the last of equal names is used", () => {
    const { servers, problems } = parse(
      '{"servers": {"a": {"command": "1"}},\n"mcpServers": {"a": {"command": "2"}, "b": {"command": "3"}}}',
    );
    expect(servers.map(({ name, launch }) => [name, "command" in launch && launch.command])).toEqual([
      ["a", "2"],
      ["b", "3"],
    ]);
    expect(problems).toMatchObject([{ line: 1, server: "a", reason: { code: "server-repeated" } }]);
    expect(problemsOf('{"mcpServers": []}')).toEqual(["1 must-be-object mcpServers"]);
  });

  it("names servers so that functions can be named after them", () => {
    const text =
      '{"mcpServers": {"My Server": {"command": "x"},\n"検索": {"command": "x"}, "__proto__": {"command": "y"}}}';
    expect(parse(text).servers.map(({ name, configuredName }) => [name, configuredName])).toEqual([
      ["My-Server", "My Server"],
      ["proto", "__proto__"],
    ]);
    expect(parse('{"mcpServers": {"plain": {"command": "x"}}}').servers[0]).not.toHaveProperty(
      "configuredName",
    );
    expect(problemsOf(text)).toEqual([
      "1 My-Server server-renamed My-Server",
      "2 検索 server-name-unusable 検索",
      "2 proto server-renamed proto",
    ]);
    expect(serverName("github.com/modelcontextprotocol/servers/tree/main/src/memory")).toMatch(
      /^[\w-]{1,32}$/,
    );
    expect(serverName("a__b")).toBe("a_b");
    expect(serverName("https")).toBeUndefined();
  });

  it("has inputs, which belong to the entries that refer to them", () => {
    const text = `{
  "inputs": [
    {"type": "promptString", "id": "key", "description": "API key", "password": true},
    {"type": "pickString", "id": "place", "options": ["a", {"label": "B", "value": "b"}], "default": "a"},
    {"type": "command", "id": "no", "command": "x"},
    {"type": "pickString", "id": "none"}
  ],
  "servers": {
    "a": {"command": "x", "env": {"KEY": "\${input:key}"}, "args": ["\${input:place}", "\${input:key}"]},
    "b": {"command": "x"},
    "c": {"command": "\${input:no}"}
  }
}`;
    const { servers } = parse(text, "vscode");
    expect(servers.map(({ name, inputs }) => [name, inputs])).toEqual([
      [
        "a",
        [
          { id: "place", description: "place", password: false, default: "a", options: ["a", "b"] },
          { id: "key", description: "API key", password: true },
        ],
      ],
      ["b", []],
    ]);
    expect(problemsOf(text, "vscode")).toEqual([
      "5 unknown-key inputs[2].command",
      "5 must-be-one-of inputs[2].type promptString, pickString",
      "6 must-not-be-empty inputs[3].options",
      "11 c input-undefined no",
    ]);
  });
});

describe("whatever the text", () => {
  const json = fc.json({ maxDepth: 6 });
  const like = fc.record(
    {
      mcpServers: fc.dictionary(
        fc.string(),
        fc.record(
          {
            command: fc.oneof(fc.string(), fc.jsonValue()),
            args: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
            env: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
            url: fc.oneof(fc.webUrl(), fc.jsonValue()),
            type: fc.oneof(fc.constantFrom("stdio", "http", "sse"), fc.jsonValue()),
            timeout: fc.oneof(fc.double(), fc.jsonValue()),
          },
          { requiredKeys: [] },
        ),
      ),
      inputs: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const texts = fc.oneof(
    fc.string(),
    json,
    like.map((value) => JSON.stringify(value, null, 2)),
    fc.tuple(like, fc.nat(), fc.string({ maxLength: 3 })).map(([value, at, put]) => {
      const text = JSON.stringify(value, null, 2);
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + put + text.slice(cut + 1);
    }),
  );

  it("never throws, names lines of the file, and gives usable names and URLs", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom<ServerSource>("user", "project", "vscode"), (text, source) => {
        const { servers, problems } = parse(text, source);
        const lines = text.split(/\r\n|\r|\n/).length;
        for (const { line } of [...problems, ...servers]) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
        }
        for (const server of servers) {
          expect(server.name).toMatch(/^[A-Za-z0-9](?:[\w-]{0,30}[A-Za-z0-9])?$/);
          expect(server.name).not.toContain("__");
          if (source !== "user") expect(server.autoApprove).toEqual([]);
        }
        expect(new Set(servers.map(({ name }) => name)).size).toBe(servers.length);
      }),
      { numRuns: rounds(75, 500) },
    );
  });
});
