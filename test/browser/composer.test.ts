/** Writing a message, as a user does it: with real key presses, in a real browser. */
import { beforeEach, describe, expect, it } from "vitest";
import { value } from "./support/composer.ts";
import { session, user } from "./support/events.ts";
import { commit, compose, composingEnter } from "./support/ime.ts";
import { focused, host, input, openPanel, page, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

beforeEach(async () => {
  await openPanel();
  await input().click();
});

describe("the composer", () => {
  it("sends on Enter, and breaks the line on Shift+Enter", async () => {
    await page.keyboard.type("first");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("second");
    await expect.poll(() => value()).toBe("first\nsecond");
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "first\nsecond" });
    await expect.poll(() => value()).toBe("");
  });

  it("does not send on the Enter that ends a composition", async () => {
    await compose("ねこ");
    await composingEnter(229);
    await composingEnter(13);
    await expect.poll(() => value()).toBe("ねこ");
    await commit("猫");
    await expect.poll(() => value()).toBe("猫");
    expect(host.named("chat/send")).toEqual([]);
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "猫" });
  });

  it("gives the text back when the host does not take it, before what was typed since", async () => {
    host.failing.set("chat/send", "the host is gone");
    await page.keyboard.type("a long wish");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("the host is gone").waitFor();
    await expect.poll(() => value()).toBe("a long wish");
    host.failing.clear();
    await page.keyboard.press("Enter");
    await host.called("chat/send", 2);
    await page.getByRole("alert").waitFor({ state: "detached" });
    await expect.poll(() => value()).toBe("");
  });

  it("keeps the draft and the cursor over a reload", async () => {
    await page.keyboard.type("one two");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.reload();
    await input().click({ trial: true });
    await expect.poll(() => value()).toBe("one two");
    await input().focus();
    await page.keyboard.type("and ");
    await expect.poll(() => value()).toBe("one and two");
  });

  it("queues while the agent works, and takes it back", async () => {
    host.emit(session(), { type: "status", status: "streaming" });
    await page.getByTestId("stop").waitFor();
    await expect.poll(() => page.getByTestId("send").count()).toBe(0);
    await page.keyboard.type("and then this");
    await expect.poll(() => input().isEnabled()).toBe(true);
    await page.getByTestId("send").click();
    expect(await host.called("chat/send")).toEqual({ text: "and then this" });
    host.emit({ type: "queue", items: [{ id: "q1", text: "and then this" }] });
    await page.getByTestId("queue-item").getByRole("button").click();
    expect(await host.called("chat/unqueue")).toEqual({ id: "q1" });
    await page.getByTestId("queue-item").waitFor({ state: "detached" });
    await page.getByTestId("stop").click();
    await host.called("chat/stop");
  });

  it("takes the focus only when it is told to", async () => {
    await page.getByTestId("mode-act").focus();
    host.server.notify("composer/insert", { text: "@/neko.txt" });
    await expect.poll(value).toBe("@/neko.txt ");
    host.emit(
      session(),
      user("x"),
      { type: "status", status: "waiting" },
      { type: "status", status: "idle" },
    );
    await page.getByTestId("row").waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-testid")))
      .toBe("mode-act");
    host.server.notify("composer/focus", {});
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-testid")))
      .toBe("chat-input");
  });

  it("sends a pasted image, after it could be taken back", async () => {
    const paste = () =>
      page.evaluate(() => {
        const bytes = Uint8Array.from([137, 80, 78, 71]);
        const data = new DataTransfer();
        data.items.add(new File([bytes], "a.png", { type: "image/png" }));
        document.activeElement?.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
      });
    await paste();
    await page.getByRole("button", { name: "Remove image 1" }).click();
    await page.getByRole("img", { name: "Image 1" }).waitFor({ state: "detached" });
    await input().focus();
    await paste();
    await page.getByRole("img", { name: "Image 1" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({
      text: "",
      images: [{ mimeType: "image/png", data: "iVBORw==" }],
    });
    await page.reload();
    await input().waitFor();
    await expect.poll(() => page.getByRole("img").count()).toBe(0);
  });
});

describe("the / menu", () => {
  beforeEach(() => {
    host.commands = [
      { name: "newtask", kind: "command", description: "" },
      { name: "compact", kind: "command", description: "" },
      { name: "release", kind: "workflow", description: "Cut a release" },
    ];
  });
  const options = () => page.getByTestId("slash-option");

  it("is steered by keys, and sends a command that is typed out", async () => {
    await page.keyboard.type("/");
    await options().nth(5).waitFor();
    await expect.poll(() => page.getByTestId("slash-menu").getAttribute("role")).toBe("listbox");
    await expect.poll(() => options().nth(4).textContent()).toContain("Condense the conversation");
    await expect.poll(() => options().nth(5).textContent()).toContain("Cut a release");
    for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowDown");
    await expect
      .poll(() => input().getAttribute("aria-activedescendant"))
      .toBe(await options().nth(4).getAttribute("id"));
    await page.keyboard.press("Tab");
    await expect.poll(value).toBe("/compact ");
    await expect.poll(() => page.getByTestId("slash-menu").count()).toBe(0);
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "/compact " });
    await page.keyboard.type("/release");
    await expect.poll(() => options().count()).toBe(1);
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send", 2)).toEqual({ text: "/release" });
  });

  it("chooses on Enter, asks once for a menu, and opens after white space alone", async () => {
    await page.keyboard.type("a/b");
    expect(host.named("slash/list")).toEqual([]);
    await page.keyboard.type(" /rel");
    await expect.poll(() => options().count()).toBe(1);
    expect(host.named("slash/list")).toHaveLength(1);
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("a/b /release ");
    await page.keyboard.type("/usr/bin");
    await expect.poll(() => page.getByTestId("slash-menu").count()).toBe(0);
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "a/b /release /usr/bin" });
  });

  it("has commands that the panel carries out, whole or chosen, and sends nothing", async () => {
    await page.keyboard.type("keep this /cle");
    await expect.poll(() => options().count()).toBe(1);
    await page.keyboard.press("Enter");
    await host.called("chat/new");
    await expect.poll(value).toBe("keep this ");
    await input().fill("");
    await page.keyboard.type("/model");
    await expect.poll(() => options().count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(() => focused()).toBe("model-search");
    await page.keyboard.press("Escape");
    await input().fill("/help");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByTestId("help-command").count()).toBe(6);
    await page.getByTestId("help-command").filter({ hasText: "/release" }).click();
    await expect.poll(value).toBe("/release ");
    expect(host.named("chat/send")).toEqual([]);
  });

  it("closes on Escape, is chosen from by mouse, and is not missed where there is none", async () => {
    await page.keyboard.type("/");
    await options().first().waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.type("n");
    await expect.poll(() => page.getByTestId("slash-menu").count()).toBe(0);
    await input().fill("");
    await page.keyboard.type("/");
    await options().nth(4).click();
    await expect.poll(value).toBe("/compact ");
    host.failing.set("slash/list", "unknown request");
    await input().fill("");
    await page.keyboard.type("/x");
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "/x" });
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });
});
