/**
 * The facts about a session that the system prompt states. They do not change within a turn, and change within a task only if its
 * settings or tools do, so that prompt caches keep matching. A new fact is a property here and a section of `sections.ts` that
 * states it.
 */
import type { SessionAgent } from "../../shared/session-agent.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Host } from "../ports/host.ts";
import type { Protocol } from "../provider/provider.ts";
import { describeServer } from "../tools/servers/server-listing.ts";
import type { ToolSet, Wording } from "../tools/set/tool-set.ts";

/** The source of the facts. */
export interface PromptSource {
  host: Pick<Host, "workspace" | "system" | "shell" | "surroundings">;
  settings(): Settings;
  /** Changes only between turns. */
  registry: Pick<ToolSet, "documentation" | "offered" | "servers" | "isDeferred">;
  /** The text of the rules. They are loaded after the first message and do not change afterwards. */
  rules(): string;
  /** Changes only between turns. */
  agent(): Pick<SessionAgent, "name" | "instructions"> | undefined;
}

export type PromptFacts = ReturnType<typeof promptFacts>;

/** All texts are "" where there is nothing to say. */
export function promptFacts(
  { host, settings, registry, rules, agent }: PromptSource,
  protocol: Protocol,
  wording: Wording,
) {
  const { customInstructions, preferredLanguage } = settings();
  const tools = registry.offered(protocol);
  return {
    protocol,
    wording,
    /** Names of the tools that the model can call; the prompt must not mention others. */
    offered: new Set(tools.map(({ name }) => name)),
    /** The tools' documentation; "" under native calling, where the endpoint passes it to the model. */
    documentation: protocol === "xml" ? registry.documentation(wording) : "",
    /** What the tools of this session add to the capabilities that every session has. */
    abilities: tools.flatMap(({ ability }) => ability ?? []),
    /** What the tools of this session add to the rules. */
    toolRules: tools.flatMap(({ rule }) => rule ?? []),
    /** The connected MCP servers, each under its name. */
    servers: serversText(registry, protocol),
    /** Whether the servers' tools are not listed, because the model searches for them when it needs them. */
    serversDeferred: registry.isDeferred,
    root: host.workspace.root ?? "(no folder is open)",
    os: host.system.os,
    shell: host.shell.path,
    home: host.system.home,
    hostName: host.surroundings.hostName,
    customInstructions,
    preferredLanguage,
    /** Contents of the rules files, each under its name. */
    rules: rules(),
    /** The agent that the user chose, with its instructions; undefined: none. */
    agent: agent(),
  };
}

function serversText({ servers, isDeferred }: PromptSource["registry"], protocol: Protocol): string {
  if (isDeferred) return servers.map((server) => describeServer(server, "count")).join("\n");
  const tools = protocol === "xml" ? "schemas" : "names";
  return servers.map((server) => describeServer(server, tools)).join("\n\n");
}
