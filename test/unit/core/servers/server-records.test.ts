/** What is remembered about MCP servers: above all, what the user approved. */
import { describe, expect, it } from "vitest";
import { StoredServerRecords } from "../../../../src/core/servers/server-records.ts";
import type { ServerDefinition, ServerOffer } from "../../../../src/core/servers/server-types.ts";
import { MemoryStorage, quietLog } from "../sessions/support.ts";
import { serverOf } from "./support.ts";

const entry = { command: "npx", args: ["-y", "pkg"], env: { B: "2", A: "1" } };
const server = serverOf(entry);

function recordsOn(storage = new MemoryStorage()) {
  const logged: string[] = [];
  const log = { ...quietLog, error: (text: string) => void logged.push(text) };
  return { storage, logged, records: new StoredServerRecords(storage, log) };
}

describe("trust", () => {
  it("is asked for a project's server with everything that would run, and is given once", async () => {
    const { records, storage } = recordsOn();
    expect(await records.trustOf(server)).toEqual({
      state: "new",
      content: "type: stdio\ncommand: npx\nargs: -y\nargs: pkg\nenv: A=1\nenv: B=2",
    });
    await records.trust(server);
    expect(await recordsOn(storage).records.trustOf(server)).toEqual({ state: "trusted" });
    const sameContent = serverOf({ env: { A: 1, B: 2 }, args: ["-y", "pkg"], command: "npx", timeout: 5 });
    expect(await records.trustOf(sameContent)).toEqual({ state: "trusted" });
  });

  it("is not asked for the user's own servers", async () => {
    const mine = serverOf(entry, { source: "user", file: "/home/me/mcp.json" });
    expect(await recordsOn().records.trustOf(mine)).toEqual({ state: "trusted" });
  });

  const inputs = [{ type: "promptString", id: "k", description: "Key" }];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of configuration files
  const withInput = { ...entry, args: ["-y", "pkg", "${input:k}"] };
  const changes: [what: string, changed: ServerDefinition, before?: ServerDefinition][] = [
    ["the command", serverOf({ ...entry, command: "npx2" })],
    ["the arguments", serverOf({ ...entry, args: ["-y pkg"] })],
    ["the order of arguments", serverOf({ ...entry, args: ["pkg", "-y"] })],
    ["a variable", serverOf({ ...entry, env: { A: "1", B: "3" } })],
    ["a further variable", serverOf({ ...entry, env: { ...entry.env, NODE_OPTIONS: "x" } })],
    ["the folder", serverOf({ ...entry, cwd: "sub" })],
    ["the kind", serverOf({ url: "http://localhost:1" })],
    [
      "an input",
      serverOf(withInput, { inputs: [{ ...inputs[0], password: true }] }),
      serverOf(withInput, { inputs }),
    ],
    [
      "what an input suggests",
      serverOf(withInput, { inputs: [{ ...inputs[0], default: "theirs" }] }),
      serverOf(withInput, { inputs }),
    ],
    ["a URL", serverOf({ url: "http://b" }), serverOf({ url: "http://a" })],
    [
      "a header",
      serverOf({ url: "http://a", headers: { A: "2" } }),
      serverOf({ url: "http://a", headers: { A: "1" } }),
    ],
    [
      "the transport",
      serverOf({ url: "http://a", type: "sse" }),
      serverOf({ url: "http://a", type: "http" }),
    ],
  ];
  it.each(changes)(
    "is asked again with what was approved when %s changed",
    async (_, changed, before = server) => {
      const { records } = recordsOn();
      await records.trust(before);
      const asked = await records.trustOf(changed);
      const { content } = (await recordsOn().records.trustOf(before)) as { content: string };
      expect(asked).toMatchObject({ state: "changed", before: content });
      expect(asked).not.toMatchObject({ content });
    },
  );

  it("belongs to the file, the project and the name", async () => {
    const { records } = recordsOn();
    await records.trust(server);
    for (const other of [
      serverOf(entry, { name: "two" }),
      serverOf(entry, { file: "/project/.vscode/mcp.json", source: "vscode" }),
      serverOf(entry, { folder: "/other" }),
      serverOf(entry, { file: "/other/.mcp.json", folder: "/other" }),
    ])
      expect((await records.trustOf(other)).state).toBe("new");
  });

  it("shows invisible characters, and no argument as two lines", async () => {
    const odd = serverOf({
      command: "npx",
      args: ["a\u200bb", "x\nargs: safe", "", '"q"'],
      env: { A: "\u202e1" },
    });
    const asked = await recordsOn().records.trustOf(odd);
    expect(asked).toMatchObject({
      content: [
        "type: stdio",
        "command: npx",
        'args: "a‹U+200B›b"',
        'args: "x\\nargs: safe"',
        'args: ""',
        'args: "\\"q\\""',
        'env: "A=‹U+202E›1"',
      ].join("\n"),
    });
  });

  it("is not given by a damaged file, which is kept aside", async () => {
    for (const damage of ["", "{", '{"version":2,"servers":{}}', "null", '{"version":1,"servers":{"x":5}}']) {
      const { records, storage, logged } = recordsOn();
      await records.trust(server);
      const bytes = new TextEncoder().encode(damage);
      storage.put("mcp-servers.json", bytes);
      expect((await records.trustOf(server)).state).toBe("new");
      const aside = [...storage.files.keys()].find((name) => name.startsWith("mcp-servers.json.damaged-"));
      expect(storage.files.get(aside ?? "")).toEqual(bytes);
      expect(logged).toHaveLength(1);
      await records.trust(server);
      expect((await records.trustOf(server)).state).toBe("trusted");
    }
  });

  it("is kept when several windows write at once", async () => {
    const storage = new MemoryStorage();
    const servers = Array.from({ length: 8 }, (_, i) => serverOf(entry, { name: `s${i}` }));
    await Promise.all(servers.map((each) => recordsOn(storage).records.trust(each)));
    for (const each of servers)
      expect((await recordsOn(storage).records.trustOf(each)).state).toBe("trusted");
  });

  it("ends when the server is forgotten, with all that was chosen", async () => {
    const { records, storage } = recordsOn();
    await records.trust(server);
    await records.setLastOffer(server, { tools: [], resources: [], templates: [], prompts: [] });
    await records.setChoices(server, { off: ["a"], always: [], reading: [] });
    await records.forget(server);
    expect((await records.trustOf(server)).state).toBe("new");
    expect(await records.choices(server)).toEqual({ off: [], always: [], reading: [] });
    expect(await records.lastOffer(server)).toBeUndefined();
    expect([...storage.files.keys()]).toEqual(["mcp-servers.json"]);
  });
});

