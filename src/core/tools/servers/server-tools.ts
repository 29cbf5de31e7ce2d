/** Keeps the registry's tools equal to what the servers offer. */
import { normalize } from "../../assistant/spelling.ts";
import { type Disposable, DisposableStore } from "../../lifecycle.ts";
import type { ServerTool } from "../../ports/servers.ts";
import type { Log } from "../../ports/system.ts";
import type { OfferedServer, ProjectServers } from "../../servers/project-servers.ts";
import type { ToolRegistry } from "../registry.ts";
import { defineForeignTool, type Tool } from "../tool.ts";
import { accessMcpResource } from "./access-mcp-resource.ts";
import { findTools } from "./find-tools.ts";
import { prepareServerCall, serverNamed, serversOf, serverToolNamed } from "./server-call.ts";
import { useMcpTool } from "./use-mcp-tool.ts";

/** The built-in tools that are offered while servers are configured. */
export const SERVER_TOOLS: readonly Tool[] = [useMcpTool, accessMcpResource, findTools];

/** Function names may have this many characters. */
const MAX_NAME = 64;

/** Follows the servers until disposed. */
export function followServers(registry: ToolRegistry, servers: ProjectServers, log: Log): Disposable {
  let added = new DisposableStore();
  let last = "";
  const update = () => {
    const { offered } = servers;
    // Only what the tools are made of; states of servers change more often.
    const now = JSON.stringify(
      offered.map(({ definition, offer, choices }) => [definition, offer, choices.off]),
    );
    if (now === last) return;
    last = now;
    registry.batch(() => {
      added.dispose();
      added = new DisposableStore();
      registry.setServers(offered);
      if (offered.length === 0) return;
      for (const tool of SERVER_TOOLS) added.add(registry.add(tool));
      for (const tool of serverTools(offered, log)) added.add(registry.add(tool));
    });
  };
  update();
  const watch = servers.onChange(update);
  return {
    dispose() {
      watch.dispose();
      added.dispose();
    },
  };
}

/** One function for each tool, in a deterministic order. */
function serverTools(offered: readonly OfferedServer[], log: Log): Tool[] {
  const usedNames = new Set<string>();
  return offered.flatMap(({ definition, offer, choices }) =>
    [...offer.tools]
      .filter(({ name }) => !choices.off.includes(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((tool) => {
        try {
          return [serverTool(definition.name, tool, functionName(definition.name, tool.name, usedNames))];
        } catch (error) {
          log.error(`the tool ${tool.name} of ${definition.name} cannot be offered`, error);
          return [];
        }
      }),
  );
}

/** `server__tool` with only the characters that every endpoint accepts; unique also in other spellings. */
export function functionName(server: string, tool: string, usedNames: Set<string>): string {
  const plain = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, "_");
  const whole = `${plain(server)}__${plain(tool)}`;
  const named = /^[A-Za-z]/.test(whole) ? whole : `mcp_${whole}`;
  let name = named.slice(0, MAX_NAME);
  for (let count = 2; usedNames.has(normalize(name)); count++) {
    const suffix = `_${count}`;
    name = `${named.slice(0, MAX_NAME - suffix.length)}${suffix}`;
  }
  usedNames.add(normalize(name));
  return name;
}

export function serverTool(
  server: string,
  { name, description, inputSchema, title }: ServerTool,
  called: string,
): Tool {
  const tool = defineForeignTool({
    name: called,
    presentation: { ...useMcpTool.presentation },
    access: useMcpTool.access,
    origin: "server",
    description: description.trim() === "" ? (title ?? name) : description,
    schema: inputSchema,
    async prepare(args, context) {
      // Looked up again, because the server may have changed since the turn began.
      const offered = serverNamed(serversOf(context), server);
      return prepareServerCall({ server: offered, tool: serverToolNamed(offered, name), args }, context);
    },
  });
  return { ...tool, server: { name: server, tool: name }, subject: () => `${server}: ${name}` };
}
