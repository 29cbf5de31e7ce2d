/**
 * A host for the panel that is the product's own on the real disk: files, shell, git, store, checkpoints, drafts and what models can be
 * chosen. Of VS Code, it has what a test can do without an editor: settings in memory, and the commands that mean the panel alone.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Project } from "../../../src/core/agent/project.ts";
import type { View } from "../../../src/core/agent/view.ts";
import { type Disposable, Emitter } from "../../../src/core/lifecycle.ts";
import type { Host } from "../../../src/core/ports/host.ts";
import type { LocalPorts } from "../../../src/core/provider/connect/find-servers.ts";
import type { ExportedSession } from "../../../src/core/sessions/export/export-session.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { type OpenProject, openProject } from "../../../src/node/open-project.ts";
import { createTerminalHost } from "../../../src/node/terminal-host.ts";
import {
  type Connection,
  connectionsOf,
  DEFAULT_CONNECTION,
  defaultModels,
} from "../../../src/shared/models/connection.ts";
import { accessSchema } from "../../../src/shared/permission/levels.ts";
import type { Notification, NotificationName, Setup } from "../../../src/shared/protocol.ts";
import type { Transport } from "../../../src/shared/rpc.ts";
import { withAdded } from "../../../src/shared/safe-commands.ts";
import type { Settings } from "../../../src/shared/settings.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import {
  type ModelHandlers,
  type ModelStore,
  modelRequests,
} from "../../../src/vscode/models/model-requests.ts";
import { withAddress, withoutConnection } from "../../../src/vscode/models/stored-connections.ts";
import { type Bridge, connectPanel, type PanelHost } from "../../../src/vscode/panel/bridge.ts";
import { Drafts } from "../../../src/vscode/panel/drafts.ts";
import { switching } from "../../../src/vscode/panel/leaving.ts";
import { keepOpenWork, restoreOpenWork } from "../../../src/vscode/panel/views/open-work.ts";
import { readSettings } from "../../../src/vscode/settings-reader.ts";
import { createWorkspace, type Workspace } from "../../e2e/support/workspace.ts";
import { memoryHost } from "../../support/memory-host.ts";
import { noEditor } from "./real-host.ts";

export interface ProjectHostOptions {
  /** Files of the project, by their path in it. */
  files?: Record<string, string | Uint8Array>;
  /** The project is a git repository with one commit. */
  git?: boolean;
  /** Where the agent's model is; absent: none is set up. `apiKey` default "test-key". */
  modelServer?: { baseUrl: string; model?: string; apiKey?: string };
  /** The user's settings, by their names in VS Code. */
  settings?: Record<string, unknown>;
  /** Where local model servers are searched for; default: nowhere. */
  localPorts?: LocalPorts;
}

/** What runs between two reloads. */
interface Running {
  opened: OpenProject;
  drafts: Drafts;
  keeping: Disposable;
  models: ModelHandlers;
  shell: Host["shell"];
}

const SECTION = "nekode.";
const WASM = path.join(import.meta.dirname, "../../../node_modules/@vscode/tree-sitter-wasm/wasm");

export class ProjectHost {
  readonly workspace: Workspace;
  /** What the user exported. */
  readonly saved: ExportedSession[] = [];
  /** Errors that the product logged. */
  readonly logged: string[] = [];
  readonly #options: ProjectHostOptions;
  readonly #changed = new Emitter<void>();
  readonly #values = new Map<string, unknown>();
  readonly #keys = new Map<string, string>();
  readonly #remembered = new Map<string, readonly string[]>();
  #settings: Settings | undefined;
  #running: Running | undefined;
  #transport: Transport | undefined;
  #bridge: Bridge | undefined;

  static async start(options: ProjectHostOptions = {}): Promise<ProjectHost> {
    const workspace = await createWorkspace("project", options.files ?? {}, options.git ?? false);
    const host = new ProjectHost(workspace, options);
    const home = host.#beside("home");
    await mkdir(home);
    await writeFile(path.join(home, ".gitconfig"), "[user]\n\tname = Test\n\temail = test@example.com\n");
    await host.#start();
    return host;
  }

  private constructor(workspace: Workspace, options: ProjectHostOptions) {
    this.workspace = workspace;
    this.#options = options;
    const { modelServer, settings = {} } = options;
    if (modelServer) {
      this.#values.set("provider.baseUrl", modelServer.baseUrl);
      this.#values.set("provider.model", modelServer.model ?? "scripted");
    }
    for (const [key, value] of Object.entries(settings)) this.#values.set(key.slice(SECTION.length), value);
  }

  get project(): Project {
    return this.#on.opened.project;
  }

  get view(): View {
    return this.project.view;
  }

  get settings(): Settings {
    this.#settings ??= readSettings((key) => ({ globalValue: this.#values.get(key) }), true).settings;
    return this.#settings;
  }

  /** Changes one of the user's settings; undefined: it is no longer set. */
  set(key: string, value: unknown): void {
    this.#values.set(key.slice(SECTION.length), value);
    this.#settings = undefined;
    this.#changed.emit();
  }

  /** The page of this place. */
  attach(transport: Transport): void {
    this.#transport = transport;
    this.#connect();
  }

  notify<N extends NotificationName>(name: N, params: Notification<N>): void {
    this.#bridge?.notify(name, params);
  }

  /** Begins a new task beside those that there are, as the command of VS Code does. */
  async newTask(): Promise<void> {
    const { view } = this;
    await switching(
      view,
      () => view.newTask({ keep: true }),
      ({ text, images }) => this.notify("composer/insert", { text, images: [...images] }),
    );
    this.notify("composer/focus", {});
  }

