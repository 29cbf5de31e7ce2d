/** A plan in a real editor: its file, what the user changes in it, and comments on its lines. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { SessionPlans } from "../../src/core/agent/session-plans.ts";
import { Emitter } from "../../src/core/lifecycle.ts";
import { PlanDocuments } from "../../src/core/sessions/plan-documents.ts";
import { ToolRegistry } from "../../src/core/tools/registry.ts";
import { createStorage } from "../../src/node/store/folder-storage.ts";
import type { EventBody, TaskEvent } from "../../src/shared/event.ts";
import type { Message } from "../../src/shared/message.ts";
import { PlanEditors, type PlanSession, unsavedText } from "../../src/vscode/plans/plan-editors.ts";
import { closeEditors, quietLog, until } from "./support/kit.ts";

const PLAN = "# Paint the cat\n\n- [ ] paint\n- [ ] dry\n";

const planned = (id: string, response: string): Message => ({
  id: `m-${id}`,
  role: "assistant",
  createdAt: "2025-01-01T00:00:00Z",
  blocks: [{ type: "tool-call", id, name: "plan_mode_respond", params: { response } }],
});

describe("A plan in an editor", () => {
  let folder: string;
  let messages: Message[];
  let plans: SessionPlans;
  let editors: PlanEditors;
  let sent: number;
  let session: PlanSession;
  const events = new Emitter<TaskEvent>();
  const appended = new Emitter<Message>();

  const openEditors = () => {
    const storage = createStorage(folder);
    plans = new SessionPlans({
      transcript: {
        id: "s1",
        get messages() {
          return messages;
        },
        todo: "",
        setTodo: async () => {},
        emit: (body: EventBody) => events.emit({ session: "s1", ...body }),
        onAppended: appended.on,
      },
      registry: new ToolRegistry(),
      documents: new PlanDocuments(storage, (name) => unsavedText(path.join(folder, name))),
      log: quietLog,
    });
    session = {
      id: "s1",
      plans,
      async sendPlanComments() {
        sent++;
        await plans.setComments(plans.find()?.callId ?? "", []);
      },
    };
    editors = new PlanEditors({
      project: { find: (id) => (id === "s1" ? session : undefined), onEvent: events.on },
      storeFolder: folder,
      log: quietLog,
    });
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "plans-"));
    messages = [planned("p1", PLAN)];
    sent = 0;
    openEditors();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await closeEditors();
    editors.dispose();
    await rm(folder, { recursive: true });
  });

  const document = () => {
    const active = vscode.window.activeTextEditor?.document;
    assert.ok(active);
    return active;
  };

  it("is a Markdown file, and what the user changes is handed over, saved or not", async () => {
    await editors.answer({ action: "open", callId: "p1" }, session);
    assert.equal(document().languageId, "markdown");
    assert.equal(document().getText(), PLAN);
    assert.match(path.basename(document().fileName), /^plan-paint-the-cat-[0-9a-f]{8}\.md$/);
    const handed = async () => {
      const plan = plans.find();
      return plan && plans.handedOver(plan);
    };
    assert.equal((await handed())?.isEdited, false);
    const reported = new Promise((resolve) => events.on(resolve));
    await vscode.window.activeTextEditor?.edit((edit) =>
      edit.insert(new vscode.Position(2, 6), "brush and "),
    );
    await reported;
    assert.equal(document().isDirty, true);
    assert.deepEqual(
      [(await handed())?.isEdited, (await handed())?.text.split("\n")[2]],
      [true, "- [ ] brush and paint"],
    );
    await document().save();
    assert.equal((await handed())?.text.split("\n")[2], "- [ ] brush and paint");
    assert.equal(await readFile(document().fileName, "utf8"), document().getText());
  });

  it("keeps comments on its lines over a restart until they are sent", async () => {
    await editors.open(session, "p1");
    const { uri } = document();
    const controller = vscode.comments.createCommentController("nekode.test", "Test");
    const range = new vscode.Range(2, 0, 2, 0);
    const thread = controller.createCommentThread(uri, range, []);
    await vscode.commands.executeCommand("nekode.plan.addComment", { thread, text: " Which color? " });
    await vscode.commands.executeCommand("nekode.plan.addComment", { thread, text: "And how much?" });
    const kept = [
      { line: 2, quote: "- [ ] paint", text: "Which color?" },
      { line: 2, quote: "- [ ] paint", text: "And how much?" },
    ];
    assert.deepEqual(await plans.comments("p1"), kept);
    await vscode.commands.executeCommand("nekode.plan.deleteComment", thread.comments[1]);
    assert.deepEqual(await plans.comments("p1"), kept.slice(0, 1));
    editors.dispose();
    openEditors();
    await editors.open(session, "p1");
    assert.deepEqual(await plans.comments("p1"), kept.slice(0, 1));
    await vscode.commands.executeCommand("nekode.plan.sendComments");
    assert.equal(sent, 1);
    assert.deepEqual(await plans.comments("p1"), []);
    controller.dispose();
  });

  it("a revision is a document of its own, and the earlier one stays as the user left it", async () => {
    await editors.open(session, "p1");
    const first = document().fileName;
    const revision = planned("p2", PLAN.replace("cat", "dog"));
    messages.push(revision);
    appended.emit(revision);
    await editors.open(session, "p2");
    await until("the revision is shown", () => document().getText().includes("dog"));
    assert.notEqual(document().fileName, first);
    assert.equal(await readFile(first, "utf8"), PLAN);
    const controller = vscode.comments.createCommentController("nekode.test", "Test");
    const thread = controller.createCommentThread(vscode.Uri.file(first), new vscode.Range(0, 0, 0, 0), []);
    // A message says that the plan is an earlier one.
    await vscode.commands.executeCommand("nekode.plan.addComment", { thread, text: "late" });
    assert.deepEqual([await plans.comments("p1"), await plans.comments("p2")], [[], []]);
    controller.dispose();
  });

  it("leaves other files alone, also where they lie beside plans", async () => {
    await mkdir(path.join(folder, "plans/other"), { recursive: true });
    const file = path.join(folder, "plans/other/plan-00000000.md");
    await writeFile(file, PLAN);
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    await editors.open(session, "p1");
    const controller = vscode.comments.createCommentController("nekode.test", "Test");
    const thread = controller.createCommentThread(vscode.Uri.file(file), new vscode.Range(0, 0, 0, 0), []);
    await vscode.commands.executeCommand("nekode.plan.addComment", { thread, text: "x" });
    assert.deepEqual(await plans.comments("p1"), []);
    assert.equal(thread.comments.length, 0);
    controller.dispose();
  });

  it("rejects what is no request of the panel", async () => {
    await assert.rejects(editors.answer({ action: "delete", callId: "p1" }, session));
    await assert.rejects(editors.answer({ action: "open", callId: "nobody" }, session));
  });
});
