/** The `Surroundings` port: what the person sees and does in the editor. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Surroundings, UserTerminal } from "../../core/ports/surroundings.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import { TerminalTail } from "../terminal/terminal-tail.ts";
import { UserTerminals } from "../terminal/user-terminals.ts";
import { workspaceProblems } from "./workspace-problems.ts";

export class EditorSurroundings implements Surroundings, Disposable {
  readonly hostName = "Visual Studio Code";
  readonly #cliTools: () => Promise<string[]>;
  readonly #store = new DisposableStore();
  readonly #terminals = this.#store.add(new TerminalTail());
  readonly #userTerminals = this.#store.add(new UserTerminals());
  readonly #modified = new Set<string>();
  /** Documents that changed while they passed for unchanged: typed into for the first time, or reloaded from the disk. */
  readonly #perhaps = new Map<string, vscode.TextDocument>();
  /** Documents that are being changed by the agent just now. */
  readonly #ours = new Map<string, number>();

  constructor(cliTools: () => Promise<string[]>) {
    this.#cliTools = cliTools;
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        if (contentChanges.length === 0 || this.#ours.has(document.uri.toString())) return;
        if (document.isDirty || reason !== undefined) this.#note(document.uri);
        else this.#perhaps.set(document.uri.toString(), document);
      }),
    );
    this.#store.add(
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (this.#perhaps.delete(document.uri.toString())) this.#note(document.uri);
      }),
    );
    const noteAll = (uris: readonly vscode.Uri[]) => {
      for (const uri of uris) this.#note(uri);
    };
    this.#store.add(vscode.workspace.onDidCreateFiles(({ files }) => noteAll(files)));
    this.#store.add(
      vscode.workspace.onDidRenameFiles(({ files }) => noteAll(files.map(({ newUri }) => newUri))),
    );
  }

  visibleFiles(): string[] {
    const visible = unique(vscode.window.visibleTextEditors.map(({ document }) => document.uri));
    // VS Code goes on naming the editors of a view of many differences after it was closed. A tab of that kind has no input.
    const tabs = tabsOfAllGroups();
    if (tabs.some(({ input }) => input === undefined)) return visible;
    const open = new Set(filesOf(tabs));
    return visible.filter((file) => open.has(file));
  }

  openTabs(): string[] {
    return filesOf(tabsOfAllGroups());
  }

  recentlyModified(): string[] {
    // What is still clean was reloaded from the disk: somebody else's doing, such as a command's.
    for (const document of this.#perhaps.values()) if (document.isDirty) this.#note(document.uri);
    this.#perhaps.clear();
    const paths = [...this.#modified];
    this.#modified.clear();
    return paths;
  }

  problems(): string[] {
    return workspaceProblems();
  }

  async terminalOutput(): Promise<string> {
    return this.#terminals.text;
  }

  userTerminals(): UserTerminal[] {
    return this.#userTerminals.list();
  }

  cliTools(): Promise<string[]> {
    return this.#cliTools();
  }

  /** Until disposed, changes of that file are the agent's. */
  ours(uri: vscode.Uri): Disposable {
    const name = uri.toString();
    this.#ours.set(name, (this.#ours.get(name) ?? 0) + 1);
    return {
      dispose: () => {
        const count = (this.#ours.get(name) ?? 1) - 1;
        if (count > 0) this.#ours.set(name, count);
        else this.#ours.delete(name);
      },
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  #note(uri: vscode.Uri): void {
    if (uri.scheme === "file" && !this.#ours.has(uri.toString()))
      this.#modified.add(workspacePath(uri.fsPath));
  }
}

function tabsOfAllGroups(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

function filesOf(tabs: readonly vscode.Tab[]): string[] {
  const uris = tabs.flatMap(({ input }) => {
    if (input instanceof vscode.TabInputTextDiff) return [input.original, input.modified];
    const single =
      input instanceof vscode.TabInputText ||
      input instanceof vscode.TabInputCustom ||
      input instanceof vscode.TabInputNotebook;
    return single ? [input.uri] : [];
  });
  return unique(uris);
}

/** Files of the disk alone: what has no path there is nothing a tool could read. */
function unique(uris: readonly vscode.Uri[]): string[] {
  const files = uris.filter((uri) => uri.scheme === "file").map((uri) => workspacePath(uri.fsPath));
  return [...new Set(files)];
}
