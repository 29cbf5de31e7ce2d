/** MCP servers in memory: each is what a test says it offers, and can be made to end, to hang and to ask. */
import { Interrupt, ToolError } from "../../src/core/errors.ts";
import type { AdminPolicy } from "../../src/core/policy/admin-policy.ts";
import type {
  ServerCallOptions,
  ServerCallResult,
  ServerConnection,
  ServerConnector,
  ServerContent,
  ServerEvents,
  ServerPromptMessage,
  ServerTool,
} from "../../src/core/ports/servers.ts";
import type { Clock } from "../../src/core/ports/system.ts";
import { ProjectServers } from "../../src/core/servers/project-servers.ts";
import { ServerInputs } from "../../src/core/servers/server-inputs.ts";
import type {
  ConfigProblem,
  ServerDefinition,
  ServerOffer,
  ServerRecords,
  ToolChoices,
} from "../../src/core/servers/server-types.ts";
import { systemClock } from "../../src/node/clock.ts";
import { type Fault, reasonOf } from "../../src/shared/reason.ts";

export interface MemoryServer {
  tools: ServerTool[];
  instructions?: string;
  resources?: ServerOffer["resources"];
  templates?: ServerOffer["templates"];
  prompts?: ServerOffer["prompts"];
  /** Throws for a resource that cannot be read. Default: a text that names the URI. */
  read?(uri: string): ServerContent[] | Promise<ServerContent[]>;
  prompt?(name: string, args: Record<string, string>): ServerPromptMessage[] | Promise<ServerPromptMessage[]>;
  call?(
    name: string,
    args: Record<string, unknown>,
    options: ServerCallOptions,
    events: ServerEvents,
  ): Promise<ServerCallResult> | ServerCallResult;
  /** Called at each start; throws for a server that does not start. */
  start?(attempt: number): void | Promise<void>;
}

export function serverTool(name: string, more: Partial<ServerTool> = {}): ServerTool {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    hints: {},
    ...more,
  };
}

export function definitionOf(name: string, more: Partial<ServerDefinition> = {}): ServerDefinition {
  return {
    name,
    source: "user",
    file: "/home/user/mcp.json",
    line: 1,
    launch: { type: "stdio", command: "run", args: [name], env: {} },
    inputs: [],
    disabled: false,
    autoApprove: [],
    timeoutMs: 60_000,
    ...more,
  };
}

/** Keeps the connections, so that a test can end them as a crash would. */
export class MemoryConnector implements ServerConnector {
  readonly starts: string[] = [];
  readonly running = new Map<string, { events: ServerEvents; die(reason: string): void }>();
  readonly signIns: string[] = [];
  readonly #servers: Record<string, MemoryServer>;

  constructor(servers: Record<string, MemoryServer>) {
    this.#servers = servers;
  }

  async connect(
    name: string,
    _launch: unknown,
    events: ServerEvents,
    { signal }: { signal: AbortSignal },
  ): Promise<ServerConnection> {
    const server = this.#servers[name];
    if (!server) throw new ToolError(`${name} cannot be started`);
    this.starts.push(name);
    await server.start?.(this.starts.filter((each) => each === name).length);
    if (signal.aborted) throw new Interrupt();
    let end: (reason: Fault) => void = () => undefined;
    const closed = new Promise<Fault>((resolve) => {
      end = resolve;
    });
    const died = new AbortController();
    const die = (reason: string) => {
      this.running.delete(name);
      died.abort();
      end(reasonOf("system-error", reason));
    };
    this.running.set(name, { events, die });
    const { instructions } = server;
    return {
      info: { name, version: "1", protocol: "2026-07-28", ...(instructions ? { instructions } : {}) },
      tools: async () => server.tools,
      resources: async () => server.resources ?? [],
      resourceTemplates: async () => server.templates ?? [],
      prompts: async () => server.prompts ?? [],
      async callTool(tool, args, options) {
        const over = new AbortController();
        const lost = new Promise<never>((_resolve, reject) => {
          const { signal: until } = over;
          const onDeath = () => reject(new ToolError(`${name} ended during the call`));
          died.signal.addEventListener("abort", onDeath, { signal: until });
          options.signal.addEventListener("abort", () => reject(new Interrupt()), { signal: until });
        });
        try {
          const done = Promise.resolve(server.call?.(tool, args, options, events));
          return (await Promise.race([done, lost])) ?? { content: [], isError: false };
        } finally {
          over.abort();
        }
      },
      readResource: async (uri, { signal: until }) =>
        (await untilAborted(async () => server.read?.(uri), until)) ?? [
          { type: "resource", uri, text: `content of ${uri}` },
        ],
      prompt: async (prompt, args, { signal: until }) =>
        (await untilAborted(async () => server.prompt?.(prompt, args), until)) ?? [],
      close: async () => die("closed"),
      closed,
    };
  }

