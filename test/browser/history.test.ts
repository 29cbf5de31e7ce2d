/** Finding, keeping, deleting and taking over earlier tasks; an earlier message changed and sent anew. */
import { beforeEach, describe, expect, it } from "vitest";
import {
  action,
  children,
  items,
  nested,
  openHistory,
  openMessage,
  started,
  summary,
  unfold,
} from "./support/history.ts";
import { focused, host, page, picture, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

describe("the history", () => {
  it("searches while the user types, in the order they choose, and marks what was found", async () => {
    host.sessions = [summary("a", { excerpt: "…the Neko sat <b>here</b>…" })];
    await openHistory();
    await page.getByTestId("history-search").fill("neko");
    await page.locator("mark").waitFor();
    await expect.poll(() => page.locator("mark").textContent()).toBe("Neko");
    await expect.poll(() => items().textContent()).toContain("<b>here</b>");
    await expect
      .poll(() => host.named("history/list").at(-1))
      .toMatchObject({ text: "neko", sort: "relevance" });
    await page.getByTestId("history-sort").selectOption("cost");
    await expect.poll(() => host.named("history/list").at(-1)).toMatchObject({ sort: "cost" });
    await page.getByLabel("Favorites only").check();
    await expect.poll(() => host.named("history/list").at(-1)).toMatchObject({ favorites: true, offset: 0 });
    host.sessions = [];
    await page.getByTestId("history-search").fill("nothing like it");
    await page.getByText("No matching sessions.").waitFor();
  });

  it("begins in the search, marks the current task, and Escape clears the search first", async () => {
    host.sessions = [summary("a"), summary("b")];
    host.emit({ type: "session", id: "b", title: "Task b" });
    await openHistory();
    await expect.poll(() => focused()).toBe("history-search");
    await page.locator("[aria-current=true]", { hasText: "current task" }).getByText("Task b").waitFor();
    await page.keyboard.type("task");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByTestId("history-search").inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await page.getByTestId("history-search").waitFor({ state: "detached" });
  });

  it("deletes with a way back", async () => {
    host.sessions = [summary("a"), summary("b")];
    await openHistory();
    await unfold("Task a");
    await page.getByTestId("history-delete").click();
    await page.getByText("“Task a” was deleted.").waitFor();
    expect(await host.called("history/delete")).toEqual({ id: "a" });
    await expect.poll(() => items().count()).toBe(1);
    await page.getByTestId("history-undo").click();
    expect(await host.called("history/undelete")).toEqual({ id: "a" });
    await expect.poll(() => items().count()).toBe(2);
  });

  it("names and keeps tasks by keyboard alone, and Escape in the name leaves the history open", async () => {
    host.sessions = [summary("a")];
    await openHistory();
    await unfold("Task a");
    await action("Rename").click();
    const name = page.getByRole("textbox", { name: "Session name" });
    await name.fill("not this");
    await name.press("Escape");
    await name.waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("history-more");
    await page.keyboard.press("Enter");
    await action("Rename").click();
    await name.fill("猫の件");
    await name.press("Enter");
    expect(await host.called("history/rename")).toEqual({ id: "a", title: "猫の件" });
    await expect.poll(() => items().textContent()).toContain("猫の件");
    await unfold("猫の件");
    await action("Add to favorites").click();
    expect(await host.called("history/favorite")).toEqual({ id: "a", favorite: true });
    await page.keyboard.press("ArrowDown");
    await action("Remove from favorites").waitFor();
    await action("Export").click();
    await action("Export as trajectory (ATIF)").waitFor();
    await action("Export as Markdown").click();
    expect(await host.called("history/export")).toEqual({ id: "a", format: "md" });
    host.failing.set("history/export", "Example IT does not allow sessions to be exported.");
    await unfold("猫の件");
    await action("Export").click();
    await action("Export as Markdown").click();
    const failure = page.getByLabel("History", { exact: true }).getByRole("alert");
    await failure.filter({ hasText: "Example IT does not allow sessions to be exported." }).waitFor();
    await failure.getByRole("button", { name: "Dismiss" }).click();
    await failure.waitFor({ state: "detached" });
  });

  it("says where a task comes from and that it is open elsewhere, and takes it over only when told", async () => {
    const origin = { product: "claude", id: "1", updatedAt: "2026-05-01T10:00:00.000Z" } as const;
    host.sessions = [
      summary("a", { elsewhere: true }),
      summary("b", { forkOf: { id: "a", title: "Task a" } }),
      summary("c", { origin }),
    ];
    await openHistory();
    await page.getByText("Branch of Task a").waitFor();
    await items().filter({ hasText: "Task c" }).filter({ hasText: " · Claude Code" }).waitFor();
    await items().first().click();
    await page.getByText("“Task a” is open in another window or terminal.").waitFor();
    await page.getByTestId("take-over").click();
    expect(await host.called("history/open", 2)).toEqual({ id: "a", takeOver: true });
    await items().first().waitFor({ state: "detached" });
  });

  it("lists other projects behind a switch: to be read, opened where they belong, or copied", async () => {
    const project = { key: "p", name: "other", folder: "/home/me/other" };
    host.sessions = [summary("a"), summary("a", { project, title: "Elsewhere" })];
    await openHistory();
    await items().first().waitFor();
    await expect.poll(() => items().count()).toBe(1);
    await page.getByLabel("All projects").check();
    await page.getByText("Project: other").waitFor();
    await expect.poll(() => items().count()).toBe(2);
    await unfold("Elsewhere");
    await expect.poll(() => action("Rename").count()).toBe(0);
    await expect.poll(() => page.getByTestId("history-delete").count()).toBe(0);
    await action("Export as JSON").click();
    expect(await host.called("history/export")).toEqual({ id: "a", format: "json", project: "p" });
    await items().nth(1).click();
    await page.getByText("“Elsewhere” belongs to another project: /home/me/other").waitFor();
    await page.getByTestId("other-read").click();
    expect(await host.called("history/open-other")).toEqual({ id: "a", project: "p", how: "read" });
    await page.getByTestId("other-folder").click();
    expect(await host.called("history/open-other", 2)).toEqual({ id: "a", project: "p", how: "folder" });
    await page.getByTestId("other-copy").click();
    expect(await host.called("history/open-other", 3)).toEqual({ id: "a", project: "p", how: "copy" });
    await items().first().waitFor({ state: "detached" });
    expect(host.named("history/open")).toEqual([]);
  });

  describe("of a task that started others", () => {
    it("folds these under it, and unfolds them by keyboard", async () => {
      host.sessions = [summary("a"), summary("p", { children }), summary("q", { children: [summary("r")] })];
      await openHistory();
      await started().first().waitFor();
      await expect.poll(() => started().allTextContents()).toEqual(["2 subtasks", "1 subtask"]);
      await expect.poll(() => items().count()).toBe(3);
      expect(host.named("history/list").at(-1)).toMatchObject({ grouped: true });
      // After the menu of its session.
      await page.getByRole("button", { name: "More actions for Task p" }).focus();
      await page.keyboard.press("Tab");
      await expect.poll(focused).toBe("history-started");
      await expect.poll(() => started().first().getAttribute("aria-expanded")).toBe("false");
      await page.keyboard.press("Enter");
      await nested().nth(1).waitFor();
      await expect.poll(() => started().first().getAttribute("aria-expanded")).toBe("true");
      await expect
        .poll(() => nested().allTextContents())
        .toEqual([expect.stringMatching(/^Task c1/), expect.stringMatching(/^Task c2/)]);
      // The line above says it already.
      expect(await page.getByText("Started by").count()).toBe(0);
      // The first is of the day in the heading, the second is not.
      await expect.poll(() => nested().first().textContent()).toMatch(/:\d\d\s[AP]M\s· 3 messages/);
      expect(await nested().nth(1).textContent()).not.toMatch(/:\d\d\s[AP]M/);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      expect(await host.called("history/open")).toEqual({ id: "c1" });
    });

    it("deletes one of them with a way back, and leaves the others open", async () => {
      host.sessions = [summary("p", { children: children.slice(0, 1) })];
      await openHistory();
      await started().click();
      await unfold("Task c1");
      await page.getByTestId("history-delete").click();
      await page.getByText("“Task c1” was deleted.").waitFor();
      expect(await host.called("history/delete")).toEqual({ id: "c1" });
      await started().waitFor({ state: "detached" });
      await expect.poll(() => items().count()).toBe(1);
      await page.getByTestId("history-undo").click();
      // As it was: unfolded.
      await nested().first().waitFor();
    });
  });
});

describe("a message of the user's", () => {
  beforeEach(openMessage);

  it("is changed in place and sent by Enter; Shift+Enter is a new line", async () => {
    await page.getByTestId("edit-message").focus();
    await page.keyboard.press("Enter");
    const box = page.getByTestId("edit-text");
    await box.waitFor();
    await expect.poll(() => box.inputValue()).toBe("first wish");
    await page.keyboard.type(", better");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("more");
    await page.keyboard.press("Enter");
    const { text } = await host.called("chat/edit");
    expect(text).toBe("first wish, better\nmore");
    await box.waitFor({ state: "detached" });
  });

  it("is left as it was by Escape, and the focus returns", async () => {
    await page.getByTestId("edit-message").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("x");
    await page.keyboard.press("Escape");
    await page.getByTestId("edit-text").waitFor({ state: "detached" });
    await page.locator("[data-testid=edit-message]:focus").waitFor();
    expect(host.named("chat/edit")).toEqual([]);
  });

  it("is where a branch begins", async () => {
    await page.getByTestId("fork-message").focus();
    await page.keyboard.press("Enter");
    expect((await host.called("chat/fork")).messageId).toBe(host.view.settled[0]?.id);
  });

  it("asks before an edited message stops the task, and keeps the text when the user declines", async () => {
    host.emit({ type: "status", status: "streaming" });
    await page.getByTestId("edit-message").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type(", better");
    await page.keyboard.press("Enter");
    const question = page.getByTestId("leave-question");
    await question.waitFor();
    await expect.poll(() => focused()).toBe("keep-working");
    await picture("edit-message-asks");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("edit-text");
    await expect.poll(() => page.getByTestId("edit-text").inputValue()).toBe("first wish, better");
    await page.keyboard.press("Enter");
    await page.getByTestId("stop-and-leave").click();
    expect(await host.called("chat/edit", 3)).toMatchObject({ text: "first wish, better", stop: true });
    await page.getByTestId("edit-text").waitFor({ state: "detached" });
    expect(host.named("chat/edit").map(({ stop = false }) => stop)).toEqual([false, false, true]);
  });
});
