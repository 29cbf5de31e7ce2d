/** The `ServerConnector` port: connects to local and remote MCP servers. */
import { tmpdir } from "node:os";
import path from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { Interrupt, throwIfAborted } from "../../core/errors.ts";
import type {
  Secrets,
  ServerConnection,
  ServerConnector,
  ServerEvents,
  ServerLaunch,
} from "../../core/ports/servers.ts";
import type { Fetch } from "../../core/ports/web.ts";
import { readableResult } from "../../core/servers/readable-result.ts";
import { ServerError } from "../../core/servers/server-error.ts";
import { addressKey } from "../../core/servers/server-identity.ts";
import { type Fault, reasonOf } from "../../shared/reason.ts";
import { within } from "../clock.ts";
import { Authorization } from "./auth/authorization.ts";
import { signIn } from "./auth/sign-in.ts";
import type { SignInUi } from "./auth/sign-in-ui.ts";
import { CallTimers } from "./call-timer.ts";
import { createClient } from "./mcp-client.ts";
import { McpConnection } from "./mcp-connection.ts";
import type * as McpSdk from "./mcp-sdk.ts";
import { processGuard } from "./process-guard.ts";
import { hasOwnToken, ownToken, remoteTransports } from "./remote-transports.ts";
import { Failed, Late, serverError } from "./server-errors.ts";
import { ServerLog } from "./server-log.ts";
import { serverEnvironment, serverProgram } from "./server-program.ts";
import { CLOSED, StdioTransport } from "./stdio-transport.ts";

export interface ConnectorOptions {
  /** The product's dist/, which contains guard.js. */
  folder: string;
  /** The workspace's folders. Programs that are configured by a bare name are never taken from them. */
  roots: () => readonly string[];
  /** The host's environment, from which servers inherit some variables. */
  environment: NodeJS.ProcessEnv;
  /** Sends the requests to remote servers. */
  fetch: Fetch;
  /** Nekode's version, which is sent to servers. */
  version: string;
  /** Keeps tokens. */
  secrets: Secrets;
  /** A folder that all windows and hosts of the user share; undefined: there is none. */
  dataDir: string | undefined;
  /** How the user signs in: the first one, or the next ones if an authorization server does not accept it. */
  signIn: readonly SignInUi[];
  /** The address of a document that describes Nekode to authorization servers as a client. */
  clientMetadataUrl?: string;
}

/** Nothing is loaded or started before the first connection. */
export function createServerConnector(options: ConnectorOptions): ServerConnector {
  return new NodeServerConnector(options);
}

/** Milliseconds after which a local server counts as an older one if it does not answer the question for its version. */
const LOCAL_PROBE_MS = 15_000;

/** Milliseconds to tell a remote server that its session is over. */
const SESSION_END_MS = 1_000;

type ConnectOptions = Parameters<ServerConnector["connect"]>[3];
type LocalLaunch = Extract<ServerLaunch, { type: "stdio" }>;
type RemoteLaunch = Exclude<ServerLaunch, LocalLaunch>;

/** Values shared by the attempts of one `connect`. */
interface Attempt {
  sdk: typeof McpSdk;
  server: string;
  events: ServerEvents;
  log: ServerLog;
  /** Aborts when the caller's signal does, and when the time is up. */
  signal: AbortSignal;
  timeoutMs: number;
}

interface OpenOptions {
  /** The server is known to speak an older protocol version. */
  isLegacy: boolean;
  /** Milliseconds for the answer to the question for the protocol version. */
  probeMs: number;
  /** Resolves with the reason when a local server has ended. */
  ended?: Promise<Fault>;
  /** Called before the connection closes. */
  onClose?(): void | Promise<void>;
}

class NodeServerConnector implements ServerConnector {
  readonly #options: ConnectorOptions;
  readonly #authorization: Authorization;
  /** Sign-ins in progress, by server. */
  readonly #signingIn = new Map<string, AbortController>();
  /** Servers that fail when they are asked for their protocol version: local ones exit, remote ones answer that they failed. */
  readonly #legacy = new Set<string>();

  constructor(options: ConnectorOptions) {
    this.#options = options;
    const { secrets, fetch, dataDir } = options;
    const locksFolder = path.join(dataDir ?? tmpdir(), "nekode-server-locks");
    this.#authorization = new Authorization({ secrets, fetch, locksFolder });
  }

  async connect(
    server: string,
    launch: ServerLaunch,
    events: ServerEvents,
    { signal, timeoutMs }: ConnectOptions,
  ): Promise<ServerConnection> {
    throwIfAborted(signal);
    const sdk = await import("./mcp-sdk.ts");
    const log = new ServerLog((line) => events.log(line));
    const late = AbortSignal.timeout(timeoutMs);
    const attempt: Attempt = {
      sdk,
      server,
      events,
      log,
      signal: AbortSignal.any([signal, late]),
      timeoutMs,
    };
    try {
      const connection =
        launch.type === "stdio"
          ? await this.#connectLocal(launch, attempt)
          : await this.#connectRemote(launch, attempt);
      if (signal.aborted) await connection.close();
      throwIfAborted(signal);
      return connection;
    } catch (error) {
      if (signal.aborted) throw new Interrupt();
      const why = late.aborted ? new Late(timeoutMs) : error;
      // The last lines that the server printed often name the reason.
      throw serverError(sdk, why, { server, output: log.lastLines });
    }
  }

