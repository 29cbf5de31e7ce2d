/**
 * The heavy parts, in a separate bundle that loads when the panel is first opened: the editor's ports, the file
 * index, the session store and the agent.
 */
import * as path from "node:path";
import * as vscode from "vscode";
import type { Project } from "../core/agent/project.ts";
import type { Session } from "../core/agent/session.ts";
import type { View } from "../core/agent/view.ts";
import { ifKept } from "../core/checkpoints/checkpoints.ts";
import {
  type SurveyedDefinition,
  surveyAgentFiles,
  surveyDefinitions,
} from "../core/context/definition-survey.ts";
import { ruleItem } from "../core/context/rule-items.ts";
import { messageOf } from "../core/errors.ts";
import { globalRulesFolder, mayBeInstructions, PROJECT_RULES_FOLDER } from "../core/instruction-kinds.ts";
import { surveyRules } from "../core/instructions/rules.ts";
import { type Disposable, DisposableStore } from "../core/lifecycle.ts";
import { PolicyError, settingsUnder } from "../core/policy/admin-policy.ts";
import { managedList } from "../core/policy/managed-items.ts";
import type { Log } from "../core/ports/system.ts";
import { nodeFileStates } from "../node/files/disk-file-states.ts";
import { createSearchProviders } from "../node/net/web-search/search-providers.ts";
import { type OpenProject, openProject, type SessionsPlace } from "../node/open-project.ts";
import { PluginManager } from "../node/plugins/plugin-manager.ts";
import { machinePolicy } from "../node/policy/machine-policy.ts";
import { defaultDataDir } from "../node/store/project-store.ts";
import { playSystemSound } from "../node/system-sound.ts";
import type { HealthReport } from "../shared/health-report.ts";
import type { ManagedList } from "../shared/managed-list.ts";
import { defaultModels, shownModel } from "../shared/models/connection.ts";
import type { Params, Result } from "../shared/protocol.ts";
import type { RuleFile } from "../shared/rule-file.ts";
import type { ServerGallery } from "../shared/server-gallery.ts";
import type { Example } from "../shared/welcome-protocol.ts";
import { measurements } from "../shared/words/health-words.ts";
import { policyFaultText } from "../shared/words/policy-words.ts";
import { translator } from "../shared/words/task-words.ts";
import { type AnswerHandlers, createAnswerRequests } from "./answers/answer-host.ts";
import { followActive } from "./attention/active-session.ts";
import { type AttentionPanel, showAttention } from "./attention/show-attention.ts";
import { copyReport } from "./copy-report.ts";
import { ChangesView } from "./editor/changes-view.ts";
import { writeCommitMessage } from "./editor/commit-message.ts";
import { EditHere } from "./editor/edit-here.ts";
import type { FollowAgent } from "./editor/follow-agent.ts";
import { SourceControlMessages } from "./editor/source-control-message.ts";
import { createEditorHost, type EditorHost } from "./editor-host.ts";
import type { Config } from "./editor-settings.ts";
import { createEditorFileStates } from "./files/editor-file-states.ts";
import { FileIndex } from "./files/file-index.ts";
import { resolveInWorkspace, workspace, workspacePath } from "./files/workspace-folders.ts";
import { HealthMonitor } from "./health.ts";
import { checkHealth } from "./health-checks.ts";
import type { OfferedModelService } from "./models/chat-provider.ts";
import { createModelRequests, rememberedModels } from "./models/model-host.ts";
import type { ModelHandlers } from "./models/model-requests.ts";
import { offeredModels } from "./models/offered-models.ts";
import { editorForeignSettings } from "./own-settings.ts";
import { AttachedFiles } from "./panel/attached-files.ts";
import { Drafts } from "./panel/drafts.ts";
import { folderExamples } from "./panel/folder-examples.ts";
import type { ProjectView } from "./panel/requests/context.ts";
import { failureText } from "./panel/requests/failure-text.ts";
import { memoryRequests } from "./panel/requests/memory-requests.ts";
import { toolRequests } from "./panel/requests/tool-requests.ts";
import { createRule } from "./panel/rule-creation.ts";
import { keepOpenWork, restoreOpenWork } from "./panel/views/open-work.ts";
import type { OpenView, TabStart } from "./panel/views/panel-view.ts";
import { openTabView } from "./panel/views/tab-view.ts";
import { PlanEditors, unsavedText } from "./plans/plan-editors.ts";
import { followFinishedTurns } from "./review/finished-turns.ts";
import { ProposalComments, waitingEdits } from "./review/proposal-comments.ts";
import { requestReview } from "./review/review-request.ts";
import { ReviewThreads } from "./review/review-threads.ts";
import { SavedFindings } from "./review/saved-findings.ts";
import { SavedTurns } from "./review/saved-turns.ts";
import type { TurnHunks } from "./review/turn-hunks.ts";
import { SearchKeys } from "./search-keys.ts";
import { createEditorServers, type EditorServers } from "./servers/editor-servers.ts";
import { readServerGallery } from "./servers/gallery-reader.ts";
import { hookRequests } from "./servers/hook-requests.ts";
import { pluginRequests } from "./servers/plugin-requests.ts";
import { openConfigFile, ServerListHost } from "./servers/server-list-host.ts";
import { watchSessionEnds } from "./terminal/background-commands.ts";
import { installCommand } from "./terminal/install-command.ts";
import { createWorktreeServices, type WorktreeServices } from "./worktrees/worktree-services.ts";

