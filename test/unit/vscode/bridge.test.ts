import { describe, expect, it } from "vitest";
import type { Project } from "../../../src/core/agent/project.ts";
import type { Session } from "../../../src/core/agent/session.ts";
import type { View } from "../../../src/core/agent/view.ts";
import { PromptFailure } from "../../../src/core/context/server-prompts.ts";
import { Emitter } from "../../../src/core/lifecycle.ts";
import { ImportRefused } from "../../../src/core/sessions/exchange.ts";
import type { StoredSession } from "../../../src/core/sessions/session-store.ts";
import type { EventBody, TaskEvent } from "../../../src/shared/event.ts";
import { LEVEL_ACCESS } from "../../../src/shared/permission/levels.ts";
import type { Notification, Setup } from "../../../src/shared/protocol.ts";
import { connect, type Transport } from "../../../src/shared/rpc.ts";
import type { CurrentFile } from "../../../src/shared/view/current-file.ts";
import { applyEvent, type ChatView, emptyView } from "../../../src/shared/view/reducer.ts";
import type { SessionItem } from "../../../src/shared/view/session-item.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { connectPanel, type PanelHost } from "../../../src/vscode/panel/bridge.ts";
import type { UnsentMessage } from "../../../src/vscode/panel/leaving.ts";
import type { ProjectView } from "../../../src/vscode/panel/requests/context.ts";
import { failureText } from "../../../src/vscode/panel/requests/failure-text.ts";
import { mergeEvents } from "../../../src/vscode/panel/sending/event-stream.ts";
import { ofSession } from "../../support/events.ts";
import { ManualClock } from "./manual-clock.ts";

