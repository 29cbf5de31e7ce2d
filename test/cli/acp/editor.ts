/** An editor at the other end of `nekode acp`: the SDK's own client, over the streams of a run in this process or of a real process. */
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type InitializeResponse,
  type McpServer,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { runProgram } from "../program.ts";
import type { Project } from "../support.ts";

const program = path.join(import.meta.dirname, "../../../dist/cli.js");

/** The agent, as its editor has it. */
interface Agent {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  ended: Promise<number | null>;
  /** undefined: it runs in this process. */
  child?: ChildProcess;
}

/** In this process. */
function runAgent(args: readonly string[], cwd: string, environment: Record<string, string>): Agent {
  return runProgram(["acp", ...args], { environment, cwd });
}

/** As a process, as an editor starts it. */
function spawnAgent(args: readonly string[], cwd: string, env: Record<string, string>): Agent {
  const child = spawn(process.execPath, [program, "acp", ...args], { cwd, env });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code));
  });
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, ended, child };
}

export interface EditorOptions {
  /** The agent is a process of its own, which can be killed and which others see as another process. */
  asProcess?: boolean;
  args?: readonly string[];
  env?: Record<string, string>;
  capabilities?: ClientCapabilities;
  version?: number;
  /** The user's decision; default: the option of the kind allow_once. */
  permit?(
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ): RequestPermissionResponse | Promise<RequestPermissionResponse>;
  elicit?(request: CreateElicitationRequest): CreateElicitationResponse | Promise<CreateElicitationResponse>;
}

export class Editor {
  readonly updates: SessionNotification[] = [];
  readonly permissions: RequestPermissionRequest[] = [];
  readonly elicitations: CreateElicitationRequest[] = [];
  readonly #agent: Agent;
  stderr = "";
  readonly #connection: ClientConnection;
  readonly #waiting = new Set<() => void>();
  initialized: InitializeResponse | undefined;

  private constructor(agent: Agent, options: EditorOptions) {
    this.#agent = agent;
    agent.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#notify();
    });
    this.#connection = this.#connect(agent, options);
  }

  /** Starts the agent and initializes the connection. */
  static async start(project: Project, options: EditorOptions = {}): Promise<Editor> {
    const { args = [], env = {}, capabilities = {}, version = 1 } = options;
    const start = options.asProcess ? spawnAgent : runAgent;
    const agent = start(args, path.dirname(project.folder), { ...project.environment, ...env });
    const editor = new Editor(agent, options);
    editor.initialized = await editor.agent.request(methods.agent.initialize, {
      protocolVersion: version,
      clientCapabilities: capabilities,
      clientInfo: { name: "test", version: "1" },
    });
    return editor;
  }

  #connect({ stdin, stdout }: Agent, { permit, elicit }: EditorOptions): ClientConnection {
    const input = Readable.toWeb(stdout) as ReadableStream<Uint8Array>;
    return client({ name: "test" })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params);
        this.#notify();
      })
      .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
        this.permissions.push(params);
        this.#notify();
        return permit ? permit(params, signal) : choose(params, "allow_once");
      })
      .onRequest(methods.client.elicitation.create, async ({ params }) => {
        this.elicitations.push(params);
        this.#notify();
        return elicit ? elicit(params) : { action: "cancel" as const };
      })
      .connect(ndJsonStream(Writable.toWeb(stdin), input));
  }

  get agent(): ClientContext {
    return this.#connection.agent;
  }

  #notify(): void {
    for (const listener of [...this.#waiting]) listener();
  }

  /** Resolves when `isThere` finds something, which is looked for after each message of the agent. */
  until<T>(isThere: () => T | undefined | false): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = isThere();
        if (found === undefined || found === false) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** A new session; resolves with its id. */
  async open(cwd: string, mcpServers: McpServer[] = []): Promise<string> {
    return (await this.agent.request(methods.agent.session.new, { cwd, mcpServers })).sessionId;
  }

  prompt(sessionId: string, text: string) {
    return this.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text }],
    });
  }

  cancel(sessionId: string): Promise<void> {
    return this.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  load(sessionId: string, cwd: string) {
    return this.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
  }

  /** The updates of a session of one kind, in order. */
  of<Kind extends SessionUpdate["sessionUpdate"]>(
    sessionId: string,
    kind: Kind,
  ): Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
    return this.updates.flatMap((each) =>
      each.sessionId === sessionId && isKind(each.update, kind) ? [each.update] : [],
    );
  }

  /** What a user sees of a session: messages put together and calls in their last state, in order. */
  transcript(sessionId: string): TranscriptRow[] {
    return transcriptOf(this.updates.filter((each) => each.sessionId === sessionId));
  }

  /** Ends the input, as an editor does that closes. Resolves with the exit code. */
  async close(): Promise<number | null> {
    this.#agent.stdin.end();
    return this.#agent.ended;
  }

  /** Only of an agent that is a process. */
  kill(signal: NodeJS.Signals): void {
    if (!this.#agent.child) throw new Error("the agent is not a process of its own");
    this.#agent.child.kill(signal);
  }

  get ended(): Promise<number | null> {
    return this.#agent.ended;
  }
}

function isKind<Kind extends SessionUpdate["sessionUpdate"]>(
  update: SessionUpdate,
  kind: Kind,
): update is Extract<SessionUpdate, { sessionUpdate: Kind }> {
  return update.sessionUpdate === kind;
}

export function choose(
  { options }: RequestPermissionRequest,
  kind: RequestPermissionRequest["options"][number]["kind"],
): RequestPermissionResponse {
  const option = options.find((each) => each.kind === kind);
  if (!option) throw new Error(`no option of the kind ${kind} in ${JSON.stringify(options)}`);
  return { outcome: { outcome: "selected", optionId: option.optionId } };
}

export type TranscriptRow =
  | { who: string; id: string; text: string }
  | { call: string; fields: Record<string, unknown> };

function transcriptOf(updates: readonly SessionNotification[]): TranscriptRow[] {
  const rows: TranscriptRow[] = [];
  for (const { update } of updates) {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const { messageId, content, sessionUpdate: who } = update;
        const id = messageId ?? "";
        const text = content.type === "text" ? content.text : `[${content.type}]`;
        const row = rows.find((each) => "who" in each && each.who === who && each.id === id);
        if (row && "who" in row) row.text += text;
        else rows.push({ who, id, text });
        break;
      }
      case "tool_call":
      case "tool_call_update": {
        const { sessionUpdate: _, toolCallId: call, ...fields } = update;
        const row = rows.find((each) => "call" in each && each.call === call);
        if (row && "call" in row) Object.assign(row.fields, fields);
        else rows.push({ call, fields: { ...fields } });
        break;
      }
      default:
    }
  }
  return rows;
}
