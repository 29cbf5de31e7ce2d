/** The first page: recent tasks, examples, what the keys do, an open folder, and the demonstration. */
import { describe, expect, it } from "vitest";
import type { SessionSummary } from "../../src/shared/protocol.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { session, text, user } from "./support/events.ts";
import { READY_SETUP } from "./support/fake-host.ts";
import { host, input, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";

servePanels();

const HOUR = 3_600_000;
const summary = (id: string, hours: number): SessionSummary => ({
  id,
  title: `Task ${id} with a title that is longer than a narrow panel`,
  startedAt: new Date(Date.now() - hours * HOUR).toISOString(),
  updatedAt: new Date(Date.now() - hours * HOUR).toISOString(),
  messageCount: 3,
  cost: 0,
  tokens: 10,
});
const DEMONSTRATION = { ...READY_SETUP, demonstration: "llamacpp" };

describe("the first page", () => {
  it("shows three recent tasks with relative dates, and opens one", async () => {
    host.sessions = [summary("a", 2.5), summary("b", 25), summary("c", 80), summary("d", 900)];
    await openPanel({ width: 250 });
    const tasks = page.getByTestId("recent-task");
    await tasks.nth(2).waitFor();
    await expect.poll(() => tasks.count()).toBe(3);
    await expect
      .poll(() => tasks.allTextContents())
      .toEqual([
        ...["a", "b", "c"].map((id, at) => {
          const when = ["2 hours ago", "yesterday", "3 days ago"][at];
          return `Task ${id} with a title that is longer than a narrow panel${when}`;
        }),
      ]);
    await expect.poll(overflow).toBe(0);
    expect(await findings(page)).toEqual([]);
    await picture("welcome-250");
    await tasks.nth(1).click();
    expect(await host.called("history/open")).toEqual({ id: "b" });
  });

  it("says what @ and / do, and types them", async () => {
    await openPanel({ width: 340, theme: "light" });
    await page.getByTestId("welcome-mention").click();
    await expect.poll(() => input().inputValue()).toBe("@");
    // The list of mentions covers the buttons.
    await page.getByTestId("mention-option").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("welcome-slash").click();
    await expect.poll(() => input().inputValue()).toBe("/");
    await picture("welcome-340-light");
  });

  it("opens a folder where none is open, and asks for no examples", async () => {
    host.setup = { ...READY_SETUP, hasWorkspace: false };
    await openPanel();
    await page.getByTestId("open-folder").click();
    await host.called("host/open-folder");
    expect(host.named("welcome/examples")).toEqual([]);
    await picture("welcome-no-folder");
  });
});

describe("a folder that is the worktree of another project's task", () => {
  const taskHere = {
    ...{ id: "a", title: "Fix the cat", isOpen: false },
    project: { key: "p", name: "cats", folder: "/home/me/projects/cats" },
  };
  const note = () => page.getByTestId("task-here-note");

  it("is named with its task and its project, whose folder opens", async () => {
    host.setup = { ...READY_SETUP, taskHere };
    await openPanel({ width: 250 });
    await note().getByText("the worktree of the task “Fix the cat”").waitFor();
    await expect
      .poll(() => note().textContent())
      .toContain("review it in the project /home/me/projects/cats.");
    expect(await note().textContent()).not.toContain("open in another window");
    await expect.poll(overflow).toBe(0);
    expect(await findings(page)).toEqual([]);
    await picture("task-here-250");
    await page.getByTestId("open-project-folder").click();
    expect(await host.called("history/open-other")).toEqual({ id: "a", project: "p", how: "folder" });
  });

  it("is dismissed, and shown again when the task is opened elsewhere", async () => {
    host.setup = { ...READY_SETUP, taskHere };
    await openPanel({ width: 600, boot: japanese });
    await note().waitFor();
    await picture("task-here-ja-600");
    await page.getByRole("button", { name: "閉じる" }).click();
    await note().waitFor({ state: "detached" });
    host.server.notify("host/setup", { ...READY_SETUP, taskHere: { ...taskHere, isOpen: true } });
    await note().getByText("別のウィンドウまたはターミナルで開かれて").waitFor();
    host.server.notify("host/setup", READY_SETUP);
    await note().waitFor({ state: "detached" });
  });
});

describe("the demonstration", () => {
  it("says what it is, and plays a scene on one click, in the scene's mode", async () => {
    host.setup = DEMONSTRATION;
    host.sessions = [summary("a", 2)];
    await openPanel({ width: 250 });
    await page.getByText("Answers are a demonstration").waitFor();
    expect(host.named("welcome/examples")).toEqual([]);
    await expect.poll(overflow).toBe(0);
    expect(await findings(page)).toEqual([]);
    await picture("demonstration-250");
    await page.getByTestId("scene-plan").click();
    expect(await host.called("chat/mode")).toEqual({ mode: "plan" });
    expect(await host.called("chat/send")).toEqual({ text: "Make a Todo app" });
  });

  it("leads from a conversation to a real model, and to the other scenes", async () => {
    host.setup = DEMONSTRATION;
    host.emit(session(), user("hi"), text("Answers are a demonstration."), {
      type: "status",
      status: "running",
    });
    await openPanel({ width: 250, boot: japanese });
    const note = page.getByTestId("demonstration-note");
    expect(await note.count()).toBe(0);
    host.emit({ type: "status", status: "idle" });
    await note.waitFor();
    await picture("demonstration-note-ja-250");
    await page.getByTestId("connect-model").click();
    await page.getByTestId("set-up").waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("more-scenes").click();
    await host.called("chat/new");
  });

  it("is over once another model is chosen", async () => {
    host.setup = DEMONSTRATION;
    await openPanel({ width: 600 });
    await page.getByTestId("scene-edit").waitFor();
    await picture("demonstration-600");
    host.emit({ type: "model", chosen: { act: "openai/gpt" } });
    await page.getByTestId("scene-edit").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Write tests for @/src/cats.js" }).waitFor();
  });
});
