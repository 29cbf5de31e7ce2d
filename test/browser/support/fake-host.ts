/** A host for the panel, without VS Code: the protocol's real server, over a state folded by the real reducer. */
import type { EventBody } from "../../../src/shared/event.ts";
import type { Explanation } from "../../../src/shared/explanation.ts";
import type { CheckReport } from "../../../src/shared/models/check.ts";
import type { FoundServer, NewConnection, OfferedModels } from "../../../src/shared/models/model-protocol.ts";
import type {
  Attachment,
  Commit,
  Draft,
  FileHit,
  IndexProgress,
  Params,
  RequestName,
  Result,
  SessionSummary,
  Setup,
  SlashCommand,
} from "../../../src/shared/protocol.ts";
import { type Handlers, type Server, serve, type Transport } from "../../../src/shared/rpc.ts";
import type { AddedServers, MentionResource, ServerList } from "../../../src/shared/server-list.ts";
import { applyEvent, type ChatView } from "../../../src/shared/view/reducer.ts";
import { ofSession } from "../../support/events.ts";
import { ourFaces, viewWithFaces } from "../../support/faces.ts";

export interface Call {
  name: RequestName;
  params: unknown;
}

export const READY_SETUP: Setup = {
  models: { act: "llamacpp/tiny-model" },
  effort: "default",
  connections: ["llamacpp"],
  hasWorkspace: true,
  trusted: true,
};

export class FakeHost {
  view: ChatView = viewWithFaces;
  setup: Setup = READY_SETUP;
  sessions: SessionSummary[] = [];
  /** A search could not look at everything. */
  indexing: IndexProgress | undefined;
  commands: SlashCommand[] = [];
  /** Servers whose prompts are not known. */
  unlisted: string[] = [];
  /** What the host kept of the composer. */
  draft: Draft | undefined;
  commits: Commit[] = [];
  resources: MentionResource[] = [];
  /** Answers `files/find`; replace it to answer late or out of order. */
  find: (query: string) => Promise<FileHit[]> = async () => [];
  rules: Result<"rules/list"> = { rules: [], workflows: [], hasWorkspace: true };
  servers: ServerList = {
    servers: [],
    problems: [],
    userFile: "/home/user/mcp.json",
    untrustedWorkspace: false,
  };
  /** Answers `servers/add`. */
  added: AddedServers = { added: [], existing: [], problems: [] };
  /** Answers `files/mention`. */
  mention: (uris: string[]) => Result<"files/mention"> = () => ({ mentions: [], refused: [] });
  models: Result<"models/list"> = { connections: [], favourites: [], recents: [], badEntries: [] };
  /** Answers `models/offered`, by connection; replace it to answer late. */
  offer: (connection: string) => OfferedModels | Promise<OfferedModels> = () => ({ models: [] });
  /** Answers `connections/add`. */
  adding: (entered: NewConnection) => Result<"connections/add"> = () => ({ models: [] });
  /** Answers `connections/find`. */
  found: FoundServer[] = [];
  /** Answers `models/check`. */
  checked: CheckReport = { name: "", verdict: "good", findings: [], tokens: 9_000 };
  /** Answers `connections/test`. */
  tested: Result<"connections/test"> = { count: 3 };
  leftOut: Result<"chat/left-out"> = { parts: [], more: 0 };
  /** Answers `chat/picture`, by `CALL:INDEX`. */
  pictures: Record<string, Attachment> = {};
  picturesReady: Promise<void> = Promise.resolve();
  explanation: Explanation | undefined;
  /** A page that opens is answered when it resolves. */
  opening: Promise<void> = Promise.resolve();
  /** Messages are acknowledged when it resolves. */
  taking: Promise<void> = Promise.resolve();
  /** What more there is of the conversation, and how to send it. */
  earlier: (how: Params<"chat/earlier">) => void = () => {};
  /** Requests so far, in order. */
  readonly calls: Call[] = [];
  /** Requests of these names fail, with the message given. */
  readonly failing = new Map<RequestName, string>();
  #seq = 1;
  #server: Server | null = null;
  readonly #waiting = new Set<() => void>();

  attach(transport: Transport): void {
    this.#server?.dispose();
    this.#server = serve(transport, this.#handlers(), () => {});
  }

