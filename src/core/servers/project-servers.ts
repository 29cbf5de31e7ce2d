/**
 * The MCP servers of a project, shared by its sessions: which are configured, which may run, and what they offer. Nothing starts
 * before a session needs it.
 */
import { reasonOf } from "../../shared/reason.ts";
import type { FormAnswer, ServerForm } from "../../shared/server-form.ts";
import { wait } from "../async.ts";
import { messageOf, ToolError, throwIfAborted } from "../errors.ts";
import { type Disposable, Emitter } from "../lifecycle.ts";
import type {
  ServerCallOptions,
  ServerCallResult,
  ServerConnection,
  ServerContent,
  ServerPromptMessage,
  ServerTool,
} from "../ports/servers.ts";
import { hashOfTool } from "./content-hashes.ts";
import { ManagedServer, type ServerDeps } from "./managed-server.ts";
import { type ServerFailure, SessionLostError, unknownServer } from "./server-error.ts";
import { type ForgetDeps, forgetServer } from "./server-records.ts";
import { type ServerStart, ServerTable, type ServerTableEntry } from "./server-table.ts";
import type {
  ConfigProblem,
  ServerConfig,
  ServerDefinition,
  ServerOffer,
  ServerUser,
  ToolChoices,
} from "./server-types.ts";

/** Milliseconds that a turn waits for servers whose tools are not known yet. */
const FIRST_START_MS = 10_000;

export interface ServersDeps
  extends Omit<ServerDeps, "ask" | "changed" | "failed">,
    Pick<ForgetDeps, "inputs" | "knownUrl"> {
  config: ServerConfig;
  /** Absolute path of the user's configuration file. */
  userFile: string;
}

/** A server that may be used, with what the user chose for its tools. */
export interface OfferedServer {
  definition: ServerDefinition;
  offer: ServerOffer;
  choices: ToolChoices;
  /** Hashes of the tool definitions that the user accepted, by tool name. */
  accepted: Readonly<Record<string, string>>;
}

export type ServerNotice =
  /** The server ended by itself, or could not be started. */
  | { type: "ended" | "not-started"; server: string; failure: ServerFailure; sessions: readonly string[] }
  /** It failed so often that only the user restarts it. */
  | { type: "gave-up"; server: string; failure: ServerFailure; sessions: readonly string[] };

export class ProjectServers {
  readonly #deps: ServersDeps;
  readonly #changes = new Emitter<void>();
  readonly #noticed = new Emitter<ServerNotice>();
  readonly #table: ServerTable;
  readonly #watch: Disposable;

  /** Fires when a server's state, its offer or the configuration changed. */
  readonly onChange = this.#changes.on;
  readonly onNotice = this.#noticed.on;

