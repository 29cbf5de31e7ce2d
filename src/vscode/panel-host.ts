/** What the panel asks of the editor: files, links, settings, diffs. */
import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import type { FileHit, Setup } from "../shared/protocol.ts";
import { type CallRow, rowsOf } from "../shared/view.ts";
import type { Agent, PanelHost } from "./bridge.ts";
import { type Config, openSettings } from "./config.ts";
import { isInside, resolveInWorkspace, workspace } from "./workspace.ts";

export interface PanelParts {
  config: Config;
  agent(): Promise<Agent>;
  findFiles(query: string, limit: number): Promise<FileHit[]>;
  /** Brings the pending preview of a file to the front; false: there is none. */
  revealPreview(path: string): Promise<boolean>;
  /** The person did something in the panel. */
  used(): void;
  /** Runs a command that the person chose, in a terminal that they see. */
  runCommand(command: string): Promise<void>;
}

export function createPanelHost(parts: PanelParts): PanelHost {
  const { config } = parts;
  const rowOf = async (callId: string): Promise<CallRow> => {
    const row = rowsOf((await parts.agent()).view).find(({ id }) => id === callId);
    if (row?.kind !== "call") throw new Error("there is no such call in this task");
    return row;
  };
  return {
    used: parts.used,
    async setup(): Promise<Setup> {
      const { provider } = config.settings();
      return {
        baseUrl: provider.baseUrl,
        model: provider.model,
        hasKey: (await config.apiKey()) !== undefined,
        hasWorkspace: workspace.root !== undefined,
        trusted: workspace.trusted,
      };
    },
    onSetup(listener) {
      const listeners = [
        config.onChange(listener),
        vscode.workspace.onDidChangeWorkspaceFolders(listener),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
      ];
      return vscode.Disposable.from(...listeners);
    },
    findFiles: parts.findFiles,
    openFile,
    openLink,
    openSettings,
    setKey: () => config.askKey(),
    async showDiff(callId) {
      parts.used();
      const row = await rowOf(callId);
      const path = row.approval?.path ?? row.subject;
      const file = resolveInWorkspace(path) ?? path;
      if (!(await parts.revealPreview(file))) await openFile(path, undefined);
    },
    async runProposal(callId) {
      const { proposal } = await rowOf(callId);
      if (proposal === undefined) throw new Error("this result proposes no command");
      await parts.runCommand(proposal);
    },
  };
}

/** Opens a file of the project, and nothing else: what a link in the model's text names may be anything. */
async function openFile(named: string, line: number | undefined): Promise<void> {
  const file = resolveInWorkspace(named);
  const real = file && (await realpath(file).catch(() => undefined));
  if (file === undefined || real === undefined) {
    throw new Error(vscode.l10n.t("{0} is not a file of this workspace.", named));
  }
  const roots = await Promise.all(workspace.roots.map((root) => realpath(root.path).catch(() => root.path)));
  if (!roots.some((root) => isInside(root, real))) {
    throw new Error(vscode.l10n.t("{0} is not a file of this workspace.", named));
  }
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
    throw new Error(vscode.l10n.t("Only web addresses are opened: {0}", url));
  }
  await vscode.env.openExternal(vscode.Uri.parse(parsed.href, true));
}