  /** Folds events and sends them, as one batch. */
  emit(...events: EventBody[]): void {
    this.view = events.reduce(applyEvent, this.view);
    const seq = this.#seq;
    this.#seq += events.length;
    this.#server?.notify("chat/events", { seq, events: events.map((event) => ofSession(event)) });
  }

  /** Folds events and loses them on the way to the panel. */
  lose(...events: EventBody[]): void {
    this.view = events.reduce(applyEvent, this.view);
    this.#seq += events.length;
  }

  /** Another conversation altogether, as a snapshot. */
  show(shown: ChatView, setup: Setup): void {
    const view = { ...shown, faces: { ...ourFaces, ...shown.faces } };
    this.view = view;
    this.setup = setup;
    this.server.notify("host/setup", setup);
    this.server.notify("chat/snapshot", { seq: this.#seq, view });
  }

  get server(): Server {
    if (!this.#server) throw new Error("no page is attached");
    return this.#server;
  }

  named<N extends RequestName>(name: N): Params<N>[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.params as Params<N>);
  }

  /** The params of the request of that name, once there have been `count` of them. */
  async called<N extends RequestName>(name: N, count = 1): Promise<Params<N>> {
    for (;;) {
      const params = this.named(name)[count - 1];
      if (params) return params;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #took<N extends RequestName>(name: N, params: Params<N>): void {
    this.calls.push({ name, params });
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    const failure = this.failing.get(name);
    if (failure !== undefined) throw new Error(failure);
  }

  #handlers(): Handlers {
    const plain =
      <N extends RequestName>(name: N, answer: (params: Params<N>) => Result<N> | Promise<Result<N>>) =>
      async (params: Params<N>): Promise<Result<N>> => {
        this.#took(name, params);
        return answer(params);
      };
    return {
      "chat/open": plain("chat/open", async () => {
        await this.opening;
        return {
          seq: this.#seq,
          view: this.view,
          setup: this.setup,
          ...(this.draft ? { draft: this.draft } : {}),
        };
      }),
      "chat/draft": plain("chat/draft", () => ({})),
      "chat/earlier": plain("chat/earlier", (how) => {
        this.earlier(how);
        return {};
      }),
      "chat/send": plain("chat/send", async () => {
        await this.taking;
        return { queued: this.view.status !== "idle" };
      }),
      "chat/stop": plain("chat/stop", () => ({})),
      "chat/new": plain("chat/new", () => ({})),
      "chat/retry": plain("chat/retry", () => ({})),
      "chat/mode": plain("chat/mode", ({ mode }) => {
        this.emit({ type: "mode", mode });
        return {};
      }),
      "chat/approve": plain("chat/approve", () => ({ accepted: true })),
      "chat/reject": plain("chat/reject", () => ({ accepted: true })),
      "chat/forecast": plain("chat/forecast", () => ({ tokens: 12_345, cachedTokens: 10_000, cost: 0.0456 })),
      "chat/choose-answer": plain("chat/choose-answer", () => ({ accepted: true })),
      "chat/why": plain("chat/why", () => (this.explanation ? { explanation: this.explanation } : {})),
      "chat/answer-form": plain("chat/answer-form", () => ({ accepted: true })),
      "chat/move-to-background": plain("chat/move-to-background", () => ({ accepted: true })),
      "chat/unqueue": plain("chat/unqueue", ({ id }) => {
        this.emit({ type: "queue", items: this.view.queue.filter((item) => item.id !== id) });
        return {};
      }),
      "chat/edit": plain("chat/edit", () => ({})),
      "chat/left-out": plain("chat/left-out", () => this.leftOut),
      "chat/picture": plain("chat/picture", async ({ callId, index }) => {
        await this.picturesReady;
        const picture = this.pictures[`${callId}:${index}`];
        return picture ? { picture } : {};
      }),
      "host/show-part": plain("host/show-part", () => ({})),
      "chat/fork": plain("chat/fork", () => ({})),
      "chat/undo": plain("chat/undo", () => ({})),
      "checkpoint/changes": plain("checkpoint/changes", () => ({})),
      "checkpoint/restore": plain("checkpoint/restore", () => ({})),
      "history/list": plain("history/list", ({ offset = 0, limit = 100, allProjects = false }) => {
        const listed = this.sessions.filter(({ project }) => allProjects || project === undefined);
        return {
          sessions: listed.slice(offset, offset + limit),
          more: listed.length > offset + limit,
          ...(this.indexing ? { indexing: this.indexing } : {}),
        };
      }),
      "history/open": plain("history/open", ({ id, takeOver }) => {
        const found = this.sessions.find((session) => session.id === id);
        return found?.elsewhere && !takeOver ? { elsewhere: true } : {};
      }),
      "history/open-other": plain("history/open-other", () => ({})),
      "history/rename": plain("history/rename", () => ({})),
      "history/favourite": plain("history/favourite", () => ({})),
      "history/delete": plain("history/delete", ({ id }) => {
        const found = this.sessions.find((session) => session.id === id);
        return { undoMs: found?.elsewhere ? 0 : 30_000 };
      }),
      "history/undelete": plain("history/undelete", () => ({})),
      "history/export": plain("history/export", () => ({})),
      "history/import": plain("history/import", () => ({ imported: 1 })),
      "slash/list": plain("slash/list", () => ({ commands: this.commands, unlisted: this.unlisted })),
      "chat/todo": plain("chat/todo", ({ markdown }) => {
        this.emit({ type: "todo", markdown });
        return {};
      }),
      "host/edit-todo": plain("host/edit-todo", () => ({})),
      "git/commits": plain("git/commits", ({ query }) => ({
        commits: this.commits.filter(({ subject }) => subject.includes(query)),
      })),
      "resources/find": plain("resources/find", ({ query }) => ({
        resources: this.resources.filter(
          ({ mention, name, template }) =>
            `${mention} ${name}`.includes(query) ||
            // As the host does while the user types a template's variables.
            (template !== undefined && query.startsWith(mention.slice(1).replaceAll('"', ""))),
        ),
      })),
      "files/find": plain("files/find", async ({ query }) => ({ hits: await this.find(query) })),
      "files/mention": plain("files/mention", ({ uris }) => this.mention(uris)),
      "rules/list": plain("rules/list", () => this.rules),
      "rules/switch": plain("rules/switch", () => ({})),
      "rules/open": plain("rules/open", () => ({})),
      "rules/new": plain("rules/new", () => ({})),
      "servers/list": plain("servers/list", () => this.servers),
      "servers/trust": plain("servers/trust", () => ({})),
      "servers/act": plain("servers/act", () => ({})),
      "servers/tool": plain("servers/tool", () => ({})),
      "servers/open": plain("servers/open", () => ({})),
      "servers/add": plain("servers/add", () => this.added),
      "models/list": plain("models/list", () => this.models),
      "models/offered": plain("models/offered", ({ connection }) => this.offer(connection)),
      "models/choose": plain("models/choose", ({ name, mode }) => {
        const { plan: _, ...act } = this.view.chosen;
        this.emit({ type: "model", chosen: name === "" ? act : { ...this.view.chosen, [mode]: name } });
        return {};
      }),
      "models/effort": plain("models/effort", ({ effort }) => {
        this.setup = { ...this.setup, effort };
        this.server.notify("host/setup", this.setup);
        return {};
      }),
      "models/check": plain("models/check", ({ name }) => ({ ...this.checked, name })),
      "models/favourite": plain("models/favourite", () => ({})),
      "connections/add": plain("connections/add", (entered) => this.adding(entered)),
      "connections/set-address": plain("connections/set-address", () => ({})),
      "connections/remove": plain("connections/remove", () => ({})),
      "connections/set-key": plain("connections/set-key", () => ({})),
      "connections/find": plain("connections/find", () => ({ servers: this.found })),
      "connections/test": plain("connections/test", () => this.tested),
      "host/open-file": plain("host/open-file", () => ({})),
      "host/open-link": plain("host/open-link", () => ({})),
      "host/settings": plain("host/settings", () => ({})),
      "host/set-key": plain("host/set-key", () => ({})),
      "host/show-diff": plain("host/show-diff", () => ({})),
      "host/run-proposal": plain("host/run-proposal", () => ({})),
    };
  }
}
