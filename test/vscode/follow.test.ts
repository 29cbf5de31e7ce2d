/** Following the agent, in real editors: what is shown, that the focus and the keys stay the user's, and what ends it. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Emitter } from "../../src/core/lifecycle.ts";
import type { TaskEvent } from "../../src/shared/event.ts";
import { type CallRow, emptyView } from "../../src/shared/view/reducer.ts";
import { DiffPlacement } from "../../src/vscode/editor/diff-placement.ts";
import { FollowAgent } from "../../src/vscode/editor/follow-agent.ts";
import { Kit, quietLog, until } from "./support/kit.ts";

const LINES = Array.from({ length: 300 }, (_, line) => `line ${line + 1}\n`).join("");

describe("Following the agent", () => {
  let kit: Kit;
  let follow: FollowAgent;
  let placement: DiffPlacement;
  let events: Emitter<TaskEvent>;
  let row: CallRow;

  beforeEach(async () => {
    kit = new Kit();
    events = new Emitter<TaskEvent>();
    placement = new DiffPlacement(() => false);
    follow = new FollowAgent({
      onEvent: events.on,
      watched: (id) =>
        id === "seen"
          ? {
              chatView: {
                ...emptyView,
                status: "running",
                settled: [row],
                faces: {
                  read: {
                    icon: "file",
                    title: { doing: "Reading" },
                    row: "tool",
                    work: "read",
                    opens: ["file"],
                  },
                  edit: { icon: "edit", title: { doing: "Editing" }, row: "tool", work: "edit" },
                },
              },
              changes: async () => [
                {
                  path: kit.path("b.txt"),
                  before: { kind: "file", bytes: Buffer.from(LINES.replace("line 200\n", "")) },
                  after: { kind: "file", bytes: Buffer.from(LINES) },
                },
              ],
            }
          : undefined,
      placement,
      log: quietLog,
      key: "nekode.test.following",
    });
    for (const name of ["mine.txt", "a.txt", "b.txt", "c.txt"]) await kit.file(name, LINES);
    await kit.file("settings.json", "{}\n");
  });
  afterEach(async () => {
    follow.dispose();
    placement.dispose();
    await kit.dispose();
  });

  const call = (tool: string, subject: string, text?: string) => {
    row = {
      kind: "call",
      id: "call",
      tool,
      subject: vscode.workspace.asRelativePath(kit.uri(subject)),
      state: "done",
      text: "",
      ...(text === undefined ? {} : { shown: { text } }),
    };
    done("seen");
  };
  /** The result of the call is in the conversation. */
  const done = (session: string) =>
    events.emit({
      type: "message",
      session,
      message: {
        id: "result",
        role: "tool",
        createdAt: "2026-11-29T00:00:00Z",
        blocks: [
          { type: "tool-result", callId: "call", name: row.tool, label: "", outcome: "done", parts: [] },
        ],
      },
    });
  const editorOf = (name: string) =>
    vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === kit.path(name));
  /** Whether the editor of the file shows this line, counted from 1. */
  const shows = (name: string, line: number) =>
    editorOf(name)?.visibleRanges.some(({ start, end }) => start.line < line && line <= end.line + 1) ??
    false;
  const isActive = (name: string) => vscode.window.activeTextEditor?.document.uri.fsPath === kit.path(name);

  it("shows the lines that are read and edited beside the user's editor, whose keys stay there", async () => {
    await kit.show("mine.txt");
    follow.start();
    call("read", "a.txt", "150-160 / 300");
    await until("what is read is shown", () => shows("a.txt", 155));
    call("edit", "b.txt");
    await until("what is edited is shown in its place", () => shows("b.txt", 200) && !editorOf("a.txt"));
    assert.equal(vscode.window.tabGroups.all.length, 2);
    assert.ok(isActive("mine.txt"));
    assert.ok(follow.isFollowing);
    for (const letter of "typed") {
      await vscode.commands.executeCommand("type", { text: letter });
      call("read", "c.txt");
    }
    await until("the typing is in the user's file", () =>
      (editorOf("mine.txt")?.document.getText() ?? "").startsWith("typedline 1\n"),
    );
    assert.equal(follow.isFollowing, false);
    await follow.show({ path: kit.path("c.txt") });
    assert.equal(editorOf("c.txt"), undefined);
  });

  it("uses the editor's own place while the user is in the panel, and leaves out what must not open", async () => {
    await kit.show("mine.txt");
    placement.panelUsed();
    follow.start();
    call("read", "a.txt", "300");
    await until("what is read is shown", () => shows("a.txt", 1));
    call("read", "settings.json");
    await follow.show({ path: kit.path("gone.txt") });
    await follow.show({ path: kit.path("b.txt"), lines: { from: 250, to: 999 } });
    await until("the next one takes its place", () => shows("b.txt", 260));
    assert.equal(vscode.window.tabGroups.all.length, 1);
    assert.ok(follow.isFollowing);
    done("other");
    assert.ok(!isActive("settings.json"));
  });

  for (const [what, touch] of [
    ["scrolls", () => vscode.commands.executeCommand("editorScroll", { to: "down", by: "line", value: 40 })],
    ["selects", () => vscode.commands.executeCommand("cursorDownSelect")],
    ["opens a file", () => kit.show("c.txt")],
    ["closes the file", () => vscode.commands.executeCommand("workbench.action.closeActiveEditor")],
  ] as const)
    it(`ends when the user ${what}`, async () => {
      await kit.show("mine.txt");
      placement.panelUsed();
      follow.start();
      await follow.show({ path: kit.path("a.txt"), lines: { from: 10, to: 12 } });
      await until("it is shown", () => shows("a.txt", 10));
      await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
      assert.ok(follow.isFollowing);
      await touch();
      await until("it has ended", () => !follow.isFollowing);
    });
});
