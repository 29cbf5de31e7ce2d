/** The `Surroundings` port: what the user sees and does in VS Code. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type {
  FileSelection,
  Surroundings,
  SymbolRange,
  UserTerminal,
} from "../../core/ports/surroundings.ts";
import { sliceWhole } from "../../core/text.ts";
import type { CurrentFile } from "../../shared/view/current-file.ts";
import type { CurrentFileTracker } from "../files/active-file.ts";
import { workspacePath } from "../files/workspace-folders.ts";
import { TerminalTail } from "../terminal/terminal-tail.ts";
import { UserTerminals } from "../terminal/user-terminals.ts";
import { allTabs } from "./open-documents.ts";
import { documentOutline, symbolsInWorkspace } from "./reported-symbols.ts";
import { linesInRange } from "./selected-lines.ts";

export class EditorSurroundings implements Surroundings, Disposable {
  readonly hostName = "Visual Studio Code";
  readonly #cliTools: () => Promise<string[]>;
  readonly #store = new DisposableStore();
  readonly #terminals = this.#store.add(new TerminalTail());
  readonly #userTerminals = this.#store.add(new UserTerminals());
  readonly #modified = new Set<string>();
  /**
   * Documents that were clean when they changed. Either the user edited them, which makes them dirty only after the
   * event, or they were reloaded from disk.
   */
  readonly #undecided = new Map<string, vscode.TextDocument>();
  /** By URI, the number of changes that the agent is making. */
  readonly #agentChanges = new Map<string, number>();

  readonly #current: Pick<CurrentFileTracker, "included" | "current"> | undefined;

  readonly #startServers: (signal: AbortSignal) => Promise<unknown>;

  /** `startServers`: resolves when the language servers of the workspace answer, or do not in time. */
  constructor(
    cliTools: () => Promise<string[]>,
    current?: Pick<CurrentFileTracker, "included" | "current">,
    startServers: (signal: AbortSignal) => Promise<unknown> = async () => {},
  ) {
    this.#cliTools = cliTools;
    this.#current = current;
    this.#startServers = startServers;
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        if (contentChanges.length === 0 || this.#agentChanges.has(document.uri.toString())) return;
        if (document.isDirty || reason !== undefined) this.#note(document.uri);
        else this.#undecided.set(document.uri.toString(), document);
      }),
    );
    this.#store.add(
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (this.#undecided.delete(document.uri.toString())) this.#note(document.uri);
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
    const visible = uniquePaths(vscode.window.visibleTextEditors.map(({ document }) => document.uri));
    // VS Code still lists the editors of a multi-file diff after it is closed. The tab of such a diff has no `input`.
    const tabs = allTabs();
    if (tabs.some(({ input }) => input === undefined)) return visible;
    const open = new Set(filesOf(tabs));
    return visible.filter((file) => open.has(file));
  }

  openTabs(): string[] {
    return filesOf(allTabs());
  }

  namesOpenFiles(): boolean {
    return this.#current?.included ?? true;
  }

  async currentFile(): Promise<CurrentFile | undefined> {
    return this.#current?.current();
  }

  recentlyModified(): string[] {
    // A document that is still clean was reloaded from disk, so something other than the user changed it.
    for (const document of this.#undecided.values()) if (document.isDirty) this.#note(document.uri);
    this.#undecided.clear();
    const paths = [...this.#modified];
    this.#modified.clear();
    return paths;
  }

  selection(): FileSelection | undefined {
    const editor = vscode.window.activeTextEditor;
    if (!editor || editor.selection.isEmpty || editor.document.uri.scheme !== "file") return undefined;
    return { path: workspacePath(editor.document.uri.fsPath), ...linesInRange(editor.selection) };
  }

  symbols(path: string): Promise<SymbolRange[] | undefined> {
    return documentOutline(vscode.Uri.file(path));
  }

  async findSymbols(
    query: string,
    signal: AbortSignal,
    { starts } = { starts: false },
  ): Promise<(SymbolRange & { path: string })[]> {
    if (starts) await this.#startServers(signal);
    return symbolsInWorkspace(query);
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

  /** Until disposed, changes of this file are attributed to the agent, not to the user. */
  beginAgentChange(uri: vscode.Uri): Disposable {
    const name = uri.toString();
    this.#agentChanges.set(name, (this.#agentChanges.get(name) ?? 0) + 1);
    return {
      dispose: () => {
        const count = (this.#agentChanges.get(name) ?? 1) - 1;
        if (count > 0) this.#agentChanges.set(name, count);
        else this.#agentChanges.delete(name);
      },
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  #note(uri: vscode.Uri): void {
    if (uri.scheme === "file" && !this.#agentChanges.has(uri.toString()))
      this.#modified.add(workspacePath(uri.fsPath));
  }
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
  return uniquePaths(uris);
}

/** Paths of those that are files on disk: tools cannot read other documents. */
function uniquePaths(uris: readonly vscode.Uri[]): string[] {
  const files = uris.filter((uri) => uri.scheme === "file").map((uri) => workspacePath(uri.fsPath));
  return [...new Set(files)];
}

const MAX_PROBLEMS = 200;
/** Maximum characters of one message; type checkers may print entire types. */
const MAX_MESSAGE_LENGTH = 400;

/** One per line, errors before warnings; information and hints are omitted. */
function workspaceProblems(): string[] {
  const diagnosed = vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.scheme === "file")
    .flatMap(([uri, diagnostics]) => diagnostics.map((diagnostic) => ({ uri, diagnostic })))
    .filter(({ diagnostic }) => diagnostic.severity <= vscode.DiagnosticSeverity.Warning)
    .sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
  const lines = diagnosed.slice(0, MAX_PROBLEMS).map(({ uri, diagnostic }) => {
    const { severity, range, message, source } = diagnostic;
    const kind = severity === vscode.DiagnosticSeverity.Error ? "error" : "warning";
    const origin = source === undefined ? "" : ` (${source})`;
    const line = message.replace(/\s*\n\s*/g, " ");
    const text = line.length > MAX_MESSAGE_LENGTH ? `${sliceWhole(line, 0, MAX_MESSAGE_LENGTH)}...` : line;
    return `${workspacePath(uri.fsPath)} line ${range.start.line + 1}: ${kind}: ${text}${origin}`;
  });
  return diagnosed.length > MAX_PROBLEMS ? [...lines, `(${diagnosed.length - MAX_PROBLEMS} more)`] : lines;
}
