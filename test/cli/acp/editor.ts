/** An editor at the other end of `nekode acp`: the SDK's own client, over the pipes of a real process. */
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
import type { Project } from "../support.ts";

const program = path.join(import.meta.dirname, "../../../dist/cli.js");

export interface EditorOptions {
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
  readonly child: ChildProcess;
  stderr = "";
  readonly #ended: Promise<number | null>;
  readonly #connection: ClientConnection;
  readonly #waiting = new Set<() => void>();
  initialized: InitializeResponse | undefined;

  private constructor(child: ChildProcess, connection: (editor: Editor) => ClientConnection) {
    this.child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#notify();
    });
    this.#ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(code));
    });
    this.#connection = connection(this);
  }

  /** Starts the agent and initializes the connection. */
  static async start(project: Project, options: EditorOptions = {}): Promise<Editor> {
    const { args = [], env = {}, capabilities = {}, version = 1 } = options;
    const child = spawn(process.execPath, [program, "acp", ...args], {
      cwd: path.dirname(project.folder),
      env: { ...project.environment, ...env },
    });
    const editor = new Editor(child, (self) => self.#connect(child, options));
    editor.initialized = await editor.agent.request(methods.agent.initialize, {
      protocolVersion: version,
      clientCapabilities: capabilities,
      clientInfo: { name: "test", version: "1" },
    });
    return editor;
  }

  #connect(child: ReturnType<typeof spawn>, { permit, elicit }: EditorOptions): ClientConnection {
    const { stdin, stdout } = child;
    if (!stdin || !stdout) throw new Error("the agent has no pipes");
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
    this.child.stdin?.end();
    return this.#ended;
  }

  get ended(): Promise<number | null> {
    return this.#ended;
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
