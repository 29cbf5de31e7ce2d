/** Findings of a review as comment threads, and the user's comments on a proposed change, in a real editor. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Emitter } from "../../src/core/lifecycle.ts";
import type { TaskEvent } from "../../src/shared/event.ts";
import type { ReviewFinding } from "../../src/shared/review.ts";
import { translator } from "../../src/shared/words/task-words.ts";
import { ProposalComments } from "../../src/vscode/review/proposal-comments.ts";
import { type ReviewedSession, ReviewThreads } from "../../src/vscode/review/review-threads.ts";
import { SavedFindings } from "../../src/vscode/review/saved-findings.ts";
import { closeEditors, Kit, Memory, quietLog, untilSeen } from "./support/kit.ts";

const finding = (more: Partial<ReviewFinding>): ReviewFinding => ({
  ...{ path: "a.txt", side: "new", startLine: 2, endLine: 2, lineText: "dog", severity: "important" },
  ...{ title: "A dog", body: "It barks.", confidence: 0.9, verified: true },
  ...more,
});

describe("The findings of a review", () => {
  let kit: Kit;
  let events: Emitter<TaskEvent>;
  let sent: string[];
  let threads: ReviewThreads;
  let shown: number;
  let state: Memory;

  beforeEach(async () => {
    kit = new Kit();
    await kit.file("a.txt", "cat\ndog\nowl\n");
    events = new Emitter<TaskEvent>();
    sent = [];
    shown = 0;
    state = new Memory();
    threads = start();
  });

  function start(): ReviewThreads {
    const session: ReviewedSession = {
      id: "s1",
      send: async (text: string) => {
        sent.push(text);
        return { queued: false };
      },
    };
    return new ReviewThreads({
      project: {
        onReviewed: new Emitter<{ session: string; report: never; fileOf: never }>().on,
        onEvent: events.on,
        find: (id) => (id === "s1" ? session : undefined),
      },
      saved: new SavedFindings(state),
      active: () => session,
      showPanel: () => void shown++,
      t: translator({}),
      log: quietLog,
    });
  }
  afterEach(async () => {
    threads.dispose();
    await closeEditors();
    await kit.dispose();
  });

  const show = (findings: ReviewFinding[]) => threads.show("s1", { findings }, (name) => kit.path(name));
  async function write(text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(kit.uri("a.txt"));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    await document.save();
  }
  const lines = () => threads.threads.map(({ range }) => range && [range.start.line, range.end.line]);

  it("are on their lines, open nothing, and are gone where the line is", async () => {
    await kit.file("a.txt", "new\ncat\ndog\nowl\nowl\n");
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
    await show([
      finding({}),
      finding({ startLine: 4, endLine: 5, lineText: "owl" }),
      finding({ startLine: 9, endLine: 9, lineText: "owl" }),
      finding({ lineText: "fox" }),
      finding({ path: "missing.txt" }),
      finding({ side: "old", newLine: 3, lineText: "gone" }),
    ]);
    assert.deepEqual(lines(), [
      [2, 2],
      [3, 4],
      [2, 2],
    ]);
    assert.equal(threads.threads[0]?.label, "Important: A dog");
    assert.equal(threads.threads[0]?.comments[0]?.body, "It barks.");
    assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, tabs);
  });

  it("are there again after a reload, where their code is unchanged, until they are dismissed", async () => {
    await kit.file("a.txt", "cat\ndog\nowl\nowl\nend\n");
    await show([
      finding({}),
      finding({ startLine: 3, endLine: 4, lineText: "owl", title: "Owls" }),
      finding({ side: "old", newLine: 5, lineText: "gone", title: "Gone" }),
    ]);
    const reload = async () => {
      threads.dispose();
      threads = start();
      await threads.restored;
    };
    // The code is elsewhere, or the second line of a finding changed.
    await write("new\ncat\ndog\nowl\nelk\nend\n");
    await reload();
    assert.deepEqual(lines(), [[2, 2]]);
    // What was left out does not come back.
    await write("cat\ndog\nowl\nowl\nend\n");
    await reload();
    assert.deepEqual(lines(), [[1, 1]]);
    assert.doesNotMatch(JSON.stringify(state.get()), /owl/);
    await vscode.commands.executeCommand("nekode.review.dismiss", threads.threads[0]);
    await reload();
    assert.deepEqual([lines(), state.get()], [[], undefined]);
  });

  it("are stored up to a limit", async () => {
    const saved = new SavedFindings(state);
    const many = Array.from({ length: 300 }, (_, n) => ({
      ...{ session: "s1", file: "/a", hash: "x", finding: finding({ title: `${n}` }) },
    }));
    await saved.write(many);
    assert.deepEqual(
      saved.read().map(({ finding: { title } }) => title),
      many.slice(100).map(({ finding: { title } }) => title),
    );
    const large = finding({ body: "x".repeat(500_000) });
    await saved.write([...many, { session: "s1", file: "/a", hash: "x", finding: large }]);
    assert.equal(saved.read().length, 199);
    await state.update("", [{ session: 1 }, many[0]]);
    assert.equal(saved.read().length, 1);
  });

  it("are sent to be fixed, and resolved once the turn has changed the file; others are dismissed", async () => {
    await show([finding({}), finding({ title: "Another", body: "x" })]);
    const [first, second] = threads.threads;
    await vscode.commands.executeCommand("nekode.review.fix", first);
    assert.match(sent[0] ?? "", /^Fix this finding[\s\S]*a\.txt:2: A dog[\s\S]*> It barks\.[\s\S]*`dog`$/);
    assert.deepEqual([first?.contextValue, shown], ["fixing", 1]);
    const turn = (display: string) => {
      const message = { id: "m", role: "user" as const, createdAt: "", blocks: [], display };
      events.emit({ session: "s1", type: "message", message });
    };
    // A turn before the message, and one that changes nothing.
    events.emit({ session: "s1", type: "status", status: "idle" });
    turn(sent[0] ?? "");
    events.emit({ session: "s1", type: "status", status: "idle" });
    await untilSeen("the finding is open again", () => first?.contextValue === "finding");
    assert.equal(first?.state, vscode.CommentThreadState.Unresolved);
    await vscode.commands.executeCommand("nekode.review.fix", first);
    turn(sent[1] ?? "");
    const edit = new vscode.WorkspaceEdit();
    edit.replace(kit.uri("a.txt"), new vscode.Range(1, 0, 1, 3), "cat");
    await vscode.workspace.applyEdit(edit);
    events.emit({ session: "s1", type: "status", status: "idle" });
    await untilSeen("the thread is resolved", () => first?.state === vscode.CommentThreadState.Resolved);
    assert.equal(second?.state, vscode.CommentThreadState.Unresolved);
    await vscode.commands.executeCommand("nekode.review.explain", second);
    assert.match(sent[2] ?? "", /^Explain this finding/);
    await vscode.commands.executeCommand("nekode.review.dismiss", second);
    // Disposed threads are no longer known.
    await vscode.commands.executeCommand("nekode.review.fix", second);
    assert.equal(sent.length, 3);
    await vscode.workspace.save(kit.uri("a.txt"));
  });
});

describe("The user's comments on a proposed change", () => {
  let kit: Kit;
  let comments: ProposalComments;
  let rejected: [string, string][];

  beforeEach(async () => {
    kit = new Kit();
    await kit.file("a.txt", "cat\ndog\n");
    rejected = [];
    comments = new ProposalComments({
      onEvent: new Emitter<TaskEvent>().on,
      waitingEdits: () => [{ callId: "c1", files: [kit.path("a.txt")] }],
      reject: (_, callId, comment) => void rejected.push([callId, comment]),
      proposed: (uri) => kit.previews.proposed(uri),
      nameOf: () => "a.txt",
      scheme: kit.scheme,
    });
  });
  afterEach(async () => {
    comments.dispose();
    await closeEditors();
    await kit.dispose();
  });

  it("are sent together as the reason of the rejection", async () => {
    const original = await kit.files.readText(kit.path("a.txt"));
    const preview = kit.previews.preview(kit.path("a.txt"), original, { show: true, session: "s1" });
    await preview.finish("cat\nowl\n");
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === kit.scheme);
    assert.ok(document);
    const controller = vscode.comments.createCommentController("nekode.test", "Test");
    const thread = (line: number) =>
      controller.createCommentThread(document.uri, new vscode.Range(line, 0, line, 0), []);
    const [first, second] = [thread(1), thread(0)];
    await vscode.commands.executeCommand("nekode.proposal.addComment", { thread: first, text: " No owls. " });
    await vscode.commands.executeCommand("nekode.proposal.addComment", { thread: second, text: "Why?" });
    await vscode.commands.executeCommand("nekode.proposal.addComment", { thread: second, text: "Wrong" });
    await vscode.commands.executeCommand("nekode.proposal.deleteComment", second.comments[1]);
    await vscode.commands.executeCommand("nekode.proposal.sendComments", first);
    assert.deepEqual(rejected, [
      [
        "c1",
        "Comments on lines of the proposed change:\n\na.txt, line 2: `owl`\nNo owls.\n\na.txt, line 1: `cat`\nWhy?",
      ],
    ]);
    controller.dispose();
    await preview.discard();
  });
});
