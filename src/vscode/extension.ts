/** Wiring: builds the services, registers them, and leaves. What is heavy loads when it is first needed. */
import * as vscode from "vscode";
import { systemClock } from "../node/clock.ts";
import { AgentHolder } from "./agent-holder.ts";
import { connectPanel } from "./bridge.ts";
import { registerCommands, trackContextKeys } from "./commands.ts";
import { Config } from "./config.ts";
import { FileIndex } from "./file-index.ts";
import { createEditorHost } from "./host.ts";
import { createLog } from "./log.ts";
import { createPanelHost } from "./panel-host.ts";
import { registerQuoteCommands } from "./quote-commands.ts";
import { Sidebar } from "./sidebar.ts";
import { resolveInWorkspace, workspace } from "./workspace.ts";

let holder: AgentHolder | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const { subscriptions } = context;
  const channel = vscode.window.createOutputChannel("Nekode", { log: true });
  subscriptions.push(channel);
  const log = createLog(channel);
  const config = new Config(context.secrets);
  subscriptions.push(config);
  const host = createEditorHost(context.extensionUri, log);
  subscriptions.push(host);
  const index = new FileIndex(host.search, systemClock, log);
  subscriptions.push(index);

  holder = new AgentHolder(async () => {
    const { openAgent } = await import("./open-agent.ts");
    const open = await openAgent(host, config, context);
    subscriptions.push(trackContextKeys(open.agent));
    subscriptions.push(
      open.agent.onEvent((event) => {
        // What waits for an answer is on top.
        if (event.type !== "approval" || event.approval.path === undefined) return;
        const file = resolveInWorkspace(event.approval.path) ?? event.approval.path;
        host.editor.reveal(file).catch((error: unknown) => log.error("the preview was not shown", error));
      }),
    );
    return open;
  });
  const agents = holder;
  const agent = () => agents.start();

  const panelHost = createPanelHost({
    config,
    agent,
    findFiles: (query, limit) => index.find(query, limit),
    revealPreview: (file) => host.editor.reveal(file),
    used: () => host.editor.attention.panelUsed(),
    async runCommand(command) {
      const cwd = workspace.root;
      if (cwd === undefined) throw new Error(vscode.l10n.t("No folder is open to run the command in."));
      const signal = new AbortController().signal;
      await host.shell.run(command, { cwd, timeoutMs: Number.POSITIVE_INFINITY, signal, onOutput: () => {} });
    },
  });
  const sidebar = new Sidebar(context.extensionUri, (transport) =>
    connectPanel(transport, agent, panelHost, systemClock, (text) => log.error(text)),
  );
  subscriptions.push(sidebar);
  subscriptions.push(registerCommands({ sidebar, config, agent }));
  subscriptions.push(registerQuoteCommands(sidebar));
  host.editor.closeLeftovers().catch((error: unknown) => log.error("old previews did not close", error));
}

/** Resolves when the agent has stopped and all is on the disk. */
export async function deactivate(): Promise<void> {
  await holder?.close();
}
