/** The configured servers by name, which follow the configuration. */
import type { ServerState } from "../../shared/server-list.ts";
import { SerialQueue } from "../async.ts";
import type { Host } from "../ports/host.ts";
import { managedRefusal } from "./content-hashes.ts";
import type { ManagedServer } from "./managed-server.ts";
import type { ServerFailure } from "./server-error.ts";
import type {
  ConfigProblem,
  ServerConfig,
  ServerDefinition,
  ServerOffer,
  ServerRecords,
  ServerUser,
  ToolChoices,
} from "./server-types.ts";

export interface ServerTableEntry {
  server: ManagedServer;
  choices: ToolChoices;
  accepted: Record<string, string>;
  /** What identifies the configuration; a server with another one is a new server. */
  key: string;
  trust: { content?: string; before?: string };
  sessions: Set<string>;
  /** Calls in progress, the newest last. */
  users: ServerUser[];
}

/** What a server begins with. `offer`: what it offered when it last ran. */
export interface ServerStart {
  state: ServerState;
  offer: ServerOffer | undefined;
  /** Why it must not start; absent: it may. */
  failure?: ServerFailure;
}

export interface TableDeps {
  host: Pick<Host, "workspace"> & Partial<Pick<Host, "policy">>;
  config: ServerConfig;
  records: ServerRecords;
}

export class ServerTable {
  /** The files may have changed since they were read. */
  isStale = true;
  readonly #deps: TableDeps;
  readonly #create: (definition: ServerDefinition, start: ServerStart) => ManagedServer;
  readonly #loads = new SerialQueue();
  #entries = new Map<string, ServerTableEntry>();
  #problems: readonly ConfigProblem[] = [];

  constructor(deps: TableDeps, create: (definition: ServerDefinition, start: ServerStart) => ManagedServer) {
    this.#deps = deps;
    this.#create = create;
  }

  /** In the order of the files. */
  get entries(): readonly ServerTableEntry[] {
    return [...this.#entries.values()];
  }

  get problems(): readonly ConfigProblem[] {
    return this.#problems;
  }

  get(name: string): ServerTableEntry | undefined {
    return this.#entries.get(name);
  }

  /** Ends the servers whose entry changed or is gone. False: nothing was read, because nothing changed. */
  load(): Promise<boolean> {
    return this.#loads.run(async () => {
      if (!this.isStale) return false;
      this.isStale = false;
      try {
        const { servers, problems } = await this.#deps.config.load();
        this.#problems = problems;
        await this.#apply(servers);
      } catch (error) {
        this.isStale = true;
        throw error;
      }
      return true;
    });
  }

  async #apply(definitions: readonly ServerDefinition[]): Promise<void> {
    const before = this.#entries;
    const next = new Map<string, ServerTableEntry>();
    for (const definition of definitions) {
      const entry = await this.#entryOf(definition, before.get(definition.name));
      next.set(definition.name, entry);
    }
    this.#entries = next;
    const gone = [...before.values()].filter((entry) => next.get(entry.server.name) !== entry);
    await Promise.all(gone.map(({ server }) => server.stop()));
  }

  async #entryOf(
    definition: ServerDefinition,
    known: ServerTableEntry | undefined,
  ): Promise<ServerTableEntry> {
    const { host, records } = this.#deps;
    const trust = await records.trustOf(definition);
    // The user's own servers may run files of the workspace too, as package runners do.
    const mayStart = host.workspace.trusted && trust.state === "trusted";
    const usable = mayStart ? "stopped" : "untrusted";
    const refusal = await managedRefusal(definition, host.policy);
    const mayUse = refusal ? "managed" : usable;
    const state: ServerState = definition.disabled ? "off" : mayUse;
    const { line: _, ...content } = definition;
    const key = JSON.stringify([content, state]);
    const [choices, accepted] = await Promise.all([
      records.choices(definition),
      records.accepted(definition),
    ]);
    if (known?.key === key) return Object.assign(known, { choices, accepted });
    const offer = state === "stopped" ? await records.lastOffer(definition) : undefined;
    return {
      server: this.#create(definition, {
        state,
        offer,
        ...(refusal ? { failure: { reason: refusal } } : {}),
      }),
      choices,
      accepted,
      key,
      trust: trust.state === "trusted" ? {} : { ...trust },
      sessions: new Set(),
      users: [],
    };
  }
}
