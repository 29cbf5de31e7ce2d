/** Wiring: builds the services, registers them, and leaves. What is heavy loads when it is first needed. */
import * as vscode from "vscode";
import { systemClock } from "../node/clock.ts";
import { AgentHolder } from "./agent-holder.ts";
import { connectPanel } from "./bridge.ts";
import { registerCommands, trackContextKeys } from "./commands.ts";
import { Config } from "./config.ts";
import { createLog } from "./log.ts";
import { createPanelHost } from "./panel-host.ts";
import { registerQuoteCommands } from "./quote-commands.ts";
import { Sidebar } from "./sidebar.ts";

let holder: AgentHolder | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const { subscriptions } = context;
  const channel = vscode.window.createOutputChannel("Nekode", { log: true });
  subscriptions.push(channel);
  const log = createLog(channel);
  const config = new Config(context.secrets);
  subscriptions.push(config);

  holder = new AgentHolder(() => Promise.reject(new Error("there is no agent yet")));
  const agents = holder;
  const agent = async () => {
    const running = await agents.start();
    return running;
  };
  const panelHost = createPanelHost({
    config,
    agent,
    findFiles: async () => [],
    revealPreview: async () => false,
    runCommand: async () => {},
  });
  const sidebar = new Sidebar(context.extensionUri, (transport) =>
    connectPanel(transport, agent, panelHost, systemClock, (text) => log.error(text)),
  );
  subscriptions.push(sidebar);
  subscriptions.push(registerCommands({ sidebar, config, agent }));
  subscriptions.push(registerQuoteCommands(sidebar));
}

export async function deactivate(): Promise<void> {
  await holder?.close();
}
void trackContextKeys;