/** Milliseconds after the start, when the window's startup work is done. */
const TIDY_AFTER_MS = 30_000;
/** Milliseconds after the start, when the functions that a start needs are compiled. */
const KEEP_CODE_AFTER_MS = 5_000;

declare const NEKODE_VERSION: string;

/** Maximum number of files that are examined for the examples of the first page. */
const EXAMPLE_FILES = 50;

export interface ServiceParts {
  context: Pick<
    vscode.ExtensionContext,
    | "extension"
    | "extensionUri"
    | "storageUri"
    | "globalStorageUri"
    | "globalState"
    | "workspaceState"
    | "secrets"
  >;
  config: Config;
  log: Log;
  /** Keeps the compiled code of these parts for the next window. */
  keepCode(): void;
}

/** The rules files of the project and the user. */
export interface RulesSurvey {
  /** The folder of the user's rules for all projects. */
  globalFolder: string;
  /** The folder of the project's rules, relative to the workspace. */
  projectFolder: string;
  /** Whether a change of the file or folder at this path may add, change or remove an instruction file. */
  mayBeInstructions(path: string): boolean;
  /** All rules files found, with whether they apply. */
  survey(): ReturnType<typeof surveyRules>;
  /** The same for a list. */
  items(): Promise<RuleFile[]>;
  /** The user turned on the file with this name. */
  use(name: string): Promise<void>;
  /** Asks the user for the name of a new file, and opens it. */
  create(place: Params<"rules/new">["place"]): Promise<void>;
  /** All skills, commands and agents found. */
  definitions(): Promise<SurveyedDefinition[]>;
}

