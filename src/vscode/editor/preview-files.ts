/**
 * The documents of previews, in memory: a file system of a scheme of our own. Written as UTF-8, with a byte order mark
 * where the person's settings would have the editor read something else.
 */
import * as vscode from "vscode";
import { FlatFiles } from "./flat-files.ts";

/** Milliseconds between two refreshes of a document that streams. */
const refreshInterval = 40;

function byteOrderMark(): string {
  const files = vscode.workspace.getConfiguration("files");
  const plain = files.get<string>("encoding") === "utf8" && files.get<boolean>("autoGuessEncoding") !== true;
  return plain ? "" : "\uFEFF";
}

/** One document. Its text is ours until it is `open`; from then on the person may edit it too. */
export class PreviewFile {
  readonly uri: vscode.Uri;
  /** No proposal has it any more. */
  isLeftover = false;
  /** What the person saved over our text. */
  personSaved: string | undefined;
  readonly #changed: (uri: vscode.Uri) => void;
  readonly #mark = byteOrderMark();
  #proposal: string;
  #readonly = true;
  #mtime = 1;
  #bytes: Uint8Array | undefined;
  /** The editor has asked for it; until then nobody needs to hear of changes. */
  #known = false;
  /** A change was announced that nobody has read yet; further ones would only be read together with it. */
  #announced = false;
  #stale = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(uri: vscode.Uri, text: string, changed: (uri: vscode.Uri) => void) {
    this.uri = uri;
    this.#proposal = text;
    this.#changed = changed;
  }

  /** Our text, whatever the person made of it. */
  get proposal(): string {
    return this.#proposal;
  }

  /** Replaces the text; the editor is told as often as it keeps up with. */
  stream(text: string): void {
    this.#propose(text);
    if (this.#announced || this.#timer) this.#stale = true;
    else this.#announce();
  }

  /** Replaces the text for good and lets the person edit it. */
  open(text: string): void {
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
      }, refreshInterval);
    }
    return this.#encoded();
  }

  write(bytes: Uint8Array): void {
    this.personSaved = new TextDecoder("utf-8").decode(bytes);
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
    this.#bytes ??= new TextEncoder().encode(this.#mark + (this.personSaved ?? this.#proposal));
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

  /** How many documents are held. */
  get size(): number {
    return this.#files.size;
  }

  /** The authority keeps two proposals for one path apart; the path is what the person reads. */
  create(at: { authority: string; path: string }, text: string): PreviewFile {
    const uri = vscode.Uri.from({ scheme: this.scheme, ...at });
    const file = new PreviewFile(uri, text, (changed) => this.tellChanged([changed]));
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
   * A document of a proposal that is gone, or of a window before, has no file any more. Writing it lets its tab be closed
   * without a question; it is there until then, for the editor looks at what it wrote.
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
