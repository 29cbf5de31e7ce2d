/** Removing a server forgets everything about it, and nothing that another server uses. */
import { describe, expect, it } from "vitest";
import { urlOf } from "../../../../src/core/servers/server-identity.ts";
import { ServerInputs } from "../../../../src/core/servers/server-inputs.ts";
import type { ServerDefinition } from "../../../../src/core/servers/server-types.ts";
import { definitionOf, memoryServers, serverTool } from "../../../support/memory-servers.ts";
import { MemorySecrets } from "./support.ts";

const never = new AbortController().signal;
const input = (id: string) => ({ id, description: id, password: true });
const tools = [serverTool("a")];

/** Enters a value for each input of the servers. */
async function enterAll(
  inputs: ServerInputs,
  secrets: Map<string, string>,
  definitions: readonly ServerDefinition[],
): Promise<void> {
  const asking = new ServerInputs({
    environment: {},
    ask: async (_, { id }) => `value of ${id}`,
    secrets: {
      get: async (name) => secrets.get(name),
      set: async (name, value) => void secrets.set(name, value),
      delete: async (name) => void secrets.delete(name),
    },
  });
  for (const server of definitions) for (const each of server.inputs) await asking.value(server, each, never);
  for (const server of definitions)
    if (server.inputs.length > 0) expect(await inputs.isEntered(server)).toBe(true);
}

describe("a server that is removed", () => {
  it("takes its values along, except those that another server uses", async () => {
    const definitions = [
      definitionOf("one", { inputs: [input("shared"), input("own")] }),
      definitionOf("two", { inputs: [input("shared")] }),
      // The same id in another file is another value.
      definitionOf("three", { file: "/project/.mcp.json", source: "project", inputs: [input("own")] }),
    ];
    const { project, inputs, secrets, configure } = memoryServers({ servers: {}, definitions });
    await enterAll(inputs, secrets, definitions);
    await project.load();
    const names = () => [...secrets.keys()].map((name) => /\[.*\]/.exec(name)?.[0]);
    await project.forget("one");
    expect(names()).toEqual(['["/home/user/mcp.json","shared"]', '["/project/.mcp.json","own"]']);
    configure(definitions.slice(1));
    await project.load();
    await project.forget("two");
    expect(names()).toEqual(['["/project/.mcp.json","own"]']);
  });

  it("is signed out, unless another server has the same address", async () => {
    const at = (name: string, url: string) =>
      definitionOf(name, { launch: { type: "http", url, headers: {} } });
    const definitions = [
      at("one", "https://example.com/mcp"),
      at("two", "https://EXAMPLE.com/mcp#part"),
      at("three", "https://example.com/other"),
    ];
    const { project, connector, configure } = memoryServers({ servers: {}, definitions });
    for (const url of ["https://example.com/mcp", "https://example.com/other"]) connector.signedIn.add(url);
    await project.load();
    await project.forget("three");
    expect([...connector.signedIn]).toEqual(["https://example.com/mcp"]);
    await project.forget("one");
    expect([...connector.signedIn]).toEqual(["https://example.com/mcp"]);
    configure([at("one", "https://example.com/mcp")]);
    await project.load();
    await project.forget("one");
    expect([...connector.signedIn]).toEqual([]);
  });

  it("loses its approval, the choices for its tools, and what is known of them", async () => {
    const definition = definitionOf("one", { source: "project", file: "/project/.mcp.json" });
    const { project, connector, records } = memoryServers({
      servers: { one: { tools } },
      definitions: [definition],
    });
    await project.load();
    await project.trust("one", project.all[0]?.trust.content ?? "");
    await project.restart("one", never);
    await project.setChoices("one", { off: [], always: ["a"], reading: ["a"] });
    const user = { session: "s", ask: async () => ({ action: "cancel" as const }) };
    await project.callTool(user, "one", serverTool("a"), {}, { signal: never });
    expect(Object.keys(project.all[0]?.accepted ?? {})).toEqual(["a"]);
    await project.forget("one");
    expect(connector.running.size).toBe(0);
    expect(project.all[0]).toMatchObject({
      server: { state: "untrusted", offer: undefined },
      choices: { off: [], always: [], reading: [] },
      accepted: {},
    });
    expect(await records.lastOffer(definition)).toBeUndefined();
  });
});

describe("the address of a server", () => {
  it("is known without asking, from kept values and without its headers", async () => {
    const secrets = new MemorySecrets();
    const inputs = new ServerInputs({
      ask: () => Promise.reject(new Error("nobody is asked")),
      secrets,
      environment: {},
    });
    const sources = { environment: {}, home: "/home/me", input: inputs.known };
    const server = definitionOf("one", {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of a configuration file
      launch: { type: "http", url: "https://${input:host}/mcp", headers: { "X-Key": "${env:UNSET}" } },
      inputs: [input("host")],
    });
    expect(await urlOf(server, sources)).toBeUndefined();
    await secrets.set('mcp-input:["/home/user/mcp.json","host"]', "example.com");
    expect(await urlOf(server, sources)).toBe("https://example.com/mcp");
    expect(await urlOf(definitionOf("local"), sources)).toBeUndefined();
  });
});
