/** The tools and servers for which a session can have exceptions from its level of permission. */
import type { Result } from "../../../shared/protocol.ts";
import type { ProjectServers } from "../../servers/project-servers.ts";
import type { ToolRegistry } from "../registry.ts";

export function permissionItems(
  registry: ToolRegistry,
  servers: ProjectServers | undefined,
): Result<"permission/items"> {
  return {
    // A server stands for its tools; a tool that only talks never asks.
    tools: registry.tools.flatMap(({ name, access }) =>
      access === "talk" || access === "mcp" ? [] : [{ name, access }],
    ),
    servers: (servers?.all ?? []).map(({ server }) => server.name),
  };
}
