/**
 * The todo list as a Markdown document of a file system of our own: saving it is the person's edit. Each task's list is a
 * document; when another task comes on show, the one before is read-only, as it last stood.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../core/lifecycle.ts";
import { readTodo } from "../../shared/todo.ts";
import type { ChatView } from "../../shared/view/reducer.ts";
import type { Agent } from "../panel/requests/agent-port.ts";
import { FlatFiles } from "./flat-files.ts";

export const todoScheme = "nekode-todo";

export type TodoAgent = Pick<Agent, "view" | "onEvent" | "setTodo">;

interface Known {
  text: string;
  mtime: number;
}

export class TodoDocuments extends FlatFiles {
  readonly #agent: () => Promise<TodoAgent>;
  /** By session: what the editor was last told. */
  readonly #known = new Map<string, Known>();
  /** Lists that are being taken over from an editor. */
  #saving = 0;

  constructor(agent: () => Promise<TodoAgent>, scheme = todoScheme) {
    super(scheme);
    this.#agent = agent;
    this.store.add(
      vscode.workspace.onDidSaveTextDocument((document) => {
        const known = document.uri.scheme === scheme ? this.#known.get(sessionOf(document.uri)) : undefined;
        // It shows the list as it is kept. A change told before the save is over would cross it.
        if (known && known.text !== document.getText()) this.#tell();
      }),
    );
  }

  /** Opens the list of the task on show. */
  async open(): Promise<void> {
    const { session } = (await this.#agent()).view;
    if (session === null) throw new Error(vscode.l10n.t("There is no task yet, so there is no todo list."));
    await vscode.commands.executeCommand("vscode.open", this.#uriOf(session.id));
  }

  /** Tells the editor when the model or the panel changes a list, and when another task comes on show. */
  follow(agent: Pick<TodoAgent, "onEvent">): Disposable {
    return agent.onEvent((event) => {
      if ((event.type === "todo" || event.type === "session") && this.#saving === 0) this.#tell();
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

  /** Rejects, having changed nothing, when the text is no list, or the list of a task that is not on show. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const agent = await this.#agent();
    if (idOf(agent.view) !== sessionOf(uri)) {
      throw vscode.FileSystemError.NoPermissions(
        vscode.l10n.t("This todo list's task is not open any more."),
      );
    }
    const { markdown, leftOut } = readTodo(new TextDecoder().decode(content));
    if (markdown === "" && leftOut.length > 0) {
      throw new Error(
        vscode.l10n.t(
          "This is no todo list, so nothing was changed. Begin each step with “- [ ]”, and what is done with “- [x]”.",
        ),
      );
    }
    this.#saving += 1;
    try {
      await agent.setTodo(markdown);
    } finally {
      this.#saving -= 1;
    }
    await this.#find(uri);
    this.#touch();
    if (leftOut.length === 0) return;
    vscode.window.showInformationMessage(
      vscode.l10n.t("A todo list holds steps alone. These lines were left out: {0}", leftOut.join(" / ")),
    );
  }

  #touch(): void {
    for (const known of this.#known.values()) known.mtime += 1;
  }

  #tell(): void {
    this.#touch();
    this.tellChanged([...this.#known.keys()].map((id) => this.#uriOf(id)));
  }

  async #find(uri: vscode.Uri): Promise<Known & { writable: boolean }> {
    const { view } = await this.#agent();
    const id = sessionOf(uri);
    const writable = idOf(view) === id;
    const known = this.#known.get(id);
    if (!writable) {
      if (!known) throw vscode.FileSystemError.FileNotFound(uri);
      return { ...known, writable };
    }
    const text = view.todo === "" ? "" : `${view.todo.replace(/\n$/, "")}\n`;
    const now = { text, mtime: known?.mtime ?? 1 };
    this.#known.set(id, now);
    return { ...now, writable };
  }

  #uriOf(session: string): vscode.Uri {
    // A path would show the session's id above the text.
    return vscode.Uri.from({
      scheme: this.scheme,
      authority: session,
      path: `/${vscode.l10n.t("Todo list")}.md`,
    });
  }
}

/** An authority has no capitals. */
function idOf(view: ChatView): string | undefined {
  return view.session?.id.toLowerCase();
}

function sessionOf(uri: vscode.Uri): string {
  return uri.authority.toLowerCase();
}