  async signIn(server: string, launch: ServerLaunch, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    if (launch.type === "stdio" || hasOwnToken(launch))
      throw new ServerError(server, reasonOf("sign-in-none"));
    const key = addressKey(launch.url);
    // The user starts again if they closed the browser's page.
    this.#signingIn.get(key)?.abort();
    const replaced = new AbortController();
    this.#signingIn.set(key, replaced);
    const { fetch, signIn: uis, clientMetadataUrl } = this.#options;
    try {
      await signIn({
        sdk: await import("./mcp-sdk.ts"),
        server,
        serverUrl: launch.url,
        authorization: this.#authorization,
        fetch,
        uis,
        clientMetadataUrl,
        signal: AbortSignal.any([signal, replaced.signal]),
      });
    } finally {
      if (this.#signingIn.get(key) === replaced) this.#signingIn.delete(key);
    }
  }

  async isSignedIn(url: string): Promise<boolean> {
    return (await this.#authorization.grants.current(url))?.tokens !== undefined;
  }

  async signOut(url: string): Promise<void> {
    await this.#authorization.locked(url, () => this.#authorization.grants.forget(url));
  }

  async #connectLocal(launch: LocalLaunch, attempt: Attempt): Promise<ServerConnection> {
    const roots = this.#options.roots();
    const environment = serverEnvironment(this.#options.environment, launch.env, roots);
    const { args, cwd } = launch;
    const program = serverProgram(launch.command, { cwd, environment, roots });
    const guard = processGuard(this.#options.folder);
    const key = JSON.stringify(launch);
    const { sdk, log, signal } = attempt;
    const create = () => new StdioTransport(sdk, { program, args, cwd, environment }, guard, log);
    const open = (transport: StdioTransport, isLegacy: boolean) =>
      this.#open(attempt, transport, { isLegacy, probeMs: LOCAL_PROBE_MS, ended: transport.ended });
    if (this.#legacy.has(key)) return open(create(), true);
    const first = create();
    try {
      return await open(first, false);
    } catch (error) {
      if (!first.exitedByItself || signal.aborted) throw error;
      // Some servers of older protocol versions exit when the first request is not the one that they know.
      log.note("The server ended when it was asked for its version. Starting it again for an older one.");
      log.forgetLines();
      const connection = await open(create(), true);
      this.#legacy.add(key);
      return connection;
    }
  }

  async #connectRemote(launch: RemoteLaunch, attempt: Attempt): Promise<ServerConnection> {
    const { sdk, server } = attempt;
    const provider = hasOwnToken(launch)
      ? ownToken(server)
      : this.#authorization.provider(sdk, server, launch.url);
    const fetch = this.#authorization.listening(sdk, launch.url, this.#options.fetch);
    const { http, sse, isOther, isServerFault } = remoteTransports(sdk, launch, fetch, provider);
    const probeMs = attempt.timeoutMs;
    const openSse = () => this.#open(attempt, sse(), { isLegacy: true, probeMs });
    if (launch.type === "sse") return openSse();
    const open = (isLegacy: boolean) => {
      const transport = http();
      const onClose = async () => {
        await within(
          transport.terminateSession().catch(() => {}),
          SESSION_END_MS,
        );
      };
      return this.#open(attempt, transport, { isLegacy, probeMs, onClose });
    };
    const key = JSON.stringify(launch);
    try {
      return await open(this.#legacy.has(key));
    } catch (error) {
      if (attempt.signal.aborted) throw error;
      if (isServerFault(error) && !this.#legacy.has(key)) {
        attempt.log.note("The server failed when it was asked for its version. Trying an older one.");
        const connection = await open(true);
        this.#legacy.add(key);
        return connection;
      }
      if (launch.type === "http" || !isOther(error)) throw error;
      attempt.log.note("The server does not support streamable HTTP. Trying the older SSE transport.");
      // If this fails too, the first error is reported, because it says more about the server.
      return openSse().catch(() => {
        throw error;
      });
    }
  }

  async #open(
    attempt: Attempt,
    transport: Parameters<Client["connect"]>[0],
    { isLegacy, probeMs, ended, onClose }: OpenOptions,
  ): Promise<ServerConnection> {
    const { sdk, server, events, log, signal, timeoutMs } = attempt;
    const timers = new CallTimers();
    const { version } = this.#options;
    const { client, closed } = createClient(sdk, { version, probeMs, events, log, timers });
    const close = async () => {
      await onClose?.();
      await client.close();
      // Also closes it if the client has already released it.
      await transport.close();
    };
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(new Interrupt());
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    try {
      const prior = isLegacy ? { prior: { kind: "legacy" as const } } : {};
      await Promise.race([client.connect(transport, { timeout: timeoutMs, signal, ...prior }), aborted]);
      readableResults(transport);
      if (client.getProtocolEra() === "legacy" && client.getServerCapabilities()?.logging)
        await Promise.race([client.setLoggingLevel("info", { signal }).catch(() => {}), aborted]);
    } catch (error) {
      await close();
      const reason = await ended;
      if (reason === undefined || reason === CLOSED) throw error;
      throw new Failed(reason);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    return new McpConnection({ sdk, client, server, timers, events, log, ended: ended ?? closed, close });
  }
}

/** From here on, parts that the client would reject are removed from results. */
function readableResults(transport: Parameters<Client["connect"]>[0]): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) =>
    onmessage?.(
      "result" in message ? { ...message, result: readableResult(message.result) } : message,
      extra,
    );
}
