/** The todo list as a document of a real editor: read, saved, refused, followed. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Emitter } from "../../src/core/lifecycle.ts";
import type { EventBody, TaskEvent } from "../../src/shared/event.ts";
import { applyEvent, type ChatView, emptyView } from "../../src/shared/view/reducer.ts";
import { TodoDocuments, type TodoSession } from "../../src/vscode/editor/todo-documents.ts";
import { ofSession } from "../support/events.ts";
import { closeEditors, itWhole, until } from "./support/kit.ts";

let schemes = 0;

class FakeSession implements TodoSession {
  readonly #switched = new Emitter<void>();
  readonly onSwitched = this.#switched.on;
  chatView: ChatView = emptyView;
  readonly saved: string[] = [];
  readonly #events = new Emitter<TaskEvent>();
  readonly onEvent = this.#events.on;
  emit(event: EventBody): void {
    this.chatView = applyEvent(this.chatView, event);
    this.#events.emit(ofSession(event));
  }
  async setTodo(markdown: string): Promise<void> {
    this.saved.push(markdown);
    this.emit({ type: "todo", markdown });
  }
}

describe("The todo list in an editor", () => {
  let session: FakeSession;
  let documents: TodoDocuments;
  let editor: vscode.TextEditor;
  const store: vscode.Disposable[] = [];

  beforeEach(async () => {
    session = new FakeSession();
    const scheme = `nekode-todo-test-${schemes++}`;
    documents = new TodoDocuments(async () => [session], scheme);
    store.push(documents, documents.follow(session));
    session.emit({ type: "session", id: "s1", title: "A task" });
    session.emit({ type: "todo", markdown: "- [x] Read\n- [ ] Write" });
    await documents.open(session);
    const isList = (each?: vscode.TextEditor) => each?.document.uri.scheme === scheme;
    await until("the list is shown", () => isList(vscode.window.activeTextEditor));
    const shown = vscode.window.activeTextEditor;
    assert.ok(shown);
    editor = shown;
  });
  afterEach(async () => {
    if (editor.document.isDirty) await vscode.commands.executeCommand("workbench.action.files.revert");
    await closeEditors();
    for (const item of store.splice(0)) item.dispose();
  });

  const replace = (text: string) =>
    editor.edit((edit) => {
      const all = new vscode.Range(0, 0, editor.document.lineCount, 0);
      edit.replace(all, text);
    });

  it("is Markdown, and saving it is the edit, with boxes where they were left out", async () => {
    assert.equal(editor.document.languageId, "markdown");
    assert.equal(editor.document.getText(), "- [x] Read\n- [ ] Write\n");
    await replace("# 手順\n- [x] Read\n- 猫を書く\n");
    assert.equal(await editor.document.save(), true);
    assert.deepEqual(session.saved, ["- [x] Read\n- [ ] 猫を書く"]);
    await until("it shows what is kept", () => editor.document.getText() === "- [x] Read\n- [ ] 猫を書く\n");
  });

  it("follows the model's own changes", async () => {
    session.emit({ type: "todo", markdown: "- [x] Read\n- [x] Write" });
    await until("it is up to date", () => editor.document.getText() === "- [x] Read\n- [x] Write\n");
    assert.equal(editor.document.isDirty, false);
  });

  it("refuses what is no list: the words stay in the editor, the list as it was", async () => {
    await replace("just some words");
    assert.equal(await Promise.resolve(editor.document.save()).catch(() => false), false);
    assert.deepEqual(session.saved, []);
    assert.equal(editor.document.getText(), "just some words");
    assert.equal(session.chatView.todo, "- [x] Read\n- [ ] Write");
    await vscode.commands.executeCommand("notifications.clearAll");
  });

  itWhole("is taken away by an empty document", async () => {
    await replace("");
    assert.equal(await editor.document.save(), true);
    assert.deepEqual(session.saved, [""]);
  });

  it("of a task that is not on show any more is not saved over another's", async () => {
    await replace("- [ ] mine");
    session.emit({ type: "session", id: "s2", title: "Another" });
    session.emit({ type: "todo", markdown: "- [ ] theirs" });
    assert.equal(await Promise.resolve(editor.document.save()).catch(() => false), false);
    assert.deepEqual(session.saved, []);
    assert.equal(session.chatView.todo, "- [ ] theirs");
    await vscode.commands.executeCommand("notifications.clearAll");
  });
});
