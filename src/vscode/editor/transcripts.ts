/** Sessions of other projects as documents that can only be read. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";

/** The scheme of such documents. */
const transcriptScheme = "nekode-transcript";

export class Transcripts implements Disposable {
  readonly #store = new DisposableStore();
  /** The texts of what is shown, by URI. */
  readonly #texts = new Map<string, string>();
  #nextId = 1;

  constructor() {
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(transcriptScheme, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? "",
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#texts.delete(uri.toString())),
    );
  }

  /** Opens it as a text: a preview would fetch what it names. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: transcriptScheme, path: `/${name}`, query: `${this.#nextId++}` });
    this.#texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.#store.dispose();
    this.#texts.clear();
  }
}
