/** The panel's requests to the editor: files, links, settings, diffs. */

import { stat } from "node:fs/promises";
import * as vscode from "vscode";
import { settingsUnder } from "../../core/policy/admin-policy.ts";
import type { ExportedSession } from "../../core/sessions/export/export-session.ts";
import { messageOf } from "../../shared/message-of.ts";
import {
  connectionsOf,
  defaultModels,
  modelNamed,
  nameParts,
  shownModel,
} from "../../shared/models/connection.ts";
import { accessSchema } from "../../shared/permission/levels.ts";
import type { DraftUpdate, Setup } from "../../shared/protocol.ts";
import { type CallRow, emptyView, rowsOf } from "../../shared/view/reducer.ts";
import { translator } from "../../shared/words/task-words.ts";
import type { AnswerHandlers } from "../answers/answer-host.ts";
import type { TodoDocuments } from "../editor/todo-documents.ts";
import { type Config, openSettings } from "../editor-settings.ts";
import { existingFile } from "../files/existing-file.ts";
import { resolveInWorkspace, workspace } from "../files/workspace-folders.ts";
import type { LazyService } from "../lazy-service.ts";
import type { ModelHandlers } from "../models/model-requests.ts";
import type { Services } from "../services.ts";
import type { PanelHost } from "./bridge.ts";
import { demonstrationOf } from "./demonstration.ts";
import { kindOf } from "./dropped.ts";
import { done } from "./requests/context.ts";
import type { RulesHost } from "./rules-host.ts";
import type { PanelView } from "./views/panel-view.ts";

export interface PanelParts extends Pick<PanelHost, "openInTab"> {
  /** The user pressed a key or a button in this view. */
  entered(): void;
  /** The unsent text of this view changed. */
  drafted(draft: DraftUpdate): void;
  config: Config;
  services: LazyService<Services>;
  /** The view that shows the panel. */
  panelView: PanelView;
  todo: TodoDocuments;
  rules: RulesHost;
}

