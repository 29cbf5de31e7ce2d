/** Keys that mean more than the character they type: chords of VS Code, ArrowUp and Escape in the composer. */

import { beforeEach, describe, expect, it } from "vitest";
import { clickOn } from "../support/pointer.ts";
import { session, user } from "./support/events.ts";
import { compose } from "./support/ime.ts";
import { host, input, openPanel, page, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });
beforeEach(async () => {
  await openPanel();
  await input().click();
});

const value = () => input().inputValue();

describe("what the user does in the page", () => {
  it("is told: the first key and all that may start a command, but not that the page gets the focus", async () => {
    await expect.poll(() => host.uses).toBe(1);
    await page.keyboard.type("ab");
    await expect.poll(value).toBe("ab");
    expect(host.uses).toBe(1);
    await page.keyboard.press("F1");
    await expect.poll(() => host.uses).toBe(2);
    await page.keyboard.press("Control+k");
    // The modifier is a key press of its own.
    await expect.poll(() => host.uses).toBe(4);
    await page.evaluate(() => {
      window.dispatchEvent(new FocusEvent("blur"));
      window.dispatchEvent(new FocusEvent("focus"));
    });
    await page.keyboard.type("c");
    await expect.poll(() => host.uses).toBe(5);
    await page.keyboard.type("d");
    await page.keyboard.insertText("e");
    await input().click();
    await expect.poll(() => host.uses).toBe(6);
  });
});

describe("a chord of VS Code", () => {
  it("leaves nothing of itself in the text", async () => {
    for (const key of ["y", "x", "j", ".", "Enter", "Shift+Y"]) {
      await input().fill("");
      await page.keyboard.type("a");
      await page.keyboard.press("Control+k");
      await page.keyboard.press(key);
      await page.keyboard.type("b");
      await expect.poll(value, { message: key }).toBe("ab");
      expect(host.named("chat/send"), key).toEqual([]);
    }
  });

  it("reaches VS Code, whose listener is on the window; a key that edits a text field does only as the second of a chord", async () => {
    await page.evaluate(() => {
      Reflect.set(window, "heard", []);
      window.addEventListener("keydown", ({ key }) => Reflect.get(window, "heard").push(key));
    });
    const heard = () =>
      page.evaluate(() => Reflect.get(window, "heard").filter((key: string) => key.length === 1));
    await page.keyboard.insertText("old words");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("new");
    await expect.poll(value).toBe("new");
    await page.keyboard.press("Control+z");
    await expect.poll(value).toBe("old words");
    expect(await heard()).toEqual([]);
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+a");
    await expect.poll(heard).toEqual(["k", "a"]);
    await page.keyboard.press("Control+k");
    await page.keyboard.press("y");
    await expect.poll(heard).toEqual(["k", "a", "k", "y"]);
  });

  it("ends where VS Code stops to wait: after five seconds, and when the panel loses the focus", async () => {
    // The time of an event is the browser's own, so that no test could press a real key at the right moment.
    const isChord = (milliseconds: number) =>
      page.evaluate((later) => {
        const isPrevented = (key: string, ctrlKey: boolean, timeStamp: number) => {
          const event = new KeyboardEvent("keydown", { key, ctrlKey, cancelable: true });
          Object.defineProperty(event, "timeStamp", { value: timeStamp });
          return !window.dispatchEvent(event);
        };
        const begun = performance.now();
        return isPrevented("k", true, begun) && isPrevented("y", false, begun + later);
      }, milliseconds);
    expect(await isChord(4_999)).toBe(true);
    expect(await isChord(5_000)).toBe(false);
    await page.keyboard.press("Control+k");
    await page.evaluate(() => window.dispatchEvent(new Event("blur")));
    await page.keyboard.type("z");
    await expect.poll(value).toBe("z");
  });
});

describe("ArrowUp", () => {
  beforeEach(async () => {
    host.emit(session(), user("first\nof two lines"), user("same"), user("same"), user("see @/src/"));
    await page.getByTestId("row").nth(3).waitFor();
  });
  const press = async (key: string, text: string) => {
    await page.keyboard.press(key);
    await expect.poll(value).toBe(text);
  };

  it("walks through the messages, and ArrowDown back to the draft", async () => {
    await page.keyboard.type("draft");
    await press("ArrowUp", "draft");
    await page.keyboard.press("Home");
    await press("ArrowUp", "see @/src/");
    // A menu would take the keys.
    expect(await page.getByTestId("mention-menu").count()).toBe(0);
    await press("ArrowUp", "same");
    await press("ArrowUp", "first\nof two lines");
    // From its last line to its first, and there is nothing older.
    await press("ArrowUp", "first\nof two lines");
    await press("ArrowUp", "first\nof two lines");
    await press("ArrowDown", "first\nof two lines");
    await press("End", "first\nof two lines");
    await press("ArrowDown", "same");
    await press("ArrowDown", "see @/src/");
    await press("ArrowDown", "draft");
    await press("ArrowDown", "draft");
  });

  it("keeps to the text once it is changed, and to the menu while one is open", async () => {
    await press("ArrowUp", "see @/src/");
    await page.keyboard.type("x");
    await press("ArrowUp", "see @/src/x");
    await input().fill("");
    host.find = async () => [
      { path: "a.ts", kind: "file", positions: [] },
      { path: "b.ts", kind: "file", positions: [] },
    ];
    await page.keyboard.type("@a");
    await page.getByTestId("mention-menu").waitFor();
    await press("ArrowUp", "@a");
  });
});

