/**
 * The port that connects to MCP servers. It connects only when asked; which servers may start, and when, is decided in
 * `src/core/servers`. Everything that a server sends is data: it is checked and bounded here, and never trusted.
 */
import type { Fault } from "../../shared/reason.ts";
import type { FormAnswer, ServerForm } from "../../shared/server-form.ts";

/** How to reach a server, with all variables resolved. */
export type ServerLaunch =
  | { type: "stdio"; command: string; args: string[]; env: Record<string, string>; cwd: string }
  /** `auto`: streamable HTTP, or the older SSE transport if the server does not support it. */
  | { type: "http" | "sse" | "auto"; url: string; headers: Record<string, string> };

/** What a server claims about a tool. A hint may add a question to a call, never remove one. */
export interface ToolHints {
  readOnly?: boolean;
  destructive?: boolean;
  openWorld?: boolean;
}

export interface ServerTool {
  name: string;
  title?: string;
  description: string;
  /** A JSON schema of type object. */
  inputSchema: Record<string, unknown>;
  hints: ToolHints;
}

export interface ServerResource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

export interface ServerResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

export interface ServerPrompt {
  name: string;
  title?: string;
  description?: string;
  arguments: { name: string; description?: string; required: boolean }[];
}

/** A part of a result. `data` and `blob` are Base64. */
export type ServerContent =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; mimeType: string; data: string }
  | { type: "resource"; uri: string; mimeType?: string; text: string }
  | { type: "resource"; uri: string; mimeType?: string; blob: string }
  | { type: "link"; uri: string; name: string; description?: string; mimeType?: string };

export interface ServerCallResult {
  content: ServerContent[];
  /** Structured content, if the server sent any. */
  structured?: unknown;
  /** The tool reported an error. */
  isError: boolean;
  /** How the result differs from what the tool declares, in English, with words of the server. The result is complete. */
  mismatch?: string;
}

export interface ServerPromptMessage {
  role: "user" | "assistant";
  content: ServerContent;
}

export interface ServerProgress {
  progress: number;
  total?: number;
  message?: string;
}

export interface ServerCallOptions {
  /** Cancels the call at the server too. */
  signal: AbortSignal;
  /** Milliseconds without a result or progress. */
  timeoutMs: number;
  onProgress?(progress: ServerProgress): void;
}

/** Lists are complete (all pages) and bounded. Methods reject with ToolError, or with Interrupt when `signal` aborts. */
export interface ServerConnection {
  readonly info: {
    name: string;
    version: string;
    /** The negotiated protocol version, such as `2026-07-28`. */
    protocol: string;
    /** Advice on using the server, in the server's words. */
    instructions?: string;
  };
  tools(signal: AbortSignal): Promise<ServerTool[]>;
  resources(signal: AbortSignal): Promise<ServerResource[]>;
  resourceTemplates(signal: AbortSignal): Promise<ServerResourceTemplate[]>;
  prompts(signal: AbortSignal): Promise<ServerPrompt[]>;
  callTool(
    name: string,
    args: Record<string, unknown>,
    options: ServerCallOptions,
  ): Promise<ServerCallResult>;
  readResource(uri: string, options: ServerCallOptions): Promise<ServerContent[]>;
  prompt(
    name: string,
    args: Record<string, string>,
    options: ServerCallOptions,
  ): Promise<ServerPromptMessage[]>;
  /** Resolves when the connection is closed and, for a local server, its whole process tree has ended. Never rejects. */
  close(): Promise<void>;
  /** Resolves when the connection has ended, for whatever reason, with that reason. */
  readonly closed: Promise<Fault>;
}

/** What a server can ask of us, and report, while it is connected. */
export interface ServerEvents {
  /** A line for the server's log: what it logged, what it printed to standard error, and our own notes. */
  log(line: string): void;
  /** A list changed; the next call of the method returns the new one. */
  changed(list: "tools" | "resources" | "prompts"): void;
  /** The server asks the user something. `signal` aborts if the server no longer needs the answer. */
  ask(form: Omit<ServerForm, "id" | "server">, signal: AbortSignal): Promise<FormAnswer>;
  /** The project's folders, for servers of older protocol versions that list them. */
  roots(): { name: string; path: string }[];
}

export interface ServerConnector {
  /**
   * Connects, and starts the server if it is a local one. Rejects with ServerError, which has the last lines that a local
   * server printed; with SignInNeeded if the server requires the user to sign in; with Interrupt when `signal` aborts.
   * After a rejection nothing is left running.
   */
  connect(
    name: string,
    launch: ServerLaunch,
    events: ServerEvents,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<ServerConnection>;
  /** Signs the user in at the server's authorization server, interactively. Rejects with ToolError, or with Interrupt. */
  signIn(name: string, launch: ServerLaunch, signal: AbortSignal): Promise<void>;
  /** Whether tokens for the server at this URL are stored. They may no longer be valid. */
  isSignedIn(url: string): Promise<boolean>;
  /** Forgets the tokens for the server at this URL, and the client that they were issued to. */
  signOut(url: string): Promise<void>;
}

/** The user's secrets that concern servers, such as values of inputs and tokens. */
export interface Secrets {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}
