/** A host for the panel, without VS Code: the protocol's real server, over a state folded by the real reducer. */

import type * as z from "zod";
import { SessionFind } from "../../../src/core/agent/session-texts.ts";
import { systemClock } from "../../../src/node/clock.ts";
import type { AgentList } from "../../../src/shared/agent-list.ts";
import type { EventBody } from "../../../src/shared/event.ts";
import type { Explanation } from "../../../src/shared/explanation.ts";
import type { HealthReport } from "../../../src/shared/health-report.ts";
import { foreignRequestSchema } from "../../../src/shared/history/found-list.ts";
import type { HookList } from "../../../src/shared/hook-list.ts";
import type { ManagedList } from "../../../src/shared/managed-list.ts";
import type { MemoryList } from "../../../src/shared/memory-list.ts";
import { modeSchema } from "../../../src/shared/message.ts";
import type { CheckReport } from "../../../src/shared/models/check.ts";
import type { FoundServer, NewConnection, OfferedModels } from "../../../src/shared/models/model-protocol.ts";
import { LEVEL_ACCESS } from "../../../src/shared/permission/levels.ts";
import { changedPermission } from "../../../src/shared/permission/session-permission.ts";
import type { PluginList } from "../../../src/shared/plugin-list.ts";
import type {
  Attachment,
  Commit,
  Draft,
  FileHit,
  IndexProgress,
  MentionSymbol,
  Params,
  RequestName,
  Result,
  SessionSummary,
  Setup,
  SlashCommand,
} from "../../../src/shared/protocol.ts";
import { type Handlers, type Server, serve, type Transport } from "../../../src/shared/rpc.ts";
import type { ServerGallery } from "../../../src/shared/server-gallery.ts";
import type { ServerList } from "../../../src/shared/server-list.ts";
import type { AddedServers, MentionResource } from "../../../src/shared/server-protocol.ts";
import type { ToolList } from "../../../src/shared/tool-list.ts";
import type { CurrentFile, PathKind } from "../../../src/shared/view/current-file.ts";
import { applyEvent, type ChatView, rowsOf } from "../../../src/shared/view/reducer.ts";

import { isWorking, type SessionItem } from "../../../src/shared/view/session-item.ts";
import type { TurnFile } from "../../../src/shared/view/turn-protocol.ts";

import type { Example } from "../../../src/shared/welcome-protocol.ts";

import { translator } from "../../../src/shared/words/task-words.ts";
import { ofSession } from "../../support/events.ts";
import { ownPresentations, viewWithPresentations } from "../../support/presentations.ts";

export interface Call {
  name: RequestName;
  params: unknown;
}

export const READY_SETUP: Setup = {
  models: { act: "llamacpp/tiny-model" },
  effort: "default",
  access: LEVEL_ACCESS.ask,
  connections: ["llamacpp"],
  hasWorkspace: true,
  trusted: true,
};

