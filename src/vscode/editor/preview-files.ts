/**
 * The documents of previews: an in-memory file system with its own scheme. Files are UTF-8. They start with a byte
 * order mark if the user's settings would make the editor decode them differently.
 */
import * as vscode from "vscode";
import { FlatFiles } from "./flat-files.ts";

/** Milliseconds between two refreshes of a streaming document. */
const REFRESH_INTERVAL = 40;

function byteOrderMark(): string {
  const files = vscode.workspace.getConfiguration("files");
  const plain = files.get<string>("encoding") === "utf8" && files.get<boolean>("autoGuessEncoding") !== true;
  return plain ? "" : "\uFEFF";
}

/** One document. It is read-only for the user until `complete` is called. */
export class PreviewFile {
  readonly uri: vscode.Uri;
  /** The document no longer belongs to a proposal, but is still open in the editor. */
  isLeftover = false;
  /** The text that the user saved instead of the proposal. */
  userSaved: string | undefined;
  readonly #changed: (uri: vscode.Uri) => void;
  readonly #mark = byteOrderMark();
  #proposal: string;
  #readonly = true;
  #mtime = 1;
  #bytes: Uint8Array | undefined;
  /** The editor has requested the document. Before that, no change needs to be announced. */
  #known = false;
  /**
   * A change was announced and not read yet. A further announcement is unnecessary, because that read returns the
   * newest text.
   */
  #announced = false;
  /** The text changed after the last announcement. */
  #stale = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(uri: vscode.Uri, text: string, changed: (uri: vscode.Uri) => void) {
    this.uri = uri;
    this.#proposal = text;
    this.#changed = changed;
  }

  /** The proposed text, without the user's edits. */
  get proposal(): string {
    return this.#proposal;
  }

  /** Replaces the text. The editor is notified only as often as it reads the document. */
  stream(text: string): void {
    this.#propose(text);
    if (this.#announced || this.#timer) this.#stale = true;
    else this.#announce();
  }

  /** Sets the final text and makes the document editable. */
  complete(text: string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#readonly = false;
    this.#propose(text);
    this.#announce();
  }

  stat(): vscode.FileStat {
    this.#known = true;
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: this.#mtime,
      size: this.#encoded().length,
      ...(this.#readonly ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  read(): Uint8Array {
    this.#known = true;
    this.#announced = false;
    if (this.#stale && !this.#timer) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        if (this.#stale) this.#announce();
      }, REFRESH_INTERVAL);
    }
    return this.#encoded();
  }

  write(bytes: Uint8Array): void {
    this.userSaved = new TextDecoder("utf-8").decode(bytes);
    this.#touch();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stale = false;
  }

  #propose(text: string): void {
    this.#proposal = text;
    this.#touch();
  }

  #touch(): void {
    this.#bytes = undefined;
    this.#mtime += 1;
  }

  #announce(): void {
    this.#stale = false;
    if (!this.#known) return;
    this.#announced = true;
    this.#changed(this.uri);
  }

  #encoded(): Uint8Array {
    this.#bytes ??= new TextEncoder().encode(this.#mark + (this.userSaved ?? this.#proposal));
    return this.#bytes;
  }
}

export class PreviewFiles extends FlatFiles {
  readonly #files = new Map<string, PreviewFile>();

  constructor(scheme: string) {
    super(scheme);
    this.store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        const file = this.#files.get(uri.toString());
        if (file?.isLeftover) this.remove(file);
      }),
    );
  }

  /** The number of documents. */
  get size(): number {
    return this.#files.size;
  }

  /** The authority distinguishes several proposals for one path; the user sees the path. */
  create(at: { authority: string; path: string }, text: string): PreviewFile {
    const uri = vscode.Uri.from({ scheme: this.scheme, ...at });
    const file = new PreviewFile(uri, text, (changed) => this.notifyChanged([changed]));
    this.#files.set(uri.toString(), file);
    return file;
  }

  remove(file: PreviewFile): void {
    file.dispose();
    this.#files.delete(file.uri.toString());
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    return this.#at(uri).stat();
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#at(uri).read();
  }

  /**
   * The document of an ended proposal, or of the previous window, no longer has a file. Saving such a document must
   * still work, so that its tab closes without a prompt. The file exists until then, because the editor reads it back
   * after writing.
   */
  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const file = this.#files.get(uri.toString()) ?? this.#leftover(uri);
    file.write(content);
  }

  #leftover(uri: vscode.Uri): PreviewFile {
    const file = this.create(uri, "");
    file.isLeftover = true;
    return file;
  }

  override dispose(): void {
    for (const file of this.#files.values()) file.dispose();
    this.#files.clear();
    super.dispose();
  }

  #at(uri: vscode.Uri): PreviewFile {
    const file = this.#files.get(uri.toString());
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
}
