/** What changed, under the step that changed it and the message that asked for it, and the ways back. */
import { beforeEach, describe, expect, it } from "vitest";
import type { CheckpointView, TaskEvent } from "../../src/shared/event.ts";
import { done, session, user } from "./support/events.ts";
import { host, openPanel, page, picture, row, servePanels } from "./support/suite.ts";

servePanels();
beforeEach(() => openPanel());

const checkpoint = (view: Partial<CheckpointView> & { id: string }): TaskEvent => ({
  type: "checkpoint",
  checkpoint: { kind: "call", at: view.id, files: 1, ...view },
});

/** A message, an edit, and a command that changed three files; the agent rests. */
function scene(): string {
  const asked = user("Rename the component");
  const messageId = asked.type === "message" ? asked.message.id : "";
  host.emit(
    session(),
    asked,
    { type: "call", messageId: "m", callId: "edit", tool: "write_to_file", subject: "src/app.tsx" },
    { type: "call-done", callId: "edit", outcome: "done", shown: { added: 3, removed: 1 } },
    checkpoint({ id: "edit" }),
    { type: "call", messageId: "m", callId: "run", tool: "execute_command", subject: "npm run rename" },
    ...done("run"),
    checkpoint({ id: "run", files: 3, left: 1 }),
    checkpoint({ id: messageId, kind: "message", files: 4, left: 1 }),
    { type: "status", status: "idle" },
  );
  return messageId;
}

describe("a checkpoint", () => {
  it("stands under its message, and under each step that changed files", async () => {
    scene();
    await row("checkpoint").waitFor();
    const kinds = await page
      .getByTestId("row")
      .evaluateAll((rows) => rows.map((each) => each.getAttribute("data-kind")));
    expect(kinds).toEqual(["user", "checkpoint", "tool", "command"]);
    await expect.poll(() => row("checkpoint").textContent()).toContain("4 files changed");
    await expect.poll(() => row("tool").textContent()).toContain("1 file changed");
    await expect.poll(() => row("command").textContent()).toContain("3 files changed");
    await expect.poll(() => row("command").textContent()).toContain("Too large to be kept: 1");
    await picture("checkpoints");
  });

  it("asks the host for what is pressed", async () => {
    const messageId = scene();
    await row("checkpoint").getByRole("button", { name: "View changes" }).click();
    expect(await host.called("checkpoint/changes")).toEqual({ id: messageId, only: false });
    await row("command").getByRole("button", { name: "View changes" }).click();
    expect(await host.called("checkpoint/changes", 2)).toEqual({ id: "run", only: true });
    await page.getByTestId("restore").click();
    expect(await host.called("checkpoint/restore")).toEqual({ id: messageId, conversation: true });
    await row("tool").getByTestId("undo").click();
    expect(await host.called("chat/undo")).toEqual({ callId: "edit" });
  });

  it("that was taken back says so; the restore can be undone", async () => {
    scene();
    host.emit(
      checkpoint({ id: "run", files: 3, undone: true }),
      checkpoint({ id: "back", kind: "restore", at: "run", files: 3 }),
    );
    await row("command").getByText("Taken back").waitFor();
    await expect.poll(() => row("command").getByTestId("undo").count()).toBe(0);
    const kinds = await page
      .getByTestId("row")
      .evaluateAll((rows) => rows.map((each) => each.getAttribute("data-kind")));
    expect(kinds.at(-1)).toBe("checkpoint");
    await picture("checkpoints-restored");
    await page.getByRole("button", { name: "Undo the restore" }).click();
    expect(await host.called("checkpoint/restore")).toEqual({ id: "back", conversation: false });
  });

  it("is not restored while the agent works, and says what is not covered", async () => {
    const messageId = scene();
    host.emit(
      { type: "status", status: "running" },
      checkpoint({ id: messageId, kind: "message", files: 0, uncovered: "no-repository" }),
    );
    await row("checkpoint").getByText("Not a git repository").waitFor();
    await page.getByTestId("restore").click({ force: true });
    await row("command").getByRole("button", { name: "View changes" }).click();
    await host.called("checkpoint/changes");
    expect(host.named("checkpoint/restore")).toEqual([]);
  });
});
