/** The file that the user looks at, and whether messages name the files that the user has open. */

import * as path from "node:path";
import * as vscode from "vscode";
import { IgnoredFiles } from "../../core/instructions/ignored-files.ts";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type { Host } from "../../core/ports/host.ts";
import { isInside } from "../../core/roots.ts";
import { judgePath } from "../../core/safety/paths/judge-path.ts";
import type { CurrentFile } from "../../shared/view/current-file.ts";
import { linesInRange } from "../editor/selected-lines.ts";
import { workspace, workspacePath } from "./workspace-folders.ts";

/** The key under which the window stores that the user switched it off. */
const OFF_KEY = "nekode.openFilesLeftOut";

/** Schemes of texts that VS Code shows in editors that are not files: the output, and comments in a file's margin. */
const AUXILIARY_SCHEMES: ReadonlySet<string> = new Set(["output", "comment"]);

type CurrentFileHost = Pick<Host, "files" | "workspace" | "log">;

export class CurrentFileTracker implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<CurrentFile | undefined>());
  readonly #host: CurrentFileHost;
  readonly #memory: Pick<vscode.Memento, "get" | "update">;
  readonly #ignored: IgnoredFiles;
  #included: boolean;
  #editor = vscode.window.activeTextEditor;
  /** The last state sent to listeners, as JSON. */
  #reported: string | undefined;
  #latest: CurrentFile | undefined;
  #looks = 0;
  #looking: Promise<void>;

  readonly onChange = this.#changed.on;

  constructor(host: CurrentFileHost, memory: Pick<vscode.Memento, "get" | "update">) {
    this.#host = host;
    this.#memory = memory;
    this.#ignored = new IgnoredFiles(host);
    this.#included = memory.get(OFF_KEY) !== true;
    this.#store.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.#activated(editor)));
    this.#store.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === this.#editor) this.#look();
      }),
    );
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#look()));
    this.#store.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.path.endsWith("/.nekodeignore")) this.#look();
      }),
    );
    this.#looking = this.#update(++this.#looks);
  }

  /** False: the user switched it off. */
  get included(): boolean {
    return this.#included;
  }

  /** undefined: none is open, or it is outside the workspace or ignored. */
  async current(): Promise<CurrentFile | undefined> {
    await this.#looking;
    return this.#latest;
  }

  /** Resolves when the window has stored it. */
  async include(included: boolean): Promise<void> {
    this.#included = included;
    this.#look();
    await this.#memory.update(OFF_KEY, included ? undefined : true);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #activated(editor: vscode.TextEditor | undefined): void {
    // If the focus moves to something that is not a file editor, the user may still see the file.
    const isAuxiliary = editor === undefined || AUXILIARY_SCHEMES.has(editor.document.uri.scheme);
    if (isAuxiliary && this.#editor && vscode.window.visibleTextEditors.includes(this.#editor)) return;
    this.#editor = editor;
    this.#look();
  }

  #look(): void {
    this.#looking = this.#update(++this.#looks);
  }

  async #update(look: number): Promise<void> {
    const latest = await this.#read();
    // A later change is already being read.
    if (look !== this.#looks) return this.#looking;
    this.#latest = latest;
    const json = JSON.stringify(latest);
    if (json === this.#reported) return;
    this.#reported = json;
    this.#changed.emit(latest);
  }

  async #read(): Promise<CurrentFile | undefined> {
    const editor = this.#editor;
    const uri = editor?.document.uri;
    if (!editor || uri?.scheme !== "file") return undefined;
    const root = workspace.roots.find((folder) => isInside(folder.path, uri.fsPath));
    if (!root) return undefined;
    const lines = editor.selection.isEmpty ? {} : { lines: linesInRange(editor.selection) };
    if (!(await this.#mayBeNamed(root.path, uri.fsPath))) return undefined;
    return { path: workspacePath(uri.fsPath), ...lines, included: this.#included };
  }

  /** Whether the file is inside the folder, also after links are resolved, and not listed in .nekodeignore. */
  async #mayBeNamed(root: string, file: string): Promise<boolean> {
    const { files } = this.#host;
    const ignored = await this.#ignored.rules();
    const { inside, guard } = await judgePath(path.relative(root, file), {
      root,
      access: "read",
      realpath: (target) => files.realpath(target),
      readlink: (target) => files.readlink(target),
      ...(ignored ? { ignored } : {}),
    });
    return inside && guard !== "ignored";
  }
}