  constructor(deps: ServersDeps) {
    this.#deps = deps;
    this.#table = new ServerTable(deps, (definition, start) => this.#managed(definition, start));
    this.#watch = deps.config.onChange(() => {
      this.#table.isStale = true;
      this.#changes.emit();
    });
  }

  /** Reads the configuration if it changed, and ends servers whose entry changed or is gone. */
  async load(): Promise<void> {
    if (await this.#table.load()) this.#changes.emit();
  }

  /** Reads the configuration again, for a change that no event reports, such as of the workspace's trust. */
  async reload(): Promise<void> {
    this.#table.isStale = true;
    await this.load();
  }

  #managed(definition: ServerDefinition, start: ServerStart): ManagedServer {
    const deps: ServerDeps = {
      ...this.#deps,
      changed: () => this.#changes.emit(),
      ask: (name, form, signal) => this.#ask(name, form, signal),
      failed: (server, failure, how) => {
        const sessions = [...(this.#table.get(server)?.sessions ?? [])];
        this.#noticed.emit({ type: how, server, failure, sessions });
      },
    };
    return new ManagedServer(definition, deps, start);
  }

  /** All configured servers, in the order of the files. */
  get all(): readonly Readonly<Pick<ServerTableEntry, "server" | "choices" | "accepted" | "trust">>[] {
    return this.#table.entries;
  }

  /** Absolute path of the user's configuration file, which may not exist. */
  get userFile(): string {
    return this.#deps.userFile;
  }

  get problems(): readonly ConfigProblem[] {
    return this.#table.problems;
  }

  /** The servers that sessions may use and whose offers are known, sorted by name. */
  get offered(): OfferedServer[] {
    return this.#table.entries
      .flatMap(({ server, choices, accepted }) => {
        const { definition, offer, isUsable } = server;
        return isUsable && offer ? [{ definition, offer, choices, accepted }] : [];
      })
      .sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
  }

  /** Reads the configuration as `load` does. A failure is logged. Never rejects. */
  async tryLoad(): Promise<void> {
    const { log } = this.#deps.host;
    await this.load().catch((error: unknown) => log.error("the list of MCP servers was not read", error));
  }

  /**
   * Reads the configuration, and starts the servers whose offers are not known yet. Resolves when they are known, and for slow
   * servers after a while without them. Rejects only with Interrupt. `onWait` gets the names of the servers that start.
   */
  async prepare(
    session: string,
    signal: AbortSignal,
    onWait: (servers: readonly string[]) => void,
  ): Promise<void> {
    const { clock } = this.#deps.host;
    await this.tryLoad();
    const unknown = this.#table.entries.filter(
      ({ server }) => server.isUsable && server.offer === undefined && server.state !== "failed",
    );
    const waits = unknown.filter(({ server }) => server.state !== "sign-in");
    if (waits.length === 0) return;
    for (const { sessions } of waits) sessions.add(session);
    onWait(waits.map(({ server }) => server.name));
    const late = new AbortController();
    const started = Promise.all(
      waits.map(({ server }) =>
        // The wait beside it ends with the signal, which would have a listener for each of many servers otherwise.
        server.connection().catch((error: unknown) => {
          if (!signal.aborted) this.#deps.log(server.name, messageOf(error));
        }),
      ),
    );
    await Promise.race([
      started,
      wait(clock, FIRST_START_MS, AbortSignal.any([signal, late.signal])).catch((error: unknown) => {
        if (signal.aborted) throw error;
      }),
    ]);
    late.abort();
  }

  /**
   * Calls the tool, and records its definition as accepted. `tool`: as it was when the call was allowed. Rejects with ToolError
   * if the server's definition of it has changed since, because that definition was not allowed.
   */
  async callTool(
    user: ServerUser,
    server: string,
    tool: ServerTool,
    args: Record<string, unknown>,
    options: Omit<ServerCallOptions, "timeoutMs">,
  ): Promise<ServerCallResult> {
    return this.#use(user, server, options.signal, async (connection, timeoutMs) => {
      const hash = await hashOfTool(tool);
      await this.#accept(server, tool.name, hash);
      // The server may have been started for this call, so that its tools are known only now.
      const now = this.#entry(server).server.offer?.tools.find(({ name }) => name === tool.name);
      if (now !== undefined && (await hashOfTool(now)) !== hash)
        throw new ToolError(
          `The MCP server ${server} changed its tool ${tool.name} since this call was allowed, so the call was not made. Send it again if it is still needed; the user may be asked about the changed tool.`,
        );
      return connection.callTool(tool.name, args, { ...options, timeoutMs });
    });
  }

  async readResource(
    user: ServerUser,
    server: string,
    uri: string,
    signal: AbortSignal,
  ): Promise<ServerContent[]> {
    return this.#use(user, server, signal, (connection, timeoutMs) =>
      connection.readResource(uri, { signal, timeoutMs }),
    );
  }

  async prompt(
    user: ServerUser,
    server: string,
    name: string,
    args: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ServerPromptMessage[]> {
    return this.#use(user, server, signal, (connection, timeoutMs) =>
      connection.prompt(name, args, { signal, timeoutMs }),
    );
  }

  async #use<T>(
    user: ServerUser,
    name: string,
    signal: AbortSignal,
    work: (connection: ServerConnection, timeoutMs: number) => Promise<T>,
  ): Promise<T> {
    const entry = this.#entry(name);
    entry.sessions.add(user.session);
    entry.users.push(user);
    try {
      throwIfAborted(signal);
      const { server } = entry;
      const connection = await server.connection(signal);
      try {
        return await work(connection, server.definition.timeoutMs);
      } catch (error) {
        if (!(error instanceof SessionLostError)) throw error;
        await connection.closed;
      }
      return await work(await server.connection(signal), server.definition.timeoutMs);
    } finally {
      entry.users.splice(entry.users.indexOf(user), 1);
    }
  }

  #entry(name: string): ServerTableEntry {
    const entry = this.#table.get(name);
    if (entry) return entry;
    const names = this.#table.entries.map(({ server }) => server.name);
    throw unknownServer(name, names);
  }

  /** Protocols before 2026-07-28 do not say for which call a server asks, so the newest call in progress gets the question. */
  async #ask(
    name: string,
    form: Omit<ServerForm, "id" | "server">,
    signal: AbortSignal,
  ): Promise<FormAnswer> {
    const user = this.#table.get(name)?.users.at(-1);
    if (!user) return { action: "cancel" };
    return user.ask({ ...form, server: name }, signal);
  }

  /** The session ended; servers that no other session used end with it. */
  async release(session: string): Promise<void> {
    const unused = this.#table.entries.filter(
      ({ sessions }) => sessions.delete(session) && sessions.size === 0,
    );
    await Promise.all(unused.map(({ server }) => server.stop()));
  }

  /** Starts the server now, or again after a failure. Rejects with ToolError if it does not start. */
  async restart(name: string, signal: AbortSignal): Promise<void> {
    const { server } = this.#entry(name);
    await server.reset();
    await server.connection(signal);
  }

  async stop(name: string): Promise<void> {
    await this.#entry(name).server.reset();
  }

  /** Records the user's approval of exactly the content that `all` showed for this server. */
  async trust(name: string, content: string): Promise<void> {
    const { server, trust } = this.#entry(name);
    if (trust.content !== content)
      throw new ToolError(`The configuration of ${name} changed meanwhile.`, reasonOf("mcp-config-changed"));
    await this.#deps.records.trust(server.definition);
    await this.reload();
  }

  /** Ends the server and forgets everything remembered about it: a project's server has to be approved again. */
  async forget(name: string): Promise<void> {
    const { server } = this.#entry(name);
    await server.reset();
    const others = this.#table.entries.flatMap((each) =>
      each.server === server ? [] : [each.server.definition],
    );
    await forgetServer(server.definition, others, this.#deps);
    await this.reload();
  }

  async setChoices(name: string, choices: ToolChoices): Promise<void> {
    const { server } = this.#entry(name);
    await this.#deps.records.setChoices(server.definition, choices);
    await this.reload();
  }

  /** Whether the tool's definition differs from the one that the user accepted. */
  async isChanged(
    { offer, accepted }: Pick<OfferedServer, "offer" | "accepted">,
    tool: string,
  ): Promise<boolean> {
    const found = offer.tools.find(({ name }) => name === tool);
    const known = accepted[tool];
    return found !== undefined && known !== undefined && known !== (await hashOfTool(found));
  }

  async #accept(name: string, tool: string, hash: string): Promise<void> {
    const entry = this.#entry(name);
    if (entry.accepted[tool] === hash) return;
    entry.accepted = { ...entry.accepted, [tool]: hash };
    await this.#deps.records.accept(entry.server.definition, entry.accepted);
    this.#changes.emit();
  }

  async signIn(name: string, signal: AbortSignal): Promise<void> {
    const { server } = this.#entry(name);
    const launch = await this.#deps.resolve(server.definition, signal);
    await this.#deps.connector.signIn(name, launch, signal);
    await this.restart(name, signal);
  }

  async signOut(name: string): Promise<void> {
    const { server } = this.#entry(name);
    await server.reset();
    const url = await this.#deps.knownUrl(server.definition);
    if (url !== undefined) await this.#deps.connector.signOut(url);
    this.#changes.emit();
  }

  /** Whether the user signed in to the server. */
  async isSignedIn(server: ServerDefinition): Promise<boolean> {
    const url = await this.#deps.knownUrl(server);
    return url !== undefined && (await this.#deps.connector.isSignedIn(url));
  }

  /** Ends all servers; resolves when their processes have ended. */
  async close(): Promise<void> {
    this.#watch.dispose();
    await Promise.all(this.#table.entries.map(({ server }) => server.stop()));
    this.#changes.dispose();
    this.#noticed.dispose();
  }
}
