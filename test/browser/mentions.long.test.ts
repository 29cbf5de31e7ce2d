/** Rare states of the picker, and second ways into it. mentions.test.ts has the picker by keys and by mouse, chips and what is dropped. */
import { beforeEach, describe, expect, it } from "vitest";
import type { FileHit } from "../../src/shared/protocol.ts";
import { files, value } from "./support/mentions.ts";
import { focused, host, input, openPanel, page, servePanels } from "./support/suite.ts";

servePanels();

beforeEach(async () => {
  await openPanel();
  await input().click();
});

describe("the @ picker", () => {
  it("goes into a folder on Tab", async () => {
    host.find = async (query) => (query.startsWith("src/") ? files("src/a.ts", "src/b.ts") : files("src/"));
    await page.keyboard.type("@sr");
    await expect.poll(() => page.getByTestId("mention-option").count()).toBe(1);
    await page.keyboard.press("Tab");
    await expect.poll(value).toBe("@/src/");
    await page.getByTestId("mention-option").nth(1).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("@/src/b.ts ");
  });

  it("is there again when the page has the focus again, which the editor may take for a moment", async () => {
    let answer = (_: FileHit[]) => {};
    host.find = () => new Promise((resolve) => (answer = resolve));
    await page.keyboard.type("@a");
    await host.called("files/find");
    // As a frame around the page does that takes the focus: the box stays what it would give it back to.
    await input().evaluate((box) => {
      box.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
      box.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    });
    host.find = async () => files("a.ts");
    answer(files("a.ts"));
    await page.getByTestId("mention-menu").waitFor();
  });

  it("shows the newest answer, whatever order they come in", async () => {
    const answers = new Map<string, (hits: FileHit[]) => void>();
    host.find = (query) => new Promise((resolve) => answers.set(query, resolve));
    await page.keyboard.type("@ab");
    await expect.poll(() => answers.size).toBe(3);
    answers.get("ab")?.(files("ab.ts"));
    await page.getByText("ab.ts").waitFor();
    answers.get("a")?.(files("a-old.ts"));
    answers.get("")?.(files("old.ts"));
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("@/ab.ts ");
  });

  it("takes from the newest list on an Enter that comes before it is drawn", async () => {
    let answer: (hits: FileHit[]) => void = () => {};
    host.find = async (query) =>
      query === "se" ? new Promise((resolve) => (answer = resolve)) : files("sea.txt", "s-dogs.txt");
    await page.keyboard.type("@s");
    await page.getByTestId("mention-option").getByText("sea.txt").waitFor();
    const asked = host.named("symbols/find").length;
    await page.keyboard.type("e");
    await host.called("symbols/find", asked + 1);
    await page.evaluate(() => {
      const press = async () => {
        // Every promise of the answer settles first; React renders later, in a task of its own.
        for (let turn = 0; turn < 100; turn++) await undefined;
        const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(event);
      };
      window.addEventListener("message", () => void press(), { once: true });
    });
    answer(files("seals.txt"));
    await expect.poll(value).toBe("@/seals.txt ");
  });

  it("forgets an Enter that came before the answer when the user types on, and sends nothing", async () => {
    let answer: (hits: FileHit[]) => void = () => {};
    host.find = (query) =>
      query === "nek" ? new Promise((resolve) => (answer = resolve)) : Promise.resolve([]);
    await page.keyboard.type("@nek");
    await expect.poll(() => host.named("files/find").at(-1)?.query).toBe("nek");
    await page.keyboard.press("Enter");
    await page.keyboard.type("o");
    answer([]);
    await expect.poll(() => host.named("files/find").at(-1)?.query).toBe("neko");
    await page.keyboard.type(" and more");
    await expect.poll(value).toBe("@neko and more");
    expect(host.named("chat/send")).toEqual([]);
  });

  it("sends on Enter when no file fits", async () => {
    await page.keyboard.type("@nobody");
    await expect.poll(() => host.named("files/find").at(-1)?.query).toBe("nobody");
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "@nobody" });
  });

  it("puts recent files first, and names each kind of thing under its heading", async () => {
    host.setup = { ...host.setup, otherRoots: ["lib", "not a name"] };
    await page.reload();
    // The roots come with the host's answer.
    await page.locator("main[aria-busy=false]").waitFor();
    await input().click();
    host.find = async () => [
      ...files("src/a.ts", "b.ts").map((hit) => ({ ...hit, recent: true })),
      ...files("c/"),
    ];
    await page.keyboard.type("@");
    await page.getByTestId("mention-option").last().waitFor();
    const groups = page.getByTestId("mention-menu").getByRole("group");
    await expect
      .poll(() => groups.evaluateAll((all) => all.map((group) => group.getAttribute("aria-label"))))
      .toEqual(["Recent files", "Other mentions", "Files"]);
    const titles = await page
      .getByTestId("mention-option")
      .evaluateAll((all) => all.map((one) => one.getAttribute("title")));
    expect(titles).toEqual([
      ...["src/a.ts", "b.ts", "@file:", "@folder:", "@#", "@problems", "@terminal", "@git-changes"],
      ...["@selection", "@open-editors", "@git:", "@https://", "@lib:/", "c/"],
    ]);
    await page.getByTestId("mention-option").filter({ hasText: "lib:/" }).click();
    await expect.poll(value).toBe("@lib:/");
    await expect.poll(() => host.named("files/find").at(-1)?.query).toBe("lib:/");
  });

  it("looks for files or folders alone, and takes an address", async () => {
    host.find = async () => files("src/");
    await page.keyboard.type("@fold");
    await page.getByTestId("mention-option").filter({ hasText: "Folders…" }).click();
    await expect.poll(value).toBe("@folder:");
    await page.keyboard.type("s");
    await expect
      .poll(() => host.named("files/find").at(-1))
      .toEqual({ query: "s", limit: 20, kind: "folder" });
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("@/src/ ");
    await page.keyboard.type("@https://example.com/a?b=1");
    await page.getByTestId("mention-option").filter({ hasText: "https://example.com/a?b=1" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "@/src/ @https://example.com/a?b=1" });
  });

  it("opens by its button too", async () => {
    host.find = async () => files("a.ts");
    await page.keyboard.type("see");
    await page.getByTestId("mention").click();
    await page.getByTestId("mention-option").last().waitFor();
    await expect.poll(() => value()).toBe("see @");
    await expect.poll(() => focused()).toBe("chat-input");
  });

  it("leaves what was typed to undo", async () => {
    host.find = async () => files("neko.txt");
    await page.keyboard.type("see @nek");
    await expect.poll(() => page.getByTestId("mention-option").count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("see @/neko.txt ");
    await page.keyboard.press("Control+z");
    await expect.poll(value).toBe("see @nek");
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(value).toBe("see @/neko.txt ");
  });
});

describe("the @ picker", () => {
  it("names what is no file, and leads to the commits", async () => {
    host.commits = [
      { hash: "0123456789abcdef0123456789abcdef01234567", subject: "Add neko", date: "2025-01-01" },
      { hash: "89abcdef0123456789abcdef0123456789abcdef", subject: "Remove inu", date: "2025-01-02" },
    ];
    await page.keyboard.type("@prob");
    await expect.poll(() => page.getByTestId("mention-option").count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("@problems ");
    await page.keyboard.type("@git");
    await page.getByTestId("mention-option").filter({ hasText: "Commit…" }).click();
    await page.getByTestId("mention-option").nth(1).waitFor();
    await expect.poll(value).toBe("@problems @git:");
    await page.keyboard.type("inu");
    await expect.poll(() => page.getByTestId("mention-option").count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("@problems @89abcdef0123456789abcdef0123456789abcdef ");
  });

  it("closes on Escape, and stays closed for that mention", async () => {
    host.find = async () => files("a.ts");
    await page.keyboard.type("@a");
    await page.getByTestId("mention-menu").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.type(".");
    await expect.poll(() => page.getByTestId("mention-menu").count()).toBe(0);
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "@a." });
  });
});
