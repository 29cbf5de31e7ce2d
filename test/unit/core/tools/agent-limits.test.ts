/** Which tools and servers an agent has. */
import { expect, it } from "vitest";
import type { OfferedServer } from "../../../../src/core/servers/project-servers.ts";
import { ToolRegistry } from "../../../../src/core/tools/registry.ts";
import { SERVER_TOOLS } from "../../../../src/core/tools/servers/server-tools.ts";
import {
  hasTool,
  offersServer,
  serversFor,
  type ToolLimits,
} from "../../../../src/core/tools/set/agent-limits.ts";

const tools = [...new ToolRegistry().tools, ...SERVER_TOOLS];
const of = (limits: Partial<ToolLimits>) =>
  tools.filter((tool) => hasTool({ denied: [], ...limits }, tool)).map(({ name }) => name);
const TALK = tools.filter(({ access, reaches }) => access === "talk" && reaches === undefined);

it("without a list, an agent has all tools but those that are denied", () => {
  expect(of({})).toEqual(tools.map(({ name }) => name));
  const reading = of({
    denied: [
      { of: "access", name: "edit" },
      { of: "access", name: "command" },
    ],
  });
  expect(reading).not.toContain("write_to_file");
  expect(reading).not.toContain("execute_command");
  expect(reading).toContain("web_fetch");
  expect(of({ subagents: [] })).not.toContain("start_task");
  expect(of({ subagents: ["a"] })).toContain("start_task");
});

it("with a list, it has those of the list, and what ends or asks in a conversation", () => {
  expect(of({ tools: [] })).toEqual(TALK.map(({ name }) => name));
  expect(of({ tools: [{ of: "tool", name: "read_file" }] })).toHaveLength(TALK.length + 1);
  const both: ToolLimits = {
    tools: [{ of: "access", name: "edit" }],
    denied: [{ of: "tool", name: "write_to_file" }],
  };
  expect(of(both)).toContain("replace_in_file");
  expect(of(both)).not.toContain("write_to_file");
});

it("of servers, it has the tools that it names, and the prompt describes no others", () => {
  const limits: ToolLimits = {
    tools: [
      { of: "server", name: "git_hub" },
      { of: "server", name: "db", tool: "read" },
    ],
    denied: [{ of: "server", name: "git_hub", tool: "delete" }],
  };
  // The tools that call any server are there; each call is judged by its server.
  expect(of(limits)).toEqual(expect.arrayContaining(["use_mcp_tool", "access_mcp_resource", "find_tools"]));
  expect(of({ tools: [{ of: "access", name: "read" }] })).not.toContain("use_mcp_tool");
  const has = (server: string, tool?: string) => offersServer(limits, server, tool);
  expect([has("git.hub", "x"), has("git.hub", "delete"), has("git.hub")]).toEqual([true, false, true]);
  expect([has("db", "read"), has("db", "write"), has("db"), has("other", "read")]).toEqual([
    ...[true, false, false, false],
  ]);
  const server = (name: string, ...names: string[]) =>
    ({
      definition: { name },
      offer: { tools: names.map((tool) => ({ name: tool })), resources: ["r"], templates: [] },
    }) as unknown as OfferedServer;
  const shown = serversFor(
    [limits],
    [server("git.hub", "x", "delete"), server("db", "read", "write"), server("other", "read")],
  );
  expect(
    shown.map(({ definition, offer }) => [
      definition.name,
      offer.tools.map(({ name }) => name),
      offer.resources,
    ]),
  ).toEqual([
    ["git.hub", ["x"], ["r"]],
    ["db", ["read"], []],
  ]);
});
