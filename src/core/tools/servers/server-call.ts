/** A call of a server's tool, however the model made it: as a function of its own, or by naming server and tool. */
import { nearestNames } from "../../assistant/tool-names.ts";
import { ToolError } from "../../errors.ts";
import type { ServerProgress, ServerTool } from "../../ports/servers.ts";
import { contentHash, hashOfTool } from "../../servers/content-hashes.ts";
import type { OfferedServer, ProjectServers } from "../../servers/project-servers.ts";
import type { Invocation, ToolContext } from "../tool.ts";
import { serverOutput } from "./server-output.ts";

export interface ServerCall {
  server: OfferedServer;
  tool: ServerTool;
  args: Record<string, unknown>;
}

/** The servers of this project. Throws a ToolError if the host has none. */
export function serversOf(context: ToolContext): ProjectServers {
  if (!context.servers) throw new ToolError("MCP servers are not available here.");
  return context.servers;
}

/** The offered server of that name, or of that name in the configuration. Throws a ToolError that names the servers that exist. */
export function serverNamed(servers: ProjectServers, name: string): OfferedServer {
  const { offered } = servers;
  const found =
    offered.find(({ definition }) => definition.name === name) ??
    offered.find(({ definition }) => definition.configuredName === name);
  if (found) return found;
  const known = servers.all.find(
    ({ server }) => server.name === name || server.definition.configuredName === name,
  )?.server;
  if (known?.state === "off") throw new ToolError(`The user switched the MCP server ${name} off.`);
  if (known) throw new ToolError(`The MCP server ${name} is not available (${known.error ?? known.state}).`);
  const names = offered.map(({ definition }) => definition.name);
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  throw new ToolError(
    `There is no MCP server named ${name}.${hint} ${names.length > 0 ? `Servers: ${names.join(", ")}.` : "None is connected."}`,
  );
}

/** The server's tool of that name, if it is switched on. Throws a ToolError that names the tools that exist. */
export function serverToolNamed({ definition, offer, choices }: OfferedServer, name: string): ServerTool {
  const found = offer.tools.find((tool) => tool.name === name);
  if (found && choices.off.includes(name))
    throw new ToolError(`The user switched the tool ${name} of ${definition.name} off.`);
  if (found) return found;
  const names = offer.tools.map((tool) => tool.name).filter((tool) => !choices.off.includes(tool));
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  throw new ToolError(
    `The MCP server ${definition.name} has no tool named ${name}.${hint} Its tools: ${names.join(", ")}.`,
  );
}

export async function prepareServerCall(
  { server, tool, args }: ServerCall,
  context: ToolContext,
): Promise<Invocation> {
  const servers = serversOf(context);
  const { definition, choices } = server;
  const { name } = definition;
  const changed = await servers.isChanged(server, tool.name);
  const always = choices.always.includes(tool.name) || definition.autoApprove.includes(tool.name);
  return {
    paths: [],
    server: {
      always,
      reading: choices.reading.includes(tool.name),
      changed,
      destructive: tool.hints.destructive === true,
      identity: `${await contentHash(definition)} ${await hashOfTool(tool)}`,
    },
    view: {
      server: {
        name,
        tool: tool.name,
        ...(tool.title === undefined ? {} : { title: tool.title }),
        description: tool.description,
        arguments: JSON.stringify(args, null, 2),
      },
      always: `${name}: ${tool.name}`,
    },
    allowAlways: async () => {
      const current = serverNamed(servers, name).choices;
      if (current.always.includes(tool.name)) return;
      await servers.setChoices(name, { ...current, always: [...current.always, tool.name] });
    },
    async run({ signal, onOutput, ask }) {
      const user = { session: context.sessionId(), ask };
      const onProgress = (progress: ServerProgress) => onOutput(`${progressText(progress)}\n`);
      const result = await servers.callTool(user, name, tool, args, { signal, onProgress });
      return serverOutput(result, name, context);
    },
  };
}

function progressText({ progress, total, message }: ServerProgress): string {
  const share =
    total !== undefined && total > 0
      ? `${Math.min(100, Math.floor((100 * progress) / total))}%`
      : String(progress);
  return message === undefined || message === "" ? share : `${share} ${message}`;
}
