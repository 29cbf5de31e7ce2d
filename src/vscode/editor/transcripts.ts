/** Shows sessions of other projects as read-only documents. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";

const TRANSCRIPT_SCHEME = "nekode-transcript";

export class Transcripts implements Disposable {
  readonly #store = new DisposableStore();
  /** The texts of the documents shown, by URI. */
  readonly #texts = new Map<string, string>();
  #nextId = 1;

  constructor() {
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(TRANSCRIPT_SCHEME, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? "",
      }),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#texts.delete(uri.toString())),
    );
  }

  /** Opens the text in a text editor, not in a Markdown preview, which would fetch the images that the text names. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: TRANSCRIPT_SCHEME, path: `/${name}`, query: `${this.#nextId++}` });
    this.#texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.#store.dispose();
    this.#texts.clear();
  }
}
