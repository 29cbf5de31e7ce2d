/** What the user enters to add a server. */
import { describe, expect, it } from "vitest";
import { readEnteredServers } from "../../../../src/core/servers/config/entered-servers.ts";

const entry = (text: string, name = "") => {
  const [found] = readEnteredServers(text, name);
  return [found?.name, found?.entry];
};

describe("what the user enters to add a server", () => {
  it.each([
    ["npx -y @modelcontextprotocol/server-everything@1.2", "everything", "npx"],
    ["uvx mcp-server-git --repository .", "git", "uvx"],
    ["docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server", "github", "docker"],
    ["node /opt/tools/weather.js", "weather", "node"],
    ["/usr/local/bin/figma-mcp --stdio", "figma", "/usr/local/bin/figma-mcp"],
    [String.raw`C:\tools\server.exe --port 1`, "server", String.raw`C:\tools\server.exe`],
    ["npx server", "server", "npx"],
  ])("a command: %s", (text, name, command) => {
    expect(entry(text)).toEqual([name, expect.objectContaining({ command })]);
  });

  it.each([
    ["https://mcp.sentry.dev/sse", "sentry"],
    ["http://localhost:3000/mcp", "localhost"],
    ["http://127.0.0.1:3000/mcp", "server"],
  ])("an address: %s", (url, name) => {
    expect(entry(url)).toEqual([name, { url }]);
  });

  it("variables, quotes and continued lines of a terminal", () => {
    expect(entry(`TOKEN='a b' X="" npx -y "my server" \\\n  --flag="x y" last`, "mine")).toEqual([
      "mine",
      { command: "npx", args: ["-y", "my server", "--flag=x y", "last"], env: { TOKEN: "a b", X: "" } },
    ]);
  });

  it("JSON, whose names apply unless there is one server and a name for it", () => {
    const two = `"a": { "command": "x" }, "b": { "url": "https://y" }`;
    expect(readEnteredServers(two, "z").map(({ name }) => name)).toEqual(["a", "b"]);
    expect(entry(`{ "mcpServers": { "a": { "command": "x" } } }`, "z")).toEqual(["z", { command: "x" }]);
    expect(entry(`{ "command": "npx", "args": ["-y", "@scope/mcp-thing"] }`)[0]).toBe("thing");
    expect(entry('```json\n{ "a": { "command": "x" } }\n```')[0]).toBe("a");
  });

  it.each([
    ["", "", "no-server-in-text"],
    ["A=b", "", "no-server-in-text"],
    ["npx 'open", "", "quote-not-closed"],
    ["npx x", "日本", "unusable-server-name"],
    ["{ not json", "", "no-server-in-text"],
  ])("is refused with a reason: %s", (text, name, code) => {
    expect(() => readEnteredServers(text, name)).toThrow(
      expect.objectContaining({ fault: expect.objectContaining({ code }) }),
    );
  });
});