export class FakeHost {
  view: ChatView = viewWithPresentations;
  setup: Setup = READY_SETUP;
  /** Answers what the page for sessions of other agents asks. */
  foreign: (asked: z.infer<typeof foreignRequestSchema>) => unknown = ({ settings }) =>
    settings ? { proposals: [], left: [], problems: [] } : [];
  sessions: SessionSummary[] = [];
  /** Answers `welcome/examples`. */
  examples: Example[] = [{ code: "write-tests", value: "src/cats.js" }];
  /** A search could not look at everything. */
  indexing: IndexProgress | undefined;
  commands: SlashCommand[] = [];
  /** Servers whose prompts are not known. */
  unlisted: string[] = [];
  /** Tasks other than the one on screen. */
  others: SessionItem[] = [];
  /** What the host kept of the composer. */
  draft: Draft | undefined;
  /** The theme's colors of code. */
  colors: Record<string, string> = {};
  /** Images of the workspace by path, and those that the user sent with any message. */
  images: Record<string, Attachment> = {};
  sent: Attachment[] = [];
  /** Paths of files that are not in the workspace. */
  missing: ReadonlySet<string> = new Set();
  commits: Commit[] = [];
  symbols: MentionSymbol[] = [];
  resources: MentionResource[] = [];
  /** Answers `files/find`; replace it to answer late or out of order. */
  find: (query: string) => Promise<FileHit[]> = async () => [];
  rules: Result<"rules/list"> = { rules: [], definitions: [], hasWorkspace: true };
  servers: ServerList = {
    servers: [],
    problems: [],
    userFile: "/home/user/mcp.json",
    untrustedWorkspace: false,
  };
  hooks: HookList = { hooks: [], problems: [], untrustedWorkspace: false };
  plugins: PluginList = { plugins: [] };
  /** Answers `plugins/ask`. */
  pluginsAfter: (ask: unknown) => PluginList = () => this.plugins;
  /** Answers `gallery/list`. */
  gallery: ServerGallery = { source: "", servers: [] };
  /** Answers `health/ask`. */
  health: HealthReport = { checks: [], minutes: 0, measurements: [] };
  tools: ToolList = { groups: [], canChange: true };
  /** What the administrator manages. */
  managed: ManagedList | null = null;
  /** Answers `tools/ask`. */
  toolsAfter: (ask: unknown) => ToolList = () => this.tools;
  memory: MemoryList = { notes: [], file: "/data/memory.md", on: true };
  /** Answers `memory/ask`. */
  memoryAfter: (ask: unknown) => MemoryList = () => this.memory;
  /** Answers `hooks/ask`. */
  hooksAfter: (ask: unknown) => HookList = () => this.hooks;
  /** Answers `servers/add`. */
  added: AddedServers = { added: [], existing: [], problems: [] };
  /** The file that the user looks at. */
  current: CurrentFile | undefined;
  /** Answers `files/kinds`. */
  kindOf: (path: string) => PathKind = (path) => (path.endsWith("/") ? "folder" : "file");
  /** Answers `files/mention`. */
  mention: (uris: string[]) => Result<"files/mention"> = () => ({ mentions: [], problems: [] });
  /** Answers `files/give`. */
  given: (name: string) => Result<"files/give"> = (name) => ({
    mentions: [`@file:///tmp/${name}`],
    problems: [],
  });
  /** Answers `files/choose`. */
  chosen: Result<"files/choose"> = { mentions: [], problems: [], images: [] };
  windowContents: Result<"chat/window"> = {
    tokens: 64_000,
    size: 128_000,
    parts: [
      { kind: "system", tokens: 4_100 },
      { kind: "tools", tokens: 6_300 },
      { kind: "servers", tokens: 2_000 },
      { kind: "rules", tokens: 900 },
      { kind: "files", tokens: 30_700 },
      { kind: "results", tokens: 12_000 },
      { kind: "conversation", tokens: 8_000 },
    ],
    leftOut: { messages: 12, results: 3, isSummarized: true },
    rules: [
      { source: "agents", name: "AGENTS.md", paths: [], state: "applies", tokens: 420 },
      {
        source: "claude",
        name: "docs/style.md",
        paths: [],
        state: "applies",
        tokens: 1_200,
        by: "CLAUDE.md",
      },
      {
        source: "agents",
        name: "packages/web/AGENTS.md",
        paths: ["packages/web/**"],
        state: "applies",
        tokens: 80,
        workedOn: "packages/web/src/main.tsx",
      },
      {
        source: "copilot",
        name: ".github/instructions/typescript.instructions.md",
        paths: ["src/**"],
        state: "applies",
        tokens: 60,
        match: "src/a.ts",
      },
      { source: "claude", name: "CLAUDE.md", paths: [], state: "same", by: "AGENTS.md" },
      {
        source: "claude",
        name: ".env",
        paths: [],
        state: "secret",
        by: "CLAUDE.md",
        why: ["secret-file", ".env"],
      },
    ],
    models: [
      { name: "openai/gpt-5", requests: 9, inputTokens: 240_000, outputTokens: 9_000, cost: 0.31 },
      { name: "llamacpp/tiny-model", requests: 2, inputTokens: 12_000, outputTokens: 800 },
    ],
  };
  agents: AgentList = {
    agents: [
      ...["ask", "review", "test"].map((name) => ({
        ...{ name, description: "", file: "", source: "Nekode", scope: "system" },
      })),
    ],
    handoffs: [],
  };
  permissionItems: Result<"permission/items"> = {
    tools: [
      { name: "read_file", access: "read", verb: "Reading" },
      { name: "write_to_file", access: "edit", verb: "Writing" },
      { name: "execute_command", access: "command", verb: "Run" },
    ],
    servers: ["memory"],
  };
  models: Result<"models/list"> = { connections: [], favorites: [], recents: [], badEntries: [] };
  /** Answers `models/list` in place of `models`, to answer late. */
  list: (() => Promise<Result<"models/list">>) | undefined;
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
  /** Answers `chat/edit`: the user canceled the question about the files. */
  editCanceled = false;
  /** Answers `turn/files`. */
  turnFiles: TurnFile[] = [];
  leftOut: Result<"chat/left-out"> = { parts: [], more: 0 };
  /** Answers `chat/picture`, by `CALL:INDEX`. */
  pictures: Record<string, Attachment> = {};
  picturesReady: Promise<void> = Promise.resolve();
  explanation: Explanation | undefined;
  /** A page that opens is answered when it resolves. */
  #opening: Promise<void> = Promise.resolve();
  /** Opening a session is answered when it resolves. */
  loading: Promise<void> = Promise.resolve();
  /** Messages are acknowledged when it resolves. */
  taking: Promise<void> = Promise.resolve();
  /** Answers `chat/find`: what the product itself finds in the view. */
  finding = new SessionFind({
    facts: { subject: () => "", presentation: () => undefined },
    clock: systemClock,
  });
  /** What more there is of the conversation, and how to send it. */
  earlier: (how: Params<"chat/earlier">) => void = () => {};
  /** Requests so far, in order. */
  readonly calls: Call[] = [];
  /** How often the page told of keys and buttons. */
  uses = 0;
  /** Requests of these names fail, with the message given. */
  readonly failing = new Map<RequestName, string>();
  #seq = 1;
  #server: Server | null = null;
  readonly #waiting = new Set<() => void>();