export interface Services {
  project: Project;
  host: EditorHost;
  index: FileIndex;
  changes: ChangesView;
  transcripts: Transcripts;
  /** Opens the page with the measurements of this window. `session`: supplies the totals. */
  /** Reads the user's list of MCP servers. */
  gallery(): Promise<ServerGallery>;
  /** Answers `health/ask`. */
  health(session: Session): Promise<Result<"health/ask">>;
  /** Opens a view beside the side bar's, for an editor tab. */
  openTab(start: TabStart): Promise<OpenView>;
  drafts: Drafts;
  rules: RulesSurvey;
  mcp: EditorServers;
  searchKeys: SearchKeys;
  /** Helps to install the terminal host. */
  installCommand(): Promise<void>;
  /** Copies the report for issues. */
  copyReport(): Promise<void>;
  serverList: ServerListHost;
  /** Answers `hooks/ask`. */
  hooks(ask: unknown): Promise<Result<"hooks/ask">>;
  /** Answers `plugins/ask`. */
  plugins(ask: unknown): Promise<Result<"plugins/ask">>;
  /** Answers `memory/ask`. */
  memory(ask: unknown): Promise<Result<"memory/ask">>;
  /** What the administrator manages; null: nothing. */
  managed: ManagedList | null;
  /** Answers `tools/ask`. */
  tools(ask: unknown): Promise<Result<"tools/ask">>;
  /** Answers `plans/ask` for the view's active session. */
  plans(ask: unknown, session: Session): Promise<Result<"plans/ask">>;
  /** The requests of a panel about models and connections. */
  models(shown: ProjectView): ModelHandlers;
  /** The requests of a panel about the contents of answers. */
  answers(view: View): AnswerHandlers;
  /** Nekode's models for VS Code's own chat. */
  offered: OfferedModelService;
  worktrees: WorktreeServices;
  /** Tasks that fit the open folder. */
  examples(): Promise<Example[]>;
  /** Why the agent failed, in the user's language; undefined: unexpected. */
  failureText: typeof failureText;
  /** What the user drops, pastes or chooses for a message. */
  attachedFiles: AttachedFiles;
  writeCommitMessage: typeof writeCommitMessage;
  /** Writes a commit message into the Source Control view. `target`: what the button there passes. */
  writeSourceControlMessage(target: unknown): Promise<void>;
  /** Changes where the cursor is. */
  editHere: EditHere;
  /** Shows what the agent reads and edits until the user uses an editor. `on`: whether it shall. */
  follow(on: boolean): Promise<void>;
  /** What the last turns changed, in the editors of the files; undefined: none has changed any in this window. */
  turnHunks(): TurnHunks | undefined;
  /** Reviews the changes that are not committed. `target`: what the button in the Source Control view passes. */
  review(view: View, target: unknown): Promise<void>;
  /** Shows what waits for the user while the panel is hidden. */
  attention(panel: AttentionPanel): Disposable;
  /** Ends work in progress, and resolves when the conversation is on disk. */
  close(): Promise<void>;
}

