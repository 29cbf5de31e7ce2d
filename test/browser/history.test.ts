/** Finding, keeping, deleting and taking over earlier tasks; an earlier message changed and sent anew. */
import { beforeEach, describe, expect, it } from "vitest";
import type { SessionSummary } from "../../src/shared/protocol.ts";
import { session, user } from "./support/events.ts";
import { focused, host, input, openPanel, page, picture, servePanels, showScreen } from "./support/suite.ts";

servePanels();

const summary = (id: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id,
  title: `Task ${id}`,
  startedAt: "2025-01-02T03:04:05Z",
  updatedAt: "2025-01-02T03:04:05Z",
  messageCount: 3,
  cost: 0,
  tokens: 10,
  ...more,
});

async function openHistory(): Promise<void> {
  await openPanel();
  showScreen("history");
  await page.getByTestId("history-search").waitFor();
}

const items = () => page.getByTestId("history-item");
const unfold = (title: string) => page.getByRole("button", { name: `More actions for ${title}` }).click();
const action = (name: string) => page.getByRole("menuitem", { name });

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

  it("comes in pages", async () => {
    host.sessions = Array.from({ length: 120 }, (_, index) => summary(String(index)));
    await openHistory();
    await items().nth(49).waitFor();
    await expect.poll(() => items().count()).toBe(50);
    await page.getByText("Show more").click();
    await items().nth(99).waitFor();
    await page.getByText("Show more").click();
    await items().nth(119).waitFor();
    await page.getByText("Show more").waitFor({ state: "detached" });
  });

  it("says that not everything could be searched yet, and looks again when it can", async () => {
    host.sessions = [summary("a")];
    host.indexing = { done: 1, total: 4 };
    await openHistory();
    await page.getByTestId("history-search").fill("word");
    await page.getByText("Indexing older messages for search: 25%").waitFor();
    host.sessions = [summary("a"), summary("b")];
    host.indexing = undefined;
    host.server.notify("history/indexing", { done: 4, total: 4 });
    await items().nth(1).waitFor();
    await page.getByText("Indexing older messages").waitFor({ state: "detached" });
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
    await action("Export as trajectory (ATIF)").waitFor();
    await action("Export as Markdown").click();
    expect(await host.called("history/export")).toEqual({ id: "a", format: "md" });
  });

  it("says that a task is open elsewhere, and takes it over only when told", async () => {
    host.sessions = [
      summary("a", { elsewhere: true }),
      summary("b", { forkOf: { id: "a", title: "Task a" } }),
    ];
    await openHistory();
    await page.getByText("Branch of Task a").waitFor();
    await items().first().click();
    await page.getByText("“Task a” is open in another window or terminal.").waitFor();
    await page.getByTestId("take-over").click();
    expect(await host.called("history/open", 2)).toEqual({ id: "a", takeOver: true });
    await items().first().waitFor({ state: "detached" });
  });

  it("asks once whether an empty folder is one that was renamed or moved, and takes over its tasks", async () => {
    const gone = { key: "gone", name: "cats" };
    const there = { key: "there", name: "dogs", folder: "/home/me/dogs" };
    host.sessions = [
      summary("a", { project: gone, title: "Feed the cat" }),
      summary("b", { project: gone }),
      summary("c", { project: there }),
    ];
    await openHistory();
    const question = page.getByTestId("moved-project");
    await question
      .getByText("The folder of the project “cats”, whose last session is “Feed the cat”")
      .waitFor();
    await expect.poll(() => question.count()).toBe(1);
    await page.getByTestId("adopt-project").click();
    expect(await host.called("history/adopt")).toEqual({ project: "gone" });
    await page.getByText("Imported sessions: 2").waitFor();
    await expect.poll(() => items().count()).toBe(2);
    await question.waitFor({ state: "detached" });
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

  it("closes when the task that the user opened is shown, and not once more when all of it is loaded", async () => {
    host.sessions = [summary("a")];
    let loaded = () => {};
    host.loading = new Promise((resolve) => {
      loaded = resolve;
    });
    await openHistory();
    await items().click();
    await host.called("history/open");
    host.emit({ type: "session", id: "a", title: "Task a" }, user("of task a"));
    await items().waitFor({ state: "detached" });
    showScreen("history");
    await items().waitFor();
    loaded();
    // What it brings about comes after the answer.
    await page.getByLabel("Favorites only").check();
    await expect.poll(() => host.named("history/list").at(-1)).toMatchObject({ favorites: true });
    await items().waitFor();
  });

  describe("of a task that started others", () => {
    const parent = { id: "p", title: "Task p" };
    const children = [
      summary("c1", { parent }),
      summary("c2", { parent, updatedAt: "2025-01-01T03:04:05Z" }),
    ];
    const started = () => page.getByTestId("history-started");
    const nested = () => page.getByRole("list", { name: "Started by Task p" }).getByTestId("history-item");

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
      await expect.poll(() => nested().first().textContent()).toMatch(/:\d\d\s[AP]M · 3 messages/);
      expect(await nested().nth(1).textContent()).not.toMatch(/:\d\d\s[AP]M/);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      expect(await host.called("history/open")).toEqual({ id: "c1" });
    });

    it("folds them again, and opens, names and keeps each of them", async () => {
      host.sessions = [summary("p", { children })];
      await openHistory();
      await started().click();
      await unfold("Task c2");
      await action("Rename").click();
      const name = page.getByRole("textbox", { name: "Session name" });
      await name.fill("猫の件");
      await name.press("Enter");
      expect(await host.called("history/rename")).toEqual({ id: "c2", title: "猫の件" });
      await expect.poll(() => nested().nth(1).textContent()).toContain("猫の件");
      await unfold("猫の件");
      await action("Add to favorites").click();
      expect(await host.called("history/favorite")).toEqual({ id: "c2", favorite: true });
      await nested().nth(1).getByText("Favorite: ").waitFor({ state: "attached" });
      await started().click();
      await nested().first().waitFor({ state: "detached" });
      await expect.poll(() => items().count()).toBe(1);
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

    it("lists them by themselves when their own is deleted", async () => {
      host.sessions = [summary("p", { children })];
      await openHistory();
      await started().waitFor();
      host.sessions = children.map((child) => ({ ...child, parent: { id: "p" } }));
      await unfold("Task p");
      await page.getByTestId("history-delete").click();
      await page.getByText("Started by a deleted session").nth(1).waitFor();
      await expect.poll(() => items().count()).toBe(2);
      expect(await started().count()).toBe(0);
    });
  });

  it("takes in files, and says in words why one was refused", async () => {
    await openHistory();
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByText("Imported sessions: 1").waitFor();
    host.failing.set("history/import", "This file is not a session exported by Nekode.");
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByText("not a session exported by Nekode").waitFor();
  });
});

