/** One configured MCP server: starts it when it is needed, restarts it with growing delays, and ends it. */
import { type Fault, reasonOf } from "../../shared/reason.ts";
import type { FormAnswer, ServerForm } from "../../shared/server-form.ts";
import type { ServerState } from "../../shared/server-list.ts";
import { wait } from "../async.ts";
import { Interrupt, messageOf, SignInNeeded, ToolError } from "../errors.ts";
import type { Host } from "../ports/host.ts";
import type { ServerConnection, ServerConnector, ServerEvents, ServerLaunch } from "../ports/servers.ts";
import { managedRefusal } from "./content-hashes.ts";
import { failureInEnglish, failureOf, type ServerFailure } from "./server-error.ts";
import type { ServerDefinition, ServerOffer, ServerRecords } from "./server-types.ts";

/** Milliseconds for a server to start and to answer. Package runners download the server first. */
const START_TIMEOUT_MS = 60_000;
/** Milliseconds before each restart after a failure; after the last one, only the user restarts the server. */
const RESTART_DELAYS_MS = [0, 1_000, 4_000, 15_000];
/** Milliseconds after which an end counts as the first failure again. */
const STABLE_MS = 60_000;

export interface ServerDeps {
  host: Pick<Host, "clock" | "log" | "workspace"> & Partial<Pick<Host, "policy">>;
  connector: ServerConnector;
  records: ServerRecords;
  /** Resolves the variables of the configuration. Rejects with ToolError, or with Interrupt. */
  resolve(server: ServerDefinition, signal: AbortSignal): Promise<ServerLaunch>;
  /** A line for the log of the server. */
  log(server: string, line: string): void;
  /** Asks the user on behalf of the server. */
  ask(server: string, form: Omit<ServerForm, "id" | "server">, signal: AbortSignal): Promise<FormAnswer>;
  /** Fires when the state or the offer changed. */
  changed(): void;
  /** The server did not start, or ended without being asked to. `gave-up`: it is not restarted any more. */
  failed(server: string, failure: ServerFailure, how: "ended" | "not-started" | "gave-up"): void;
}

export class ManagedServer {
  readonly definition: ServerDefinition;
  readonly #deps: ServerDeps;
  #state: ServerState;
  #failure: ServerFailure | undefined;
  #offer: ServerOffer | undefined;
  #starting: Promise<ServerConnection> | undefined;
  #connection: ServerConnection | undefined;
  #stopping = new AbortController();
  #failures = 0;
  #startedAt = 0;
  #failedAt = 0;
  #refreshing: Promise<void> = Promise.resolve();
  /** The connection whose lists are read next. */
  #toRefresh: ServerConnection | undefined;

  /** `offer`: what the server offered when it last ran. */
  constructor(
    definition: ServerDefinition,
    deps: ServerDeps,
    start: { state: ServerState; offer: ServerOffer | undefined; failure?: ServerFailure },
  ) {
    this.definition = definition;
    this.#deps = deps;
    this.#state = start.state;
    this.#offer = start.offer;
    this.#failure = start.failure;
  }