  /** Ends everything and starts it anew, as a reload of VS Code's window does. The page must be loaded again afterwards. */
  async restart(): Promise<void> {
    this.#bridge?.dispose();
    await this.#end();
    await this.#start();
    if (this.#transport) this.#connect();
  }

  async close(): Promise<void> {
    this.#bridge?.dispose();
    await this.#end();
    await this.workspace.remove();
  }

  get #on(): Running {
    if (!this.#running) throw new Error("the project is closed");
    return this.#running;
  }

  /** A folder beside that of the project, removed with it. */
  #beside(name: string): string {
    return path.join(path.dirname(this.workspace.folder), name);
  }

  async #start(): Promise<void> {
    const home = this.#beside("home");
    const environment = { ...process.env, HOME: home };
    const dataDir = this.#beside("data");
    const log = {
      info: () => {},
      error: (text: string, cause?: unknown) => void this.logged.push(`${text}: ${String(cause)}`),
    };
    const host = createTerminalHost({
      policy: undefined,
      ...{ root: this.workspace.folder, assetsDir: WASM, shell: "/bin/bash", environment, dataDir, log },
    });
    Object.assign(host, { assets: memoryHost().host.assets, system: { ...host.system, home } });
    const opened = await openProject({
      ...{ host, dataDir, environment, sessions: { folder: this.#beside("sessions") } },
      settings: () => this.settings,
      apiKey: (connection) => this.#apiKey(connection),
      allowCommand: async (entry) => this.#allow(withAdded(this.settings.commands.allow, entry)),
      disallowCommand: async (entry) =>
        this.#allow(this.settings.commands.allow.filter((each) => each !== entry)),
    });
    const { project, storage } = opened;
    const drafts = await Drafts.open(storage, log);
    await restoreOpenWork(project, drafts);
    const models = modelRequests({
      ...{ store: this.#modelStore(), catalog: project.models, host, t: translator({}) },
      choose: async (mode, name) => (await project.view.settled()).chooseModel(mode, name),
      check: (name, signal) => project.checkModel(name, signal),
      localPorts: this.#options.localPorts ?? [],
      now: () => Date.now(),
    });
    const keeping = keepOpenWork(project, drafts);
    this.#running = { opened, drafts, keeping, models, shell: host.shell };
  }

  async #end(): Promise<void> {
    const { opened, drafts, keeping, shell } = this.#on;
    this.#running = undefined;
    keeping.dispose();
    await drafts.close();
    await opened.close();
    await shell.dispose();
  }

  #connect(): void {
    if (!this.#transport) return;
    this.#bridge?.dispose();
    this.#bridge = connectPanel(
      this.#transport,
      async () => ({ project: this.project, view: this.view }),
      this.#panelHost(),
      systemClock,
      (text) => void this.logged.push(text),
    );
  }

  #panelHost(): PanelHost {
    const { drafts, models } = this.#on;
    return {
      ...noEditor,
      setup: async () => this.#setup(),
      onSetup: this.#changed.on,
      async draft(remembered) {
        if (remembered) drafts.remembered(remembered);
        return drafts.current;
      },
      draftKept: () => drafts.flush(),
      saveFile: async (file) => void this.saved.push(file),
      requests: {
        ...noEditor.requests,
        ...models,
        async "chat/draft"(draft) {
          drafts.keep(draft);
          return {};
        },
      },
    };
  }

  #setup(): Setup {
    const { settings } = this;
    return {
      models: defaultModels(settings),
      effort: settings.provider.reasoningEffort,
      access: accessSchema.parse(settings.approval),
      connections: connectionsOf(settings).map(({ name }) => name),
      hasWorkspace: true,
      trusted: true,
    };
  }

  async #apiKey({ name, keyEnv }: Pick<Connection, "name" | "keyEnv">): Promise<string | undefined> {
    const { modelServer } = this.#options;
    const isInEnvironment = keyEnv === "NEKODE_API_KEY" || name === DEFAULT_CONNECTION;
    return (
      this.#keys.get(name) ??
      (modelServer && isInEnvironment ? (modelServer.apiKey ?? "test-key") : undefined)
    );
  }

  #allow(entries: readonly string[]): void {
    this.set("nekode.commands.allow", entries);
  }

  /** What VS Code has in its settings, its secret storage and its memory. */
  #modelStore(): ModelStore {
    const connections = () => this.settings.connections;
    return {
      settings: () => this.settings,
      badEntries: () => [],
      apiKey: (connection) => this.#apiKey(connection),
      storeKey: async (name, key) => void (key === "" ? this.#keys.delete(name) : this.#keys.set(name, key)),
      askKey: async () => {
        throw new Error("there is no editor here");
      },
      addConnection: async (connection) => this.set("nekode.connections", [...connections(), connection]),
      removeConnection: async (name) =>
        this.set("nekode.connections", withoutConnection(connections(), name)),
      setAddress: async (name, baseUrl) =>
        this.set("nekode.connections", withAddress(connections(), name, baseUrl)),
      setModel: async (mode, name) =>
        this.set(`nekode.provider.${mode === "act" ? "model" : "planModel"}`, name || undefined),
      setEffort: async (effort) => this.set("nekode.provider.reasoningEffort", effort),
      remembered: (which) => this.#remembered.get(which) ?? [],
      remember: async (which, names) => void this.#remembered.set(which, names),
    };
  }
}
