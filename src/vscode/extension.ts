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
import { connectPanel, type PanelHost } from "./panel/bridge.ts";
import { EditorTabs } from "./panel/editor-tabs.ts";
import { registerCommands, trackContextKeys } from "./panel/panel-commands.ts";
import { createPanelHost } from "./panel/panel-host.ts";
import { Panels, type Place } from "./panel/panels.ts";
import { registerQuoteCommands } from "./panel/quote-commands.ts";
import { RulesHost } from "./panel/rules-host.ts";
import { Sidebar } from "./panel/sidebar.ts";
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
    const { startServices } = await import("./services.ts");
    const running = await startServices({ context, config, log });
    subscriptions.push(trackContextKeys(running.agent));
    subscriptions.push(running.attention(panels));
    subscriptions.push(todo.follow(running.agent));
    return running;
  });
  services = service;
  const agent = async () => (await service.get()).agent;

  const todo = new TodoDocuments(agent);
  subscriptions.push(todo);
  const rules = new RulesHost(config, () => service.get());
  subscriptions.push(rules);
  const panelHost = createPanelHost({ config, services: service, todo, rules });
  const connect = (place: Place) => (transport: Transport) => {
    const { requests } = panelHost;
    const placeHost: PanelHost = {
      ...panelHost,
      used() {
        panels.used(place);
        panelHost.used();
      },
      requests: {
        ...requests,
        "chat/draft": async (draft) => {
          panels.shareDraft(place, { text: draft.text, after: draft.after });
          return requests["chat/draft"](draft);
        },
      },
    };
    return connectPanel(transport, agent, placeHost, systemClock, (text) => log.error(text));
  };
  const panels = new Panels(
    new Sidebar(context.extensionUri, connect("view")),
    new EditorTabs(context.extensionUri, connect("tabs"), systemClock),
  );
  subscriptions.push(panels);
  const host = () => service.current?.host;
  subscriptions.push(
    registerCommands({
      panels,
      config,
      agent,
      reviewWorktree: async () => (await service.get()).worktrees.review(),
      chooseWorktree: async () => (await service.get()).worktrees.choose(),
      showHealth: async () => (await service.get()).showHealth(),
      askSearchKey: async () => (await service.get()).searchKeys.ask(),
      showText: async (name, text) => (await service.get()).transcripts.show(name, text),
      shell: () => host()?.shell,
      proposed: (uri) => host()?.editor.proposed(uri),
    }),
  );
  subscriptions.push(registerQuoteCommands(panels));
  subscriptions.push(offerModels(async () => (await service.get()).offered));

  // Previews left open by the previous window: their proposals are gone, and starting closes them.
  if (hasPreviewTabs()) service.get().catch((error: unknown) => log.error("the agent did not start", error));
}

/** Resolves when the agent has stopped and everything is on disk. */
export async function deactivate(): Promise<void> {
  await services?.close();
}