  get name(): string {
    return this.definition.name;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Why it failed when it last did; undefined once it runs again. */
  get failure(): ServerFailure | undefined {
    return this.#failure;
  }

  /** The same in English. */
  get error(): string | undefined {
    return this.#failure && failureInEnglish(this.#failure);
  }

  get info(): ServerConnection["info"] | undefined {
    return this.#connection?.info;
  }

  /** What the server offers now or offered last; undefined: it never ran with this configuration. */
  get offer(): ServerOffer | undefined {
    return this.#offer;
  }

  /** Whether it can be started without the user doing something first. */
  get isUsable(): boolean {
    return this.#state !== "off" && this.#state !== "managed" && this.#state !== "untrusted";
  }

  /**
   * The running server's connection, after starting it if necessary. Rejects with ToolError, or with Interrupt. Without a signal, the
   * caller waits until it has started or failed.
   */
  async connection(signal?: AbortSignal): Promise<ServerConnection> {
    if (this.#connection) return this.#connection;
    if (this.#state === "off")
      throw new ToolError(`The MCP server ${this.name} is switched off.`, reasonOf("mcp-off"));
    if (this.#state === "untrusted") throw this.#untrusted();
    await this.#refuseUnmanaged();
    if (this.#connection) return this.#connection;
    this.#starting ??= this.#start();
    // The start continues for others if this caller stops waiting.
    return signal ? unlessAborted(this.#starting, signal) : this.#starting;
  }

  /** Rejects with ToolError if the administrator does not allow exactly this configuration. */
  async #refuseUnmanaged(): Promise<void> {
    const refusal = await managedRefusal(this.definition, this.#deps.host.policy);
    if (!refusal) return;
    throw new ToolError(
      `The MCP server ${this.name} does not start, because ${refusal.values[0]}, who manages this computer, does not allow it.`,
      refusal,
    );
  }

  #untrusted(): ToolError {
    return this.#deps.host.workspace.trusted
      ? new ToolError(
          `The MCP server ${this.name} is configured by the project and waits for the user's approval in Nekode's list of servers.`,
          reasonOf("mcp-unapproved"),
        )
      : new ToolError(
          "No MCP server runs before the user trusts the workspace.",
          reasonOf("mcp-untrusted-workspace"),
        );
  }

  async #start(): Promise<ServerConnection> {
    const { clock } = this.#deps.host;
    const { signal } = this.#stopping;
    try {
      const delay = RESTART_DELAYS_MS[this.#failures];
      if (delay === undefined) {
        throw new ToolError(
          `The MCP server ${this.name} failed ${this.#failures} times in a row and is not restarted: ${this.error ?? ""}\nThe user can restart it in Nekode's list of servers.`,
          reasonOf("mcp-gave-up", String(this.#failures)),
        );
      }
      const rest = this.#failedAt + delay - clock.now().getTime();
      if (this.#failures > 0 && rest > 0) await wait(clock, rest, signal);
      this.#set("starting");
      const connection = await this.#connect(signal);
      this.#connection = connection;
      this.#startedAt = clock.now().getTime();
      void connection.closed.then((reason) => this.#ended(connection, reason));
      await this.#refresh(connection, signal);
      if (this.#connection === connection) this.#set("running");
      return connection;
    } catch (error) {
      await this.#failedToStart(error);
      throw error;
    } finally {
      this.#starting = undefined;
    }
  }

  async #connect(signal: AbortSignal): Promise<ServerConnection> {
    const { connector, resolve, log, ask, host } = this.#deps;
    const launch = await resolve(this.definition, signal);
    const events: ServerEvents = {
      log: (line) => log(this.name, line),
      changed: () => this.#listChanged(),
      ask: (form, asked) => ask(this.name, form, asked),
      roots: () => [...host.workspace.roots],
    };
    return connector.connect(this.name, launch, events, { signal, timeoutMs: START_TIMEOUT_MS });
  }

  async #failedToStart(error: unknown): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
    if (error instanceof Interrupt) {
      if (this.#state === "starting") this.#set("stopped");
      return;
    }
    if (error instanceof SignInNeeded) {
      this.#set("sign-in");
      return;
    }
    // A server that is not restarted any more keeps its own error.
    if (RESTART_DELAYS_MS[this.#failures] === undefined) return;
    this.#countFailure(failureOf(error), "not-started");
  }

  /** The connection ended, because it was closed or by itself. */
  #ended(connection: ServerConnection, reason: Fault): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    const now = this.#deps.host.clock.now().getTime();
    if (now - this.#startedAt > STABLE_MS) this.#failures = 0;
    this.#countFailure({ reason }, "ended");
  }

  #countFailure(failure: ServerFailure, how: "ended" | "not-started"): void {
    this.#failures++;
    this.#failedAt = this.#deps.host.clock.now().getTime();
    this.#failure = failure;
    this.#set("failed");
    const isLast = RESTART_DELAYS_MS[this.#failures] === undefined;
    this.#deps.failed(this.name, failure, isLast ? "gave-up" : how);
  }

  #listChanged(): void {
    const connection = this.#connection;
    // A read that has not started yet will include this change.
    if (!connection || this.#toRefresh === connection) return;
    this.#toRefresh = connection;
    const again = async () => {
      if (this.#toRefresh === connection) this.#toRefresh = undefined;
      if (this.#connection !== connection) return;
      await this.#refresh(connection, this.#stopping.signal);
      this.#deps.changed();
    };
    // Lists are read one after the other, so that the newest list is read last.
    this.#refreshing = this.#refreshing
      .then(again)
      .catch((error: unknown) =>
        this.#deps.log(this.name, `the changed list was not read: ${messageOf(error)}`),
      );
  }

  async #refresh(connection: ServerConnection, signal: AbortSignal): Promise<void> {
    const [tools, resources, templates, prompts] = await Promise.all([
      connection.tools(signal),
      connection.resources(signal),
      connection.resourceTemplates(signal),
      connection.prompts(signal),
    ]);
    const { instructions } = connection.info;
    const offer: ServerOffer = {
      ...(instructions === undefined ? {} : { instructions }),
      tools,
      resources,
      templates,
      prompts,
    };
    if (JSON.stringify(offer) === JSON.stringify(this.#offer)) return;
    this.#offer = offer;
    await this.#deps.records
      .setLastOffer(this.definition, offer)
      .catch((error: unknown) =>
        this.#deps.host.log.error(`the tools of ${this.name} were not stored`, error),
      );
  }

  /** Ends the server; the next use starts it again. Resolves when its processes have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    const [connection, starting] = [this.#connection, this.#starting];
    this.#connection = undefined;
    await starting?.then(
      (started) => started.close(),
      () => undefined,
    );
    await connection?.close();
    if (this.isUsable && this.#state !== "failed") this.#set("stopped");
  }

  /** Ends the server and forgets its failures. */
  async reset(): Promise<void> {
    await this.stop();
    this.#failures = 0;
    if (this.#state !== "managed") this.#failure = undefined;
    if (this.isUsable) this.#set("stopped");
  }

  #set(state: ServerState): void {
    if (state === "running") this.#failure = undefined;
    this.#state = state;
    this.#deps.changed();
  }
}

/** The result of `work`; rejects with Interrupt when `signal` aborts first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Interrupt());
    if (signal.aborted) {
      onAbort();
      work.catch(() => undefined);
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
