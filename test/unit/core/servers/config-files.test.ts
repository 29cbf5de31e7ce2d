/** Which configuration files of MCP servers are read, and which entry of a name is used. */
import { describe, expect, it } from "vitest";
import { ServerConfigFiles } from "../../../../src/core/servers/config/config-files.ts";
import { memoryHost } from "../../../support/memory-host.ts";

const USER_FILE = "/home/me/.config/nekode/mcp.json";
const command = (name: string, text: string) => `{"mcpServers": {"${name}": {"command": "${text}"}}}`;

function configOf(
  texts: Record<string, string>,
  { trusted = true, folders = ["/project"] }: { trusted?: boolean; folders?: string[] } = {},
) {
  const { host, files } = memoryHost();
  for (const [file, text] of Object.entries(texts)) files.set(file, text);
  const read: string[] = [];
  const roots = folders.map((path) => ({ name: path.slice(1), path }));
  const sources = {
    files: {
      ...host.files,
      realpath: async (path: string) => (path.startsWith("/linked/.mcp") ? "/etc/secret.json" : path),
      readText: (path: string) => {
        read.push(path);
        return host.files.readText(path);
      },
    },
    workspace: { root: folders[0], roots, trusted },
    userFile: USER_FILE,
    watch: () => ({ dispose: () => {} }),
  };
  return { read, config: new ServerConfigFiles(sources) };
}

describe("configuration files", () => {
  it("are the user's, and both of each folder", async () => {
    const { config } = configOf(
      {
        [USER_FILE]: command("mine", "u"),
        "/project/.mcp.json": command("a", "p"),
        "/project/.vscode/mcp.json": '{"servers": {"b": {"command": "v"}}}',
        "/second/.mcp.json": command("c", "s"),
      },
      { folders: ["/project", "/second"] },
    );
    const { servers, problems } = await config.load();
    expect(servers.map(({ name, source, folder }) => [name, source, folder])).toEqual([
      ["mine", "user", "/project"],
      ["a", "project", "/project"],
      ["c", "project", "/second"],
      ["b", "vscode", "/project"],
    ]);
    expect(problems).toEqual([]);
  });

  it("need not exist", async () => {
    expect(await configOf({}).config.load()).toEqual({ servers: [], problems: [] });
  });

  it("of a project are not even read before the user trusts the workspace", async () => {
    const texts = {
      [USER_FILE]: command("mine", "u"),
      "/project/.mcp.json": command("a", "p"),
      "/project/.vscode/mcp.json": "{",
    };
    const { config, read } = configOf(texts, { trusted: false });
    const { servers, problems } = await config.load();
    expect(servers.map(({ name }) => name)).toEqual(["mine"]);
    expect(problems).toEqual([]);
    expect(read).toEqual([USER_FILE]);
  });

  it("of the user take precedence, then .mcp.json; what is hidden is reported", async () => {
    const { config } = configOf({
      [USER_FILE]: command("a", "user"),
      "/project/.mcp.json": `{"mcpServers": {"a": {"command": "p"},\n"b": {"command": "p"}}}`,
      "/project/.vscode/mcp.json": '{"servers": {\n\n"b": {"command": "v"}}}',
    });
    const { servers, problems } = await config.load();
    expect(servers.map(({ name, source }) => [name, source])).toEqual([
      ["a", "user"],
      ["b", "project"],
    ]);
    expect(problems).toEqual([
      {
        file: "/project/.mcp.json",
        line: 1,
        server: "a",
        reason: { code: "server-hidden", values: [USER_FILE] },
      },
      {
        file: "/project/.vscode/mcp.json",
        line: 3,
        server: "b",
        reason: { code: "server-hidden", values: ["/project/.mcp.json"] },
      },
    ]);
  });

  it("that cannot be read are a problem, and the others apply", async () => {
    const { config } = configOf(
      {
        [USER_FILE]: command("mine", "u"),
        "/project/.mcp.json/x": "",
        "/project/.vscode/mcp.json": " ".repeat(1024 * 1024 + 1),
        "/linked/.mcp.json": command("linked", "p"),
      },
      { folders: ["/project", "/linked"] },
    );
    const { servers, problems } = await config.load();
    expect(servers.map(({ name }) => name)).toEqual(["mine"]);
    expect(problems.map(({ file, reason }) => [file, reason.code])).toEqual([
      ["/project/.mcp.json", "is-a-folder"],
      ["/linked/.mcp.json", "link-elsewhere"],
      ["/project/.vscode/mcp.json", "file-too-large"],
    ]);
  });
});
