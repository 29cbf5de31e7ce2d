/** What is known about a configured MCP server before it starts. */
import type { Reason } from "../../shared/reason.ts";
import type { FormAnswer, ServerForm } from "../../shared/server-form.ts";
import type { ServerSource } from "../../shared/server-list.ts";
import type { PluginOrigin } from "../ports/plugins.ts";
import type { ServerPrompt, ServerResource, ServerResourceTemplate, ServerTool } from "../ports/servers.ts";

/** A value that the user is asked for, from the `inputs` of `.vscode/mcp.json`. */
export interface ServerInput {
  id: string;
  description: string;
  /** Hidden while typed. */
  password: boolean;
  default?: string;
  /** If set, the user chooses one of these. */
  options?: string[];
}

/** A configured server. Texts may contain variables such as `${env:NAME}`, which are resolved right before the start. */
export interface ServerDefinition {
  name: string;
  /** The name in the configuration, such as an address, if it cannot be used as it is. */
  configuredName?: string;
  source: ServerSource;
  /** Absolute path of the configuration file, and the entry's line in it (from 1). */
  file: string;
  line: number;
  launch:
    | { type: "stdio"; command: string; args: string[]; env: Record<string, string>; cwd?: string }
    | { type: "http" | "sse" | "auto"; url: string; headers: Record<string, string> };
  /** The inputs that the entry refers to. */
  inputs: ServerInput[];
  /** The folder that `${workspaceFolder}` means and in which a local server starts. undefined: no folder is open. */
  folder?: string;
  disabled: boolean;
  /** Tools that never ask, from the user's own file; empty for a project's, which cannot allow anything. */
  autoApprove: string[];
  /** For one call, in milliseconds. */
  timeoutMs: number;
  /** The other agent from which the user took over the entry, who has to approve it like that of a project. */
  importedFrom?: string;
  /** The plugin that it is from. Its files are part of what the user approves. */
  plugin?: PluginOrigin;
}

/** Something wrong in a configuration file. The other entries of the file apply. */
export interface ConfigProblem {
  file: string;
  line: number;
  /** The entry concerned, if it is one. */
  server?: string;
  reason: Reason;
}

export interface LoadedServers {
  servers: ServerDefinition[];
  problems: ConfigProblem[];
}

/**
 * Whether a server may start: the user's own may; a project's, and one that was taken over from another agent, only after the user
 * approved exactly its current content.
 */
export type Trust =
  | { state: "trusted" }
  /** `content`: what would run, one item a line. */
  | { state: "new"; content: string }
  /** `before`: the content that the user approved earlier. */
  | { state: "changed"; content: string; before: string };

/** What the user chose for a server's tools, by tool name. */
export interface ToolChoices {
  /** Tools that are switched off. */
  off: string[];
  /** Tools that never ask. */
  always: string[];
  /** Tools that the user marked as only reading, which plan mode may call. */
  reading: string[];
}

/** What a server offers, as it reported it. It is stored, so that prompts and lists do not have to start the server. */
export interface ServerOffer {
  /** Advice on using the server, in the server's words. */
  instructions?: string;
  tools: ServerTool[];
  resources: ServerResource[];
  templates: ServerResourceTemplate[];
  prompts: ServerPrompt[];
}

/** What Nekode remembers about a server for this user, across projects' windows and hosts. */
export interface ServerRecords {
  trustOf(server: ServerDefinition): Promise<Trust>;
  /** Records the user's approval of exactly this content. */
  trust(server: ServerDefinition): Promise<void>;
  forget(server: ServerDefinition): Promise<void>;
  choices(server: ServerDefinition): Promise<ToolChoices>;
  setChoices(server: ServerDefinition, choices: ToolChoices): Promise<void>;
  /** What the server offered when it last ran with the same configuration; undefined: unknown. */
  lastOffer(server: ServerDefinition): Promise<ServerOffer | undefined>;
  setLastOffer(server: ServerDefinition, offer: ServerOffer): Promise<void>;
  /** Hashes of the tool definitions that the user accepted, by tool name. */
  accepted(server: ServerDefinition): Promise<Record<string, string>>;
  accept(server: ServerDefinition, tools: Record<string, string>): Promise<void>;
}

/** The configuration files, read and watched. */
export interface ServerConfig {
  load(): Promise<LoadedServers>;
  /** Fires when a file changed. */
  onChange(listener: () => void): { dispose(): void };
}

/** A session's use of a server. */
export interface ServerUser {
  /** The session's id: the server runs until the last of its sessions ends. */
  session: string;
  /** Shows the user a question of the server, as part of the call. */
  ask(form: Omit<ServerForm, "id">, signal: AbortSignal): Promise<FormAnswer>;
}
