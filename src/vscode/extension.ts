/** Wiring: creates and registers the lightweight parts. The heavy ones (services.ts) load on first use. */
import * as vscode from "vscode";
import { systemClock } from "../node/clock.ts";
import { hasPreviewTabs } from "./editor/open-documents.ts";
import { TodoDocuments } from "./editor/todo-documents.ts";
import { Config } from "./editor-settings.ts";
import { LazyService } from "./lazy-service.ts";
import { createLog } from "./log.ts";
import { offerModels } from "./models/chat-provider.ts";
import { connectPanel } from "./panel/bridge.ts";
import { registerCommands, trackContextKeys } from "./panel/panel-commands.ts";
import { createPanelHost } from "./panel/panel-host.ts";
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
  const sidebar = new Sidebar(context.extensionUri, (transport) =>
    connectPanel(transport, agent, panelHost, systemClock, (text) => log.error(text)),
  );
  subscriptions.push(sidebar);
  const host = () => service.current?.host;
  subscriptions.push(
    registerCommands({
      sidebar,
      config,
      agent,
      askSearchKey: async () => (await service.get()).searchKeys.ask(),
      shell: () => host()?.shell,
      proposed: (uri) => host()?.editor.proposed(uri),
    }),
  );
  subscriptions.push(registerQuoteCommands(sidebar));
  subscriptions.push(offerModels(async () => (await service.get()).offered));

  // Previews left open by the previous window: their proposals are gone, and starting closes them.
  if (hasPreviewTabs()) service.get().catch((error: unknown) => log.error("the agent did not start", error));
}

/** Resolves when the agent has stopped and everything is on disk. */
export async function deactivate(): Promise<void> {
  await services?.close();
}
