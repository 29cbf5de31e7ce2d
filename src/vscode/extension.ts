/** Wiring: creates and registers the lightweight parts. The heavy ones (services.ts) load on first use. */
import * as vscode from "vscode";
import { systemClock } from "../node/clock.ts";
import type { Transport } from "../shared/rpc.ts";
import { hasPreviewTabs } from "./editor/open-documents.ts";
import { TodoDocuments } from "./editor/todo-documents.ts";
import { Config } from "./editor-settings.ts";
import { LazyService } from "./lazy-service.ts";
import { createLog } from "./log.ts";
import { offerModels } from "./models/chat-provider.ts";
import { connectPanel } from "./panel/bridge.ts";
import { EditorTabs } from "./panel/editor-tabs.ts";
import { registerCommands, trackContextKeys } from "./panel/panel-commands.ts";
import { createPanelHost } from "./panel/panel-host.ts";
import { Panels } from "./panel/panels.ts";
import { registerQuoteCommands } from "./panel/quote-commands.ts";
import { RulesHost } from "./panel/rules-host.ts";
import { Sidebar } from "./panel/sidebar.ts";
import type { PanelView } from "./panel/views/panel-view.ts";
import { hasSavedFindings } from "./review/findings-key.ts";
import { registerHunkCommands } from "./review/hunk-commands.ts";
import { whenTurnFileIsVisible } from "./review/saved-turn-files.ts";
import type { Services } from "./services.ts";

let services: LazyService<Services> | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const { subscriptions } = context;
  const channel = vscode.window.createOutputChannel("Nekode", { log: true });
  subscriptions.push(channel);
  const config = new Config(context.secrets);
  const log = createLog(channel, () => config.secrets());
  subscriptions.push(config);

  const service = new LazyService(async () => {
    const { loadServices } = await import("./load-services.ts");
    const { exports, keep } = loadServices();
    const running = await exports.startServices({ context, config, log, keepCode: keep });
    subscriptions.push(running.attention(panels));
    return running;
  });
  services = service;
  const sideBarView: PanelView = new LazyService(
    async () => {
      const { project, drafts } = await service.get();
      project.view.setVisible(sidebar.visible);
      return { project, view: project.view, drafts, close: async () => {} };
    },
    ({ view }) => {
      subscriptions.push(todo.follow(view));
      panels.viewOpened();
    },
  );
  const todo = new TodoDocuments(async () => {
    await service.get();
    return panels.panelViews.flatMap(({ current }) => current?.view.active ?? []);
  });
  subscriptions.push(todo);
  const rules = new RulesHost(config, () => service.get());
  subscriptions.push(rules);
  const connect = (transport: Transport, panelView: PanelView) => {
    const panelHost = createPanelHost({
      config,
      services: service,
      panelView,
      todo,
      rules,
      entered: () => panels.enter(panelView),
      drafted: ({ text, after }) => panels.shareDraft(panelView, { text, after }),
      openInTab: (id) => panels.openInEditor(id),
    });
    return connectPanel(
      transport,
      () => panelView.get(),
      panelHost,
      systemClock,
      (text) => log.error(text),
    );
  };
  const sidebar = new Sidebar(context.extensionUri, sideBarView, connect);
  const tabs = new EditorTabs({
    extensionUri: context.extensionUri,
    connect,
    clock: systemClock,
    log,
    follow: (view) => todo.follow(view),
    panelView: (start) => new LazyService(async () => (await service.get()).openTab(start)),
  });
  const panels = new Panels(sidebar, tabs);
  subscriptions.push(panels, trackContextKeys(panels));
  const host = () => service.current?.host;
  subscriptions.push(panels.onVisible(() => host()?.editor.openWatched()));
  subscriptions.push(
    registerCommands({
      panels,
      config,
      reviewWorktree: async (view) => (await service.get()).worktrees.review(view),
      chooseWorktree: async () => (await service.get()).worktrees.choose(),
      writeCommitMessage: async (target) => (await service.get()).writeSourceControlMessage(target),
      editHere: service,
      review: async (view, target) => (await service.get()).review(view, target),
      follow: async (on) => (await service.get()).follow(on),
      askSearchKey: async () => (await service.get()).searchKeys.ask(),
      installCommand: async () => (await service.get()).installCommand(),
      copyReport: async () => (await service.get()).copyReport(),
      showText: async (name, text) => (await service.get()).transcripts.show(name, text),
      shell: () => host()?.shell,
      proposed: (uri) => host()?.editor.proposed(uri),
    }),
  );
  subscriptions.push(registerQuoteCommands(panels));
  subscriptions.push(registerHunkCommands(() => service.current?.turnHunks()));
  subscriptions.push(offerModels(async () => (await service.get()).offered));

  const start = () =>
    void service.get().catch((error: unknown) => log.error("the agent did not start", error));
  // Previews left open by the previous window. Their proposals no longer exist, and starting the services closes them. The findings of a
  // review have their threads again, and what the last turn changed is marked again.
  if (hasPreviewTabs() || hasSavedFindings(context.workspaceState)) start();
  const waiting = whenTurnFileIsVisible(context.workspaceState, start);
  if (waiting) subscriptions.push(waiting);
}

/** Resolves when the agent has stopped and everything is on disk. */
export async function deactivate(): Promise<void> {
  await services?.close();
}