  attach(transport: Transport): void {
    this.#server?.dispose();
    this.#server = serve(transport, this.#handlers(), () => {});
  }

  /** Pages that open from now on are answered when the returned function is called. */
  openLate(): () => void {
    let answer = () => {};
    this.#opening = new Promise((resolve) => {
      answer = resolve;
    });
    return () => answer();
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
    const view = { ...shown, faces: { ...ownPresentations, ...shown.faces } };
    this.view = view;
    this.setup = setup;
    this.server.notify("host/setup", setup);
    this.server.notify("chat/snapshot", { seq: this.#seq, view });
  }

  /** Takes over a page from the host that had it: it shows what it would show if it opened now, except for a draft. */
  takeOver(from: FakeHost): void {
    // An older state would not replace the one that is shown.
    this.#seq = from.#seq + 1;
    this.listTasks(...this.others);
    this.look(this.current);
    // What is of the same session or call as before would stay as it was.
    this.server.notify("chat/snapshot", { seq: this.#seq, view: viewWithPresentations });
    this.show(this.view, this.setup);
  }

  /** Other tasks came or went, or their states changed. */
  listTasks(...others: SessionItem[]): void {
    this.others = others;
    this.server.notify("sessions/changed", { sessions: others });
  }

  /** The user looks at another file. */
  look(file: CurrentFile | undefined): void {
    this.current = file;
    this.server.notify("current/changed", file ? { file } : {});
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

  /** The current task is not finished, and the user has not agreed to stop it. */
  #working(stop: boolean | undefined): boolean {
    return !stop && this.view.status !== "idle";
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
        await this.#opening;
        return {
          seq: this.#seq,
          view: this.view,
          setup: this.setup,
          ...(this.draft ? { draft: this.draft } : {}),
          ...(this.current ? { current: this.current } : {}),
          ...(this.others.length > 0 ? { sessions: this.others } : {}),
        };
      }),
      "sessions/stop": plain("sessions/stop", () => ({})),
      // Every page asks these, at times of its own.
      "host/focused": async () => ({}),
      "host/shown": plain("host/shown", () => ({})),
      "history/prepare": plain("history/prepare", () => ({})),
      "host/used": async () => {
        this.uses++;
        return {};
      },
      "sessions/open-in-tab": plain("sessions/open-in-tab", () => ({})),
      "sessions/dismiss": plain("sessions/dismiss", () => ({})),
      "chat/draft": plain("chat/draft", () => ({})),
      "chat/prepare-answer": plain("chat/prepare-answer", ({ callId, ...answer }) => {
        this.emit({ type: "prepared", callId, prepared: { ...answer, edited: [] } });
        return {};
      }),
      "chat/earlier": plain("chat/earlier", (how) => {
        this.earlier(how);
        return {};
      }),
      "chat/find": plain("chat/find", ({ text }) =>
        this.finding.find(
          {
            ...{ id: this.view.session?.id ?? "", chatView: this.view },
            transcript: { messages: [], unloadedCount: 0 },
          },
          text,
          translator({}),
        ),
      ),
      "host/show-answer": plain("host/show-answer", () => ({})),
      "chat/send": plain("chat/send", async () => {
        await this.taking;
        return { queued: this.view.status !== "idle" };
      }),
      "chat/worktree": plain("chat/worktree", () => ({})),
      "host/review-worktree": plain("host/review-worktree", () => ({})),
      "chat/stop": plain("chat/stop", () => ({})),
      "chat/new": plain("chat/new", () => ({})),
      "chat/retry": plain("chat/retry", () => ({})),
      "chat/mode": plain("chat/mode", ({ mode }) => {
        this.emit({ type: "mode", mode });
        return {};
      }),
      "chat/start-plan": plain("chat/start-plan", () => {
        this.emit({ type: "mode", mode: "act" });
        return {};
      }),
      "chat/permission": plain("chat/permission", (change) => {
        this.emit({ type: "permission", permission: changedPermission(this.view.permission, change) });
        return {};
      }),
      "chat/window": plain("chat/window", () => this.windowContents),
      "agents/list": plain("agents/list", () => this.agents),
      "agents/choose": plain("agents/choose", ({ name }) => {
        const mode = modeSchema.safeParse(name).data;
        this.emit({
          type: "mode",
          mode: mode ?? this.view.mode,
          ...(mode === undefined ? { agent: name } : {}),
        });
        return {};
      }),
      "permission/items": plain("permission/items", () => this.permissionItems),
      "chat/approve": plain("chat/approve", () => ({ accepted: true })),
      "chat/reject": plain("chat/reject", () => ({ accepted: true })),
      "chat/forecast": plain("chat/forecast", () => ({ tokens: 12_345, cachedTokens: 10_000, cost: 0.0456 })),
      "chat/choose-answer": plain("chat/choose-answer", () => ({ accepted: true })),
      "chat/why": plain("chat/why", () => (this.explanation ? { explanation: this.explanation } : {})),
      "chat/answer-form": plain("chat/answer-form", () => ({ accepted: true })),
      "chat/run-blocked": plain("chat/run-blocked", async () => {
        await this.taking;
        return { accepted: true };
      }),
      "chat/move-to-background": plain("chat/move-to-background", () => ({ accepted: true })),
      "chat/end-background": plain("chat/end-background", () => ({})),
      "symbols/find": plain("symbols/find", ({ query }) => ({
        symbols: this.symbols.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase())),
      })),
      "chat/edit-queued": plain("chat/edit-queued", ({ id, text }) => {
        const edited = this.view.queue.map((item) => (item.id === id ? { id, text } : item));
        this.emit({ type: "queue", items: edited });
        return {};
      }),
      "chat/move-queued": plain("chat/move-queued", ({ id, index }) => {
        const others = this.view.queue.filter((item) => item.id !== id);
        const moved = this.view.queue.filter((item) => item.id === id);
        this.emit({ type: "queue", items: [...others.slice(0, index), ...moved, ...others.slice(index)] });
        return {};
      }),
      "chat/send-queued": plain("chat/send-queued", () => ({})),
      "chat/unqueue": plain("chat/unqueue", ({ id }) => {
        this.emit({ type: "queue", items: this.view.queue.filter((item) => item.id !== id) });
        return {};
      }),
      "chat/edit": plain("chat/edit", ({ stop }) =>
        this.#working(stop) ? { working: true, canceled: true } : { canceled: this.editCanceled },
      ),
      "chat/left-out": plain("chat/left-out", () => this.leftOut),
      "chat/picture": plain("chat/picture", async ({ callId, index }) => {
        await this.picturesReady;
        const picture = this.pictures[`${callId}:${index}`];
        return picture ? { picture } : {};
      }),
      "host/show-part": plain("host/show-part", () => ({})),
      "chat/fork": plain("chat/fork", ({ stop }) => (this.#working(stop) ? { working: true } : {})),
      "chat/undo": plain("chat/undo", () => ({})),
      "checkpoint/changes": plain("checkpoint/changes", () => ({})),
      "turn/files": plain("turn/files", () => ({ files: this.turnFiles, more: 0 })),
      "turn/review": plain("turn/review", () => ({})),
      "turn/keep": plain("turn/keep", ({ id }) => {
        const row = rowsOf(this.view).find((each) => each.kind === "checkpoint" && each.checkpoint.id === id);
        if (row?.kind === "checkpoint")
          this.emit({ type: "checkpoint", checkpoint: { ...row.checkpoint, isKept: true } });
        return {};
      }),
      "turn/undo": plain("turn/undo", () => ({})),
      "turn/commit-message": plain("turn/commit-message", () => ({})),
      "checkpoint/restore": plain("checkpoint/restore", () => ({})),
      "history/list": plain("history/list", ({ offset = 0, limit = 100, allProjects = false }) => {
        const listed = this.sessions.filter(({ project }) => allProjects || project === undefined);
        return {
          sessions: listed.slice(offset, offset + limit),
          more: listed.length > offset + limit,
          ...(this.indexing ? { indexing: this.indexing } : {}),
        };
      }),
      "history/open": plain("history/open", async ({ id, takeOver }) => {
        await this.loading;
        const found = this.sessions.find((session) => session.id === id);
        return found?.elsewhere && !takeOver ? { elsewhere: true } : {};
      }),
      "history/open-other": plain("history/open-other", () => ({})),
      "history/adopt": plain("history/adopt", ({ project: key }) => {
        const taken = this.sessions.filter(({ project }) => project?.key === key);
        this.sessions.push(...taken.map(({ project: _, ...own }) => ({ ...own, id: `${own.id}-copy` })));
        return { imported: taken.length };
      }),
      "history/rename": plain("history/rename", ({ id, title }) => {
        if (id === this.view.session?.id) this.emit({ type: "title", title });
        return {};
      }),
      "history/favorite": plain("history/favorite", () => ({})),
      "history/delete": plain("history/delete", ({ id, stop }) => {
        const works = this.others.some((other) => other.id === id && isWorking(other));
        if (works && !stop) return { working: true, undoMs: 0 };
        const found = this.sessions.find((session) => session.id === id);
        return { undoMs: found?.elsewhere ? 0 : 30_000 };
      }),
      "history/undelete": plain("history/undelete", () => ({})),
      "history/export": plain("history/export", () => ({})),
      "history/foreign": plain("history/foreign", (asked) => this.foreign(foreignRequestSchema.parse(asked))),
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
      "files/kinds": plain("files/kinds", ({ paths }) => ({ kinds: paths.map((path) => this.kindOf(path)) })),
      "current/include": plain("current/include", ({ included }) => {
        if (this.current) this.look({ ...this.current, included });
        return {};
      }),
      "files/mention": plain("files/mention", ({ uris }) => this.mention(uris)),
      "files/give": plain("files/give", ({ name }) => this.given(name)),
      "files/choose": plain("files/choose", () => this.chosen),
      "welcome/examples": plain("welcome/examples", () => ({ examples: this.examples })),
      "host/open-folder": plain("host/open-folder", () => ({})),
      "rules/list": plain("rules/list", () => this.rules),
      "rules/switch": plain("rules/switch", () => ({})),
      "rules/open": plain("rules/open", () => ({})),
      "rules/new": plain("rules/new", () => ({})),
      "plans/ask": plain("plans/ask", () => ({ list: null })),
      "plugins/ask": plain("plugins/ask", ({ ask }) => ({ list: this.pluginsAfter(ask) })),
      "memory/ask": plain("memory/ask", ({ ask }) => ({ list: this.memoryAfter(ask) })),
      "managed/ask": plain("managed/ask", () => ({ list: this.managed })),
      "gallery/list": plain("gallery/list", () => ({ list: this.gallery })),
      "health/ask": plain("health/ask", () => ({ list: this.health })),
      "tools/ask": plain("tools/ask", ({ ask }) => ({ list: this.toolsAfter(ask) })),
      "hooks/ask": plain("hooks/ask", ({ ask }) => ({ list: this.hooksAfter(ask) })),
      "servers/list": plain("servers/list", () => this.servers),
      "servers/trust": plain("servers/trust", () => ({})),
      "servers/act": plain("servers/act", () => ({})),
      "servers/tool": plain("servers/tool", () => ({})),
      "servers/open": plain("servers/open", () => ({})),
      "servers/add": plain("servers/add", () => this.added),
      "models/list": plain("models/list", () => this.list?.() ?? this.models),
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
      "models/favorite": plain("models/favorite", () => ({})),
      "connections/add": plain("connections/add", (entered) => this.adding(entered)),
      "connections/set-address": plain("connections/set-address", () => ({})),
      "connections/remove": plain("connections/remove", () => ({})),
      "connections/set-key": plain("connections/set-key", () => ({})),
      "connections/find": plain("connections/find", () => ({ servers: this.found })),
      "connections/test": plain("connections/test", () => this.tested),
      "answer/colors": plain("answer/colors", () => ({ colors: this.colors })),
      "answer/insert": plain("answer/insert", () => ({})),
      "answer/new-file": plain("answer/new-file", () => ({})),
      "answer/run": plain("answer/run", () => ({})),
      "answer/symbol": plain("answer/symbol", () => ({})),
      "answer/image": plain("answer/image", ({ path }) => {
        const image = this.images[path];
        return image ? { image } : {};
      }),
      "answer/missing": plain("answer/missing", ({ paths }) => ({
        missing: paths.filter((path) => this.missing.has(path)),
      })),
      "answer/sent": plain("answer/sent", ({ index }) => {
        const image = this.sent[index];
        return image ? { image } : {};
      }),
      "host/open-file": plain("host/open-file", () => ({})),
      "host/open-link": plain("host/open-link", () => ({})),
      "host/settings": plain("host/settings", () => ({})),
      "host/set-key": plain("host/set-key", () => ({})),
      "host/show-terminal": plain("host/show-terminal", () => ({})),
      "host/answer-command": plain("host/answer-command", () => ({})),
      "host/show-diff": plain("host/show-diff", () => ({})),
      "host/run-proposal": plain("host/run-proposal", () => ({})),
    };
  }
}