export async function startServices({ context, config, log, keepCode }: ServiceParts): Promise<Services> {
  const disposables = new DisposableStore();
  try {
    const policy = await machinePolicy();
    const host = disposables.add(
      createEditorHost(context.extensionUri, log, () => config.settings(), context.workspaceState, policy),
    );
    const index = disposables.add(new FileIndex(host.search, host.clock, log));
    const changes = disposables.add(new ChangesView());
    const transcripts = disposables.add(new Transcripts());
    await host.editor.closeLeftovers();
    const searchKeys = disposables.add(new SearchKeys(context.secrets, config));
    disposables.add(config.onChange(() => void remind(searchKeys, log)));
    const mcp = disposables.add(createEditorServers({ host, context }));
    const serverList = disposables.add(new ServerListHost(mcp));
    const { project, profiles, hooks, memory, storeFolder, drafts, close } = await openAgent(
      host,
      { config, searchKeys },
      context,
      mcp,
    );
    disposables.add(
      project.onEvent((event) => {
        const text = event.type === "message" ? event.message.display : undefined;
        if (text === undefined) return;
        host.attachedContents
          .mentioned(event.session, text)
          .catch((error: unknown) => log.error("what a message needs is not known", error));
      }),
    );
    disposables.add(forgetKeysAfterwards(project, config, searchKeys));
    const plans = disposables.add(new PlanEditors({ project, storeFolder, log }));
    const worktreeOf = ({ chatView }: Pick<Session, "chatView">) => chatView.session?.worktree?.root;
    disposables.add(
      new ReviewThreads({
        project,
        saved: new SavedFindings(context.workspaceState),
        active: () => project.view.active,
        showPanel: () => void vscode.commands.executeCommand("nekode.show"),
        t: translator(vscode.l10n.bundle ?? {}),
        log,
      }),
    );
    disposables.add(
      new ProposalComments({
        onEvent: project.onEvent,
        waitingEdits: (id) => {
          const session = project.find(id);
          return session ? waitingEdits(session) : [];
        },
        reject: (id, callId, comment) => void project.find(id)?.reject(callId, comment),
        proposed: (uri) => host.editor.proposed(uri),
        nameOf: workspacePath,
      }),
    );
    let followAgent: FollowAgent | undefined;
    let turnHunks: TurnHunks | undefined;
    const savedTurns = new SavedTurns(context.workspaceState);
    disposables.add(
      followFinishedTurns({
        onEvent: project.onEvent,
        sessions: () => project.sessions,
        saved: savedTurns.read(),
        async shown() {
          const { TurnHunks } = await import("./review/turn-hunks.ts");
          turnHunks ??= disposables.add(
            new TurnHunks({
              find: (id) => project.find(id),
              files: host.files,
              editor: host.editor,
              changes,
              saved: savedTurns,
              log,
            }),
          );
          return turnHunks;
        },
      }),
    );
    /** Provides what the active session of a view needs in the editor. */
    const follow = (view: View) => {
      const shown = showWhatWaits({ project, view }, host);
      const ends = watchSessionEnds({
        view,
        shell: host.shell,
        stillNeeded() {
          const open = new Set(project.sessions.map(({ id }) => id));
          return new Set(project.background.all.flatMap(({ id, session }) => (open.has(session) ? id : [])));
        },
        endWithSession: () => config.settings().terminal.endWithSession,
      });
      return {
        left: () => ends.left(),
        dispose() {
          shown.dispose();
          ends.dispose();
        },
      };
    };
    // The active session of the side bar counts as visible even while the side bar is hidden, because it is the user's last
    // session.
    host.editor.isWatched = (session) => session === project.view.active.id || project.isSeen(session);
    disposables.add(follow(project.view));
    const offered = offeredModels({
      host,
      profiles,
      t: translator(vscode.l10n.bundle ?? {}),
      settings: () => config.settings(),
      apiKey: (connection) => config.apiKey(connection),
      names: () => rememberedModels(context.globalState),
    });
    const showText = (name: string, text: string) => transcripts.show(name, text);
    const worktrees = createWorktreeServices(project, showText, log);
    disposables.add(host.clock.after(TIDY_AFTER_MS, () => void worktrees.offerLeft()));
    disposables.add(host.clock.after(KEEP_CODE_AFTER_MS, keepCode));
    const health = disposables.add(new HealthMonitor(project));
    const whyFailed = (error: unknown) =>
      failureText(translator(vscode.l10n.bundle ?? {}), error) ?? messageOf(error);
    const sourceControlMessages = new SourceControlMessages({
      repositoryMessages: project.repositoryMessages,
      failureText: whyFailed,
    });
    const editHere = disposables.add(
      new EditHere({
        edits: project.editsAtCursor,
        previews: host.editor,
        failureText: whyFailed,
      }),
    );
    const rules: RulesSurvey = {
      globalFolder: globalRulesFolder(host.system.home),
      projectFolder: PROJECT_RULES_FOLDER,

      mayBeInstructions,
      survey: () => surveyRules(host, config.settings().context, new AbortController().signal),
      items: async () => (await rules.survey()).map(ruleItem),
      definitions: async () => {
        const { context } = config.settings();
        const [called, agents] = await Promise.all([
          surveyDefinitions(host, context, new AbortController().signal),
          surveyAgentFiles(host, context),
        ]);
        return [...called, ...agents];
      },
      use: async (name) => {
        const [files, definitions] = await Promise.all([rules.survey(), rules.definitions()]);
        const path =
          files.find((rule) => rule.name === name)?.path ??
          definitions.find(({ item }) => item.file === name)?.path;
        if (path !== undefined) host.unseen?.use(path);
      },
      create: (place) => createRule(rules, place),
    };
    return {
      project,
      gallery: () =>
        readServerGallery(
          config.settings().servers.gallery,
          (input, init) => fetch(input, init),
          translator(vscode.l10n.bundle ?? {}),
        ),
      health: async ({ chatView, requests }) => {
        const t = translator(vscode.l10n.bundle ?? {});
        const settings = settingsUnder(config.settings(), host.policy);
        const { mode, chosen, totals } = chatView;
        const measured = health.now({ totals, sentPerTurn: requests.sentPerTurn });
        const checks = await checkHealth({
          ...{ host, settings, t, models: project.models, servers: mcp.servers },
          model: shownModel(defaultModels(settings), mode, chosen),
          sandbox: await host.shell.sandbox(host.workspace.roots.map(({ path }) => path)),
        });
        const list: HealthReport = {
          checks,
          minutes: measured.minutes,
          measurements: measurements(t, measured),
        };
        return { list };
      },
      openTab: (start) => openTabView(start, { project, drafts, follow, log }),
      models: (shown) =>
        createModelRequests({
          ...shown,
          config,
          memory: context.globalState,
          environment: process.env,
          host,
        }),
      worktrees,
      answers: (view) => createAnswerRequests({ host, view, settings: () => config.settings() }),
      offered,
      host,
      index,
      changes,
      transcripts,
      drafts,
      mcp,
      searchKeys,
      installCommand: () => installCommand(NEKODE_VERSION),
      copyReport: () =>
        copyReport({
          ...{ host, config, show: showText, version: NEKODE_VERSION },
          searchKeys: () => searchKeys.all(),
        }),
      serverList,
      hooks: hookRequests({ hooks, openFile: openConfigFile, t: translator(vscode.l10n.bundle ?? {}) }),
      plugins: pluginRequests({
        manager: pluginManager(host, log),
        t: translator(vscode.l10n.bundle ?? {}),
      }),
      memory: memoryRequests({
        memory,
        project,
        isOn: () => config.settings().memory,
        openFile: (file) => openConfigFile(file, 1),
        t: translator(vscode.l10n.bundle ?? {}),
      }),
      managed: host.policy ? managedList(host.policy) : null,
      tools: toolRequests(project),
      plans: (ask, session) => plans.answer(ask, session),
      rules,
      examples: async () => {
        const root = workspace.root;
        if (root === undefined) return [];
        const files = await index.find("", EXAMPLE_FILES, "file");
        return folderExamples(
          root,
          files.map(({ path: file }) => file),
        );
      },
      failureText,
      attachedFiles: new AttachedFiles(host.files, host.attachedContents),
      writeCommitMessage,
      editHere,
      turnHunks: () => turnHunks,
      async follow(on) {
        const { FollowAgent } = await import("./editor/follow-agent.ts");
        followAgent ??= disposables.add(
          new FollowAgent({
            onEvent: project.onEvent,
            watched: (id) => (host.editor.isWatched(id) ? followedSession(project.find(id)) : undefined),
            placement: host.editor.placement,
            log,
          }),
        );
        if (on) followAgent.start();
        else followAgent.stop();
      },
      writeSourceControlMessage: (target) => sourceControlMessages.write(target),
      review: (view, target) => requestReview(view, target, worktreeOf),
      attention: (panel) =>
        showAttention({
          view: project.view,
          overview: project.overview,
          panel,
          t: translator(vscode.l10n.bundle ?? {}),
          settings: () => config.settings().notifications,
          playSound: () => playSystemSound((why) => log.info(`no sound was played: ${why}`)),
        }),
      async close() {
        await close();
        disposables.dispose();
      },
    };
  } catch (error) {
    disposables.dispose();
    // Whoever asked for the services has no words for it: its bundle has other copies of the error classes.
    if (error instanceof PolicyError)
      throw new Error(policyFaultText(translator(vscode.l10n.bundle ?? {}), error.fault));
    throw error;
  }
}