/** Answers the requests of one view to the editor. */
export function createPanelHost({
  config,
  services,
  panelView,
  todo,
  rules,
  ...place
}: PanelParts): PanelHost {
  const activeSession = async () => (await panelView.get()).view.active;
  const rowOf = async (callId: string): Promise<CallRow> => {
    const row = rowsOf((await activeSession()).chatView).find(({ id }) => id === callId);
    if (row?.kind !== "call") throw new Error(vscode.l10n.t("This step is not in the active session."));
    return row;
  };
  const checkpoints = async () => (await activeSession()).checkpoints;
  const servers = async () => (await services.get()).serverList.requests;
  let modelHandlers: ModelHandlers | undefined;
  const models = async () => {
    modelHandlers ??= (await services.get()).models(await panelView.get());
    return modelHandlers;
  };
  let answerHandlers: AnswerHandlers | undefined;
  const answers = async () => {
    answerHandlers ??= (await services.get()).answers((await panelView.get()).view);
    return answerHandlers;
  };
  const reviewWorktree = async () => {
    used();
    await (await services.get()).worktrees.review((await panelView.get()).view);
  };
  /** Asks for the key of the current model's connection. */
  const askKey = () => {
    const { mode, chosen } = panelView.current?.view.active.chatView ?? emptyView;
    const name = shownModel(defaultModels(config.settings()), mode, chosen);
    return config.askKey(nameParts(name).connection || undefined);
  };
  /** The folder in which the session of the view works; undefined: the workspace. */
  const sessionFolder = () => panelView.current?.view.active.chatView.session?.worktree?.root;
  const used = () => services.current?.host.editor.placement.panelUsed();
  const showDiff = async (callId: string) => {
    used();
    const row = await rowOf(callId);
    const path = row.approval?.path ?? row.subject;
    const file = resolveInWorkspace(path, sessionFolder()) ?? path;
    const { host } = await services.get();
    if (!(await host.editor.reveal(file, row.approval?.task?.id ?? (await activeSession()).id)))
      await openFile(path, undefined, sessionFolder());
  };
  const showTerminal = async (callId: string) => {
    const { host } = await services.get();
    if (!host.shell.showTerminal(`${(await activeSession()).id}/${callId}`))
      throw new Error(vscode.l10n.t("The terminal of this command is closed."));
  };
  const answerCommand = async (callId: string, line: string) => {
    const { host } = await services.get();
    if (!host.shell.answer(`${(await activeSession()).id}/${callId}`, line))
      throw new Error(vscode.l10n.t("This command no longer takes input."));
  };
  const runProposal = async (callId: string) => {
    const { proposal } = await rowOf(callId);
    if (proposal === undefined) throw new Error(vscode.l10n.t("This result has no command to run."));
    const cwd = sessionFolder() ?? workspace.root;
    if (cwd === undefined) throw new Error(vscode.l10n.t("Open a folder to run the command."));
    const { shell } = (await services.get()).host;
    const { signal } = new AbortController();
    await shell.run(proposal, { cwd, timeoutMs: Number.POSITIVE_INFINITY, signal, onOutput: () => {} });
  };
  const t = translator(vscode.l10n.bundle ?? {});
  /** Whether the folder is the worktree of a task, which another window may open and close. */
  let isTaskHere = false;
  return {
    used,
    async setup(): Promise<Setup> {
      const settings = settingsUnder(config.settings(), services.current?.host.policy);
      const models = defaultModels(settings);
      const catalog = panelView.current?.project.models;
      const unreasoning = Object.values(models).filter(
        (name) => name !== "" && catalog?.facts(modelNamed(name, settings)).reasoning?.value === false,
      );
      const [taskHere, worktrees = false] = await Promise.all([
        services.current?.project.library.taskHere(),
        services.current?.worktrees.areOffered(),
      ]);
      isTaskHere = taskHere !== undefined;
      return {
        models,
        unreasoning,
        effort: settings.provider.reasoningEffort,
        access: accessSchema.parse(settings.approval),
        connections: connectionsOf(settings).map(({ name }) => name),
        ...demonstrationOf(connectionsOf(settings), process.env.NEKODE_DEMONSTRATION),
        hasWorkspace: workspace.root !== undefined,
        trusted: workspace.trusted,
        worktrees,
        ...(taskHere ? { taskHere } : {}),
        otherRoots: workspace.roots.slice(1).map(({ name }) => name),
      };
    },
    onSetup(listener) {
      const listeners = [
        config.onChange(listener),
        vscode.workspace.onDidChangeWorkspaceFolders(listener),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
        vscode.window.onDidChangeWindowState(({ focused }) => {
          if (focused && isTaskHere) listener();
        }),
      ];
      return vscode.Disposable.from(...listeners);
    },
    async draft(remembered) {
      const { drafts } = await panelView.get();
      if (remembered) drafts.remembered(remembered);
      return drafts.current;
    },
    draftKept: async () => (await panelView.get()).drafts.flush(),
    async restore(id, withConversation) {
      const { changes } = await services.get();
      if ((await activeSession()).chatView.status !== "idle") {
        throw new Error(vscode.l10n.t("The agent is working. Stop it before you restore files."));
      }
      return changes.restore(await checkpoints(), id, withConversation);
    },
    async restoreForEdit(messageId) {
      const { changes } = await services.get();
      if (!config.settings().checkpoints.enabled) return true;
      const { view } = await panelView.get();
      return changes.restoreForEdit(view.active.checkpoints, messageId, () => view.stop());
    },
    openProject,
    openInTab: place.openInTab,
    showText: async (name, text) => (await services.get()).transcripts.show(name, text),
    saveFile,
    chooseFiles,
    failureText: async (error) => (await services.get()).failureText(t, error),
    t,
    onRules: rules.onChange,
    // The panel calls this only once the services run.
    onServers: (listener) => services.current?.serverList.onChange(listener) ?? { dispose: () => {} },
    currentFile: async () => (await services.get()).host.current.current(),
    onCurrentFile: (listener) => services.current?.host.current.onChange(listener) ?? { dispose: () => {} },
    requests: {
      "chat/draft": async (draft) => {
        (await panelView.get()).drafts.keep(draft);
        place.drafted(draft);
        return {};
      },
      "files/find": async ({ query, limit, kind }) => ({
        hits: await (await services.get()).index.find(query, limit, kind),
      }),
      "current/include": async ({ included }) => done((await services.get()).host.current.include(included)),
      "files/kinds": async ({ paths }) => ({ kinds: await Promise.all(paths.map(kindOf)) }),
      "files/mention": async ({ uris }) => (await services.get()).attachedFiles.mention(uris),
      "files/give": async ({ name, data }) => (await services.get()).attachedFiles.give(name, data),
      "files/choose": async () => (await services.get()).attachedFiles.choose(),
      "welcome/examples": async () => ({ examples: await (await services.get()).examples() }),
      "host/open-folder": () =>
        done(Promise.resolve(vscode.commands.executeCommand("workbench.action.files.openFolder"))),
      "rules/list": () => rules.list(),
      "rules/switch": (params) => done(rules.switch(params)),
      "rules/open": ({ name }) => done(rules.open(name)),
      "rules/new": ({ place }) => done(rules.create(place)),
      "hooks/ask": async ({ ask }) => (await services.get()).hooks(ask),
      "plugins/ask": async ({ ask }) => (await services.get()).plugins(ask),
      "memory/ask": async ({ ask }) => (await services.get()).memory(ask),
      "managed/ask": async () => ({ list: (await services.get()).managed }),
      "tools/ask": async ({ ask }) => (await services.get()).tools(ask),
      "gallery/list": async () => ({ list: await (await services.get()).gallery() }),
      "health/ask": async () => (await services.get()).health(await activeSession()),
      "plans/ask": async ({ ask }) => (await services.get()).plans(ask, await activeSession()),
      "servers/list": async (params) => (await servers())["servers/list"](params),
      "servers/trust": async (params) => (await servers())["servers/trust"](params),
      "servers/act": async (params) => (await servers())["servers/act"](params),
      "servers/tool": async (params) => (await servers())["servers/tool"](params),
      "servers/open": async (params) => (await servers())["servers/open"](params),
      "servers/add": async (params) => (await servers())["servers/add"](params),
      "models/list": async (params) => (await models())["models/list"](params),
      "models/offered": async (params) => (await models())["models/offered"](params),
      "models/choose": async (params) => (await models())["models/choose"](params),
      "models/effort": async (params) => (await models())["models/effort"](params),
      "models/favorite": async (params) => (await models())["models/favorite"](params),
      "connections/add": async (params) => (await models())["connections/add"](params),
      "connections/set-address": async (params) => (await models())["connections/set-address"](params),
      "connections/remove": async (params) => (await models())["connections/remove"](params),
      "connections/set-key": async (params) => (await models())["connections/set-key"](params),
      "connections/find": async (params) => (await models())["connections/find"](params),
      "models/check": async (params) => (await models())["models/check"](params),
      "connections/test": async (params) => (await models())["connections/test"](params),
      "answer/colors": async (params) => (await answers())["answer/colors"](params),
      "answer/insert": async (params) => (await answers())["answer/insert"](params),
      "answer/new-file": async (params) => (await answers())["answer/new-file"](params),
      "answer/run": async (params) => (await answers())["answer/run"](params),
      "answer/symbol": async (params) => (await answers())["answer/symbol"](params),
      "answer/image": async (params) => (await answers())["answer/image"](params),
      "answer/missing": async (params) => (await answers())["answer/missing"](params),
      "answer/sent": async ({ messageId, index }) => {
        const image = (await activeSession()).texts.sentImage(messageId, index);
        return image ? { image } : {};
      },
      "checkpoint/changes": async ({ id, only }) => {
        const { changes } = await services.get();
        return done(changes.show(await checkpoints(), id, only));
      },
      "chat/undo": async ({ callId }) =>
        done((await services.get()).changes.undo(await checkpoints(), callId)),
      "turn/files": async ({ id }) => (await services.get()).changes.turnFiles(await checkpoints(), id),
      "turn/review": async ({ id, path }) =>
        done((await services.get()).changes.showTurn(await checkpoints(), id, path)),
      "turn/commit-message": async ({ id }) => {
        const { changes, failureText, writeCommitMessage } = await services.get();
        const session = await activeSession();
        const files = await changes.turnTexts(session.checkpoints, id);
        // The panel's request ends before the model answers.
        void writeCommitMessage(session, id, files).catch((error: unknown) => {
          const reason = failureText(t, error) ?? messageOf(error);
          return vscode.window.showErrorMessage(vscode.l10n.t("No commit message was written: {0}", reason));
        });
        return {};
      },
      "turn/keep": async ({ id }) => done((await checkpoints()).keepTurn(id)),
      "turn/undo": async ({ id, path }) =>
        done((await services.get()).changes.undoTurn(await checkpoints(), id, path)),
      "host/edit-todo": async () => done(todo.open(await activeSession())),
      "host/open-file": ({ path, line }) => done(openFile(path, line, sessionFolder())),
      "host/review-worktree": () => done(reviewWorktree()),
      "host/open-link": ({ url }) => done(openLink(url)),
      "host/settings": ({ query }) => done(openSettings(query)),
      "host/set-key": () => done(askKey()),
      "host/focused": async () => {
        used();
        return {};
      },
      "host/used": async () => {
        place.entered();
        used();
        return {};
      },
      "host/shown": async () => ({}),
      "host/show-terminal": ({ callId }) => done(showTerminal(callId)),
      "host/answer-command": ({ callId, line }) => done(answerCommand(callId, line)),
      "host/show-diff": ({ callId }) => done(showDiff(callId)),
      "host/run-proposal": ({ callId }) => done(runProposal(callId)),
    },
  };
}

