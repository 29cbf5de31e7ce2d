/** The requests of the list of MCP servers, with servers in memory and the user's file on disk. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UserServersFile } from "../../../src/node/config/config-writer.ts";
import { serverListSchema } from "../../../src/shared/server-list.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { serverRequests } from "../../../src/vscode/servers/server-requests.ts";
import {
  definitionOf,
  type MemoryServersOptions,
  memoryServers,
  serverTool,
} from "../../support/memory-servers.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "nekode-servers-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function list(options: MemoryServersOptions, trusted = true) {
  const memory = memoryServers(options);
  const opened: string[] = [];
  const logs: string[] = [];
  const file = path.join(folder, "nekode", "mcp.json");
  const requests = serverRequests({
    servers: memory.project,
    workspace: { root: "/project", trusted },
    entries: new UserServersFile(file),
    openFile: async (name, line) => void opened.push(`${name}:${line}`),
    showLog: (server) => void logs.push(server),
    t: translator({}),
  });
  const listed = async () => serverListSchema.parse(await requests["servers/list"]({}));
  return { ...memory, requests, listed, opened, logs, file, text: () => readFile(file, "utf8") };
}

const one = { tools: [serverTool("read"), serverTool("write", { hints: { destructive: true } })] };
const ofProject = definitionOf("one", { source: "project", file: "/project/.mcp.json", line: 4 });

describe("the requests of the list of servers", () => {
  it("list the servers without starting any, and with the choices for their tools", async () => {
    const definition = definitionOf("one", { autoApprove: ["read"] });
    const { requests, connector, listed } = list({ servers: { one }, definitions: [definition] });
    const [before] = (await listed()).servers;
    expect(before).toMatchObject({
      name: "one",
      state: "stopped",
      command: "run one",
      signedIn: false,
      tools: [],
    });
    expect(connector.starts).toEqual([]);
    await requests["servers/act"]({ name: "one", action: "start" });
    await requests["servers/tool"]({ name: "one", tool: "write", choice: "on", on: false });
    await requests["servers/tool"]({ name: "one", tool: "write", choice: "reading", on: true });
    await requests["servers/tool"]({ name: "one", tool: "write", choice: "always", on: true });
    const [after] = (await listed()).servers;
    expect(after).toMatchObject({ state: "running", info: "one 1 (MCP 2026-07-28)" });
    expect(
      after?.tools.map(({ name, on, always, reading, hints }) => ({ name, on, always, reading, hints })),
    ).toEqual([
      { name: "read", on: true, always: "listed", reading: false, hints: {} },
      { name: "write", on: false, always: true, reading: true, hints: { destructive: true } },
    ]);
    await requests["servers/tool"]({ name: "one", tool: "write", choice: "on", on: true });
    await requests["servers/tool"]({ name: "one", tool: "write", choice: "always", on: false });
    const [again] = (await listed()).servers;
    expect(again?.tools[1]).toMatchObject({ on: true, always: false, reading: true });
  });

  it("approve exactly the content that was shown, and then start the server", async () => {
    const { requests, connector, configure, listed } = list({ servers: { one }, definitions: [ofProject] });
    const [shown] = (await listed()).servers;
    expect(shown).toMatchObject({ state: "untrusted", source: "project" });
    const content = shown?.content ?? "";
    await expect(requests["servers/trust"]({ name: "one", content: `${content} ` })).rejects.toThrow(
      "the configuration changed in the meantime",
    );
    expect(connector.starts).toEqual([]);
    await requests["servers/trust"]({ name: "one", content });
    expect(connector.starts).toEqual(["one"]);
    const changed = { type: "stdio" as const, command: "rm", args: ["-rf"], env: {} };
    configure([{ ...ofProject, launch: changed }]);
    const [asksAgain] = (await listed()).servers;
    expect(asksAgain).toMatchObject({ state: "untrusted", before: content });
    expect(asksAgain?.content).toContain("rm");
    await expect(requests["servers/trust"]({ name: "one", content })).rejects.toThrow(
      "the configuration changed in the meantime",
    );
  });

  it("withdraw the approval of a project's server, and leave an entry of the user's with its name alone", async () => {
    const { requests, connector, text, listed } = list({ servers: { one }, definitions: [ofProject] });
    await requests["servers/add"]({ text: "npx mine", name: "one", replace: false });
    const before = await text();
    const [shown] = (await listed()).servers;
    await requests["servers/trust"]({ name: "one", content: shown?.content ?? "" });
    await requests["servers/act"]({ name: "one", action: "forget" });
    expect(connector.running.size).toBe(0);
    expect((await listed()).servers[0]).toMatchObject({ state: "untrusted" });
    expect(await text()).toBe(before);
  });

  it("remove and disable the user's own servers in the user's file", async () => {
    const { requests, text } = list({ servers: { one } });
    await requests["servers/add"]({ text: "npx mine", name: "one", replace: false });
    await requests["servers/list"]({});
    await requests["servers/act"]({ name: "one", action: "disable" });
    expect(JSON.parse(await text())).toMatchObject({ mcpServers: { one: { disabled: true } } });
    await requests["servers/act"]({ name: "one", action: "enable" });
    expect(JSON.parse(await text())).toMatchObject({ mcpServers: { one: { disabled: false } } });
    await requests["servers/act"]({ name: "one", action: "forget" });
    expect(JSON.parse(await text())).toEqual({ mcpServers: {} });
  });

  it("sign out where the user signed in, and only there", async () => {
    const remote = (name: string, url: string) =>
      definitionOf(name, { launch: { type: "http", url, headers: {} } });
    const definitions = [
      remote("in", "https://in.example/mcp"),
      remote("out", "https://out.example/mcp"),
      { ...remote("theirs", "https://in.example/mcp"), source: "project" as const },
    ];
    const { requests, connector, project, listed } = list({ servers: {}, definitions });
    connector.signedIn.add("https://in.example/mcp");
    const signedIn = async () => (await listed()).servers.map((server) => [server.name, server.signedIn]);
    expect(await signedIn()).toEqual([
      ["in", true],
      ["out", false],
      // Not approved yet.
      ["theirs", false],
    ]);
    let changes = 0;
    project.onChange(() => changes++);
    await requests["servers/act"]({ name: "in", action: "sign-out" });
    expect(connector.signedIn.size).toBe(0);
    expect(changes).toBeGreaterThan(0);
    expect((await signedIn())[0]).toEqual(["in", false]);
  });

  it("report what prevents a start as the server's state, not as a failed request", async () => {
    const bad = {
      tools: [],
      start: () => {
        throw new Error("no such program");
      },
    };
    const { requests, listed } = list({ servers: { bad } });
    await requests["servers/list"]({});
    await requests["servers/act"]({ name: "bad", action: "start" });
    expect((await listed()).servers[0]).toMatchObject({
      state: "failed",
      failure: { reason: { code: "system-error", values: ["no such program"] } },
    });
    await expect(requests["servers/act"]({ name: "gone", action: "start" })).rejects.toThrow(
      "There is no MCP server named gone.",
    );
  });

  it("open only files of the list", async () => {
    const problems = [
      {
        file: "/project/.vscode/mcp.json",
        line: 3,
        reason: { code: "not-json" as const, values: [] as const },
      },
    ];
    const { requests, opened, logs } = list({ servers: { one }, problems });
    await requests["servers/list"]({});
    await requests["servers/open"]({ file: "/project/.vscode/mcp.json", line: 3 });
    await requests["servers/open"]({ file: "/home/user/mcp.json", line: 1 });
    await requests["servers/act"]({ name: "one", action: "edit" });
    await requests["servers/act"]({ name: "one", action: "log" });
    expect(opened).toEqual(["/project/.vscode/mcp.json:3", "/home/user/mcp.json:1", "/home/user/mcp.json:1"]);
    expect(logs).toEqual(["one"]);
    await expect(requests["servers/open"]({ file: "/etc/passwd", line: 1 })).rejects.toThrow(
      "not a configuration file",
    );
  });

  it("add what the user entered to their file, keep what is there, and replace it only if told", async () => {
    const { requests, text } = list({ servers: {} });
    const add = (entered: string, name = "", replace = false) =>
      requests["servers/add"]({ text: entered, name, replace });
    expect(await add("npx -y @modelcontextprotocol/server-memory")).toEqual({
      added: ["memory"],
      existing: [],
      problems: [],
    });
    expect(await add("https://mcp.example.com/v1")).toMatchObject({ added: ["example"] });
    expect(await add('{ "memory": { "command": "other" } }')).toEqual({
      added: [],
      existing: ["memory"],
      problems: [],
    });
    expect(JSON.parse(await text())).toEqual({
      mcpServers: {
        memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] },
        example: { url: "https://mcp.example.com/v1" },
      },
    });
    expect(await add('{ "memory": { "command": "other" } }', "", true)).toMatchObject({ added: ["memory"] });
    expect(JSON.parse(await text())).toMatchObject({ mcpServers: { memory: { command: "other" } } });
    const wrong = await add('{ "a": { "command": "x" }, "b": { "command": 3, "url": "ftp://x" } }');
    expect(wrong.added).toEqual([]);
    expect(wrong.problems.length).toBeGreaterThan(0);
    expect((await add("{}")).problems).toEqual([{ reason: { code: "no-server-in-text", values: [] } }]);
    expect(await text()).not.toContain('"a"');
  });
});
