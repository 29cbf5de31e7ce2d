/**
 * The todo list of a task as a Markdown document in a virtual file system. Saving the document updates the list. Each task has
 * its own document. When no view shows the session any more, its document becomes read-only with its last content.
 */
import * as vscode from "vscode";
import type { Session } from "../../core/agent/session.ts";
import type { Disposable } from "../../core/lifecycle.ts";
import { readTodo } from "../../shared/todo.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import { type ActiveView, followActive } from "../attention/active-session.ts";
import { FlatFiles } from "./flat-files.ts";

const TODO_SCHEME = "nekode-todo";

export type TodoSession = Pick<Session, "chatView" | "setTodo">;

/** A document as the editor last read it. */
interface Known {
  text: string;
  mtime: number;
}

export class TodoDocuments extends FlatFiles {
  /** The active session of each view. */
  readonly #sessions: () => Promise<readonly TodoSession[]>;
  /** By session id. */
  readonly #known = new Map<string, Known>();
  /** The number of saves in progress. */
  #saving = 0;

  constructor(sessions: () => Promise<readonly TodoSession[]>, scheme = TODO_SCHEME) {
    super(scheme);
    this.#sessions = sessions;
    this.store.add(
      vscode.workspace.onDidSaveTextDocument((document) => {
        const known = document.uri.scheme === scheme ? this.#known.get(sessionIdOf(document.uri)) : undefined;
        // The stored list may differ from the saved text. VS Code ignores a change that is announced during the save.
        if (known && known.text !== document.getText()) this.#notify();
      }),
    );
  }

  /** Opens the list of the view's active session. */
  async open({ chatView: { session } }: Pick<TodoSession, "chatView">): Promise<void> {
    if (session === null) throw new Error(vscode.l10n.t("No todo list yet. Start a task first."));
    await vscode.commands.executeCommand("vscode.open", this.#uriOf(session.id));
  }

  /** Notifies the editor when the model or the panel changes a list, and when another task becomes active. */
  follow(view: ActiveView): Disposable {
    return followActive(view, ({ type }) => {
      const isOther = type === "todo" || type === "session" || type === "switched";
      if (isOther && this.#saving === 0) this.#notify();
    });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, mtime, writable } = await this.#find(uri);
    const size = new TextEncoder().encode(text).length;
    const stat = { type: vscode.FileType.File, ctime: 0, mtime, size };
    return writable ? stat : { ...stat, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode((await this.#find(uri)).text);
  }

  /** Rejects, without changing anything, if the text is not a todo list or its task is not active. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const session = await this.#showing(uri);
    if (!session) {
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t("The session of this todo list is no longer open."),
      );
    }
    const { markdown, leftOut } = readTodo(new TextDecoder().decode(content));
    if (markdown === "" && leftOut.length > 0) {
      throw new Error(
        vscode.l10n.t(
          "This is not a todo list, so nothing was changed. Start each step with “- [ ]”, or “- [x]” if it is done.",
        ),
      );
    }
    this.#saving += 1;
    try {
      await session.setTodo(markdown);
    } finally {
      this.#saving -= 1;
    }
    await this.#find(uri);
    this.#touch();
    if (leftOut.length === 0) return;
    vscode.window.showInformationMessage(
      vscode.l10n.t("Only checklist items are kept. Removed: {0}", leftOut.join(" / ")),
    );
  }

  #touch(): void {
    for (const known of this.#known.values()) known.mtime += 1;
  }

  #notify(): void {
    this.#touch();
    this.notifyChanged([...this.#known.keys()].map((id) => this.#uriOf(id)));
  }

  async #find(uri: vscode.Uri): Promise<Known & { writable: boolean }> {
    const id = sessionIdOf(uri);
    const view = (await this.#showing(uri))?.chatView;
    const known = this.#known.get(id);
    if (!view) {
      if (!known) throw vscode.FileSystemError.FileNotFound(uri);
      return { ...known, writable: false };
    }
    const text = view.todo === "" ? "" : `${view.todo.replace(/\n$/, "")}\n`;
    const now = { text, mtime: known?.mtime ?? 1 };
    this.#known.set(id, now);
    return { ...now, writable: true };
  }

  async #showing(uri: vscode.Uri): Promise<TodoSession | undefined> {
    const id = sessionIdOf(uri);
    return (await this.#sessions()).find(({ chatView }) => activeId(chatView) === id);
  }

  #uriOf(session: string): vscode.Uri {
    // The session id is the authority, because the editor shows the path in its breadcrumbs.
    return vscode.Uri.from({
      scheme: this.scheme,
      authority: session,
      path: `/${vscode.l10n.t("Todo list")}.md`,
    });
  }
}

/** In lowercase, because VS Code lowercases the authority of a URI. */
function activeId(view: ChatView): string | undefined {
  return view.session?.id.toLowerCase();
}

function sessionIdOf(uri: vscode.Uri): string {
  return uri.authority.toLowerCase();
}