async function openProject(folder: string | undefined): Promise<void> {
  const stats = folder === undefined ? undefined : await stat(folder).catch(() => undefined);
  if (folder === undefined || !stats?.isDirectory())
    throw new Error(vscode.l10n.t("The project folder of this session no longer exists: {0}", folder ?? "?"));
  await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(folder), {
    forceNewWindow: true,
  });
}

async function saveFile({ name, text, files }: ExportedSession): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog(
    folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) },
  );
  if (!uri) return;
  // A trajectory refers to its images by paths relative to itself.
  for (const { path: place, bytes } of files)
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(uri, "..", place), bytes);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

async function chooseFiles(limit: number): Promise<(Uint8Array | undefined)[]> {
  const uris = await vscode.window.showOpenDialog({ canSelectMany: true, filters: { JSON: ["json"] } });
  const files: (Uint8Array | undefined)[] = [];
  for (const uri of uris ?? []) {
    const { size } = await vscode.workspace.fs.stat(uri);
    files.push(size > limit ? undefined : await vscode.workspace.fs.readFile(uri));
  }
  return files;
}

/** Opens only files of the project: a link in the model's text may name anything. */
async function openFile(named: string, line: number | undefined, folder: string | undefined): Promise<void> {
  const all = folder === undefined ? workspace.roots.map((root) => root.path) : [folder];
  const file = await existingFile(resolveInWorkspace(named, folder), all);
  if (file === undefined) throw new Error(vscode.l10n.t("{0} is not a file in this workspace.", named));
  const uri = vscode.Uri.file(file);
  const { type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) {
    await vscode.commands.executeCommand("revealInExplorer", uri);
    return;
  }
  const at = line === undefined ? undefined : new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.commands.executeCommand("vscode.open", uri, at ? { selection: new vscode.Range(at, at) } : {});
}

async function openLink(url: string): Promise<void> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:") {
    throw new Error(vscode.l10n.t("Only http and https links can be opened: {0}", url));
  }
  await vscode.env.openExternal(vscode.Uri.parse(parsed.href, true));
}
