/**
 * The methods of version 1 of the Agent Client Protocol, for sessions that do not depend on the protocol. The agent itself reads files
 * and runs commands, so it does not use the editor's methods for these.
 */
import { readFile } from "node:fs/promises";
import type {
  AgentApp,
  AuthMethod,
  InitializeRequest,
  InitializeResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  McpServer,
  NewSessionRequest,
  PromptResponse,
  ResumeSessionRequest,
} from "@agentclientprotocol/sdk";
import { messageOf } from "../../core/errors.ts";
import { codeOf } from "../../node/files/fs-errors.ts";
import { type AcpParts, missingSetup } from "../acp-parts.ts";
import type * as AcpSdk from "../acp-sdk.ts";
import { MOST_AT_ONCE } from "../bounded-stream.ts";
import type { EditorSession } from "../editor-session.ts";
import type { PassedServer } from "../project/session-servers.ts";
import type { PromptEnd } from "../reports.ts";
import { EditorSessions, type SessionLocation, SessionRefusal } from "../sessions.ts";
import { ClientV1 } from "./client-v1.ts";
import { configOptionsV1, modesV1 } from "./options-v1.ts";
import { InvalidRequest, promptInput } from "./prompt-v1.ts";

/** The option with which the program checks the setup in a terminal: `nekode acp --setup`. */
const SETUP_ARGUMENT = "--setup";
/** The id of the method that needs no terminal. */
const IN_ENVIRONMENT = "environment";
/** The cursor of a page of the list of sessions, as the editor returns it. */
const CURSOR = /^from-(\d{1,9})$/;

export class AgentV1 {
  readonly sessions: EditorSessions;
  readonly #sdk: typeof AcpSdk;
  readonly #parts: AcpParts;
  readonly #client: ClientV1;
  /** The number of requests that are being processed. */
  #running = 0;

