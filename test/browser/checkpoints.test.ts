/** What changed, under the step that changed it and the message that asked for it, and the ways back. */
import { beforeEach, describe, expect, it } from "vitest";
import type { CheckpointView, EventBody } from "../../src/shared/event.ts";
import { reasonOf } from "../../src/shared/reason.ts";
import { done, session, user } from "./support/events.ts";
import { host, openPanel, page, picture, row, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });
beforeEach(() => openPanel());

const checkpoint = (view: Partial<CheckpointView> & { id: string }): EventBody => ({
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
  it("is shown at the end of its turn, and under each step that changed files", async () => {
    scene();
    await row("checkpoint").waitFor();
    const kinds = await page
      .getByTestId("row")
      .evaluateAll((rows) => rows.map((each) => each.getAttribute("data-kind")));
    expect(kinds).toEqual(["user", "tool", "command", "checkpoint"]);
    await expect.poll(() => row("checkpoint").textContent()).toContain("4 files changed");
    await expect
      .poll(() => row("tool").textContent())
      .toBe("Wrote src/app.tsxLines added: 3, removed: 1+3−1");
    await expect.poll(() => row("command").textContent()).toContain("3 files changed");
    await expect.poll(() => row("command").textContent()).toContain("Too large to back up: 1");
    await picture("checkpoints");
  });

  it("asks the host for what is pressed", async () => {
    const messageId = scene();
    await page.getByTestId("review").click();
    expect(await host.called("turn/review")).toEqual({ id: messageId });
    await row("command").getByRole("button", { name: "View changes" }).click();
    expect(await host.called("checkpoint/changes")).toEqual({ id: "run", only: true });
    await page.getByTestId("turn-more").click();
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
    await row("command").getByText("Undone").waitFor();
    await expect.poll(() => row("command").getByTestId("undo").count()).toBe(0);
    const kinds = await page
      .getByTestId("row")
      .evaluateAll((rows) => rows.map((each) => each.getAttribute("data-kind")));
    expect(kinds.at(-1)).toBe("checkpoint");
    await picture("checkpoints-restored");
    await page.getByRole("button", { name: "Undo restore" }).click();
    expect(await host.called("checkpoint/restore")).toEqual({ id: "back", conversation: false });
  });

  it("is not restored while the agent works, and says what is not covered", async () => {
    const messageId = scene();
    host.emit(
      { type: "status", status: "running" },
      checkpoint({ id: messageId, kind: "message", files: 0, uncovered: "no-repository" }),
    );
    await row("checkpoint").getByText("Not a Git repository").waitFor();
    await page.getByTestId("restore").click({ force: true });
    await row("command").getByRole("button", { name: "View changes" }).click();
    await host.called("checkpoint/changes");
    expect(host.named("checkpoint/restore")).toEqual([]);
  });
});

describe("a command that destroys", () => {
  const command = "rm -rf data && git clean -fdx";
  const kept = {
    files: 12,
    bytes: 3_400_000,
    notKept: [{ why: "size" as const, count: 4, names: ["data/large-recording.mp4", "data/世界.bin"] }],
    git: { head: "main 0123456789" },
  };

  function runs(): void {
    host.emit(
      session(),
      user("Clean up"),
      { type: "call", messageId: "m", callId: "run", tool: "execute_command", subject: command },
      checkpoint({ id: "run", files: 0, keeping: { done: 3_000, total: 10_000 } }),
    );
  }

  it("says before it is approved what cannot be undone", async () => {
    host.emit(
      session(),
      user("Clean up"),
      { type: "call", messageId: "m", callId: "run", tool: "execute_command", subject: command },
      {
        type: "approval",
        callId: "run",
        approval: {
          ...{ callId: "run", access: "command", command, notKept: kept.notKept },
          reason: reasonOf("cannot-be-kept"),
        },
      },
    );
    const asked = page.getByText("data/large-recording.mp4, data/世界.bin and 2 more").first();
    await asked.waitFor();
    await expect
      .poll(() => page.locator("body").textContent())
      .toContain("Not backed up, too large or too many");
    await picture("destroys-approval");
  });

  it("shows that files are kept, how many, and brings them back by keyboard", async () => {
    await page.setViewportSize({ width: 250, height: 700 });
    runs();
    await row("command").getByText("Backing up files before the command: 3000 of 10000").waitFor();
    host.emit(
      { type: "call-running", callId: "run" },
      checkpoint({ id: "run", files: 0, unfinished: true, kept }),
    );
    await row("command").getByText("Backed up before the command: 12 files (3.4 MB)").waitFor();
    expect(await row("command").getByText("(interrupted)").count()).toBe(0);
    host.emit(
      ...done("run"),
      checkpoint({ id: "run", files: 9, left: 4, names: ["data/a.txt", ".env", "build/out.js"], kept }),
      { type: "status", status: "idle" },
    );
    await row("command").getByText("data/a.txt, .env, build/out.js and 6 more").waitFor();
    await expect.poll(() => row("command").textContent()).toContain("HEAD was at main 0123456789");
    // Said once.
    expect(await row("command").textContent()).not.toContain("Too large to back up");
    const overflow = await row("command").evaluate((each) => each.scrollWidth - each.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await picture("destroys-narrow");
    await row("command").getByTestId("undo").focus();
    await page.keyboard.press("Enter");
    expect(await host.called("chat/undo")).toEqual({ callId: "run" });
  });

  it("that changed nothing in the end says nothing", async () => {
    runs();
    host.emit(...done("run"), checkpoint({ id: "run", files: 0, kept: { ...kept, notKept: [] } }));
    await row("command").waitFor();
    await expect.poll(() => row("command").getByText("Backing up files").count()).toBe(0);
    expect(await row("command").getByTestId("undo").count()).toBe(0);
  });
});
