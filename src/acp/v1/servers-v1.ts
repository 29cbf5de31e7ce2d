/** MCP servers as version 1 passes them. */
import type { McpServer } from "@agentclientprotocol/sdk";
import type { PassedServer } from "../seat/session-servers.ts";

export function passedServers(servers: readonly McpServer[] = []): PassedServer[] {
  return servers.map((server) => {
    const { name } = server;
    if ("type" in server) {
      const { type, url, headers } = server;
      return { name, launch: { type, url, headers: byName(headers) } };
    }
    const { command, args, env } = server;
    return { name, launch: { type: "stdio", command, args, env: byName(env) } };
  });
}

function byName(values: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}