  constructor(sdk: typeof AcpSdk, parts: AcpParts) {
    this.#sdk = sdk;
    this.#parts = parts;
    this.#client = new ClientV1(sdk, parts.t);
    this.sessions = new EditorSessions(parts, this.#client);
  }

  /** The methods, for one connection. */
  get app(): AgentApp {
    const { agent } = this.#sdk.methods;
    const { sessions } = this;
    return this.#sdk
      .agent({ name: "nekode" })
      .onConnect((connection) => this.#client.connect(connection))
      .onRequest(agent.initialize, ({ params }) => this.#initialize(params))
      .onRequest(agent.authenticate, ({ params }) =>
        this.#answer(async () => this.#authenticate(params.methodId)),
      )
      .onRequest(agent.session.new, ({ params }) =>
        this.#answer(async () => {
          const session = await sessions.create(locationOf(params));
          return { sessionId: session.id, ...this.#introduce(session) };
        }),
      )
      .onRequest(agent.session.load, ({ params }) => this.#load(params, true))
      .onRequest(agent.session.resume, ({ params }) => this.#load(params, false))
      .onRequest(agent.session.list, ({ params }) =>
        this.#answer(async () => {
          const page = await sessions.list(params.cwd ?? undefined, this.#offsetOf(params.cursor));
          return {
            sessions: page.sessions.map(({ id, ...rest }) => ({ sessionId: id, ...rest })),
            ...(page.next === undefined ? {} : { nextCursor: `from-${page.next}` }),
          };
        }),
      )
      .onRequest(agent.session.close, ({ params }) =>
        this.#answer(async () => {
          await sessions.close(params.sessionId);
          this.#client.forget(params.sessionId);
          return {};
        }),
      )
      .onRequest(agent.session.setMode, ({ params }) =>
        this.#answer(async () => {
          await this.#set(params.sessionId, "mode", params.modeId);
          return {};
        }),
      )
      .onRequest(agent.session.setConfigOption, ({ params }) =>
        this.#answer(async () => {
          const session = await this.#set(params.sessionId, params.configId, String(params.value));
          return { configOptions: configOptionsV1(session.choices.current, this.#parts.t) };
        }),
      )
      .onRequest(agent.session.prompt, ({ params, signal }) =>
        this.#answer(async () => {
          const session = sessions.get(params.sessionId);
          const { text, images } = await promptInput(params.prompt, {
            root: session.cwd,
            read: readText,
          });
          if (text.trim() === "" && images.length === 0) throw new InvalidRequest("the prompt is empty");
          // The request itself can be canceled too.
          signal.addEventListener("abort", () => this.#cancel(session), { once: true });
          return this.#promptResponse(await session.prompt(text, images));
        }),
      )
      .onNotification(agent.session.cancel, ({ params }) => this.#cancel(sessions.get(params.sessionId)));
  }

  #initialize({ protocolVersion, clientCapabilities }: InitializeRequest): InitializeResponse {
    const { PROTOCOL_VERSION } = this.#sdk;
    this.#client.initialize(clientCapabilities);
    const { version, log } = this.#parts;
    const other = `the editor speaks version ${protocolVersion} of the Agent Client Protocol; Nekode speaks version ${PROTOCOL_VERSION}`;
    if (protocolVersion !== PROTOCOL_VERSION) log.error(other);
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "nekode", title: "Nekode", version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: this.#authMethods(),
      ...(protocolVersion === PROTOCOL_VERSION ? {} : { _meta: { message: `${other}.` } }),
    };
  }

  /** No method transmits a key: it is in the environment, or none is needed. */
  #authMethods(): AuthMethod[] {
    const { t } = this.#parts;
    const missing = missingSetup(this.#parts);
    if (missing === undefined) return [];
    const how = `${missing} ${t("Set it in the environment of the editor, or run nekode config, and start the agent again.")}`;
    const inEnvironment: AuthMethod = { id: IN_ENVIRONMENT, name: t("Set up Nekode"), description: how };
    if (!this.#client.signsInOnTerminal) return [inEnvironment];
    const onTerminal: AuthMethod = {
      id: "terminal",
      type: "terminal",
      name: t("Set up Nekode in a terminal"),
      description: how,
      args: [SETUP_ARGUMENT],
    };
    return [onTerminal, inEnvironment];
  }

  /** Transmits and stores nothing: it only checks what the user set up. */
  #authenticate(methodId: string): Record<string, never> {
    if (methodId !== IN_ENVIRONMENT)
      throw new InvalidRequest(`there is no authentication method ${JSON.stringify(methodId)} to call`);
    const missing = missingSetup(this.#parts);
    if (missing !== undefined) throw new SessionRefusal("no-setup", missing);
    return {};
  }

  #load(
    params: LoadSessionRequest | ResumeSessionRequest,
    withHistory: boolean,
  ): Promise<LoadSessionResponse> {
    return this.#answer(async () => {
      if (withHistory) this.#client.restart(params.sessionId);
      return this.#introduce(await this.sessions.load(params.sessionId, locationOf(params), withHistory));
    });
  }

  /** The part of the response that describes a session; the rest follows as updates. */
  #introduce(session: EditorSession): LoadSessionResponse {
    const { t, log } = this.#parts;
    const { current } = session.choices;
    // Updates before the response would be about a session that the editor does not know yet.
    setImmediate(() => {
      session.introduce().catch((error: unknown) => log.error("a session was not introduced", error));
    });
    return { configOptions: configOptionsV1(current, t), modes: modesV1(current, t) };
  }

  async #set(sessionId: string, choice: string, value: string): Promise<EditorSession> {
    const session = this.sessions.get(sessionId);
    const problem = await session.choices.set(choice, value);
    if (problem !== undefined) throw new InvalidRequest(problem);
    return session;
  }

  #cancel(session: EditorSession): void {
    const { log } = this.#parts;
    session.cancel().catch((error: unknown) => log.error("a session was not stopped", error));
  }

  #promptResponse(end: PromptEnd): PromptResponse {
    switch (end.type) {
      case "done":
        return { stopReason: "end_turn" };
      case "limit":
        return { stopReason: "max_turn_requests" };
      case "cut":
        return { stopReason: "max_tokens" };
      case "cancelled":
        return { stopReason: "cancelled" };
      case "failed": {
        const { RequestError } = this.#sdk;
        if (end.key) throw new RequestError(RequestError.authRequired().code, end.text);
        throw new RequestError(RequestError.internalError().code, end.text);
      }
    }
  }

  #offsetOf(cursor: string | null | undefined): number {
    if (cursor === undefined || cursor === null) return 0;
    const offset = CURSOR.exec(cursor)?.[1];
    if (offset === undefined)
      throw new InvalidRequest(
        `the cursor ${JSON.stringify(cursor)} is not one of session/list; leave it out to begin again`,
      );
    return Number(offset);
  }

  /** Refusals become errors of the protocol, with their sentence as the message. */
  async #answer<T>(work: () => Promise<T>): Promise<T> {
    const { RequestError } = this.#sdk;
    if (this.#running >= MOST_AT_ONCE)
      throw new RequestError(
        RequestError.internalError().code,
        `Nekode is busy with ${MOST_AT_ONCE} requests. Send this one again when others have been answered.`,
      );
    this.#running++;
    try {
      return await work();
    } catch (error) {
      if (error instanceof InvalidRequest)
        throw new RequestError(RequestError.invalidParams().code, error.message);
      if (error instanceof SessionRefusal) throw new RequestError(this.#codeOf(error), error.message);
      if (!(error instanceof RequestError)) {
        this.#parts.log.error("a request of the editor failed", error);
        throw new RequestError(RequestError.internalError().code, messageOf(error));
      }
      throw error;
    } finally {
      this.#running--;
    }
  }

  #codeOf({ code }: SessionRefusal): number {
    const { RequestError } = this.#sdk;
    switch (code) {
      case "unknown-session":
        return RequestError.sessionNotFound("").code;
      case "no-setup":
        return RequestError.authRequired().code;
      case "elsewhere":
        return RequestError.internalError().code;
      case "bad-place":
        return RequestError.invalidParams().code;
    }
  }
}

function locationOf(params: NewSessionRequest | LoadSessionRequest | ResumeSessionRequest): SessionLocation {
  if (params.additionalDirectories && params.additionalDirectories.length > 0)
    throw new SessionRefusal(
      "bad-place",
      "additionalDirectories is not supported; open one session for each folder",
    );
  return { cwd: params.cwd, servers: passedServers(params.mcpServers) };
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) !== undefined) return undefined;
    throw error;
  }
}

/** MCP servers as version 1 passes them. */
function passedServers(servers: readonly McpServer[] = []): PassedServer[] {
  return servers.map((server) => {
    const { name } = server;
    if ("type" in server) {
      const { type, url, headers } = server;
      return { name, launch: { type, url, headers: byName(headers) } };
    }
    const { command, args, env } = server;
    return { name, launch: { type: "stdio", command, args, env: byName(env) } };
  });
}

function byName(values: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}
