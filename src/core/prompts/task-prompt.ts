/** The system prompt of a task. The last one is cached until one of its inputs changes, so that the prefix stays the same. */
import type { Settings } from "../../shared/settings.ts";
import type { Host } from "../ports/host.ts";
import type { Protocol } from "../provider/provider.ts";
import { describeServer } from "../tools/servers/server-listing.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";
import type { Wording } from "../tools/set/wording.ts";
import { systemPrompt } from "./system-prompt.ts";

export interface TaskPromptDeps {
  host: Pick<Host, "workspace" | "system" | "shell" | "surroundings">;
  settings(): Settings;
  registry: Pick<ToolSet, "documentation" | "offered" | "servers" | "isDeferred">;
  conversation: { readonly id: string };
  /** The text of the rules. They are loaded after the first message and do not change afterwards. */
  rules(): string;
}

/** Texts that the system prompt contains: the tools' documentation, the servers with their tools, and the rules. */
export interface PromptParts {
  tools: string;
  servers: string;
  rules: string;
}

export class TaskPrompt {
  readonly #deps: TaskPromptDeps;
  #cached: { key: string; text: string } | undefined;

  constructor(deps: TaskPromptDeps) {
    this.#deps = deps;
  }

  parts(protocol: Protocol, wording: Wording): PromptParts {
    const { registry, settings } = this.#deps;
    return {
      tools: protocol === "xml" ? registry.documentation(wording) : "",
      servers: serversText(registry, protocol),
      rules: `${this.#deps.rules()}${settings().customInstructions}`,
    };
  }

  text(protocol: Protocol, wording: Wording): string {
    const { host, registry, settings, conversation } = this.#deps;
    const { customInstructions, preferredLanguage } = settings();
    const rules = this.#deps.rules();
    const documentation = protocol === "xml" ? registry.documentation(wording) : "";
    const tools = registry.offered(protocol);
    const abilities = tools.flatMap(({ ability }) => ability ?? []);
    const toolRules = tools.flatMap(({ rule }) => rule ?? []);
    const offered = new Set(tools.map(({ name }) => name));
    const servers = serversText(registry, protocol);
    const key = JSON.stringify([
      ...[protocol, wording, customInstructions, preferredLanguage, conversation.id, rules],
      // These change at the start of a turn, when tools were added or removed before it.
      documentation,
      [...offered],
      abilities,
      toolRules,
      servers,
    ]);
    if (this.#cached?.key === key) return this.#cached.text;
    const text = systemPrompt({
      ...{ protocol, wording, offered, documentation },
      abilities,
      toolRules,
      servers,
      serversDeferred: registry.isDeferred,
      root: host.workspace.root ?? "(no folder is open)",
      os: host.system.os,
      shell: host.shell.path,
      home: host.system.home,
      hostName: host.surroundings.hostName,
      customInstructions,
      preferredLanguage,
      rules,
    });
    this.#cached = { key, text };
    return text;
  }
}

function serversText({ servers, isDeferred }: TaskPromptDeps["registry"], protocol: Protocol): string {
  if (isDeferred) return servers.map((server) => describeServer(server, "count")).join("\n");
  const tools = protocol === "xml" ? "schemas" : "names";
  return servers.map((server) => describeServer(server, tools)).join("\n\n");
}