/** What a panel's view and project do, recorded. */
class FakeAgent {
  view: ChatView = emptyView;
  queued: readonly UnsentMessage[] = [];
  sessionId = "s";
  readonly #events = new Emitter<TaskEvent>();
  readonly said: string[] = [];
  readonly #switched = new Emitter<void>();
  readonly #listed = new Emitter<void>();
  others: SessionItem[] = [];
  readonly indexing = new Emitter<{ done: number; total: number }>();
  /** Rejects after the branch is active, as for a prompt that is not available. */
  resendFailure: Error | undefined;
  list(item: SessionItem): void {
    this.others.push(item);
    this.#listed.emit();
  }
  /** Another session, which was open already, is active. */
  switchTo(view: ChatView): void {
    this.view = view;
    this.#switched.emit();
  }
  emit(event: EventBody): void {
    this.view = applyEvent(this.view, event);
    this.#events.emit(ofSession(event));
  }
  /** The active session, as far as requests need it. */
  get active(): Session {
    const agent = this;
    const { said } = this;
    const leftOut = { messages: 0, results: 0, isSummarized: false };
    return standIn<Session>({
      id: this.sessionId,
      chatView: this.view,
      queue: standIn<Session["queue"]>({ waiting: this.queued.map((message) => ({ ...message, id: "q" })) }),
      approve(callId, comment) {
        said.push(`approve ${callId} ${comment ?? ""}`);
        return callId === "known";
      },
      reject: (callId) => callId === "known",
      requests: {
        forecast: () => ({ tokens: 1, cachedTokens: 0 }),
        contents: () => ({ tokens: 0, size: 0, parts: [], leftOut, models: [] }),
        rules: async () => [],
        notes: () => [],
        sentPerTurn: undefined,
      },
      comparisons: standIn<Session["comparisons"]>({ choose: async () => true }),
      retry: async () => {},
      setMode: async () => {},
      changePermission: async () => {},
      setTodo: async () => {},
      serverForms: standIn<Session["serverForms"]>({
        answer(id, answer) {
          said.push(`form ${id} ${JSON.stringify(answer)}`);
          return id === "known";
        },
      }),
      foregroundCalls: standIn<Session["foregroundCalls"]>({ moveToBackground: () => false }),
      approvals: standIn<Session["approvals"]>({
        why: async (callId) =>
          callId === "known"
            ? { verdict: "ask", reason: { code: "commands-ask", values: [] }, subject: "command" }
            : undefined,
        prepare: (callId, answer) => void said.push(`prepare ${callId} ${JSON.stringify(answer)}`),
        prepared: (callId) => ({ comment: callId, left: [1], edited: [] }),
      }),
      texts: standIn<Session["texts"]>({
        leftOut: (notice) => ({ parts: [{ id: "c", title: "Read", subject: notice }], more: 0 }),
        picture: (callId, index) =>
          callId === "seen" && index === 1 ? { mimeType: "image/png", data: "AA==" } : undefined,
        part: (id) => (id === "c" ? { name: "part.txt", text: "whole" } : undefined),
        answer: (_t, row = "last") =>
          row === "none" ? undefined : { name: `${row}.txt`, text: `words of ${row}` },
        find: async (text) => ({ rows: [{ row: text, count: 1 }], total: 1 }),
      }),
      async showEarlier(how) {
        said.push(`earlier ${JSON.stringify(how)}`);
        agent.emit({ type: "todo", markdown: "- [ ] what came before" });
      },
    });
  }
  readonly shown: ProjectView = { view: this.#shownView(), project: this.#project() };
  #shownView(): View {
    const agent = this;
    const { said } = this;
    return standIn<View>({
      get active() {
        return agent.active;
      },
      settled: async () => agent.active,
      onEvent: this.#events.on,
      onSwitched: this.#switched.on,
      setBeginsInWorktree: async (on) => void said.push(`worktree ${on}`),
      async send(text) {
        said.push(text);
        return { queued: false };
      },
      stop: async () => void said.push("stop"),
      async newTask({ keep = false } = {}) {
        said.push(`new task${keep ? " and keep" : ""}`);
        agent.sessionId = `after ${said.length}`;
      },
      async open(id, { keep = false } = {}) {
        said.push(`open ${id}${keep ? " and keep" : ""}`);
        agent.sessionId = id;
        return {};
      },
      async editAndResend(messageId, text, added = [], unsent = () => {}) {
        if (agent.resendFailure) {
          unsent({ text, images: added });
          throw agent.resendFailure;
        }
        said.push(`edit ${messageId} ${text}${" and an image".repeat(added.length)}`);
      },
      fork: async (messageId) => ({
        text: `words of ${messageId}`,
        images: [{ mimeType: "image/png", data: "AA==" }],
      }),
    });
  }
  #project(): Project {
    const { said, others } = this;
    return standIn<Project>({
      overview: standIn<Project["overview"]>({ all: others, onChange: this.#listed.on }),
      background: standIn<Project["background"]>({ end: async () => {} }),
      stop: async (id) => void said.push(`stop ${id}`),
      dismiss: async (id) =>
        id === "left"
          ? [
              { text: "one", images: [] },
              { text: "two", images: [] },
            ]
          : [],
      permissionItems: { tools: [], servers: [] },
      unlistedServers: ["late"],
      slashCommands: async () => [],
      commits: async () => [],
      symbols: async () => [],
      resources: async () => [],
      rename: async () => {},
      deleteSession: async () => 5000,
      library: standIn<Project["library"]>({
        onIndexing: this.indexing.on,
        find: async (query) => {
          said.push(`find ${JSON.stringify(query)}`);
          return { sessions: [], more: false };
        },
        prepare: async () => {
          said.push("prepare the history");
        },
        setFavorite: async () => {},
        undelete: async () => {},
        export: async (id, format, _t, project = "here") => ({
          name: `${id}.${format}`,
          text: project === "here" ? "exported" : `exported from ${project}`,
          files: [],
        }),
        other: async (id, project = "") => {
          if (id === "absent") return undefined;
          return { session: otherSession(id), project: { key: project, name: "other", folder: "/other" } };
        },
        copy: async (id, project) => `${id} of ${project}`,
        adopt: async (project) => project.length,
        import: async (bytes) => {
          if (bytes.length < 2) throw new ImportRefused("not-ours");
          return "imported";
        },
      }),
    });
  }
}

/** Something of which a test needs some members only. */
function standIn<T>(members: Partial<T>): T {
  return members as unknown as T;
}

function otherSession(id: string): StoredSession {
  const at = "2025-01-01T00:00:00.000Z";
  const summary = { id, title: "t", startedAt: at, updatedAt: at, messageCount: 0, cost: 0, tokens: 0 };
  const totals = {
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    contextTokens: 0,
    contextWindow: 0,
  };
  const { permission } = emptyView;
  return { summary, mode: "act", permission, todo: "", model: "m", endedAt: null, totals, messages: [] };
}

const SETUP: Setup = {
  models: { act: "default/m" },
  effort: "default",
  access: LEVEL_ACCESS.ask,
  connections: ["default"],
  hasWorkspace: true,
  trusted: true,
};

function panel(start?: () => Promise<ProjectView>) {
  const clock = new ManualClock();
  const agent = new FakeAgent();
  const setupChanged = new Emitter<void>();
  const rulesChanged = new Emitter<void>();
  const serversChanged = new Emitter<void>();
  const currentChanged = new Emitter<CurrentFile | undefined>();
  const currents: Notification<"current/changed">[] = [];
  const asked: string[] = [];
  const files: (Uint8Array | undefined)[] = [];
  const note = (what: string) => {
    asked.push(what);
    return {};
  };
  const nothing = async () => ({});
  const host: PanelHost = {
    used: () => {},
    setup: async () => SETUP,
    onSetup: setupChanged.on,
    draft: async () => undefined,
    draftKept: async () => {},
    restore: async (id, conversation) => {
      asked.push(`restore ${id} ${conversation}`);
      return conversation;
    },
    restoreForEdit: async (id) => {
      asked.push(`restore for edit ${id}`);
      return id !== "canceled";
    },
    openProject: async (folder) => void asked.push(`project ${folder}`),
    openInTab: async (id) => {
      asked.push(`tab ${id}`);
      return id !== "elsewhere";
    },
    showText: async (name, text) => void asked.push(`show ${name} ${text}`),
    saveFile: async ({ name, text }) => void asked.push(`save ${name} ${text}`),
    chooseFiles: async () => files,
    failureText: async (error) => failureText(translator({}), error),
    t: translator({}),
    onRules: rulesChanged.on,
    onServers: serversChanged.on,
    currentFile: async () => ({ path: "cats.js", included: true }),
    onCurrentFile: currentChanged.on,
    requests: {
      "chat/draft": nothing,
      "managed/ask": async () => ({ list: null }),
      "files/find": async ({ query, limit }) => ({
        hits: [{ path: `${query}${limit}`, kind: "file", positions: [] }],
      }),
      "current/include": async ({ included }) => note(`include ${included}`),
      "files/kinds": async ({ paths }) => ({ kinds: paths.map(() => "folder") }),
      "files/mention": async ({ uris }) => ({ mentions: [...uris], problems: [] }),
      "files/give": async () => ({ mentions: [], problems: [] }),
      "files/choose": async () => ({ mentions: [], problems: [], images: [] }),
      "welcome/examples": async () => ({ examples: [] }),
      "host/open-folder": async () => ({}),
      "rules/list": async () => ({ rules: [], definitions: [], hasWorkspace: true }),
      "rules/switch": async ({ what, name, on }) => note(`switch ${what} ${name} ${on}`),
      "rules/open": async ({ name }) => note(`open rule ${name}`),
      "rules/new": async ({ place }) => note(`new rule ${place}`),
      "hooks/ask": async () => ({ list: null }),
      "plans/ask": async () => ({ list: null }),
      "plugins/ask": async () => ({ list: null }),
      "memory/ask": async () => ({ list: null }),
      "tools/ask": async () => ({ list: null }),
      "gallery/list": async () => ({ list: null }),
      "health/ask": async () => ({ list: null }),
      "servers/list": async () => ({ servers: [], problems: [], userFile: "", untrustedWorkspace: false }),
      "servers/trust": nothing,
      "servers/act": nothing,
      "servers/tool": nothing,
      "servers/open": nothing,
      "servers/add": async () => ({ added: [], existing: [], problems: [] }),
      "models/list": async () => ({ connections: [], favorites: [], recents: [], badEntries: [] }),
      "models/offered": async () => ({ models: [] }),
      "models/choose": nothing,
      "models/effort": nothing,
      "models/check": async ({ name }) => ({ name, verdict: "good", findings: [], tokens: 0 }),
      "models/favorite": nothing,
      "connections/add": async () => ({ models: [] }),
      "connections/set-address": nothing,
      "connections/remove": nothing,
      "connections/set-key": nothing,
      "connections/find": async () => ({ servers: [] }),
      "connections/test": async () => ({ count: 0 }),
      "checkpoint/changes": async ({ id, only }) => note(`changes ${id} ${only}`),
      "turn/files": async () => ({ files: [], more: 0 }),
      "turn/review": async ({ id, path }) => note(`review ${id} ${path}`),
      "turn/commit-message": async ({ id }) => note(`commit message ${id}`),
      "turn/keep": async ({ id }) => note(`keep turn ${id}`),
      "turn/undo": async ({ id, path }) => note(`undo turn ${id} ${path}`),
      "chat/undo": async ({ callId }) => note(`undo ${callId}`),
      "host/edit-todo": async () => note("edit todo"),
      "answer/colors": async () => ({ colors: {} }),
      "answer/insert": nothing,
      "answer/new-file": nothing,
      "answer/run": nothing,
      "answer/symbol": nothing,
      "answer/image": async () => ({}),
      "answer/missing": async () => ({ missing: [] }),
      "answer/sent": async () => ({}),
      "host/open-file": async ({ path, line }) => note(`${path}:${line}`),
      "host/open-link": async ({ url }) => {
        throw new Error(`not opened: ${url}`);
      },
      "host/settings": nothing,
      "host/set-key": nothing,
      "host/focused": nothing,
      "host/shown": nothing,
      "host/used": nothing,
      "host/show-terminal": nothing,
      "host/answer-command": nothing,
      "host/show-diff": nothing,
      "host/review-worktree": nothing,
      "host/run-proposal": nothing,
    },
  };
  const [hostSide, pageSide] = linkedPair();
  const logged: string[] = [];
  const bridge = connectPanel(hostSide, start ?? (async () => agent.shown), host, clock, (text) =>
    logged.push(text),
  );
  const setups: Setup[] = [];
  const batches: Notification<"chat/events">[] = [];
  const snapshots: Notification<"chat/snapshot">[] = [];
  const indexed: Notification<"history/indexing">[] = [];
  const inserted: Notification<"composer/insert">[] = [];
  const listed: Notification<"sessions/changed">[] = [];
  const shown: boolean[] = [];
  const drafts: string[] = [];
  const client = connect(
    pageSide,
    {
      "chat/events": (params) => void batches.push(params),
      "chat/snapshot": (params) => void snapshots.push(params),
      "host/setup": (params) => void setups.push(params),
      "current/changed": (file) => void currents.push(file),
      "composer/insert": (draft) => void inserted.push(draft),
      "composer/focus": () => {},
      "composer/draft": ({ text }) => void drafts.push(text),
      "host/visible": ({ visible }) => void shown.push(visible),
      "find/show": () => {},
      "history/show": () => {},
      "rules/show": () => {},
      "rules/changed": () => void asked.push("rules changed"),
      "servers/show": () => {},
      "hooks/show": () => {},
      "plugins/show": () => {},
      "memory/show": () => {},
      "tools/show": () => {},
      "health/show": () => {},
      "models/show": () => {},
      "permission/show": () => {},
      "sessions/changed": (params) => void listed.push(params),
      "servers/changed": () => void asked.push("servers changed"),
      "history/indexing": (progress) => void indexed.push(progress),
    },
    (text) => logged.push(text),
  );
  return {
    clock,
    agent,
    bridge,
    client,
    batches,
    snapshots,
    listed,
    shown,
    drafts,
    inserted,
    indexed,
    setups,
    logged,
    asked,
    files,
    setupChanged,
    rulesChanged,
    serversChanged,
    currentChanged,
    currents,
  };
}

const delta = (text: string, block = 0): EventBody => ({
  type: "delta",
  messageId: "m",
  block,
  kind: "text",
  delta: text,
});
/** Lets queued microtasks of the pair run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("the panel's bridge", () => {
  it("ends an unfinished task only if the user agreed to stop it", async () => {
    const { client, agent, asked } = panel();
    agent.emit({ type: "status", status: "streaming" });
    const working = { working: true };
    expect(await client.call("chat/edit", { messageId: "m", text: "anew" })).toMatchObject(working);
    expect(await client.call("chat/fork", { messageId: "m" })).toEqual(working);
    // No question about files either.
    expect(asked).toEqual([]);
    expect(await client.call("history/delete", { id: "s" })).toEqual({ ...working, undoMs: 0 });
    agent.list({ id: "left", title: "Other", state: "approval" });
    expect(await client.call("history/delete", { id: "left" })).toEqual({ ...working, undoMs: 0 });
    expect(agent.said).toEqual([]);
    expect(await client.call("history/delete", { id: "other" })).toEqual({ undoMs: 5000 });
    const edit = { messageId: "m", text: "anew", stop: true };
    expect(await client.call("chat/edit", edit)).toEqual({ canceled: false });
    expect(agent.said.at(-1)).toBe("edit m anew");
    expect(await client.call("chat/fork", { messageId: "m", stop: true })).toEqual({});
  });

  it("returns the queue of a task in the background that is deleted", async () => {
    const { client, agent, inserted } = panel();
    agent.list({ id: "left", title: "Other", state: "working" });
    expect(await client.call("history/delete", { id: "left", stop: true })).toEqual({ undoMs: 5000 });
    expect(agent.said).toEqual(["stop left"]);
    await settle();
    expect(inserted).toEqual([{ text: "one\n\ntwo" }]);
  });

  it("lets a task work on with its queue while another one is on screen", async () => {
    const { client, agent, inserted } = panel();
    agent.queued = [{ text: "and then", images: [] }];
    agent.emit({ type: "status", status: "streaming" });
    expect(await client.call("history/open", { id: "other" })).toEqual({});
    expect(await client.call("chat/new", {})).toEqual({});
    expect(await client.call("history/open-other", { id: "other", project: "p", how: "copy" })).toEqual({});
    expect(agent.said).toEqual(["open other and keep", "new task and keep", "open other of p and keep"]);
    await settle();
    expect(inserted).toEqual([]);
    agent.emit({ type: "status", status: "idle" });
    await client.call("chat/new", {});
    await settle();
    expect(inserted).toEqual([{ text: "and then" }]);
    // Nothing was left.
    agent.queued = [{ text: "and then", images: [] }];
    await client.call("history/open", { id: agent.sessionId });
    await settle();
    expect(inserted).toHaveLength(1);
  });

  it("lists the other tasks, and shows one that was open already as a whole", async () => {
    const { client, agent, listed, snapshots, inserted, bridge } = panel();
    const asks: SessionItem = { id: "left", title: "Other", state: "question" };
    expect(await client.call("chat/open", {})).not.toHaveProperty("sessions");
    agent.list(asks);
    await settle();
    expect(listed).toEqual([{ sessions: [asks] }]);
    const view = { ...emptyView, session: { id: "left", title: "Other" } };
    agent.switchTo(view);
    await settle();
    expect(snapshots.map((snapshot) => snapshot.view)).toEqual([view]);
    await client.call("sessions/stop", { id: "left" });
    expect(agent.said).toEqual(["stop left"]);
    await client.call("sessions/dismiss", { id: "other" });
    await client.call("sessions/dismiss", { id: "left" });
    await settle();
    expect(inserted).toEqual([{ text: "one\n\ntwo" }]);
    bridge.setVisible(false, false);
    agent.list({ ...asks, id: "third" });
    agent.switchTo(emptyView);
    await settle();
    expect(listed).toHaveLength(1);
    expect(snapshots).toHaveLength(1);
    bridge.setVisible(true, false);
    await settle();
    expect(snapshots[1]?.view).toEqual(emptyView);
    expect((await client.call("chat/open", {})).sessions).toHaveLength(2);
  });

  it("shows sessions of other projects, opens where they belong, or takes a copy", async () => {
    const { client, agent, asked } = panel();
    const other = { id: "s", project: "p" };
    await client.call("history/open-other", { ...other, how: "read" });
    await client.call("history/open-other", { ...other, how: "folder" });
    await client.call("history/export", { ...other, format: "json" });
    expect(asked).toEqual(["show s.md exported from p", "project /other", "save s.json exported from p"]);
    await client.call("history/open-other", { ...other, how: "copy" });
    expect(agent.said).toEqual(["open s of p and keep"]);
    expect(await client.call("history/adopt", { project: "gone" })).toEqual({ imported: 4 });
    const absent = client.call("history/open-other", { id: "absent", project: "p", how: "read" });
    await expect(absent).rejects.toThrow("no longer exists");
  });

  it("serves the history: whole queries, exports where the user says, imports refused in words", async () => {
    const { client, agent, asked, files, inserted } = panel();
    await client.call("history/list", { text: "猫", limit: 5 });
    expect(agent.said).toEqual([
      'find {"text":"猫","sort":"newest","favorites":false,"allProjects":false,"grouped":false,"offset":0,"limit":5}',
    ]);
    agent.said.splice(0);
    await client.call("history/prepare", {});
    expect(agent.said).toEqual(["prepare the history"]);
    expect(await client.call("history/delete", { id: "s" })).toEqual({ undoMs: 5000 });
    await client.call("history/export", { id: "s", format: "md" });
    expect(asked).toEqual(["save s.md exported"]);
    files.push(new Uint8Array(5), new Uint8Array(5));
    expect(await client.call("history/import", {})).toEqual({ imported: 2 });
    files.push(undefined);
    await expect(client.call("history/import", {})).rejects.toThrow("too large");
    files.splice(0, 3, new Uint8Array(1));
    await expect(client.call("history/import", {})).rejects.toThrow("not a session exported by Nekode");
    expect(await client.call("chat/edit", { messageId: "canceled", text: "anew" })).toEqual({
      canceled: true,
    });
    expect(agent.said.at(-1)).not.toBe("edit canceled anew");
    await client.call("chat/edit", { messageId: "m", text: "anew" });
    expect(agent.said.at(-1)).toBe("edit m anew");
    const images = [{ mimeType: "image/png", data: "AA==" }];
    await client.call("chat/edit", { messageId: "m", text: "anew", images });
    expect(agent.said.at(-1)).toBe("edit m anew and an image");
    expect(await client.call("slash/list", {})).toEqual({ commands: [], unlisted: ["late"] });
    // The row of the original is gone, so the composer gets what was not sent.
    agent.resendFailure = new PromptFailure("internal", "/a:b", "no-prompt", "a");
    await expect(client.call("chat/edit", { messageId: "m", text: "/a:b", images })).rejects.toThrow(
      "/a:b was not sent: the MCP server a has no such prompt.",
    );
    expect(inserted.at(-1)).toEqual({ text: "/a:b", images });
    inserted.length = 0;
    const { parts } = await client.call("chat/left-out", { notice: "n" });
    expect(parts).toEqual([{ id: "c", title: "Read", subject: "n" }]);
    await client.call("host/show-part", { id: "c" });
    expect(asked.at(-1)).toBe("show part.txt whole");
    const seen = { picture: { mimeType: "image/png", data: "AA==" } };
    expect(await client.call("chat/picture", { callId: "seen", index: 1 })).toEqual(seen);
    expect(await client.call("chat/picture", { callId: "seen", index: 2 })).toEqual({});
    await expect(client.call("host/show-part", { id: "gone" })).rejects.toThrow(
      "no longer part of the session",
    );
    expect(await client.call("chat/find", { text: "cats" })).toEqual({
      rows: [{ row: "cats", count: 1 }],
      total: 1,
    });
    await client.call("host/show-answer", {});
    expect(asked.at(-1)).toBe("show last.txt words of last");
    await client.call("host/show-answer", { row: "r" });
    expect(asked.at(-1)).toBe("show r.txt words of r");
    await expect(client.call("host/show-answer", { row: "none" })).rejects.toThrow("no answer yet");
    await client.call("chat/open", {});
    await client.call("checkpoint/restore", { id: "m", conversation: false });
    expect(inserted).toEqual([]);
    await client.call("chat/fork", { messageId: "m" });
    await settle();
    expect(inserted).toEqual([{ text: "words of m", images: [{ mimeType: "image/png", data: "AA==" }] }]);
  });

  it("merges what continues, numbers what it sends, and folds to the agent's view", async () => {
    const { client, agent, clock, batches } = panel();
    const { seq, view } = await client.call("chat/open", {});
    agent.emit({ type: "request", messageId: "m", number: 1 });
    for (const letter of "hello") agent.emit(delta(letter));
    agent.emit(delta("!", 1));
    for (const line of ["a", "b"]) agent.emit({ type: "output", callId: "c", delta: line });
    await settle();
    expect(batches).toEqual([]);
    clock.tick();
    await settle();
    expect(batches).toHaveLength(1);
    expect(batches[0]?.seq).toBe(seq);
    expect(batches[0]?.events).toHaveLength(4);
    agent.emit(delta("?", 1));
    clock.tick();
    await settle();
    expect(batches[1]?.seq).toBe(seq + 4);
    const folded = batches.flatMap(({ events }) => events).reduce(applyEvent, view);
    expect(folded).toEqual(agent.view);
  });

  it("sends the beginning of a session that is opened at once, and other earlier messages with what follows", async () => {
    const { client, agent, clock, batches } = panel();
    await client.call("chat/open", {});
    const earlier: EventBody = { type: "earlier", messages: [], subjects: {}, left: 7 };
    agent.emit({ type: "session", id: "s", title: "Cats" });
    agent.emit({ type: "mode", mode: "plan" });
    agent.emit(earlier);
    await settle();
    expect(batches.map(({ events }) => events.map(({ type }) => type))).toEqual([
      ["session", "mode", "earlier"],
    ]);
    agent.emit({ ...earlier, left: 0 });
    await settle();
    expect(batches).toHaveLength(1);
    clock.tick();
    await settle();
    expect(batches.flatMap(({ events }) => events).at(-1)).toMatchObject({ type: "earlier", left: 0 });
  });

  it("answers an open with the state that its gathered events lead to, and does not send those again", async () => {
    const { client, agent, clock, batches } = panel();
    await client.call("chat/open", {});
    agent.emit(delta("said"));
    const again = await client.call("chat/open", {});
    expect(again.view).toEqual(agent.view);
    clock.tick();
    await settle();
    expect(batches).toEqual([]);
  });

  it("sends nothing to a hidden panel, and one snapshot when it returns", async () => {
    const { client, agent, clock, batches, snapshots, bridge } = panel();
    await client.call("chat/open", {});
    agent.emit(delta("pending"));
    bridge.setVisible(false, false);
    for (let count = 0; count < 100; count++) agent.emit(delta("x"));
    clock.tick();
    await settle();
    expect(batches).toEqual([]);
    bridge.setVisible(true, false);
    await settle();
    expect(snapshots).toHaveLength(1);
    expect(snapshots[0]?.view).toEqual(agent.view);
    agent.emit(delta("y"));
    clock.tick();
    await settle();
    expect(batches[0]?.seq).toBe(snapshots[0]?.seq);
    bridge.setVisible(false, false);
    bridge.setVisible(true, false);
    await settle();
    expect(snapshots).toHaveLength(1);
  });

  it("keeps notifications for a page that is not there yet, or was hidden", async () => {
    const { client, clock, bridge, inserted } = panel();
    bridge.notify("composer/insert", { text: "first" });
    await settle();
    expect(inserted).toEqual([]);
    await client.call("chat/open", {});
    clock.tick();
    await settle();
    expect(inserted).toEqual([{ text: "first" }]);
    bridge.setVisible(false, false);
    bridge.notify("composer/insert", { text: "second" });
    await settle();
    expect(inserted).toEqual([{ text: "first" }]);
    bridge.setVisible(true, false);
    await client.call("chat/open", {});
    clock.tick();
    await settle();
    expect(inserted).toEqual([{ text: "first" }, { text: "second" }]);
  });

  it("sends nothing to a page that is kept while it is hidden, and then the state and the last of each message", async () => {
    const { client, agent, clock, bridge, ...got } = panel();
    await client.call("chat/open", {});
    bridge.setVisible(false, true);
    await settle();
    expect(got.shown.splice(0)).toEqual([false]);
    const asks = { id: "o", title: "Other", state: "approval" as const };
    for (let count = 0; count < 100; count++) {
      agent.emit(delta("x"));
      agent.list({ ...asks, id: `o${count}` });
      agent.indexing.emit({ done: count, total: 100 });
      got.setupChanged.emit();
      got.rulesChanged.emit();
      got.serversChanged.emit();
      got.currentChanged.emit({ path: `${count}.js`, included: true });
      bridge.notify("composer/draft", { text: `draft ${count}`, after: "" });
      bridge.notify("composer/insert", { text: `text ${count % 2}` });
      if (count % 50 === 0) await settle();
    }
    clock.tick();
    await settle();
    expect([got.batches, got.snapshots, got.listed, got.indexed, got.setups, got.asked]).toEqual(
      Array.from({ length: 6 }, () => []),
    );
    expect([got.currents, got.drafts, got.inserted, got.shown]).toEqual([[], [], [], []]);

    bridge.setVisible(true, true);
    await settle();
    expect(got.snapshots.map(({ view }) => view)).toEqual([agent.view]);
    expect(got.listed).toHaveLength(1);
    expect(got.listed[0]?.sessions).toHaveLength(100);
    expect(got.indexed).toEqual([{ done: 99, total: 100 }]);
    expect(got.setups).toHaveLength(1);
    expect(got.asked.sort()).toEqual(["rules changed", "servers changed"]);
    expect(got.currents).toEqual([{ file: { path: "99.js", included: true } }]);
    expect(got.drafts).toEqual(["draft 99"]);
    // Each was asked for by the user.
    expect(got.inserted).toHaveLength(100);
    expect(got.shown).toEqual([true]);
    agent.emit(delta("y"));
    clock.tick();
    await settle();
    expect(got.batches[0]?.seq).toBe(got.snapshots[0]?.seq);
  });

  it("sends a kept page nothing but that it is visible when nothing happened meanwhile", async () => {
    const { client, bridge, ...got } = panel();
    await client.call("chat/open", {});
    bridge.setVisible(false, true);
    bridge.setVisible(true, true);
    await settle();
    expect(got.shown).toEqual([false, true]);
    expect([got.snapshots, got.batches, got.listed, got.setups, got.currents]).toEqual([[], [], [], [], []]);
  });

  it("keeps no draft for a page that shows another session by then", async () => {
    const { client, agent, bridge, ...got } = panel();
    await client.call("chat/open", {});
    bridge.setVisible(false, true);
    bridge.notify("composer/draft", { text: "of the session before", after: "" });
    agent.switchTo(emptyView);
    bridge.setVisible(true, true);
    await settle();
    expect(got.snapshots).toHaveLength(1);
    expect(got.drafts).toEqual([]);
  });

  it("answers a kept page that loads again while it is hidden, and sends it the rest when it is shown", async () => {
    const { client, agent, clock, bridge, ...got } = panel();
    await client.call("chat/open", {});
    bridge.setVisible(false, true);
    agent.emit(delta("x"));
    got.rulesChanged.emit();
    bridge.notify("composer/insert", { text: "a selection" });
    expect((await client.call("chat/open", {})).view).toEqual(agent.view);
    clock.tick();
    await settle();
    expect(got.inserted).toEqual([]);
    bridge.setVisible(true, true);
    await settle();
    expect(got.inserted).toEqual([{ text: "a selection" }]);
    expect([got.snapshots, got.asked]).toEqual([[], []]);
  });

  it("tells the page which file the user looks at, at first and when that changes", async () => {
    const { client, bridge, currentChanged, currents, asked } = panel();
    const answer = await client.call("chat/open", {});
    expect(answer.current).toEqual({ path: "cats.js", included: true });
    const file = { path: "dogs.js", lines: { start: 1, end: 4 }, included: false };
    currentChanged.emit(file);
    currentChanged.emit(undefined);
    await settle();
    expect(currents).toEqual([{ file }, {}]);
    bridge.setVisible(false, false);
    currentChanged.emit(file);
    await settle();
    expect(currents).toHaveLength(2);
    await client.call("current/include", { included: false });
    expect(asked).toEqual(["include false"]);
  });

  it("passes on what the user does", async () => {
    const { client, agent, asked } = panel();
    expect(await client.call("chat/send", { text: "hi" })).toEqual({ queued: false });
    expect(await client.call("chat/approve", { callId: "known", comment: "ok" })).toEqual({ accepted: true });
    expect(await client.call("chat/why", { callId: "known" })).toMatchObject({
      explanation: { verdict: "ask", reason: { code: "commands-ask" } },
    });
    expect(await client.call("chat/why", { callId: "gone" })).toEqual({});
    expect(await client.call("chat/reject", { callId: "gone" })).toEqual({ accepted: false });
    await client.call("chat/stop", {});
    expect(agent.said).toEqual(["hi", "approve known ok", "stop"]);
    expect(await client.call("files/find", { query: "q", limit: 3 })).toEqual({
      hits: [{ path: "q3", kind: "file", positions: [] }],
    });
    await client.call("host/open-file", { path: "a.ts", line: 3 });
    expect(asked).toEqual(["a.ts:3"]);
  });

  it("answers a failure with its words, and lives on", async () => {
    const { client, logged } = panel();
    await expect(client.call("host/open-link", { url: "file:///etc/passwd" })).rejects.toThrow("not opened");
    expect(logged.join()).toContain("not opened");
    expect((await client.call("chat/open", {})).setup).toEqual(SETUP);
  });

  it("tries again to start an agent that failed to start", async () => {
    const agent = new FakeAgent();
    let tries = 0;
    const { client } = panel(async () => {
      tries += 1;
      if (tries === 1) throw new Error("the store is locked");
      return agent.shown;
    });
    await expect(client.call("chat/open", {})).rejects.toThrow("the store is locked");
    expect((await client.call("chat/open", {})).view).toEqual(emptyView);
  });

  it("sends what came before ahead of the answer to whoever asked for it", async () => {
    const { client, agent, batches } = panel();
    await client.call("chat/open", {});
    await client.call("chat/earlier", { until: "m7" });
    expect(agent.said).toEqual(['earlier {"until":"m7","all":false}']);
    expect(batches.flatMap(({ events }) => events)).toHaveLength(1);
  });

  it("tells an open page how far the search is, and nobody else", async () => {
    const { client, agent, bridge, indexed } = panel();
    await client.call("chat/open", {});
    agent.indexing.emit({ done: 1, total: 2 });
    await Promise.resolve();
    expect(indexed).toEqual([{ done: 1, total: 2 }]);
    bridge.setVisible(false, false);
    agent.indexing.emit({ done: 2, total: 2 });
    await Promise.resolve();
    expect(indexed).toHaveLength(1);
  });

  it("sends of a message what is shown, not what the model alone reads", async () => {
    const { client, agent, clock, batches } = panel();
    await client.call("chat/open", {});
    const parts = [{ type: "text" as const, text: "a long result" }];
    const block = {
      type: "tool-result" as const,
      callId: "c",
      name: "n",
      label: "l",
      outcome: "done" as const,
    };
    const message = { id: "m", role: "tool" as const, createdAt: "", blocks: [{ ...block, parts }] };
    agent.emit({ type: "message", message });
    clock.tick();
    await Promise.resolve();
    expect(JSON.stringify(batches)).not.toContain("a long result");
    expect(batches.flatMap(({ events }) => events).reduce(applyEvent, emptyView)).toEqual(agent.view);
  });

  it("tells a change of the setup", async () => {
    const { setups, setupChanged } = panel();
    setupChanged.emit();
    await settle();
    await settle();
    expect(setups).toEqual([SETUP]);
  });

  it("passes the rules' requests on, and says that they changed to a page that is there", async () => {
    const { client, asked, rulesChanged, serversChanged, bridge } = panel();
    rulesChanged.emit();
    await client.call("chat/open", {});
    expect(await client.call("rules/list", {})).toEqual({ rules: [], definitions: [], hasWorkspace: true });
    await client.call("rules/switch", { what: "file", name: "AGENTS.md", on: false });
    await client.call("rules/open", { name: "AGENTS.md" });
    await client.call("rules/new", { place: "global" });
    rulesChanged.emit();
    serversChanged.emit();
    await client.call("host/edit-todo", {});
    bridge.setVisible(false, false);
    rulesChanged.emit();
    serversChanged.emit();
    await settle();
    expect(asked).toEqual([
      ...["switch file AGENTS.md false", "open rule AGENTS.md", "new rule global"],
      ...["rules changed", "servers changed", "edit todo"],
    ]);
  });
});

describe("merging two events", () => {
  const output = (callId: string, text: string) => ofSession({ type: "output", callId, delta: text });
  const text = (words: string, block = 0) => ofSession(delta(words, block));
  const idle = ofSession({ type: "status", status: "idle" });

  it("keeps apart what belongs to different rows", () => {
    expect(mergeEvents(text("a", 0), text("b", 1))).toBeUndefined();
    expect(mergeEvents(output("a", "x"), output("b", "y"))).toBeUndefined();
    expect(mergeEvents(text("a"), output("a", "x"))).toBeUndefined();
    expect(mergeEvents(idle, idle)).toBeUndefined();
    expect(mergeEvents(output("a", "x"), { ...output("a", "y"), session: "other" })).toBeUndefined();
  });

  it("sends no more of an output than a row keeps", () => {
    const merged = mergeEvents(output("a", "x".repeat(30_000)), output("a", "end"));
    expect(merged).toMatchObject({ delta: `${"x".repeat(19_997)}end` });
  });
});

/** Two transports joined in memory; values are cloned as postMessage would. */
function linkedPair(): [Transport, Transport] {
  const listeners: [Set<(value: unknown) => void>, Set<(value: unknown) => void>] = [new Set(), new Set()];
  const side = (mine: 0 | 1, other: 0 | 1): Transport => ({
    send(frame) {
      const copy: unknown = structuredClone(frame);
      queueMicrotask(() => {
        for (const receive of listeners[other]) receive(copy);
      });
    },
    listen(receive) {
      listeners[mine].add(receive);
      return () => listeners[mine].delete(receive);
    },
  });
  return [side(0, 1), side(1, 0)];
}
