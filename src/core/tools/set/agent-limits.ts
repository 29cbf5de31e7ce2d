/** Which tools an agent has, and which servers of the user's. An agent without a list has all that the session has. */
import type { SessionAgent, ToolSelector } from "../../../shared/session-agent.ts";
import type { OfferedServer } from "../../servers/project-servers.ts";
import type { Tool } from "../tool.ts";

/** What limits the use of tools. */
export type ToolLimits = Pick<SessionAgent, "tools" | "denied" | "subagents">;

/** Whether the agent has the tool. Calls of a tool that reaches several servers are also judged by their server, see `offersServer`. */
export function hasTool(
  limits: ToolLimits,
  { name, access, server, reaches }: Pick<Tool, "name" | "access" | "server" | "reaches">,
): boolean {
  const { tools, denied, subagents } = limits;
  if (server) return offersServer(limits, server.name, server.tool);
  if (reaches === "subtasks" && subagents?.length === 0) return false;
  if (access === "talk" && reaches === undefined) return true;
  const kind = reaches === "servers" ? "mcp" : access;
  const covers = (selector: ToolSelector): boolean =>
    selector.name === (selector.of === "access" ? kind : name) && selector.of !== "server";
  if (denied.some(covers)) return false;
  if (!tools) return true;
  return tools.some((selector) => covers(selector) || (kind === "mcp" && selector.of === "server"));
}

/** Whether the agent has the tool of this server; without a tool, the resources of the server. */
export function offersServer({ tools, denied }: ToolLimits, server: string, tool?: string): boolean {
  const covers = (selector: ToolSelector): boolean => {
    if (selector.of === "access") return selector.name === "mcp";
    return selector.of === "server" && isNamed(selector.name, server) && isToolOf(selector, tool);
  };
  return !denied.some(covers) && (tools?.some(covers) ?? true);
}

function isToolOf(selector: { tool?: string | undefined }, tool: string | undefined): boolean {
  return selector.tool === undefined || selector.tool === tool;
}

/** Other products replace some characters in the names of servers. */
function isNamed(written: string, server: string): boolean {
  return written === server || written === server.replace(/[^A-Za-z0-9_-]/g, "_");
}

/** The servers as the prompt of an agent describes them: without those, and without the tools, that it does not have. */
export function serversFor(
  limits: readonly ToolLimits[],
  servers: readonly OfferedServer[],
): readonly OfferedServer[] {
  if (limits.length === 0) return servers;
  const has = (server: string, tool?: string) => limits.every((each) => offersServer(each, server, tool));
  return servers.flatMap((server) => {
    const { name } = server.definition;
    const tools = server.offer.tools.filter((tool) => has(name, tool.name));
    if (has(name)) return [{ ...server, offer: { ...server.offer, tools } }];
    return tools.length === 0
      ? []
      : [{ ...server, offer: { ...server.offer, tools, resources: [], templates: [] } }];
  });
}