describe("Escape while the agent works", () => {
  const hint = () => page.getByText("Press Esc again to stop");
  beforeEach(async () => {
    host.emit(session(), user("go"), { type: "status", status: "streaming" });
    await page.getByTestId("stop").waitFor();
  });

  it("says at the first press that the second one stops", async () => {
    await page.keyboard.press("Escape");
    await hint().waitFor();
    expect(host.named("chat/stop")).toEqual([]);
    await page.keyboard.press("Escape");
    await host.called("chat/stop");
    await hint().waitFor({ state: "detached" });
  });

  it("is forgotten with any other key or press, and when the agent is done", async () => {
    for (const other of [
      () => page.keyboard.press("a"),
      () => input().click(),
      async () => {
        host.emit({ type: "status", status: "idle" });
        await page.getByTestId("stop").waitFor({ state: "detached" });
        host.emit({ type: "status", status: "streaming" });
        await page.getByTestId("stop").waitFor();
      },
    ]) {
      await page.keyboard.press("Escape");
      await hint().waitFor();
      await other();
      await hint().waitFor({ state: "detached" });
    }
    expect(host.named("chat/stop")).toEqual([]);
  });

  it("belongs to a menu or a composition first", async () => {
    host.find = async () => [{ path: "a.ts", kind: "file", positions: [] }];
    await page.keyboard.type("@a");
    await page.getByTestId("mention-menu").waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("mention-menu").waitFor({ state: "detached" });
    expect(await hint().count()).toBe(0);
    await page.keyboard.type(" ");
    await compose("ねこ");
    await page.evaluate(() =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Escape", isComposing: true, bubbles: true, cancelable: true }),
      ),
    );
    expect(await hint().count()).toBe(0);
    expect(host.named("chat/stop")).toEqual([]);
  });
});

describe("the queue", () => {
  const items = () => page.getByTestId("queue-item");
  beforeEach(async () => {
    const queue = ["one", "two", "three"].map((text) => ({ id: text, text }));
    host.emit(
      session(),
      user("go"),
      { type: "status", status: "streaming" },
      { type: "queue", items: queue },
    );
    await items().nth(2).waitFor();
  });

  it("is reordered by button and by Alt with the arrow keys, and sent now", async () => {
    await clickOn(items().nth(1), page.getByRole("button", { name: "Move up: two" }));
    await expect.poll(() => items().allTextContents()).toEqual(["two", "one", "three"]);
    await page.getByRole("button", { name: "Remove from queue: one" }).focus();
    await page.keyboard.press("Alt+ArrowDown");
    expect(await host.called("chat/move-queued", 2)).toEqual({ id: "one", index: 2 });
    await expect.poll(() => items().allTextContents()).toEqual(["two", "three", "one"]);
    await clickOn(items().nth(1), page.getByRole("button", { name: "Send now: three" }));
    expect(await host.called("chat/send-queued")).toEqual({ id: "three" });
  });

  it("is edited in place; Escape drops the change and does not stop the agent", async () => {
    const edit = async () => {
      await clickOn(items().nth(1), page.getByRole("button", { name: "Edit queued message: two" }));
      await page.getByTestId("queue-text").waitFor();
    };
    await edit();
    await page.keyboard.type("x");
    await page.keyboard.press("Escape");
    await expect.poll(() => items().allTextContents()).toEqual(["one", "two", "three"]);
    await edit();
    await page.keyboard.type(" and a half");
    await page.keyboard.press("Enter");
    expect(await host.called("chat/edit-queued")).toEqual({ id: "two", text: "two and a half" });
    await expect.poll(() => items().nth(1).textContent()).toBe("two and a half");
    expect(host.named("chat/edit-queued")).toHaveLength(1);
    expect(await page.getByText("Press Esc again to stop").count()).toBe(0);
  });

  it("gives the words of an editor back whose message the agent has read", async () => {
    await clickOn(items().nth(0), page.getByRole("button", { name: "Edit queued message: one" }));
    await page.getByTestId("queue-text").fill("one, changed");
    host.emit({ type: "queue", items: [] });
    await items().first().waitFor({ state: "detached" });
    await expect.poll(value).toBe("one, changed ");
    expect(host.named("chat/edit-queued")).toEqual([]);
  });
});