describe("a message of the user's", () => {
  beforeEach(async () => {
    host.mention = (uris) => ({ mentions: uris.map(() => "@/inu.txt"), refused: [] });
    host.emit(session(), user("first wish"));
    await openPanel();
    await page.getByText("first wish").waitFor();
  });

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

  it("stays in the editor when the question about the files was canceled", async () => {
    host.editCanceled = true;
    await page.getByTestId("edit-message").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type(", better");
    await page.keyboard.press("Enter");
    await host.called("chat/edit");
    await expect.poll(() => page.getByTestId("edit-text").inputValue()).toBe("first wish, better");
  });

  it("keeps the changed text when it was not taken", async () => {
    host.failing.set("chat/edit", "the disk is full");
    await page.getByTestId("edit-message").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("!");
    await page.getByTestId("edit-send").click();
    await page.getByText("the disk is full").waitFor();
    await expect.poll(() => page.getByTestId("edit-text").inputValue()).toBe("first wish!");
    await page.getByTestId("edit-cancel").click();
  });

  it("does not send what an input method composes", async () => {
    await page.getByTestId("edit-message").focus();
    await page.keyboard.press("Enter");
    const client = await page.context().newCDPSession(page);
    await client.send("Input.imeSetComposition", { text: "ねこ", selectionStart: 2, selectionEnd: 2 });
    await client.send("Input.dispatchKeyEvent", {
      type: "rawKeyDown",
      key: "Process",
      windowsVirtualKeyCode: 229,
    });
    await client.send("Input.insertText", { text: "猫" });
    expect(host.named("chat/edit")).toEqual([]);
    await expect.poll(() => page.getByTestId("edit-text").inputValue()).toContain("猫");
    await page.keyboard.press("Escape");
  });

  it("is changed with all that the composer has: the picker, chips, images, what is dropped", async () => {
    host.find = async () => [{ path: "neko.txt", kind: "file", positions: [0] }];
    await page.getByTestId("edit-message").focus();
    await page.keyboard.press("Enter");
    const editor = page.locator(".message-editor");
    await page.keyboard.type(" @n");
    // The list of kinds, which stands there after the @ alone, gives way to what was found.
    const option = editor.locator("[data-testid=mention-option][aria-selected=true]", {
      hasText: "neko.txt",
    });
    await option.waitFor();
    const inSight = await option.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + 8, top + 8));
    });
    expect(inSight).toBe(true);
    await picture("edit-message-picker");
    // Of the two, Escape means the menu.
    await page.keyboard.press("Escape");
    await option.waitFor({ state: "detached" });
    await page.keyboard.press("Backspace");
    await page.keyboard.type("n");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("@n");
    await option.waitFor();
    await page.keyboard.press("Enter");
    await editor.getByTestId("mention-chip").waitFor();
    await expect.poll(() => page.getByTestId("edit-text").inputValue()).toBe("first wish @/neko.txt ");
    await page.evaluate(
      ([base64 = ""]) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], "cat.png", { type: "image/png" }));
        const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data });
        document.activeElement?.dispatchEvent(event);
        const drop = new DataTransfer();
        drop.setData("text/uri-list", "file:///w/inu.txt");
        const init = { bubbles: true, cancelable: true, dataTransfer: drop };
        document.activeElement?.dispatchEvent(new DragEvent("drop", init));
      },
      ["iVBORw0KGgo="],
    );
    await editor.getByTestId("image-chip").waitFor();
    await expect.poll(() => page.getByTestId("edit-text").inputValue()).toContain("@/inu.txt");
    await expect.poll(() => input().inputValue()).toBe("");
    await picture("edit-message");
    await editor.getByRole("button", { name: "Remove neko.txt" }).click();
    await page.getByTestId("edit-send").click();
    expect(await host.called("chat/edit")).toMatchObject({
      text: "first wish @/inu.txt ",
      images: [{ mimeType: "image/png", data: "iVBORw0KGgo=" }],
    });
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

  it("asks before a branch stops the task", async () => {
    host.emit({ type: "status", status: "approval" });
    await page.getByTestId("fork-message").focus();
    await page.keyboard.press("Enter");
    await page.getByTestId("keep-working").click();
    await page.getByTestId("leave-question").waitFor({ state: "detached" });
    await expect.poll(() => focused()).toBe("fork-message");
    await page.keyboard.press("Enter");
    await picture("fork-message-asks");
    await page.getByTestId("stop-and-leave").click();
    expect(await host.called("chat/fork", 3)).toMatchObject({ stop: true });
    await page.getByTestId("leave-question").waitFor({ state: "detached" });
  });

  it("comes back with its images where it is said anew", async () => {
    const data =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    host.server.notify("composer/insert", { text: "first wish", images: [{ mimeType: "image/png", data }] });
    await expect.poll(() => page.getByTestId("chat-input").inputValue()).toContain("first wish");
    await page.getByTestId("send").click();
    expect(await host.called("chat/send")).toMatchObject({ images: [{ mimeType: "image/png", data }] });
  });
});