function followedSession(session: Session | undefined) {
  if (!session) return undefined;
  const changes = (callId: string) => ifKept(session.checkpoints.changes(callId, true), []);
  return { chatView: session.chatView, changes };
}

/** undefined: there is no data folder to install plugins in. */
function pluginManager(host: EditorHost, log: Log): PluginManager | undefined {
  const dataDir = defaultDataDir(process.env);
  if (dataDir === undefined || host.plugins === undefined) return undefined;
  return new PluginManager({
    installed: host.plugins,
    dataDir,
    environment: process.env,
    roots: () => host.workspace.roots.map((root) => root.path),
    cwd: host.workspace.root ?? host.system.home,
    system: host.system,
    log,
  });
}

/** Opens the session store first, then the session that was open. */
async function openAgent(
  host: EditorHost,
  { config, searchKeys }: { config: Config; searchKeys: SearchKeys },
  context: ServiceParts["context"],
  { servers }: EditorServers,
): Promise<
  Pick<Services, "project" | "drafts" | "close"> &
    Pick<OpenProject, "profiles" | "hooks" | "memory" | "storeFolder">
> {
  const opened = await openProject({
    host,
    sessions: sessionsPlace(host, context),
    dataDir: defaultDataDir(process.env),
    environment: process.env,
    showsSessions: true,
    unsavedText,
    fileStates: createEditorFileStates(nodeFileStates, host.beginAgentChange),
    servers,
    settings: () => config.settings(),
    apiKey: (connection) => config.apiKey(connection),
    allowCommand: (entry) => config.allowCommand(entry),
    disallowCommand: (entry) => config.disallowCommand(entry),
    ...editorForeignSettings(host, config),
    searchProviders: createSearchProviders({
      settings: () => config.settings(),
      key: (provider) => searchKeys.get(provider),
      onChange: (listener) => {
        const listening = [config.onChange(listener), searchKeys.onChange(listener)];
        return {
          dispose() {
            for (const each of listening) each.dispose();
          },
        };
      },
      fetch: (input, init) => (host.fetch ?? fetch)(input, init),
    }),
    otherKeys: () => searchKeys.all(),
    version: NEKODE_VERSION,
    t: translator(vscode.l10n.bundle ?? {}),
  });
  const { project, profiles, hooks, memory, storage, storeFolder } = opened;
  try {
    const drafts = await Drafts.open(storage, host.log);
    await restoreOpenWork(project, drafts);
    const keeping = keepOpenWork(project, drafts);
    const tidying = host.clock.after(TIDY_AFTER_MS, () => void project.library.tidy());
    return {
      project,
      profiles,
      storeFolder,
      ...(hooks ? { hooks } : {}),
      ...(memory ? { memory } : {}),
      drafts,
      async close() {
        tidying.dispose();
        keeping.dispose();
        await drafts.close();
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Each project has its own sessions; a window without a folder has its own location too. */
function sessionsPlace(host: EditorHost, context: ServiceParts["context"]): SessionsPlace {
  const { root } = host.workspace;
  if (context.storageUri === undefined || root === undefined)
    return { folder: path.join(context.globalStorageUri.fsPath, "no-workspace") };
  return { root, own: path.join(context.storageUri.fsPath, "sessions") };
}

/**
 * Brings the preview that waits for an answer to the front if the user is looking at its session; otherwise opens it once they
 * do.
 */
function showWhatWaits({ project, view }: ProjectView, host: EditorHost): Disposable {
  return followActive(view, (event) => {
    if (event.type === "session" || event.type === "switched") host.editor.openWatched();
    if (event.type !== "approval" || event.approval.path === undefined) return;
    if (!host.editor.isWatched(event.session)) return;
    const folder = project.find(event.session)?.chatView.session?.worktree?.root;
    const file = resolveInWorkspace(event.approval.path, folder) ?? event.approval.path;
    host.editor
      .reveal(file, event.approval.task?.id ?? event.session)
      .catch((error: unknown) => host.log.error("the preview was not shown", error));
  });
}

function remind(searchKeys: SearchKeys, log: Log): Promise<void> {
  return searchKeys.remind().catch((error: unknown) => log.error("a missing key was not reported", error));
}

/** Forgets the cached keys each time the agent has finished its work. */
function forgetKeysAfterwards(project: Project, config: Config, searchKeys: SearchKeys): Disposable {
  return project.onEvent((event) => {
    if (event.type !== "status" || event.status !== "idle") return;
    config.forgetKeys();
    searchKeys.forget();
  });
}

const TRANSCRIPT_SCHEME = "nekode-transcript";

/** Shows sessions of other projects as read-only documents. */
class Transcripts implements Disposable {
  readonly #store = new DisposableStore();
  /** The texts of the documents shown, by URI. */
  readonly #texts = new Map<string, string>();
  #nextId = 1;

  constructor() {
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(TRANSCRIPT_SCHEME, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? "",
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#texts.delete(uri.toString())),
    );
  }

  /** Opens the text in a text editor, not in a Markdown preview, which would fetch the images that the text names. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: TRANSCRIPT_SCHEME, path: `/${name}`, query: `${this.#nextId++}` });
    this.#texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.#store.dispose();
    this.#texts.clear();
  }
}
