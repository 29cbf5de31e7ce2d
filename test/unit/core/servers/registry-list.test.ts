/** Lists of MCP servers in the registry's format, and what the form that adds one begins with. */
import { expect, it } from "vitest";
import { readEnteredServers } from "../../../../src/core/servers/config/entered-servers.ts";
import { readGallery } from "../../../../src/core/servers/config/registry-list.ts";

const weather = {
  name: "io.github.someone/weather",
  title: "Weather",
  description: "Forecasts",
  version: "1.2.3",
  packages: [
    {
      registryType: "npm",
      identifier: "@someone/weather",
      version: "1.2.3",
      transport: { type: "stdio" },
      packageArguments: [{ type: "named", name: "--units", value: "metric" }],
      environmentVariables: [{ name: "WEATHER_KEY", isRequired: true, isSecret: true }, { name: "OPTIONAL" }],
    },
  ],
};
const OFFICIAL = "io.modelcontextprotocol.registry/official";
const remote = {
  name: "com.example/remote",
  description: "Hosted",
  remotes: [{ type: "streamable-http", url: "https://example.com/mcp" }],
};

it("reads both forms of a page, the newest version of each server, and the cursor of the next one", () => {
  const page = {
    servers: [
      { server: { ...weather, title: "Weather 1" }, _meta: { [OFFICIAL]: { isLatest: false } } },
      { server: weather, _meta: { [OFFICIAL]: { isLatest: true } } },
      remote,
      { broken: true },
    ],
    metadata: { nextCursor: "two" },
  };
  const { servers, next } = readGallery(JSON.stringify(page));
  expect(servers.map(({ name, title }) => [name, title])).toEqual([
    ["io.github.someone/weather", "Weather"],
    ["com.example/remote", "remote"],
  ]);
  expect(next).toBe("two");
});

it("reads a single server.json", () => {
  const { servers, next } = readGallery(JSON.stringify(weather));
  expect(servers).toHaveLength(1);
  expect(next).toBeUndefined();
});

it("gives the form what the user's configuration takes, with the version that the list names", () => {
  const [first, second] = readGallery(JSON.stringify({ servers: [weather, remote] })).servers;
  expect(JSON.parse(first?.text ?? "")).toEqual({
    mcpServers: {
      weather: {
        command: "npx",
        args: ["-y", "@someone/weather@1.2.3", "--units", "metric"],
        env: { WEATHER_KEY: "" },
      },
    },
  });
  expect(readEnteredServers(second?.text ?? "", "")).toMatchObject([{ name: "remote" }]);
});

it("leaves out what it cannot run, and what would be an option of the program that runs it", () => {
  const of = (registryType: string, identifier: string) => ({
    ...weather,
    packages: [{ registryType, identifier }],
  });
  const list = { servers: [of("nuget", "a"), of("npm", "--registry=https://example.com")] };
  expect(readGallery(JSON.stringify(list)).servers).toEqual([]);
  expect(() => readGallery("[1]")).toThrow();
});
