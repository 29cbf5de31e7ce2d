/** A host for the panel that is the product's own: the real agent and store, on a disk in memory. */
import { systemClock } from "../../../src/node/clock.ts";
import type { Message } from "../../../src/shared/message.ts";
import type { Notification } from "../../../src/shared/protocol.ts";
import type { Transport } from "../../../src/shared/rpc.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { type Bridge, connectPanel, type PanelHost } from "../../../src/vscode/panel/bridge.ts";
import { failureText } from "../../../src/vscode/panel/requests/failure-text.ts";
import type { Script } from "../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../support/agent.ts";
import { newSession } from "../../unit/core/sessions/support.ts";
import { READY_SETUP } from "./fake-host.ts";

export class RealHost {
  readonly agent: Agent;
  /** Characters that went to the panel. */
  sent = 0;
  #bridge: Bridge | undefined;

  static async start(script: Script, more: Omit<AgentOptions, "script"> = {}): Promise<RealHost> {
    return new RealHost(await startAgent({ script, ...more }));
  }

  private constructor(agent: Agent) {
    this.agent = agent;
  }

  /** A session in the store, as another process put it there; its id. */
  async store(title: string, messages: readonly Message[]): Promise<string> {
    const { store, project } = await this.agent.another();
    const session = { ...newSession(), title };
    await store.import(session, messages, {});
    await project.dispose();
    await store.close();
    return session.id;
  }

  attach(transport: Transport): void {
    this.#bridge?.dispose();
    const counting: Transport = {
      ...transport,
      send: (frame) => {
        this.sent += JSON.stringify(frame).length;
        transport.send(frame);
      },
    };
    this.#bridge = connectPanel(
      counting,
      async () => this.agent,
      noEditor,
      systemClock,
      () => {},
    );
  }

  notify(name: "history/show", params: Notification<"history/show">): void {
    this.#bridge?.notify(name, params);
  }

  async close(): Promise<void> {
    this.#bridge?.dispose();
    await this.agent.close();
  }
}

const refuse = async (): Promise<never> => {
  throw new Error("there is no editor here");
};

/** Everything that only an editor can do is refused. */
export const noEditor: PanelHost = {
  used: () => {},
  setup: async () => READY_SETUP,
  onSetup: () => ({ dispose: () => {} }),
  draft: async () => undefined,
  draftKept: async () => {},
  restore: refuse,
  restoreForEdit: async () => true,
  openProject: refuse,
  openInTab: refuse,
  showText: refuse,
  saveFile: refuse,
  chooseFiles: async () => [],
  failureText: async (error) => failureText(translator({}), error),
  t: translator({}),
  onRules: () => ({ dispose: () => {} }),
  onServers: () => ({ dispose: () => {} }),
  currentFile: async () => undefined,
  onCurrentFile: () => ({ dispose: () => {} }),
  requests: {
    "chat/draft": async () => ({}),
    "files/find": async () => ({ hits: [] }),
    "files/mention": refuse,
    "files/give": refuse,
    "files/choose": refuse,
    "files/kinds": refuse,
    "current/include": refuse,
    "welcome/examples": async () => ({ examples: [] }),
    "host/open-folder": async () => ({}),
    "rules/list": refuse,
    "rules/switch": refuse,
    "rules/open": refuse,
    "rules/new": refuse,
    "hooks/ask": refuse,
    "plugins/ask": refuse,
    "memory/ask": refuse,
    "managed/ask": refuse,
    "tools/ask": refuse,
    "health/ask": refuse,
    "gallery/list": refuse,
    "plans/ask": refuse,
    "servers/list": refuse,
    "servers/trust": refuse,
    "servers/act": refuse,
    "servers/tool": refuse,
    "servers/open": refuse,
    "servers/add": refuse,
    "models/list": refuse,
    "models/offered": refuse,
    "models/choose": refuse,
    "models/effort": refuse,
    "models/check": refuse,
    "models/favorite": refuse,
    "connections/add": refuse,
    "connections/set-address": refuse,
    "connections/remove": refuse,
    "connections/set-key": refuse,
    "connections/find": refuse,
    "connections/test": refuse,
    "checkpoint/changes": refuse,
    "turn/files": async () => ({ files: [], more: 0 }),
    "turn/review": refuse,
    "turn/keep": refuse,
    "turn/undo": refuse,
    "answer/colors": async () => ({ colors: {} }),
    "answer/insert": refuse,
    "answer/new-file": refuse,
    "answer/run": refuse,
    "answer/symbol": refuse,
    "answer/image": async () => ({}),
    "answer/missing": async () => ({ missing: [] }),
    "answer/sent": async () => ({}),
    "turn/commit-message": refuse,
    "chat/undo": refuse,
    "host/edit-todo": refuse,
    "host/open-file": refuse,
    "host/open-link": refuse,
    "host/settings": refuse,
    "host/set-key": refuse,
    "host/focused": async () => ({}),
    "host/used": async () => ({}),
    "host/shown": async () => ({}),
    "host/show-terminal": refuse,
    "host/answer-command": refuse,
    "host/show-diff": refuse,
    "host/review-worktree": refuse,
    "host/run-proposal": refuse,
  },
};