describe("choices", () => {
  it("and accepted definitions are kept", async () => {
    const { records, storage } = recordsOn();
    const chosen = { off: ["a"], always: ["b"], reading: ["c"] };
    await records.setChoices(server, chosen);
    await records.accept(server, { b: "1" });
    await records.accept(server, { c: "2" });
    const later = recordsOn(storage).records;
    expect(await later.choices(server)).toEqual(chosen);
    expect(await later.accepted(server)).toEqual({ b: "1", c: "2" });
  });

  it("that allow something end when another program is approved under the name", async () => {
    const { records } = recordsOn();
    await records.trust(server);
    await records.setChoices(server, { off: ["a"], always: ["b"], reading: ["c"] });
    await records.accept(server, { b: "1" });
    await records.trust(server);
    expect((await records.choices(server)).always).toEqual(["b"]);
    const changed = serverOf({ ...entry, command: "other" });
    await records.trust(changed);
    expect(await records.choices(changed)).toEqual({ off: ["a"], always: [], reading: [] });
    expect(await records.accepted(changed)).toEqual({});
  });

  it("for a user's server apply in every project", async () => {
    const { records } = recordsOn();
    const mine = { source: "user" as const, file: "/home/me/mcp.json" };
    await records.setChoices(serverOf(entry, { ...mine, folder: "/a" }), {
      off: [],
      always: ["b"],
      reading: [],
    });
    expect((await records.choices(serverOf(entry, { ...mine, folder: "/b" }))).always).toEqual(["b"]);
  });
});

describe("what a server offered", () => {
  const offer: ServerOffer = {
    instructions: "Use it well.",
    tools: [{ name: "t", description: "d", inputSchema: { type: "object" }, hints: { readOnly: true } }],
    resources: [{ uri: "a:b", name: "r", mimeType: "text/plain" }],
    templates: [{ uriTemplate: "a:{b}", name: "r" }],
    prompts: [{ name: "p", arguments: [{ name: "x", required: true }] }],
  };

  it("is known for the same configuration", async () => {
    const { records, storage } = recordsOn();
    expect(await records.lastOffer(server)).toBeUndefined();
    await records.setLastOffer(server, offer);
    expect(await recordsOn(storage).records.lastOffer(server)).toEqual(offer);
    expect(await records.lastOffer(serverOf({ ...entry, command: "other" }))).toBeUndefined();
  });

  it("is unknown if its file is damaged", async () => {
    const { records, storage } = recordsOn();
    await records.setLastOffer(server, offer);
    for (const name of storage.files.keys()) storage.put(name, new TextEncoder().encode("{}"));
    expect(await records.lastOffer(server)).toBeUndefined();
  });
});