  async signIn(name: string): Promise<void> {
    this.signIns.push(name);
  }

  /** Addresses at which the user signed in. */
  readonly signedIn = new Set<string>();

  async isSignedIn(url: string): Promise<boolean> {
    return this.signedIn.has(url);
  }

  async signOut(url: string): Promise<void> {
    this.signedIn.delete(url);
  }
}

/** Rejects with Interrupt when `signal` aborts, as a real connection does. */
async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Interrupt()), { signal: over.signal });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    over.abort();
  }
}

/** Records in memory. A project's server is trusted once `trust` was called for exactly its content. */
export class MemoryRecords implements ServerRecords {
  readonly #trusted = new Map<string, string>();
  readonly #choices = new Map<string, ToolChoices>();
  readonly #offers = new Map<string, ServerOffer>();
  readonly #accepted = new Map<string, Record<string, string>>();

  async trustOf({ name, source, launch }: ServerDefinition) {
    const content = JSON.stringify(launch);
    const before = this.#trusted.get(name);
    if (source === "user" || before === content) return { state: "trusted" as const };
    return before === undefined
      ? { state: "new" as const, content }
      : { state: "changed" as const, content, before };
  }
  async trust({ name, launch }: ServerDefinition) {
    this.#trusted.set(name, JSON.stringify(launch));
  }
  async forget({ name }: ServerDefinition) {
    for (const kept of [this.#trusted, this.#choices, this.#offers, this.#accepted]) kept.delete(name);
  }
  async choices({ name }: ServerDefinition) {
    return this.#choices.get(name) ?? { off: [], always: [], reading: [] };
  }
  async setChoices({ name }: ServerDefinition, choices: ToolChoices) {
    this.#choices.set(name, choices);
  }
  async lastOffer({ name }: ServerDefinition) {
    return this.#offers.get(name);
  }
  async setLastOffer({ name }: ServerDefinition, offer: ServerOffer) {
    this.#offers.set(name, offer);
  }
  async accepted({ name }: ServerDefinition) {
    return this.#accepted.get(name) ?? {};
  }
  async accept({ name }: ServerDefinition, tools: Record<string, string>) {
    this.#accepted.set(name, tools);
  }
}

export interface MemoryServersOptions {
  /** The administrator's. Default: there is none. */
  policy?: AdminPolicy;
  servers: Record<string, MemoryServer>;
  /** Default: one of the user's for each server. */
  definitions?: ServerDefinition[];
  problems?: ConfigProblem[];
  clock?: Clock;
  /** Default: true. */
  isTrusted?: () => boolean;
}

export function memoryServers({
  servers,
  clock = systemClock,
  isTrusted = () => true,
  policy,
  ...options
}: MemoryServersOptions) {
  const connector = new MemoryConnector(servers);
  const records = new MemoryRecords();
  const logged: string[] = [];
  const listeners = new Set<() => void>();
  const config = {
    servers: options.definitions ?? Object.keys(servers).map((name) => definitionOf(name)),
    problems: options.problems ?? [],
  };
  const secrets = new Map<string, string>();
  const inputs = new ServerInputs({
    ask: undefined,
    environment: {},
    secrets: {
      get: async (name) => secrets.get(name),
      set: async (name, value) => void secrets.set(name, value),
      delete: async (name) => void secrets.delete(name),
    },
  });
  const project = new ProjectServers({
    host: {
      policy,
      clock,
      log: { info: () => undefined, error: (text) => void logged.push(text) },
      workspace: {
        root: "/project",
        roots: [{ name: "project", path: "/project" }],
        get trusted() {
          return isTrusted();
        },
      },
    },
    connector,
    records,
    inputs,
    knownUrl: async ({ launch }) => (launch.type === "stdio" ? undefined : launch.url),
    resolve: async ({ launch }) =>
      launch.type === "stdio" ? { ...launch, cwd: launch.cwd ?? "/project" } : launch,
    log: (server, line) => void logged.push(`${server}: ${line}`),
    config: {
      load: async () => ({ ...config }),
      onChange(listener) {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
    },
    userFile: "/home/user/mcp.json",
  });
  /** Changes the configuration, as saving the file would. */
  const configure = (definitions: ServerDefinition[]) => {
    config.servers = definitions;
    for (const listener of listeners) listener();
  };
  return { project, connector, records, inputs, secrets, logged, configure };
}
