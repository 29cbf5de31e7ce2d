/** Earlier tasks and an earlier message, in rarer states. The main ways are in history.test.ts, on real files in project/history.test.ts. */
import { beforeEach, describe, expect, it } from "vitest";
import { user } from "./support/events.ts";
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
import { focused, host, input, page, picture, servePanels, showScreen } from "./support/suite.ts";

servePanels();

describe("the history", () => {
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

  it("takes in files, and says in words why one was refused", async () => {
    await openHistory();
    await page.getByTestId("history-menu").click();
    await page.getByTestId("history-import").click();
    await page.getByText("Imported sessions: 1").waitFor();
    host.failing.set("history/import", "This file is not a session exported by Nekode.");
    await page.getByTestId("history-menu").click();
    await page.getByTestId("history-import").click();
    await page
      .getByRole("region", { name: "History" })
      .getByText("not a session exported by Nekode")
      .waitFor();
  });

  describe("of a task that started others", () => {
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
});

describe("a message of the user's", () => {
  beforeEach(openMessage);

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
